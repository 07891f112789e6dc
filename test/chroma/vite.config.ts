import { join } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumLaunch } from '../browser-path.ts';

const here = import.meta.dirname;

/** The contract's tests, on a store that it does not know. */
const otherKinds = {
  name: 'other-store-kinds',
  enforce: 'pre' as const,
  resolveId: (id: string, importer: string | undefined) =>
    id === './store-kinds.ts' && importer?.includes('/test/contract/')
      ? join(here, 'store-kinds.ts')
      : undefined,
};

const root = join(here, '..', '..');
const define = { __RUNS__: 30, __PROPERTY_SEED__: process.env['SHELFMARK_PROPERTY_SEED'] ?? 'undefined' };
const resolve = {
  alias: {
    chromadb: join(here, 'node_modules/chromadb'),
    // Bundlers follow the client's import of a package that only collections of texts need.
    '@chroma-core/default-embed': join(here, 'no-embedding.ts'),
  },
};

export default defineConfig({
  test: {
    projects: [
      {
        root,
        plugins: [otherKinds],
        resolve,
        define,
        test: {
          name: 'node',
          environment: 'node',
          setupFiles: ['test/property-seed.ts'],
          globalSetup: [join(here, 'global-setup.ts')],
          include: ['test/contract/stores*.test.ts', 'test/chroma/*.node.test.ts'],
          testTimeout: 120_000,
        },
      },
      {
        root,
        resolve,
        server: { fs: { strict: false } },
        optimizeDeps: { include: ['fast-check', 'idb'] },
        define,
        test: {
          name: 'chromium',
          globalSetup: [join(here, 'global-setup.ts')],
          include: ['test/chroma/*.chromium.test.ts'],
          testTimeout: 120_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: chromiumLaunch() ?? {} }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
