import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from '../browser-path.mjs';

/** Links to passages, followed in Chromium on pages made of real documents. */
export default defineConfig({
  testDir: import.meta.dirname,
  outputDir: '../../test-results/fragments',
  timeout: 120_000,
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 900, height: 700 },
    launchOptions: chromiumLaunch() ?? {},
  },
});
