import textHex from '../../build/text.wasm.js';
import { messageOf } from '../errors.ts';
import type { AtxHeading, TextInput } from '../types.ts';
import type { BlockList } from './block-list.ts';
import { scanBlocks as scanBlocksOfTwin } from './blocks.ts';
import * as js from './js.ts';
import {
  type BlockOptions,
  decodeText,
  type KernelState,
  type PackOptions,
  type RecordPiece,
} from './kernel.ts';
import { sha256 as sha256OfTwin } from './sha256.ts';
import { indexSource } from './state.ts';
import { compileInlined, compileSource, moduleHas, type WasmModule, type WasmSource } from './wasm.ts';
import * as wasm from './wasm-text.ts';

/** Without `memory` the twin runs. */
interface TextChoice {
  memory?: wasm.TextMemory;
  state: KernelState;
}

let text: TextChoice | undefined;

function loadText(compile: () => WasmModule): TextChoice {
  try {
    return { memory: wasm.openText(compile()), state: { kernel: 'wasm' } };
  } catch (error) {
    return { state: { kernel: 'js', reason: messageOf(error) } };
  }
}

/**
 * The text kernel, compiled synchronously on first use. Where the engine refuses WebAssembly (no SIMD, or a
 * content security policy without `wasm-unsafe-eval`), the TypeScript twin, with identical results.
 */
function textKernel(): TextChoice {
  text ??= loadText(() => compileInlined(textHex));
  return text;
}

/**
 * The memory for one search in one text, or none for the twin. A string is walked where it is: copying it into
 * linear memory runs at 0.5 GB/s, which costs more than the scan itself saves (`npm run bench` shows both). Bytes
 * are copied at 35 GB/s and scanned there.
 */
const memoryFor = (input: TextInput): wasm.TextMemory | undefined =>
  typeof input === 'string' ? undefined : textKernel().memory;

/**
 * Exactly the lines, and the titles, that `/^(#{1,6})[ \t]+(.+?)[ \t]*$/gm` matches, in time linear in the
 * input. Offsets are UTF-16 code units.
 */
export function atxHeadings(input: TextInput): AtxHeading[] {
  const memory = memoryFor(input);
  return memory === undefined ? js.atxHeadings(input) : wasm.atxHeadings(memory, input);
}

export function packRecords(input: TextInput, options: PackOptions): RecordPiece[] {
  const memory = memoryFor(input);
  return memory === undefined ? js.packRecords(input, options) : wasm.packRecords(memory, input, options);
}

/** The blocks of a Markdown document, as CommonMark 0.31 and GitHub's tables have them, in time linear in the input. */
export function scanBlocks(input: TextInput, { frontMatter }: BlockOptions): BlockList {
  // Strings are worth their encoding here: over the corpus as strings, WebAssembly takes between as long as the twin and
  // half of it (Node 20, Chromium 156), and a fifth of it on the first document, before an engine has compiled the twin.
  const { memory } = textKernel();
  return memory === undefined
    ? scanBlocksOfTwin(decodeText(input), frontMatter)
    : wasm.scanBlocks(memory, input, frontMatter);
}

/** SHA-256 of the text in UTF-8, in hex; a lone surrogate counts as U+FFFD. */
export function sha256(input: string): string {
  const { memory } = textKernel();
  return memory === undefined ? sha256OfTwin(input) : wasm.sha256(memory, input);
}

export interface InitOptions {
  /**
   * The kernel's WebAssembly, for those who serve it apart instead of using the inlined copies: a URL, Response,
   * bytes or compiled module of `text.wasm` or of `index.wasm`, or a list with both. Without it, the inlined
   * copies are tried again.
   */
  wasm?: WasmSource | Promise<WasmSource> | readonly (WasmSource | Promise<WasmSource>)[];
  /** `'js'` runs the TypeScript twins although WebAssembly would work. */
  kernel?: 'js';
}

/**
 * Chooses the kernels ahead of first use. Without a call, the inlined ones are compiled when they are first
 * needed. A source that cannot be compiled falls back to the twin, `kernelInfo()` says why, and the next call
 * tries afresh: a failure is not remembered. Indexes that are open keep the kernel they have.
 */
export async function init(options: InitOptions = {}): Promise<KernelInfo> {
  delete indexSource.module;
  delete indexSource.kernel;
  delete indexSource.state;
  if (options.kernel === 'js') {
    indexSource.kernel = 'js';
    indexSource.state = chosen;
    text = { state: chosen };
    return kernelInfo();
  }
  text = undefined;
  const { wasm: sources = [] } = options;
  for (const source of Array.isArray(sources) ? sources : [sources]) {
    try {
      const module = await compileSource(await source);
      if (moduleHas(module, 'scoreTerm')) indexSource.module = module;
      else text = loadText(() => module);
    } catch (error) {
      text = { state: { kernel: 'js', reason: messageOf(error) } };
    }
  }
  return kernelInfo();
}

const chosen: KernelState = { kernel: 'js', reason: 'chosen by init()' };

export interface KernelInfo {
  /** Headings, records and hashes. */
  text: KernelState;
  /** Words and vectors of indexes; absent until an index was opened. */
  index?: KernelState;
}

/** Which kernels run and, where one is the TypeScript twin, why. Compiles the text kernel if nothing has yet. */
export function kernelInfo(): KernelInfo {
  const { state } = indexSource;
  return { text: { ...textKernel().state }, ...(state !== undefined && { index: { ...state } }) };
}
