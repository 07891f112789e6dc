import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from '../browser-path.mjs';

const port = 4193;

/** The search element in a page, as a reader uses it. */
export default defineConfig({
  testDir: import.meta.dirname,
  testIgnore: 'frameworks/**',
  outputDir: '../../test-results/element',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // A shared machine may hold a browser up for seconds; what passes then is told as flaky.
  retries: process.env['CI'] ? 2 : 0,
  reporter: [['list']],
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1280, height: 800 },
    launchOptions: chromiumLaunch() ?? {},
    locale: 'en',
  },
  webServer: {
    command: `node server.mjs ${port}`,
    cwd: import.meta.dirname,
    url: `http://127.0.0.1:${port}/`,
    reuseExistingServer: false,
    timeout: 120_000,
  },
});
