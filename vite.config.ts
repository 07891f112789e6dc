import { resolve } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { demoConfig } from './demo/vite.ts';
import { licences, licencesBeside } from './licences.ts';
import { chromiumLaunch } from './test/browser-path.ts';
import { cliServer } from './test/cli-server.ts';
import { dataServer } from './test/data-server.ts';
import { modelFaults } from './test/model-faults.ts';
import { readmeModule } from './test/readme-example.ts';
import { workerEntryServer } from './test/worker-entry-server.ts';

const entry = (path: string): string => resolve(import.meta.dirname, 'src', path);

/**
 * Optional peers and dependencies stay imports of the built library. papaparse is bundled: it is no ES module, which
 * browsers and some bundlers cannot import.
 */
const external = [/^node:/, /^@xenova\/transformers/, /^@huggingface\/transformers/, 'chromadb', 'idb'];

const library: ViteUserConfig = {
  base: './',
  plugins: [licences()],
  build: {
    target: 'es2022',
    minify: false,
    sourcemap: true,
    lib: {
      formats: ['es'],
      entry: {
        index: entry('index.ts'),
        transformers: entry('embed/transformers.ts'),
        provenance: entry('provenance-entry.ts'),
        element: entry('element/index.ts'),
        answer: entry('answer/index.ts'),
        chroma: entry('chroma/index.ts'),
        'model-context': entry('retrieve/model-context.ts'),
        worker: entry('worker/index.ts'),
        'cli/main': entry('cli/main.ts'),
      },
    },
    rollupOptions: {
      external,
      // A file for each module, so that an app's bundler carries what the app uses and fetches the rest when needed.
      output: {
        preserveModules: true,
        preserveModulesRoot: 'src',
        // npm packs no folder of the other name.
        entryFileNames: ({ name }) => `${name.replaceAll('node_modules', 'vendor')}.js`,
      },
    },
  },
};

/**
 * The worker that serves an index without an app's bundler, and the library for service workers: one file each, to be
 * copied beside an app, with all that is otherwise fetched when it is needed.
 */
const singleFile = (name: string, path: string): ViteUserConfig => ({
  base: './',
  plugins: [licencesBeside(`${name}.licences.txt`)],
  build: {
    target: 'es2022',
    emptyOutDir: false,
    lib: { formats: ['es'], entry: { [name]: entry(path) } },
    rollupOptions: { external: [/^@xenova\/transformers/], output: { codeSplitting: false, minify: true } },
  },
});

/** Cases a property gets; a million of them take their time. */
const runs = Number(process.env['SHELFMARK_RUNS'] ?? 2000);
const testTimeout = Math.max(120_000, runs * 4);
/** A shared machine may hold a test of time, or a browser, up for seconds. Properties take the same cases again. */
const retry = process.env['CI'] ? 1 : 0;

const tests: ViteUserConfig = {
  plugins: [dataServer(), modelFaults(), cliServer(), readmeModule(), workerEntryServer()],
  server: { fs: { strict: false } },
  // Found in the middle of a run, they would reload the page under the tests.
  optimizeDeps: { include: ['@xenova/transformers', 'fast-check', 'idb', 'papaparse'] },
  define: { __RUNS__: runs, __PROPERTY_SEED__: process.env['SHELFMARK_PROPERTY_SEED'] ?? 'undefined' },
  test: {
    setupFiles: ['test/property-seed.ts'],
    reporters: ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['test/unit/**/*.test.ts', 'test/contract/**/*.test.ts'],
          testTimeout,
          retry,
        },
      },
      {
        extends: true,
        test: {
          name: 'chromium',
          include: ['test/browser/**/*.test.ts', 'test/contract/**/*.test.ts'],
          testTimeout,
          retry,
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
};

export default defineConfig(({ mode }) => {
  if (mode === 'demo') return demoConfig;
  if (mode === 'worker-entry') return singleFile(mode, 'worker/entry.ts');
  if (mode === 'service-worker') return singleFile(mode, 'service-worker-entry.ts');
  return mode === 'test' ? tests : library;
});
