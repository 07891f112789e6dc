// npm run build:docs: the docs site, into dist-demo/docs or the folder that is named.
// npm run start:docs: the same, and serves it.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root, withCompiled } from '../../test/compiled.mjs';
import { serveFolder } from './serve.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { serve: { type: 'boolean', default: false }, port: { type: 'string', default: '5174' } },
});
const out = resolve(positionals[0] ?? join(root, 'dist-demo', 'docs'));

const { status } = spawnSync(process.execPath, [join(root, 'assembly/build.mjs')], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

await withCompiled(async (load) => {
  const { buildSite } = await load('/demo/docs/make/site.ts');
  await buildSite(out, (line) => console.log(line));
});
if (values.serve) {
  const { address } = await serveFolder(out, { port: Number(values.port) });
  console.log(`\nThe docs site: ${address}\nStop this server and reload: it still works.`);
}
