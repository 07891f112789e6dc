import textBase64 from '../../build/text.wasm.js';
import type { AtxHeading, TextInput } from '../types.ts';
import { jsText } from './js.ts';
import type { KernelState, PackOptions, RecordPiece, TextKernel } from './kernel.ts';
import { compileInlined, compileSource, type WasmModule, type WasmSource, wasmText } from './wasm.ts';

let text: { kernel: TextKernel; state: KernelState } | undefined;

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function loadText(compile: () => WasmModule): { kernel: TextKernel; state: KernelState } {
  try {
    return { kernel: wasmText(compile()), state: { kernel: 'wasm' } };
  } catch (error) {
    return { kernel: jsText, state: { kernel: 'js', reason: said(error) } };
  }
}

/**
 * The text kernel, compiled synchronously on first use. Where the engine refuses WebAssembly (no SIMD, or a
 * content security policy without `wasm-unsafe-eval`), the TypeScript twin, with identical results.
 */
export function textKernel(): TextKernel {
  text ??= loadText(() => compileInlined(textBase64));
  return text.kernel;
}

/**
 * The kernel for one scan of one text. A string is walked where it is: copying it into linear memory runs at
 * 0.5 GB/s, which costs more than the scan itself saves (`npm run bench` shows both). Bytes are copied at
 * 35 GB/s and scanned there.
 */
const kernelFor = (input: TextInput): TextKernel => (typeof input === 'string' ? jsText : textKernel());

/**
 * Exactly the lines, and the titles, that `/^(#{1,6})[ \t]+(.+?)[ \t]*$/gm` matches, in time linear in the
 * input. Offsets are UTF-16 code units.
 */
export const atxHeadings = (input: TextInput): AtxHeading[] => kernelFor(input).atxHeadings(input);

export const packRecords = (input: TextInput, options: PackOptions): RecordPiece[] =>
  kernelFor(input).packRecords(input, options);

/** SHA-256 of the text in UTF-8, in hex; a lone surrogate counts as U+FFFD. */
export const sha256 = (input: string): string => textKernel().sha256(input);

export interface InitOptions {
  /**
   * The kernel's WebAssembly, for those who serve it apart instead of using the inlined copy: a URL, Response,
   * bytes or compiled module of `text.wasm`. Without it, the inlined copy is tried again.
   */
  wasm?: WasmSource | Promise<WasmSource>;
  /** `'js'` runs the TypeScript twin although WebAssembly would work. */
  kernel?: 'js';
}

/**
 * Chooses the kernel ahead of first use. Without a call, the inlined one is compiled when it is first needed.
 * A source that cannot be compiled falls back to the twin, `kernelInfo()` says why, and the next call tries
 * afresh: a failure is not remembered.
 */
export async function init(options: InitOptions = {}): Promise<KernelInfo> {
  if (options.kernel === 'js') {
    text = { kernel: jsText, state: { kernel: 'js', reason: 'chosen by init()' } };
    return kernelInfo();
  }
  if (options.wasm === undefined) {
    text = loadText(() => compileInlined(textBase64));
    return kernelInfo();
  }
  try {
    const module = await compileSource(await options.wasm);
    text = loadText(() => module);
  } catch (error) {
    text = { kernel: jsText, state: { kernel: 'js', reason: said(error) } };
  }
  return kernelInfo();
}

export interface KernelInfo {
  /** Headings, records and hashes. */
  text: KernelState;
}

/** Which kernel runs and, where it is the TypeScript twin, why. Compiles it if nothing has yet. */
export function kernelInfo(): KernelInfo {
  textKernel();
  return { text: { ...text!.state } };
}
