import { resolve } from 'node:path';
import type { ViteUserConfig } from 'vitest/config';
import type { BrowserConfigOptions } from 'vitest/node';
import { dataServer } from './data-server.ts';

/**
 * The suites that are the same for every engine, in one of them.
 *
 * @param runs Cases a property gets where nothing else is asked for
 */
export const engineSuite = (
  name: string,
  runs: number,
  browser: Pick<BrowserConfigOptions, 'provider' | 'instances'>,
): ViteUserConfig => ({
  root: resolve(import.meta.dirname, '..'),
  plugins: [dataServer()],
  server: { fs: { strict: false } },
  // Found in the middle of a run, they would reload the page.
  optimizeDeps: { include: ['@xenova/transformers', 'fast-check', 'idb', 'papaparse'] },
  define: {
    __RUNS__: Number(process.env['SHELFMARK_RUNS'] ?? runs),
    __PROPERTY_SEED__: process.env['SHELFMARK_PROPERTY_SEED'] ?? 'undefined',
  },
  test: {
    setupFiles: ['test/property-seed.ts'],
    name,
    include: ['test/contract/**/*.test.ts'],
    testTimeout: 120_000,
    browser: { enabled: true, headless: true, screenshotFailures: false, ...browser },
  },
});
