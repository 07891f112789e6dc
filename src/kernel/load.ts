import inlined from '../../build/text.wasm.js';
import { messageOf } from '../errors.ts';
import type { AtxHeading, TextInput } from '../types.ts';
import * as js from './js.ts';
import { checkText, type KernelState, type PackOptions, type RecordPiece } from './kernel.ts';
import { memoryOf } from './memory-of.ts';
import { sha256 as sha256OfTwin } from './sha256.ts';
import { blockSource, forget, indexSource, type ModuleSource, textSource } from './state.ts';
import { compileSource, moduleHas, type WasmSource } from './wasm.ts';
import * as wasm from './wasm-text.ts';

const textMemory = (): wasm.TextMemory | undefined => memoryOf(textSource, 'text', inlined);

/**
 * The memory for one search in one text, or none for the twin. A string is walked where it is: copying it into
 * linear memory runs at 0.5 GB/s, which costs more than the scan itself saves (`npm run bench` shows both). Bytes
 * are copied at 35 GB/s and scanned there.
 */
const memoryFor = (input: TextInput): wasm.TextMemory | undefined =>
  typeof input === 'string' ? undefined : textMemory();

/**
 * Exactly the lines, and the titles, that `/^(#{1,6})[ \t]+(.+?)[ \t]*$/gm` matches, in time linear in the
 * input. Offsets are UTF-16 code units.
 *
 * @throws ShelfmarkError `INVALID_DOCUMENT` for what is neither a string nor bytes
 */
export function atxHeadings(input: TextInput): AtxHeading[] {
  checkText(input);
  const memory = memoryFor(input);
  return memory === undefined ? js.atxHeadings(input) : wasm.atxHeadings(memory, input);
}

export function packRecords(input: TextInput, options: PackOptions): RecordPiece[] {
  const memory = memoryFor(input);
  return memory === undefined ? js.packRecords(input, options) : wasm.packRecords(memory, input, options);
}

/** SHA-256 of the text in UTF-8, in hex; a lone surrogate counts as U+FFFD. */
export function sha256(input: string): string {
  const memory = textMemory();
  return memory === undefined ? sha256OfTwin(input) : wasm.sha256(memory, input);
}

export interface InitOptions {
  /**
   * The kernel's WebAssembly, for those who serve it apart instead of using the inlined copies: a URL, Response,
   * bytes or compiled module of `text.wasm`, `blocks.wasm` or `index.wasm`, or a list of several. Where it is left out,
   * and for modules that are not in it, the inlined copies are tried again.
   */
  wasm?: WasmSource | Promise<WasmSource> | readonly (WasmSource | Promise<WasmSource>)[];
  /** `'js'` runs the TypeScript twins although WebAssembly would work. */
  kernel?: 'js';
}

/**
 * Chooses the kernels ahead of first use. Without a call, the inlined ones are compiled when they are first
 * needed. Where a source cannot be compiled, texts are read by the twins of those modules that no other source gave,
 * `kernelInfo()` says why, and the next call tries afresh: a failure is not remembered. Indexes that are open keep the
 * kernel they have.
 */
export async function init(options: InitOptions = {}): Promise<KernelInfo> {
  const all = [textSource, blockSource, indexSource];
  for (const source of all) forget(source);
  if (options.kernel === 'js') {
    for (const source of all) choose(source, 'chosen by init()');
    return kernelInfo();
  }
  const { wasm: given = [] } = options;
  let failure: string | undefined;
  for (const one of Array.isArray(given) ? given : [given]) {
    try {
      const module = await compileSource(await one);
      if (moduleHas(module, 'scoreTerm')) indexSource.module = module;
      else if (moduleHas(module, 'scanBlocks')) blockSource.module = module;
      else textSource.module = module;
    } catch (error) {
      failure = messageOf(error);
    }
  }
  if (failure !== undefined) {
    for (const source of [textSource, blockSource]) if (source.module === undefined) choose(source, failure);
  }
  return kernelInfo();
}

/** Chooses the twin. */
function choose(source: ModuleSource, reason: string): void {
  source.kernel = 'js';
  source.state = { kernel: 'js', reason };
}

export interface KernelInfo {
  /** Headings as `atxHeadings` reads them, records and hashes. */
  text: KernelState;
  /** The structure of Markdown; absent until a document was read. */
  blocks?: KernelState;
  /** Words and vectors of indexes; absent until an index was opened. */
  index?: KernelState;
}

/** Which kernels run and, where one is the TypeScript twin, why. Compiles the text kernel if nothing has yet. */
export function kernelInfo(): KernelInfo {
  textMemory();
  const told = ({ state }: ModuleSource): KernelState | undefined => state && { ...state };
  const [blocks, index] = [told(blockSource), told(indexSource)];
  return { text: told(textSource)!, ...(blocks && { blocks }), ...(index && { index }) };
}
