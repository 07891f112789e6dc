// npm run test:tools: retrieval tools in the AI SDK, in LangChain and in the model context of Chromium, each the real one.
// The packages are no part of the library, so they are installed here, and only for this.
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
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock'];
  execFileSync('npm', ['install', ...quiet], { cwd: here, stdio: 'inherit', shell });
}
execFileSync('npx', ['tsc', '-p', here], { stdio: 'inherit', shell });
const config = join(here, 'vite.config.ts');
const { status } = spawnSync('npx', ['vitest', 'run', '--config', config, '--root', here], {
  stdio: 'inherit',
  shell,
});
process.exit(status ?? 1);
