import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from '../../browser-path.mjs';

const port = 4194;

/** The snippets of docs/element.md, built with their frameworks. */
export default defineConfig({
  testDir: import.meta.dirname,
  outputDir: '../../../test-results/frameworks',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  workers: 1,
  forbidOnly: true,
  reporter: [['list']],
  use: { baseURL: `http://127.0.0.1:${port}`, launchOptions: chromiumLaunch() ?? {}, locale: 'en' },
  webServer: {
    command: `node server.mjs ${port}`,
    cwd: import.meta.dirname,
    url: `http://127.0.0.1:${port}/`,
    reuseExistingServer: false,
    timeout: 180_000,
  },
});
