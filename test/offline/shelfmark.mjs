// Runs a command of docs/offline.md in this folder with the library's sources: `shelfmark …` or `vite build`.
import { join } from 'node:path';
import { build } from 'vite';
import { root, withCompiled } from '../compiled.mjs';

const [command, ...args] = process.argv.slice(2);
const source = (path) => join(root, 'src', path);

const shelfmark = () =>
  withCompiled(async (load) => {
    const { run } = await load('/src/cli/run.ts');
    process.exitCode = await run(args, {
      cwd: process.cwd(),
      out: (line) => console.log(line),
      note: (text) => process.stderr.write(text),
      isTty: false,
      hasColors: false,
      signal: new AbortController().signal,
    });
  });

if (command === 'shelfmark') await shelfmark();
else if (command === 'vite' && args.join() === 'build') {
  const alias = [
    { find: /^shelfmark\/element$/, replacement: source('element/index.ts') },
    { find: /^shelfmark\/transformers$/, replacement: source('embed/transformers.ts') },
  ];
  await build({ logLevel: 'error', resolve: { alias } });
} else throw new Error(`The guide has another command: ${command} ${args.join(' ')}`);
