import { defineConfig } from '@playwright/test';

const port = 4189;

// Drawn here, once, so that every worker and every failure names the same one.
process.env['SHELFMARK_SEED'] ??= String(Date.now() % 1_000_000);
/** Rounds of the kill test: 10 in `npm test`, 100 in `npm run test:kill`. */
export const rounds = Number(process.env['SHELFMARK_KILLS'] ?? 10);

/** What a store goes through: killed browsers, full disks, several tabs, old and new versions. */
export default defineConfig({
  testDir: import.meta.dirname,
  outputDir: '../../test-results/survival',
  timeout: 120_000,
  expect: { timeout: 15_000 },
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  reporter: [['list']],
  use: { baseURL: `http://127.0.0.1:${port}` },
  webServer: {
    command: `node server.mjs ${port}`,
    cwd: import.meta.dirname,
    url: `http://127.0.0.1:${port}/`,
    reuseExistingServer: false,
  },
});
