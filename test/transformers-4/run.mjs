// npm run test:transformers: what holds of the bundled model with @xenova/transformers (npm test) holds with its successor,
// in Node and in Chromium. It takes 470 MB, so it is installed here, and only for this.
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
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], {
    cwd: here,
    stdio: 'inherit',
    shell,
    // Its processor build comes with the package; what it would download is for other devices.
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
  });
}
const root = join(here, '..', '..');
spawnSync(process.execPath, ['assembly/build.mjs'], { cwd: root, stdio: 'inherit' });
const config = join(here, 'vite.config.ts');
const { status } = spawnSync('npx', ['vitest', 'run', '--config', config, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  shell,
});
process.exit(status ?? 1);
