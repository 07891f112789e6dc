// node precache.mjs <folder>: lists the folder's files with their hashes, and writes sw.js with the list into it.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const folder = process.argv[2];
// Of ONNX Runtime a page that is not cross-origin isolated fetches this one file.
const leftOut = /^sw\.js$|(^|\/)\.|\.map$|^ort\/(?!ort-wasm-simd\.wasm$)/;
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('base64');

const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .filter((path) => !leftOut.test(path))
  .sort();
const files = Object.fromEntries(
  paths.map((path) => [
    path.split('/').map(encodeURIComponent).join('/'),
    `sha256-${sha256(readFileSync(join(folder, path)))}`,
  ]),
);
const version = sha256(JSON.stringify(files));
const worker = readFileSync(new URL('./sw.js', import.meta.url), 'utf8');
writeFileSync(
  join(folder, 'sw.js'),
  `const precache = ${JSON.stringify({ version, files }, null, 1)};\n${worker}`,
);
console.log(`${paths.length} files are kept offline.`);
