// npm run test:tools: retrieval tools in the AI SDK, in LangChain and in the model context of Chromium, each the real one.
// The packages are no part of the library, so they are installed here, and only for this.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installIn } from '../install.mjs';

const here = import.meta.dirname;
const shell = process.platform === 'win32';
installIn(here);
execFileSync('npx', ['tsc', '-p', here], { stdio: 'inherit', shell });
const config = join(here, 'vite.config.ts');
const { status } = spawnSync('npx', ['vitest', 'run', '--config', config, '--root', here], {
  stdio: 'inherit',
  shell,
});
process.exit(status ?? 1);
