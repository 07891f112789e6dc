import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  define: { __RUNS__: 1, __PROPERTY_SEED__: 'undefined' },
  test: {
    environment: 'node',
    include: ['test/migration/*.test.ts', 'test/unit/docs-code.test.ts'],
    testTimeout: 60_000,
  },
});
