import type { AtxHeading, TextInput } from '../types.ts';
import { BLOCK_WORDS, type BlockList } from './block-list.ts';
import { scanBlocks as scanBlocksOfTwin } from './blocks.ts';
import * as twin from './js.ts';
import { decodeText, type PackOptions, type RecordPiece, type TextKernel } from './kernel.ts';
import { hexDigest, sha256 as sha256OfTwin } from './sha256.ts';
import { instantiate, type KernelExports, type WasmModule } from './wasm.ts';

/**
 * Bytes from which a text gets an instance of its own, which is dropped afterwards: linear memory never
 * shrinks, so the shared instance would keep the largest text's memory for good.
 */
const ownInstanceBytes = 16 * 1024 * 1024;

export interface TextExports extends KernelExports {
  reset(): void;
  reserve(bytes: number): number;
  results(): number;
  validate(at: number, length: number): number;
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
  scanBlocks(at: number, length: number, frontMatter: boolean): number;
  blockUnits(): void;
  sha256(at: number, length: number): number;
}

/** A text in linear memory. */
interface Entered {
  kernel: TextExports;
  at: number;
  length: number;
  ascii: boolean;
}

const encoder = new TextEncoder();
/** The kernel's word for bytes that are not UTF-8, and for bytes below 0x80 alone. */
const invalid = 0;
const ascii = 1;
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

/** The text module, and its instance that all but very large texts share. */
export interface TextMemory {
  readonly module: WasmModule;
  readonly shared: TextExports;
}

/** Instantiates the text module. Throws where the engine refuses it. */
export const openText = (module: WasmModule): TextMemory => ({
  module,
  shared: instantiate<TextExports>(module, 'text'),
});

/** The functions below as one kernel; whoever needs a single one calls that, and carries no other. */
export function wasmText(module: WasmModule): TextKernel {
  const memory = openText(module);
  return {
    kind: 'wasm',
    atxHeadings: (text) => atxHeadings(memory, text),
    packRecords: (text, options) => packRecords(memory, text, options),
    scanBlocks: (text, options) => scanBlocks(memory, text, options.frontMatter),
    sha256: (text) => sha256(memory, text),
  };
}

/** Writes a string as UTF-8; undefined where there is no memory left. */
function encode(kernel: TextExports, text: string): { at: number; length: number } | undefined {
  // ASCII needs one byte a unit; what does not fit goes on after room for the worst case is made.
  let at = kernel.reserve(text.length);
  if (at === 0) return undefined;
  let view = new Uint8Array(kernel.memory.buffer, at, text.length);
  let { read, written } = encoder.encodeInto(text, view);
  if (read < text.length) {
    kernel.reset();
    const room = written + (text.length - read) * 3;
    at = kernel.reserve(room);
    if (at === 0) return undefined;
    view = new Uint8Array(kernel.memory.buffer, at + written, room - written);
    written += encoder.encodeInto(text.slice(read), view).written;
  }
  // The padding that `reserve` zeroed lies behind the room, not behind the text.
  const end = at + written;
  new Uint8Array(kernel.memory.buffer).fill(0, end, Math.min(end + 64, kernel.memory.buffer.byteLength));
  return { at, length: written };
}

/** Puts a text into linear memory; undefined where it does not fit or is no UTF-8. */
function enter({ module, shared }: TextMemory, text: TextInput): Entered | undefined {
  const kernel = text.length < ownInstanceBytes ? shared : instantiate<TextExports>(module, 'text');
  kernel.reset();
  if (typeof text === 'string') {
    const placed = encode(kernel, text);
    if (placed === undefined) return undefined;
    return { kernel, ...placed, ascii: placed.length === text.length };
  }
  const at = kernel.reserve(text.length);
  if (at === 0) return undefined;
  new Uint8Array(kernel.memory.buffer, at, text.length).set(text);
  const state = kernel.validate(at, text.length);
  return state === invalid ? undefined : { kernel, at, length: text.length, ascii: state === ascii };
}

/** Runs a scan; undefined where the engine ran out of memory in the middle of it. */
function scan<T>(kernel: TextExports, run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (kernel.exhausted.value === 1) return undefined;
    throw error;
  }
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

export function scanBlocks(memory: TextMemory, text: TextInput, frontMatter: boolean): BlockList {
  const entered = enter(memory, text);
  const count =
    entered && scan(entered.kernel, () => entered.kernel.scanBlocks(entered.at, entered.length, frontMatter));
  if (count === undefined) return scanBlocksOfTwin(decodeText(text), frontMatter);
  const { kernel, ascii } = entered!;
  if (!ascii) kernel.blockUnits();
  const words = new Uint32Array(kernel.memory.buffer, kernel.results(), count * BLOCK_WORDS).slice();
  return { words, count };
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
