import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from '../browser-path.mjs';

const port = 4187;

/** End-to-end tests of the built demo: `npm run build:demo` first. */
export default defineConfig({
  testDir: import.meta.dirname,
  outputDir: '../../test-results',
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
    permissions: ['clipboard-read', 'clipboard-write'],
    locale: 'en',
  },
  projects: [{ name: 'chromium', use: { browserName: 'chromium' } }],
  webServer: {
    command: `node server.mjs ${port}`,
    cwd: import.meta.dirname,
    url: `http://127.0.0.1:${port}/`,
    reuseExistingServer: false,
  },
});
