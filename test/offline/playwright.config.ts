import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from '../browser-path.mjs';

/** The docs site with the network gone. Each test has a server of its own, which it stops. */
export default defineConfig({
  testDir: import.meta.dirname,
  outputDir: '../../test-results/offline',
  globalSetup: './build-site.ts',
  timeout: 90_000,
  expect: { timeout: 30_000 },
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // Service workers change hands when the browser sees fit, and under load that takes its time.
  retries: 2,
  reporter: [['list']],
  use: {
    viewport: { width: 1280, height: 800 },
    launchOptions: chromiumLaunch() ?? {},
    locale: 'en',
  },
});
