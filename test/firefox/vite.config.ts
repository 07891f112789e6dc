import { defineConfig } from 'vitest/config';
import { engineSuite } from '../engine-config.ts';
import { firefox } from './provider.ts';

const executablePath = process.env['SHELFMARK_FIREFOX'];
if (executablePath === undefined) throw new Error('Start this with "npm run test:firefox".');

export default defineConfig(
  engineSuite('firefox', 500, {
    provider: firefox(executablePath),
    instances: [{ browser: 'firefox' }],
  }),
);
