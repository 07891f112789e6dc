import { characterTables } from './characters.ts';
import type { AnalyzerOptions, LexicalKernel, NearTerm, QueryToken } from './lexical.ts';
import { instantiate, type KernelExports, type WasmModule } from './wasm.ts';

interface Exports extends KernelExports {
  readonly docCount: { readonly value: number };
  readonly liveDocs: { readonly value: number };
  readonly liveTokens: { readonly value: number };
  readonly termCount: { readonly value: number };
  alloc(bytes: number): number;
  release(block: number, bytes: number): void;
  heapBytes(): number;
  tables(count: number): number;
  rangeTable(): number;
  setAnalyzer(ascii: boolean): void;
  beginDocument(): void;
  countTokens(at: number, length: number): void;
  endDocument(row: number): void;
  docOf(row: number): number;
  removeRow(row: number): number;
  compact(): void;
  listTokens(at: number, length: number, out: number, outEnd: number): number;
  documentFrequency(term: number): number;
  affixed(at: number, length: number, suffix: boolean, out: number, outEnd: number): number;
  similar(at: number, length: number, most: number, out: number, outEnd: number): number;
  pack(): number;
  readonly packedBytes: { readonly value: number };
  readonly packedRoom: { readonly value: number };
  unpack(at: number, length: number, rows: number, rowCount: number): number;
  beginQuery(): void;
  scoreTerm(term: number, weight: number, base: number, slope: number): void;
  selectScored(k: number, floor: number, bits: number, bitCount: number): number;
  scoreOf(row: number): number;
  topRows(): number;
  topScores(): number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** Bytes that vector code may read behind a text. */
const padding = 96;
/** Bytes a listed token takes at most for each byte of the query, its whole forms included. */
const listedPerByte = 32;

/**
 * One index in an instance of its own, whose memory goes when nothing refers to it any more. Throws where the
 * engine refuses the module. A `stem` function cannot run in here: such an analyser needs the twin.
 */
export function wasmLexical(module: WasmModule, { kind, diacritics }: AnalyzerOptions): LexicalKernel {
  const kernel = instantiate<Exports>(module, 'index');
  // Addresses from 2 GiB on come out of the kernel as negative numbers.
  let scratch = 0;
  let scratchSize = 0;
  /** Of the scratch block. To make one takes longer than to write a short text. */
  let view = new Uint8Array(0);
  writeTables();
  kernel.setAnalyzer(kind === 'ascii');

  function writeTables(): void {
    const { classes, folds, ranges } = characterTables(diacritics);
    const at = kernel.tables(ranges.length >> 1) >>> 0;
    const { buffer } = kernel.memory;
    new Uint8Array(buffer, at, classes.length).set(classes);
    new Uint16Array(buffer, at + classes.length, folds.length).set(folds);
    new Uint32Array(buffer, kernel.rangeTable() >>> 0, ranges.length).set(ranges);
  }

  /** A scratch block of at least `bytes`; its content does not outlive the next call. */
  function room(bytes: number): number {
    if (bytes > scratchSize) {
      if (scratch !== 0) kernel.release(scratch, scratchSize);
      scratchSize = Math.max(bytes, 1 << 16);
      scratch = kernel.alloc(scratchSize) >>> 0;
    }
    return scratch;
  }

  /** Writes a text as UTF-8, with `extra` more bytes of room behind its padding; answers its length. */
  function enter(text: string, extra = 0): number {
    const plain = kind === 'ascii' || diacritics ? text : text.normalize('NFC');
    const most = plain.length * 3;
    room(most + padding + extra);
    // Memory that grew leaves it empty.
    if (view.length !== scratchSize) view = new Uint8Array(kernel.memory.buffer, scratch, scratchSize);
    const { written } = encoder.encodeInto(plain, view);
    view.fill(0, written, written + padding);
    return written;
  }

  /** Where the extra room behind an entered text begins. */
  const behind = (length: number): number => ((scratch + length + padding + 15) & ~15) >>> 0;

  function near(count: number, out: number): NearTerm[] {
    const words = new Uint32Array(kernel.memory.buffer, out, count * 2);
    return Array.from({ length: count }, (_, i) => ({ term: words[i * 2]!, distance: words[i * 2 + 1]! }));
  }

  /** Runs a walk over the dictionary with room for all of it. */
  function walk(token: string, run: (length: number, out: number, outEnd: number) => number): NearTerm[] {
    const size = kernel.termCount.value * 8;
    const length = enter(token, size + 16);
    const out = behind(length);
    return near(run(length, out, out + size), out);
  }

  return {
    kind: 'wasm',
    get documents() {
      return kernel.liveDocs.value;
    },
    get tokens() {
      return kernel.liveTokens.value;
    },
    get terms() {
      return kernel.termCount.value;
    },
    get bytes() {
      return kernel.heapBytes() >>> 0;
    },
    get dead() {
      return kernel.docCount.value - kernel.liveDocs.value;
    },
    has: (row) => kernel.docOf(row) !== 0,
    add(row, text) {
      const length = enter(text);
      kernel.beginDocument();
      kernel.countTokens(scratch, length);
      kernel.endDocument(row);
    },
    remove: (row) => kernel.removeRow(row) !== 0,
    compact() {
      kernel.beginQuery();
      kernel.compact();
    },
    pack() {
      const at = kernel.pack() >>> 0;
      const bytes = new Uint8Array(kernel.memory.buffer, at, kernel.packedBytes.value >>> 0).slice();
      kernel.release(at, kernel.packedRoom.value);
      return bytes;
    },
    unpack(bytes, rows) {
      const at = room(rows.byteLength + bytes.length + padding);
      new Uint32Array(kernel.memory.buffer, at, rows.length).set(rows);
      const stream = at + rows.byteLength;
      new Uint8Array(kernel.memory.buffer, stream, bytes.length).set(bytes);
      return kernel.unpack(stream, bytes.length, at, rows.length) !== 0;
    },
    tokenize(query) {
      const size = query.length * 3 * listedPerByte + 1024;
      const length = enter(query, size + 16);
      const out = behind(length);
      const count = kernel.listTokens(scratch, length, out, out + size);
      const data = new DataView(kernel.memory.buffer);
      const tokens: QueryToken[] = [];
      for (let i = 0, at = out; i < count; i++) {
        const bytes = data.getUint32(at + 4, true);
        const token = decoder.decode(new Uint8Array(kernel.memory.buffer, at + 8, bytes));
        tokens.push({ term: data.getUint32(at, true), token });
        at += 8 + ((bytes + 3) & ~3);
      }
      return tokens;
    },
    frequency: (term) => kernel.documentFrequency(term),
    affixed: (token, suffix) =>
      walk(token, (length, out, end) => kernel.affixed(scratch, length, suffix, out, end)),
    similar: (token, most) =>
      walk(token, (length, out, end) => kernel.similar(scratch, length, most, out, end)),
    begin: () => kernel.beginQuery(),
    score: (term, weight, base, slope) => kernel.scoreTerm(term, weight, base, slope),
    select(k, floor, allowed) {
      let at = 0;
      if (allowed !== undefined) {
        at = room(allowed.byteLength);
        new Uint32Array(kernel.memory.buffer, at, allowed.length).set(allowed);
      }
      const most = Math.min(k, kernel.docCount.value);
      const count = kernel.selectScored(most, floor, at, (allowed?.length ?? 0) * 32);
      return {
        rows: new Uint32Array(kernel.memory.buffer, kernel.topRows() >>> 0, count).slice(),
        scores: new Float64Array(kernel.memory.buffer, kernel.topScores() >>> 0, count).slice(),
      };
    },
    scoreOf: (row) => kernel.scoreOf(row),
  };
}
