import { resolve } from 'node:path';
import type { UserConfig } from 'vite';

export const demoConfig: UserConfig = {
  root: import.meta.dirname,
  base: './',
  build: { outDir: resolve(import.meta.dirname, '..', 'dist-demo'), emptyOutDir: true, target: 'es2022' },
};
