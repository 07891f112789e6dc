import { show } from '../errors.ts';
import type { VectorFormat } from '../types.ts';
import { decodeSegment } from '../vectors/format.ts';
import { SEGMENT_ROWS, segmentOf } from '../vectors/rows.ts';
import { INTEGER_LIMIT } from './bytes.ts';
import type { Snapshot } from './file.ts';
import type { LexicalSegment } from './segments.ts';
import type { Entry, Texts } from './table.ts';

/** Rows that may be unused for each that is used: far more than a store leaves, and too few to fill the memory. */
const SPARE_ROWS = 16;
const formats: readonly VectorFormat[] = ['f32', 'int8', 'int8+f32'];

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < INTEGER_LIMIT;

/** Throws any error that says what of a snapshot does not fit the rest of it. */
export function checkSnapshot({ meta, entries, texts, vectors, words }: Snapshot): void {
  checkMeta(meta);
  const filled = filledRows(vectors, meta);
  const ids = new Set<string>();
  for (const entry of entries) {
    if (ids.has(entry.id)) throw new Error(`document ${show(entry.id)} is there twice`);
    ids.add(entry.id);
    try {
      checkEntry(entry, filled);
      checkTexts(entry, texts.get(entry.id));
    } catch (cause) {
      throw new Error(`document ${show(entry.id)}: ${(cause as Error).message}`, { cause });
    }
  }
  checkRows(entries, meta.rowCount);
  for (const segment of words) checkWords(segment);
}

function checkMeta({ embedder, splitter, analyzer, vectors, dimensions, rowCount }: Snapshot['meta']): void {
  for (const identity of [embedder, splitter, analyzer]) {
    if (identity !== undefined && typeof identity !== 'string') {
      throw new Error('what the index was made with is no string');
    }
  }
  if (!formats.includes(vectors)) throw new Error(`vectors are kept as ${show(vectors)}`);
  if (!isCount(dimensions)) throw new Error(`vectors have ${show(dimensions)} values`);
  if (!isCount(rowCount) || rowCount >= 2 ** 32) throw new Error(`there are ${show(rowCount)} rows`);
}

/** Rows that each segment holds. */
function filledRows(
  segments: readonly ArrayBuffer[],
  { vectors, dimensions, rowCount }: Snapshot['meta'],
): number[] {
  const filled: number[] = [];
  // A segment that held nothing may be missing, which `entries` would say.
  segments.forEach((bytes, at) => {
    if (dimensions === 0) throw new Error('there are vectors without a length');
    if (at * SEGMENT_ROWS >= rowCount) throw new Error(`vector segment ${at} is of no row`);
    const { values } = decodeSegment(bytes, dimensions, vectors, `vector segment ${at}`);
    filled[at] = values.length / dimensions;
  });
  return filled;
}

function checkEntry({ version, generation, rows, columns, pending }: Entry, filled: readonly number[]): void {
  if (!isCount(version) || !isCount(generation)) throw new Error('its version is no number of a commit');
  const lists = [columns.ids, ...Object.values(columns.numbers), ...Object.values(columns.values)];
  for (const list of lists) {
    if (list !== undefined && list.length !== rows.length) throw new Error('a column has another length');
  }
  for (const metadata of columns.values['metadata'] ?? []) {
    if (metadata === undefined) continue;
    if (metadata === null || typeof metadata !== 'object' || Array.isArray(metadata)) {
      throw new Error(`metadata is ${show(metadata)}`);
    }
  }
  if (columns.ids?.includes('')) throw new Error('a record has no id');
  let before = -1;
  for (const at of pending ?? []) {
    if (!Number.isInteger(at) || at <= before || at >= rows.length) {
      throw new Error(`vector ${show(at)} is said to be still to come`);
    }
    before = at;
  }
  const waiting = new Set(pending);
  rows.forEach((row, at) => {
    if (!waiting.has(at) && !(row % SEGMENT_ROWS < (filled[segmentOf(row)] ?? 0))) {
      throw new Error(`the vector of row ${row} is missing`);
    }
  });
}

function checkTexts({ rows, columns: { numbers } }: Entry, given: Texts | undefined): void {
  if (given === undefined) throw new Error('its texts are missing');
  const { text, texts } = given;
  if (texts !== undefined) {
    if (texts.length !== rows.length) throw new Error('it has not a text for each record');
    return;
  }
  const { charStart, charEnd } = numbers;
  if (text === undefined || charStart === undefined || charEnd === undefined) {
    throw new Error('its records have no texts');
  }
  if ([...charStart, ...charEnd].some(Number.isNaN)) throw new Error('a record has no text');
}

/** Every row is one document's alone. By sorting, as a table of all rows would be as large as the file says. */
function checkRows(entries: readonly Entry[], rowCount: number): void {
  const count = entries.reduce((sum, { rows }) => sum + rows.length, 0);
  if (rowCount > SPARE_ROWS * (count + SEGMENT_ROWS)) {
    throw new Error(`there are ${rowCount} rows for ${count} records`);
  }
  const all = new Uint32Array(count);
  let at = 0;
  for (const { rows } of entries) {
    all.set(rows, at);
    at += rows.length;
  }
  all.sort();
  if (all.some((row, i) => row >= rowCount || (i > 0 && row === all[i - 1]))) {
    throw new Error('a row is not one document’s alone');
  }
}

function checkWords({ versions, chunks }: LexicalSegment): void {
  if (![...versions, ...chunks].every(isCount)) throw new Error('words are of no known version or number');
}
