// npm run bench:scale [-- --sizes=10000,50000 --note="busy machine"]: grows a synthetic index in Chromium and prints how
// time, memory and disk grow with it. A whole run writes results.json, and the table and plot of docs/scale.md; one of other
// sizes only with --write.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { createServer } from 'vite';
import { chromiumLaunch } from '../../browser-path.mjs';
import { growth } from './fit.mjs';
import { writeReport } from './report.mjs';

const option = (name) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const sizes = (option('sizes') ?? '10000,50000,100000,250000,500000').split(',').map(Number);
const note = option('note') ?? '';
const launch = chromiumLaunch();
if (launch === undefined) {
  console.error('No Chromium was found: run npx playwright install chromium, or install a chromium package.');
  process.exit(1);
}
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};
const server = await createServer({
  mode: 'test',
  logLevel: 'error',
  server: { port: 0, hmr: false, watch: null, headers },
});
await server.listen();

/** One size in a browser and a profile of its own, so that nothing is left of the one before. */
async function measure(chunks, vectors) {
  const profile = mkdtempSync(join(tmpdir(), 'shelfmark-scale-'));
  const browser = await chromium.launchPersistentContext(profile, {
    ...launch,
    args: [...launch.args, '--enable-blink-features=ForceEagerMeasureMemory'],
  });
  try {
    const page = await browser.newPage();
    page.on('console', (message) => message.type() === 'info' && console.log(message.text()));
    const crashed = new Promise((_, reject) => {
      page.on('crash', () => reject(new Error('the page crashed, as it does when memory is short')));
    });
    crashed.catch(() => {});
    await page.goto(`${server.resolvedUrls.local[0]}test/bench/scale/index.html`);
    await page.waitForFunction(() => window.measureScale !== undefined);
    const work = page.evaluate(([n, v]) => window.measureScale(n, v), [chunks, vectors]);
    work.catch(() => {});
    return await Promise.race([work, crashed]);
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

const rounded = (value) =>
  Array.isArray(value) ? value.map(rounded) : value > 1000 ? Math.round(value) : Number(value.toFixed(2));
const rows = [];
try {
  for (const vectors of ['int8', 'f32']) {
    for (const size of sizes) {
      try {
        const measured = await measure(size, vectors);
        const row = Object.fromEntries(Object.entries(measured).map(([key, value]) => [key, rounded(value)]));
        rows.push({ vectors, size, ...row });
      } catch (error) {
        rows.push({ vectors, size, failed: String(error.message ?? error).split('\n')[0] });
      }
      console.log(JSON.stringify(rows.at(-1)));
    }
  }
} finally {
  await server.close();
}
const slopes = growth(rows);
for (const { vectors, stage, between, overall } of slopes) {
  const text = `${vectors} ${stage}: ${between.map((slope) => slope.toFixed(2)).join(', ')}; overall ${overall.toFixed(2)}`;
  console.log(overall > 1.1 ? `${text}: ABOVE LINEAR` : text);
}
if (option('sizes') === undefined || process.argv.includes('--write')) {
  const results = { date: new Date().toISOString().slice(0, 10), note, rows };
  writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify(results, null, 1)}\n`);
  writeReport(results);
}
