// npm run test:chroma: the contract of stores, and what a server's end or silence does, on a real Chroma server, from Node and
// from Chromium. Client and server are no part of the library, so they are installed here, and only for this.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installIn } from '../install.mjs';

const here = import.meta.dirname;
installIn(here);
const shell = process.platform === 'win32';
spawnSync(process.execPath, ['assembly/build.mjs'], { cwd: join(here, '..', '..'), stdio: 'inherit' });
execFileSync('npx', ['tsc', '-p', here], { stdio: 'inherit', shell });
const config = join(here, 'vite.config.ts');
const { status } = spawnSync('npx', ['vitest', 'run', '--config', config, ...process.argv.slice(2)], {
  cwd: join(here, '..', '..'),
  stdio: 'inherit',
  shell,
});
process.exit(status ?? 1);
