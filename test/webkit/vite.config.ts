import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { dataServer } from '../data-server.ts';
import { webkit, webkitOnDisk } from './provider.ts';

const found = process.env['SHELFMARK_WEBKIT_PATHS'];
if (found === undefined) throw new Error('Start this with "npm run test:webkit".');
const paths = JSON.parse(found);

/** Those that write to IndexedDB. They run twice: WebKit has one IndexedDB in memory and another on the disk. */
const storing = ['stores*', 'refused', 'vector-formats'].map((name) => `test/contract/${name}.test.ts`);

/** The suites that are the same for every engine, in WebKitGTK. */
export default defineConfig({
  root: resolve(import.meta.dirname, '..', '..'),
  plugins: [dataServer()],
  server: { fs: { strict: false } },
  // Found in the middle of a run, they would reload the page.
  optimizeDeps: { include: ['@xenova/transformers', 'fast-check', 'idb'] },
  define: { __RUNS__: Number(process.env['SHELFMARK_RUNS'] ?? 200) },
  test: {
    name: 'webkitgtk',
    include: ['test/contract/**/*.test.ts'],
    testTimeout: 120_000,
    browser: {
      enabled: true,
      // Its display is not a screen.
      headless: true,
      screenshotFailures: false,
      provider: webkit(paths),
      instances: [
        { browser: 'webkit', name: 'over WebDriver' },
        { browser: 'webkit', name: 'on disk', include: storing, provider: webkitOnDisk(paths) },
      ],
    },
  },
});
