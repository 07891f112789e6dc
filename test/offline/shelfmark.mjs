// Runs a command of docs/offline.md in this folder with the library's sources: `shelfmark …` or `vite build`.
import { join, resolve } from 'node:path';
import { build, createServer } from 'vite';

const root = resolve(import.meta.dirname, '../..');
const [command, ...args] = process.argv.slice(2);
const source = (path) => join(root, 'src', path);

async function shelfmark() {
  const server = await createServer({
    root,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null, hmr: false },
    optimizeDeps: { noDiscovery: true, include: [] },
  });
  try {
    const { run } = await server.ssrLoadModule('/src/cli/run.ts');
    process.exitCode = await run(args, {
      cwd: process.cwd(),
      out: (line) => console.log(line),
      note: (text) => process.stderr.write(text),
      isTty: false,
      hasColors: false,
      signal: new AbortController().signal,
    });
  } finally {
    await server.close();
  }
}

if (command === 'shelfmark') await shelfmark();
else if (command === 'vite' && args.join() === 'build') {
  const alias = [
    { find: /^shelfmark\/element$/, replacement: source('element/index.ts') },
    { find: /^shelfmark\/transformers$/, replacement: source('embed/transformers.ts') },
  ];
  await build({ logLevel: 'error', resolve: { alias } });
} else throw new Error(`The guide has another command: ${command} ${args.join(' ')}`);
