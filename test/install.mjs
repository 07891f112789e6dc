// Packages that one suite alone needs are no part of the library: each such folder has a package.json of its own.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const manifest = (file) => JSON.parse(readFileSync(file, 'utf8'));

/**
 * Installs what a folder's package.json names, unless all of it is there in these versions.
 *
 * @param {string} folder
 * @param {{ flags?: string[], env?: Record<string, string> }} [options] more flags of npm, more of its environment
 */
export function installIn(folder, { flags = [], env = {} } = {}) {
  const isThere = ([name, wanted]) => {
    const file = join(folder, 'node_modules', name, 'package.json');
    return existsSync(file) && manifest(file).version === wanted;
  };
  if (Object.entries(manifest(join(folder, 'package.json')).dependencies).every(isThere)) return;
  execFileSync('npm', ['install', ...flags, '--no-audit', '--no-fund', '--no-package-lock'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, ...env },
  });
}
