// npm run bench [name…]: measures in Chromium and prints medians, side by side, with ratios to each table's first row.
// With --markdown it prints tables as docs/benchmarks.md has them.
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import asc from 'assemblyscript/asc';
import { chromium } from 'playwright';
import { createServer } from 'vite';
import { chromiumLaunch } from '../browser-path.mjs';
import { installRivals } from './install.mjs';
import { markdownTable } from './markdown.mjs';

const notMeasured = ['dpack', 'node:crypto', '@chonkiejs/token', '@kreuzberg/tree-sitter-language-pack'];
const asMarkdown = process.argv.includes('--markdown');
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const launch = chromiumLaunch();
if (launch === undefined) {
  console.error('No Chromium was found: run npx playwright install chromium, or install a chromium package.');
  process.exit(1);
}

installRivals();
const { error, stderr } = await asc.main(
  ['test/bench/assembly/read.ts', '--target', 'release', '--outFile', 'build/read.wasm'],
  {},
);
if (error) throw new Error(stderr.toString());

const server = await createServer({
  mode: 'test',
  logLevel: 'error',
  // Orama's formats, chonkie's connectors to databases, its tokenizers and parsers.
  resolve: {
    alias: Object.fromEntries(
      notMeasured.map((name) => [name, join(import.meta.dirname, 'not-measured.ts')]),
    ),
  },
  // Bundled in advance, its module is no longer beside its script.
  optimizeDeps: { exclude: ['@chonkiejs/core', '@chonkiejs/chunk'] },
  server: {
    port: 0,
    hmr: false,
    watch: null,
    // An isolated page has a clock of 5 µs instead of 100.
    headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' },
  },
});
await server.listen();
// A profile on the disk: in one that is forgotten, IndexedDB is kept in memory.
const profile = mkdtempSync(join(tmpdir(), 'shelfmark-bench-'));
const browser = await chromium.launchPersistentContext(profile, {
  ...launch,
  args: [
    ...launch.args,
    '--js-flags=--expose-gc',
    // performance.measureUserAgentSpecificMemory() answers at once instead of with the next collection.
    '--enable-blink-features=ForceEagerMeasureMemory',
  ],
});

/** Bytes of the files under a folder, where there is one; a file may go while it is looked at. */
function bytesUnder(folder) {
  let bytes = 0;
  if (!existsSync(folder)) return bytes;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}

const precise = (value) => value.toFixed(value < 10 ? 3 : 1);
const rate = ({ bytes, ms }) => (bytes === undefined ? '' : `${(bytes / 1e6 / (ms / 1000)).toFixed(0)} MB/s`);

try {
  const page = await browser.newPage();
  page.on('console', (message) => message.type() === 'info' && console.log(message.text()));
  page.on('pageerror', (error) => console.error(error));
  await page.exposeFunction('bytesOnDisk', () => bytesUnder(join(profile, 'Default', 'IndexedDB')));
  await page.goto(`${server.resolvedUrls.local[0]}test/bench/index.html`);
  await page.waitForFunction(() => window.benches !== undefined);
  const benches = await page.evaluate(() => window.benches);
  console.log(
    `Chromium ${await page.evaluate(() => /Chrom\w*\/(\d+)/.exec(navigator.userAgent)?.[1])}, Node ${process.version}; medians`,
  );
  for (const [group, name] of benches) {
    if (wanted.length > 0 && !wanted.some((word) => `${group}/${name}`.includes(word))) continue;
    const rows = await page.evaluate(([g, n]) => window.runBench(g, n), [group, name]);
    if (asMarkdown) {
      console.log(`\n${markdownTable(`${group}/${name}`, rows)}`);
      continue;
    }
    console.log(`\n${group}/${name}`);
    const width = Math.max(...rows.map(({ what }) => what.length));
    for (const row of rows) {
      const ratio = (rows[0].ms / row.ms).toFixed(2);
      console.log(
        [
          row.what.padEnd(width),
          `${precise(row.ms)} ${row.unit ?? 'ms'}`.padStart(11),
          `[${row.spread.map((ms) => ms.toFixed(2)).join('–')}]`.padStart(18),
          rate(row).padStart(10),
          `×${ratio}`.padStart(8),
          row.p95 === undefined
            ? ''
            : `p95 ${precise(row.p95)} ms ×${(rows[0].p95 / row.p95).toFixed(2)}  `.padStart(24),
          row.note ?? '',
        ].join('  '),
      );
    }
  }
} finally {
  await browser.close();
  await server.close();
  rmSync(profile, { recursive: true, force: true });
}
