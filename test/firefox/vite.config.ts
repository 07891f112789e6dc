import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { dataServer } from '../data-server.ts';
import { firefox } from './provider.ts';

const executablePath = process.env['SHELFMARK_FIREFOX'];
if (executablePath === undefined) throw new Error('Start this with "npm run test:firefox".');

/** The suites that are the same for every engine, in Firefox. */
export default defineConfig({
  root: resolve(import.meta.dirname, '..', '..'),
  plugins: [dataServer()],
  server: { fs: { strict: false } },
  // Found in the middle of a run, it would reload the page.
  optimizeDeps: { include: ['@xenova/transformers'] },
  define: { __RUNS__: Number(process.env['SHELFMARK_RUNS'] ?? 500) },
  test: {
    name: 'firefox',
    include: ['test/contract/**/*.test.ts'],
    testTimeout: 120_000,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: firefox(executablePath),
      instances: [{ browser: 'firefox' }],
    },
  },
});
