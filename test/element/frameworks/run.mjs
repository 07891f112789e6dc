// npm run test:frameworks: the snippets of docs/element.md, each built with its framework as it stands there and used in
// Chromium. The frameworks are no part of the library, so they are installed here, and only for this.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const shell = process.platform === 'win32';
const manifest = (file) => JSON.parse(readFileSync(file, 'utf8'));
const isThere = ([name, wanted]) => {
  const file = join(here, 'node_modules', name, 'package.json');
  return existsSync(file) && manifest(file).version === wanted;
};
if (!Object.entries(manifest(join(here, 'package.json')).dependencies).every(isThere)) {
  // Vite is the library's own.
  const quiet = ['--legacy-peer-deps', '--no-audit', '--no-fund', '--no-package-lock'];
  execFileSync('npm', ['install', ...quiet], { cwd: here, stdio: 'inherit', shell });
}
const config = join(here, 'playwright.config.ts');
const { status } = spawnSync('npx', ['playwright', 'test', '--config', config], { stdio: 'inherit', shell });
process.exit(status ?? 1);
