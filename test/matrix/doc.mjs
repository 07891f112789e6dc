// The blocks of docs/bundlers.md, which are what the matrix builds and runs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');
const text = readFileSync(join(root, 'docs', 'bundlers.md'), 'utf8');

/** Blocks by what the comment before each says of it: `file: app.js`, `run: esbuild`, `part: …`, `csp: …`. */
const blocks = new Map(
  [...text.matchAll(/^<!-- (\w+: [^>]+?) -->\n```\w+\n([\s\S]*?)^```$/gm)].map(([, label, code]) => [
    label,
    code,
  ]),
);
const fences = [...text.matchAll(/^```\w/gm)].length;
if (blocks.size !== fences) {
  throw new Error(
    `docs/bundlers.md has ${fences} blocks, of which ${blocks.size} say what the matrix does with them.`,
  );
}

const used = new Set();

/** The code of a block. */
export function block(label) {
  const code = blocks.get(label);
  if (code === undefined) throw new Error(`docs/bundlers.md has no block "${label}".`);
  used.add(label);
  return code;
}

/** What no row has asked for. */
export const unusedBlocks = () => [...blocks.keys()].filter((label) => !used.has(label));

/** A file of the app; one of a folder comes before the one that all share. */
export function file(name, folder) {
  return block(blocks.has(`file: ${folder}/${name}`) ? `file: ${folder}/${name}` : `file: ${name}`);
}

/** A command, without npx, in words. */
export const command = (label) => block(`run: ${label}`).trim().replace(/^npx /, '').split(' ');

/** Puts a block in the place of what another file has between two texts. */
export function replaced(code, from, to, by) {
  const start = code.indexOf(from);
  const end = code.indexOf(to, start);
  if (start < 0 || end < 0) throw new Error(`No "${from}" … "${to}" to be replaced in docs/bundlers.md.`);
  return code.slice(0, start) + by + code.slice(end + to.length);
}
