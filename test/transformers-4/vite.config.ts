import { join } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumLaunch } from '../browser-path.ts';
import { modelFaults } from '../model-faults.ts';

const name = '@huggingface/transformers';
const files = join(import.meta.dirname, 'node_modules', name, 'dist');
const launch: { args?: string[] } = chromiumLaunch() ?? {};

export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  plugins: [modelFaults(join(import.meta.dirname, 'node_modules/onnxruntime-web/dist'), name)],
  server: { fs: { strict: false } },
  define: { __RUNS__: 1, __PROPERTY_SEED__: 'undefined' },
  test: {
    setupFiles: ['test/property-seed.ts'],
    reporters: ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['test/transformers-4/node.test.ts'],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        resolve: { alias: { [name]: join(files, 'transformers.web.js') } },
        test: {
          name: 'chromium',
          include: ['test/transformers-4/{chromium,webgpu}.test.ts'],
          testTimeout: 120_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            // A GPU of software, so that WebGPU is run for real.
            provider: playwright({
              launchOptions: {
                ...launch,
                args: [
                  ...(launch.args ?? []),
                  '--enable-unsafe-webgpu',
                  '--enable-features=Vulkan',
                  '--use-webgpu-adapter=swiftshader',
                ],
              },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
