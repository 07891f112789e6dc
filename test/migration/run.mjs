// npm run test:migration: the code of docs/migration.md, run and type-checked with the libraries it moves from. They are no
// part of this one, so they are installed here, and only for this.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installIn } from '../install.mjs';

const here = import.meta.dirname;
const root = join(here, '..', '..');
const shell = process.platform === 'win32';
installIn(here, { flags: ['--omit=optional'] });
spawnSync(process.execPath, ['assembly/build.mjs'], { cwd: root, stdio: 'inherit' });
const config = join(here, 'vite.config.ts');
const { status } = spawnSync('npx', ['vitest', 'run', '--config', config], {
  cwd: root,
  stdio: 'inherit',
  shell,
});
process.exit(status ?? 1);
