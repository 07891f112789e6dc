import type { AtxHeading, TextInput } from '../types.ts';
import * as twin from './js.ts';
import { decodeText, type PackOptions, type RecordPiece, type TextKernel } from './kernel.ts';
import { hexDigest, sha256 as sha256OfTwin } from './sha256.ts';
import type { WasmModule } from './wasm.ts';
import { encoder, enter, openModule, type ScanExports, type ScanMemory, scan } from './wasm-memory.ts';

export type TextMemory = ScanMemory<TextExports>;

export interface TextExports extends ScanExports {
  atxHeadings(at: number, length: number, ascii: boolean): number;
  headingUnits(at: number, out: number, count: number): void;
  gatherTitles(at: number, out: number, count: number): number;
  readonly gathered: { readonly value: number };
  packRecords(
    at: number,
    length: number,
    separator: number,
    separatorLength: number,
    separatorUnits: number,
    size: number,
    sliced: boolean,
    ascii: boolean,
  ): number;
  sha256(at: number, length: number): number;
}

/** A separator with a replacement character, or half of a pair, could match what encoding made of a lone half. */
const unsafeSeparator = /[\uFFFD]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Bytes decoded at once: 3.7 GB/s in Chromium, where 800 bytes or all of a large text at a time give 1 GB/s or less. */
const decodedBytes = 65_536;

/** Gives the text of each piece in turn, from `words` of five: byte start and end, UTF-16 start and end, flags. */
function slicer(text: TextInput, words: Uint32Array, count: number): (piece: number) => string {
  if (typeof text === 'string') return (i) => text.slice(words[i * 5 + 2], words[i * 5 + 3]);
  let block = '';
  let blockStart = 0;
  let blockEnd = 0;
  return (i) => {
    if (i >= blockEnd) {
      const from = words[i * 5]!;
      blockStart = words[i * 5 + 2]!;
      blockEnd = i + 1;
      while (blockEnd < count && words[blockEnd * 5 + 1]! - from <= decodedBytes) blockEnd++;
      block = decodeText(text.subarray(from, words[(blockEnd - 1) * 5 + 1]));
    }
    return block.slice(words[i * 5 + 2]! - blockStart, words[i * 5 + 3]! - blockStart);
  };
}

/** The functions below as one kernel; whoever needs a single one calls that, and carries no other. */
export function wasmText(module: WasmModule): TextKernel {
  const memory: TextMemory = openModule(module, 'text');
  return {
    kind: 'wasm',
    atxHeadings: (text) => atxHeadings(memory, text),
    packRecords: (text, options) => packRecords(memory, text, options),
    sha256: (text) => sha256(memory, text),
  };
}

/** What does not enter as it is, is read as its string by the twin. */
export function atxHeadings(memory: TextMemory, text: TextInput): AtxHeading[] {
  const entered = enter(memory, text);
  if (entered === undefined) return twin.atxHeadings(text);
  const { kernel, at, length } = entered;
  const count = scan(kernel, () => kernel.atxHeadings(at, length, entered.ascii));
  if (count === undefined) return twin.atxHeadings(text);
  const out = kernel.results();
  if (!entered.ascii) kernel.headingUnits(at, out, count);
  const gathered = typeof text === 'string' ? 0 : scan(kernel, () => kernel.gatherTitles(at, out, count));
  if (gathered === undefined) return twin.atxHeadings(text);
  const { buffer } = kernel.memory;
  const words = new Uint32Array(buffer, out, count * 7);
  const titles = gathered === 0 ? '' : decodeText(new Uint8Array(buffer, gathered, kernel.gathered.value));
  const headings: AtxHeading[] = new Array(count);
  for (let i = 0, w = 0, from = 0; i < count; i++, w += 7) {
    const start = words[w + 3]!;
    const stop = words[w + 4]!;
    const title =
      typeof text === 'string' ? text.slice(start, stop) : titles.slice(from, (from += stop - start));
    headings[i] = { offset: words[w]!, end: words[w + 1]!, level: words[w + 2]!, title };
  }
  return headings;
}

export function packRecords(memory: TextMemory, text: TextInput, options: PackOptions): RecordPiece[] {
  const { separator, size, sliced } = options;
  const entered = unsafeSeparator.test(separator) ? undefined : enter(memory, text);
  const wanted = encoder.encode(separator);
  const mark = entered?.kernel.reserve(wanted.length) ?? 0;
  if (entered === undefined || mark === 0) return twin.packRecords(text, options);
  const { kernel, at, length } = entered;
  new Uint8Array(kernel.memory.buffer, mark, wanted.length).set(wanted);
  // A limit beyond any text is no limit; the kernel counts in 32 bits.
  const limit = Math.min(size, 0x7fffffff);
  const count = scan(kernel, () =>
    kernel.packRecords(at, length, mark, wanted.length, separator.length, limit, sliced, entered.ascii),
  );
  if (count === undefined) return twin.packRecords(text, options);
  const words = new Uint32Array(kernel.memory.buffer, kernel.results(), count * 5);
  const slice = slicer(text, words, count);
  const pieces: RecordPiece[] = new Array(count);
  for (let i = 0, w = 0; i < count; i++, w += 5) {
    const flags = words[w + 4]!;
    pieces[i] = {
      charStart: words[w + 2]!,
      charEnd: words[w + 3]!,
      text: slice(i),
      rejoin: !sliced && (flags & 1) !== 0,
      oversize: (flags & 2) !== 0,
    };
  }
  return pieces;
}

export function sha256(memory: TextMemory, text: string): string {
  const entered = enter(memory, text);
  if (entered === undefined) return sha256OfTwin(text);
  const { kernel, at, length } = entered;
  return hexDigest(new Uint32Array(kernel.memory.buffer, kernel.sha256(at, length), 8));
}
