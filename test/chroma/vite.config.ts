import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

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

const resolve = { alias: { chromadb: join(here, 'node_modules/chromadb') } };

export default defineConfig({
  test: {
    projects: [
      {
        root: join(here, '..', '..'),
        plugins: [otherKinds],
        resolve,
        define: { __RUNS__: 30, __PROPERTY_SEED__: process.env['SHELFMARK_PROPERTY_SEED'] ?? 'undefined' },
        test: {
          name: 'node',
          environment: 'node',
          setupFiles: ['test/property-seed.ts'],
          globalSetup: [join(here, 'global-setup.ts')],
          include: ['test/contract/stores*.test.ts', 'test/chroma/*.node.test.ts'],
          testTimeout: 120_000,
        },
      },
    ],
  },
});
