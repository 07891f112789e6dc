import { defineConfig } from 'vitest/config';
import { engineSuite } from '../engine-config.ts';
import { webkit, webkitOnDisk } from './provider.ts';

const found = process.env['SHELFMARK_WEBKIT_PATHS'];
if (found === undefined) throw new Error('Start this with "npm run test:webkit".');
const paths = JSON.parse(found);

/** Those that write to IndexedDB. They run twice: WebKit has one IndexedDB in memory and another on the disk. */
const storing = ['stores*', 'refused', 'vector-formats'].map((name) => `test/contract/${name}.test.ts`);

// Headless, since its display is not a screen.
export default defineConfig(
  engineSuite('webkitgtk', 200, {
    provider: webkit(paths),
    instances: [
      { browser: 'webkit', name: 'over WebDriver' },
      { browser: 'webkit', name: 'on disk', include: storing, provider: webkitOnDisk(paths) },
    ],
  }),
);
