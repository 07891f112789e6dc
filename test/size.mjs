// npm run size: what an app really carries, per entry point, minified and gzipped, the kernel inlined. Held to the
// limit is what loads at once, and all that a search needs; what is fetched when it is needed (what changes an index,
// files, repair, the TypeScript twins where WebAssembly is refused, the adapter for stores of others) is told beside it.
// Exits non-zero where a limit is passed. Runs on the built library (npm run build). With --write it puts the table into
// docs/sizes.md.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { apps, markedTable, sizeTable } from './size-apps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const alias = Object.entries(exports)
  .filter(([, target]) => typeof target === 'object')
  .map(([path, target]) => ({
    find: new RegExp(`^${path.replace('.', 'shelfmark')}$`),
    replacement: join(root, target.default),
  }));

const gzipped = (chunks) =>
  chunks.reduce((sum, { code = '' }) => sum + gzipSync(code, { level: 9 }).length, 0) / 1000;

/** Keeps what an app imports, which a bundler drops where nothing is done with it. */
const use = (code) => {
  const [, names] = /import (?:\* as |\{)(.*?)\}? from/.exec(code) ?? [];
  return names === undefined ? '' : `globalThis.app = [${names}];`;
};

let failed = false;
const measured = new Map();
const folder = mkdtempSync(join(tmpdir(), 'size-'));
try {
  for (const { what, code, limit, goal } of apps) {
    const entry = join(folder, `${what}.js`);
    writeFileSync(entry, `${code}\n${use(code)}`);
    const result = await build({
      configFile: false,
      root,
      logLevel: 'error',
      resolve: { alias },
      build: {
        write: false,
        minify: true,
        target: 'es2022',
        // An app's own way of loading chunks, which Vite adds to one, is not the library's.
        lib: { entry, formats: ['es'] },
        rollupOptions: {
          external: [/^@xenova\//, /^@huggingface\//, 'chromadb'],
          // An app exports nothing, so that its entry may hold what others share.
          preserveEntrySignatures: false,
          output: { minify: true },
        },
      },
    });
    const chunks = (Array.isArray(result) ? result : [result]).flatMap(({ output }) => output);
    const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
    const atOnce = new Set();
    const load = (chunk) => {
      if (chunk === undefined || atOnce.has(chunk)) return;
      atOnce.add(chunk);
      for (const name of chunk.imports ?? []) load(byName.get(name));
    };
    for (const chunk of chunks) if (chunk.isEntry) load(chunk);
    const kB = gzipped([...atOnce]);
    const later = chunks.filter((chunk) => !atOnce.has(chunk));
    measured.set(what, { atOnce: kB, later: later.length === 0 ? undefined : gzipped(later) });
    const over = kB > limit;
    failed ||= over;
    const more = later.length === 0 ? '' : `, on demand ${gzipped(later).toFixed(1)} kB gzip more`;
    console.log(
      `${what.padEnd(22)} ${kB.toFixed(1).padStart(5)} kB gzip at once, limit ${limit}${goal === undefined ? '' : `, goal ${goal}`}${over ? ' TOO LARGE' : ''}${more}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const page = join(root, 'docs/sizes.md');
const text = readFileSync(page, 'utf8');
const table = sizeTable(measured);
if (process.argv.includes('--write'))
  writeFileSync(
    page,
    text.replace(markedTable, () => table),
  );
else if (!text.includes(table)) console.log('docs/sizes.md has other figures: npm run size -- --write');
process.exit(failed ? 1 : 0);
