// npm run test:matrix: the packed library in every bundler, under policies, on servers and in service workers.
// One line a row. Names on the command line choose rows.

import { unusedBlocks } from './doc.mjs';
import { engineRows } from './engine-rows.mjs';
import { closeBrowser } from './look.mjs';
import { otherRows } from './other-rows.mjs';
import { prepare } from './place.mjs';
import { bundlerRows } from './rows.mjs';

const chosen = process.argv.slice(2);
const started = performance.now();
const tarball = prepare();
console.log(`packed and installed, ${Math.round(performance.now() - started)} ms`);

const rows = [...bundlerRows, ...otherRows(tarball), ...engineRows].filter(
  ([name]) => chosen.length === 0 || chosen.some((part) => name.toLowerCase().includes(part.toLowerCase())),
);
let failed = 0;

async function runRow([name, work]) {
  const begun = performance.now();
  let error;
  try {
    await work();
  } catch (thrown) {
    error = thrown;
    failed++;
  }
  const ms = String(Math.round(performance.now() - begun)).padStart(6);
  console.log(`${name.padEnd(48)} ${error === undefined ? 'ok    ' : 'FAILED'} ${ms} ms`);
  if (error !== undefined) console.log(`  ${(error.stack ?? String(error)).replaceAll('\n', '\n  ')}`);
}

// Two at a time: half of what a row does is waiting.
const waiting = [...rows];
const lane = async () => {
  for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) await runRow(row);
};
await Promise.all([lane(), lane()]);
await closeBrowser();

const unused = chosen.length === 0 ? unusedBlocks() : [];
for (const label of unused) console.log(`docs/bundlers.md: no row ran the block "${label}"`);
const seconds = Math.round((performance.now() - started) / 1000);
console.log(`${rows.length - failed} rows passed, ${failed} failed, ${seconds} s`);
process.exit(rows.length > 0 && failed === 0 && unused.length === 0 ? 0 : 1);
