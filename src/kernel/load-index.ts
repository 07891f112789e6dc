import indexText from '../../build/index.wasm.js';
import { fetchPart, messageOf } from '../errors.ts';
import type { AnalyzerOptions, LexicalKernel } from './lexical.ts';
import { indexSource } from './state.ts';
import type { VectorKernel, VectorOptions } from './vector.ts';
import { compileInlined, type WasmModule } from './wasm.ts';
import { wasmLexical } from './wasm-lexical.ts';
import { wasmVector } from './wasm-vector.ts';

let inlined: WasmModule | undefined;

/** The index module, compiled synchronously on first use, or the one `init()` was given. */
function moduleOf(): WasmModule {
  if (indexSource.module !== undefined) return indexSource.module;
  inlined ??= compileInlined(indexText);
  return inlined;
}

/**
 * A lexical kernel for one index. In WebAssembly where the engine takes it and the analyser is ours alone; a
 * `stem` function, and an engine that refuses, get the TypeScript twin with identical results.
 */
export async function lexicalKernel(options: AnalyzerOptions): Promise<LexicalKernel> {
  return wasmLexicalKernel(options) ?? (await twins()).jsLexical(options);
}

/** The same for a caller who cannot wait; undefined where the twin is wanted, which that caller brings along. */
export function wasmLexicalKernel(options: AnalyzerOptions): LexicalKernel | undefined {
  return options.stem === undefined ? attempt((module) => wasmLexical(module, options)) : undefined;
}

/** A vector kernel for one index, in WebAssembly where the engine takes it, else the twin with identical results. */
export async function vectorKernel(options: VectorOptions): Promise<VectorKernel> {
  return attempt((module) => wasmVector(module, options)) ?? (await twins()).jsVector(options);
}

/** Runs in WebAssembly, or notes why not. */
function attempt<T>(make: (module: WasmModule) => T): T | undefined {
  if (indexSource.kernel === 'js') return undefined;
  try {
    const kernel = make(moduleOf());
    indexSource.state = { kernel: 'wasm' };
    return kernel;
  } catch (error) {
    indexSource.state = { kernel: 'js', reason: messageOf(error) };
    return undefined;
  }
}

/** Few pages need the twins, so they are fetched rather than carried. */
const twins = (): Promise<typeof import('./js-index.ts')> =>
  fetchPart('TypeScript kernel', () => import('./js-index.ts'));
