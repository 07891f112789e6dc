import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** One row a layer, lowest first. A file may import its own layer-mates' folder and anything below. */
const layers: string[][] = [
  ['types'],
  ['errors', 'options', 'provenance'],
  ['kernel'],
  ['split', 'embed', 'lexicon', 'vectors'],
  ['store'],
  ['cite'],
  ['retrieve'],
  ['ingest'],
  ['open-index-options'],
  ['facade'],
  ['open-index'],
  ['worker', 'element', 'answer', 'chroma'],
  ['cli'],
];
/** Entry files may import anything and are imported by nothing. */
const entries = ['index', 'provenance-entry', 'service-worker-entry'];
/** Imports between names of one layer that the design allows. */
const siblings = new Set(['options>errors', 'provenance>errors', 'provenance>options']);

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mts|mjs|js)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/[\\/](fixtures|node_modules)[\\/]/.test(file));
}

const unitOf = (file: string): string =>
  relative(join(root, 'src'), file).split(sep)[0]!.replace(/\.ts$/, '');

function imports(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const found = text.matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g);
  return [...found].map((match) => resolve(dirname(file), match[1]!));
}

const layerOf = (unit: string): number => layers.findIndex((row) => row.includes(unit));

/** Says what is wrong with an import, or nothing. */
function fault(from: string, to: string): string | undefined {
  if (from === to || entries.includes(from)) return undefined;
  const [a, b] = [layerOf(from), layerOf(to)];
  if (a < 0) return `${from} is in no layer`;
  if (b < 0) return `${from} imports ${to}, which is in no layer`;
  if (a > b || siblings.has(`${from}>${to}`)) return undefined;
  return `${from} must not import ${to}`;
}

describe('the structure of the sources', () => {
  const files = sources('src');

  it('imports point one way', () => {
    expect(files.length).toBeGreaterThan(10);
    const faults = files.flatMap((file) =>
      imports(file)
        .filter((target) => target.startsWith(join(root, 'src')))
        .map((target) => fault(unitOf(file), unitOf(target)))
        .filter((text) => text !== undefined)
        .map((text) => `${relative(root, file)}: ${text}`),
    );
    expect(faults).toEqual([]);
  });

  it('the rule itself refuses an arrow the design does not allow', () => {
    expect(fault('kernel', 'split')).toBe('kernel must not import split');
    expect(fault('split', 'embed')).toBe('split must not import embed');
    expect(fault('types', 'errors')).toBe('types must not import errors');
    expect(fault('store', 'vectors')).toBeUndefined();
  });

  it('no file is longer than 400 lines', () => {
    const all = ['src', 'assembly', 'demo', 'test', 'models'].flatMap(sources);
    const long = all
      .map((file) => [relative(root, file), readFileSync(file, 'utf8').trimEnd().split('\n').length] as const)
      .filter(([, lines]) => lines > 400);
    expect(long).toEqual([]);
  });

  it('only one file touches WebAssembly and only one names indexedDB', () => {
    const naming = (word: RegExp) =>
      files.filter((file) => word.test(code(file))).map((file) => relative(root, file).replaceAll(sep, '/'));
    const code = (file: string) => readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    expect(naming(/\bWebAssembly\./)).toEqual(['src/kernel/wasm.ts']);
    expect(naming(/\bindexedDB\b|from 'idb'/).filter((file) => !file.startsWith('src/store/idb'))).toEqual(
      [],
    );
  });
});
