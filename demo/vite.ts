import { resolve } from 'node:path';
import type { UserConfig } from 'vite';
import { demoAssets } from './assets-plugin.ts';

export const demoConfig: UserConfig = {
  root: import.meta.dirname,
  base: './',
  plugins: [demoAssets()],
  worker: { format: 'es' },
  optimizeDeps: { include: ['@xenova/transformers', 'idb', 'papaparse'] },
  build: {
    outDir: resolve(import.meta.dirname, '..', 'dist-demo'),
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
  },
};
