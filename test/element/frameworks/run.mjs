// npm run test:frameworks: the snippets of docs/element.md, each built with its framework as it stands there and used in
// Chromium. The frameworks are no part of the library, so they are installed here, and only for this.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installIn } from '../../install.mjs';

const here = import.meta.dirname;
const shell = process.platform === 'win32';
// Vite is the library's own.
installIn(here, { flags: ['--legacy-peer-deps'] });
const config = join(here, 'playwright.config.ts');
const { status } = spawnSync('npx', ['playwright', 'test', '--config', config], { stdio: 'inherit', shell });
process.exit(status ?? 1);
