import { invalidOption } from '../errors.ts';
import { trimEnd, trimStart } from '../kernel/js.ts';
import { checkText, decodeText } from '../kernel/kernel.ts';
import { packRecords } from '../kernel/load.ts';
import { defaults } from '../options.ts';
import type { TextInput } from '../types.ts';
import { besidePair, hasLoneSurrogate } from './cut.ts';

export interface ChunkTextOptions {
  /** Largest chunk, in UTF-16 code units. Default 800. */
  chunkSize?: number;
  /** Code units shared by neighbours where no separator is given; a size or more counts as one less. Default 100. */
  overlap?: number;
  /** Divides records, which are then packed whole and without overlap. `''` means none. */
  separator?: string;
}

/** The reference takes `Infinity` ("never cut") and any overlap from 0 up. */
function size(option: string, value: unknown, low: number): number {
  if (typeof value === 'number' && value >= low && (Number.isInteger(value) || value === Infinity))
    return value;
  throw invalidOption(option, value, `a whole number, ${low} or more, or Infinity`);
}

/**
 * The text in chunks of at most `chunkSize` UTF-16 code units, trimmed, blank ones left out.
 *
 * With a `separator` whole records are packed, trimmed and joined by the separator, and a record longer than
 * `chunkSize` is cut by itself. Without, windows break at the last space or line break in their second half.
 * A cut never falls inside a surrogate pair, unless lone surrogates stand in the text already. For chunks that are slices of the text, use `byRecord`.
 *
 * @throws ShelfmarkError `INVALID_OPTION` for a size out of range, `INVALID_DOCUMENT` for a text that is none.
 */
export function chunkText(text: TextInput, options: ChunkTextOptions = {}): string[] {
  const { separator = '' } = options;
  const chunkSize = size('chunkSize', options.chunkSize ?? defaults.chunkText.chunkSize, 1);
  const overlap = size('overlap', options.overlap ?? defaults.chunkText.overlap, 0);
  checkText(text);
  if (typeof separator !== 'string') throw invalidOption('separator', separator, 'a string');
  const keepPairs = typeof text !== 'string' || !hasLoneSurrogate(text);
  if (separator === '') return windows(decodeText(text), chunkSize, overlap, keepPairs);

  const chunks: string[] = [];
  for (const piece of packRecords(text, { separator, size: chunkSize, sliced: false })) {
    if (piece.oversize) chunks.push(...windows(piece.text, chunkSize, 0, keepPairs));
    else chunks.push(piece.rejoin ? rejoined(piece.text, separator) : piece.text);
  }
  return chunks;
}

/** Splitting the slice again gives the same records: it starts and ends with a record. */
const rejoined = (slice: string, separator: string): string =>
  slice
    .split(separator)
    .map((record) => record.trim())
    .filter((record) => record !== '')
    .join(separator);

/** The reference breaks behind a space, or inside the two line feeds of a blank line that the window holds whole. */
const isBreak = (text: string, at: number, end: number): boolean =>
  text.charCodeAt(at) === 0x20 ||
  (text.charCodeAt(at) === 0x0a && at + 1 < end && text.charCodeAt(at + 1) === 0x0a);

function windows(text: string, chunkSize: number, overlap: number, keepPairs: boolean): string[] {
  const border = keepPairs ? besidePair : (_: string, at: number): number => at;
  const chunks: string[] = [];
  const last = trimEnd(text, 0, text.length);
  let start = trimStart(text, 0, last);
  while (start < last) {
    let end = start + chunkSize;
    if (end < last) {
      let at = end - 1;
      const half = start + chunkSize / 2;
      while (at > half && !isBreak(text, at, end)) at--;
      end = at > half ? at + 1 : border(text, end, start);
    } else {
      end = last;
    }
    const chunk = text.slice(start, end).trim();
    if (chunk !== '') chunks.push(chunk);
    if (end >= last) break;
    start = border(text, Math.max(end - overlap, start + 1), start);
  }
  return chunks;
}
