// npm run test:transformers: what holds of the bundled model with @xenova/transformers (npm test) holds with its successor,
// in Node and in Chromium. It takes 470 MB, so it is installed here, and only for this.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installIn } from '../install.mjs';

const here = import.meta.dirname;
const shell = process.platform === 'win32';
// Its processor build comes with the package; what it would download is for other devices.
installIn(here, { env: { ONNXRUNTIME_NODE_INSTALL: 'skip' } });
const root = join(here, '..', '..');
spawnSync(process.execPath, ['assembly/build.mjs'], { cwd: root, stdio: 'inherit' });
const config = join(here, 'vite.config.ts');
const { status } = spawnSync('npx', ['vitest', 'run', '--config', config, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  shell,
});
process.exit(status ?? 1);
