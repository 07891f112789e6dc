import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const manifest = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** What is measured against is no part of the library, so it is installed here, and only when it is wanted. */
export function installRivals() {
  const { dependencies } = manifest(join(here, 'package.json'));
  const isThere = ([name, wanted]) => {
    const file = join(here, 'node_modules', name, 'package.json');
    return existsSync(file) && manifest(file).version === wanted;
  };
  if (Object.entries(dependencies).every(isThere)) return;
  execFileSync('npm', ['install', '--omit=optional', '--no-audit', '--no-fund', '--no-package-lock'], {
    cwd: here,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}
