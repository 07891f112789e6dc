// npm run test:migration: the code of docs/migration.md, run and type-checked with the libraries it moves from. They are no
// part of this one, so they are installed here, and only for this.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const root = join(here, '..', '..');
const shell = process.platform === 'win32';
const manifest = (file) => JSON.parse(readFileSync(file, 'utf8'));
const isThere = ([name, wanted]) => {
  const file = join(here, 'node_modules', name, 'package.json');
  return existsSync(file) && manifest(file).version === wanted;
};
if (!Object.entries(manifest(join(here, 'package.json')).dependencies).every(isThere)) {
  const quiet = ['--omit=optional', '--no-audit', '--no-fund', '--no-package-lock'];
  execFileSync('npm', ['install', ...quiet], { cwd: here, stdio: 'inherit', shell });
}
spawnSync(process.execPath, ['assembly/build.mjs'], { cwd: root, stdio: 'inherit' });
const config = join(here, 'vite.config.ts');
const { status } = spawnSync('npx', ['vitest', 'run', '--config', config], {
  cwd: root,
  stdio: 'inherit',
  shell,
});
process.exit(status ?? 1);
