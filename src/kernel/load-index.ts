import indexHex from '../../build/index.wasm.js';
import { jsLexical } from './js-lexical.ts';
import { jsVector } from './js-vector.ts';
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
  inlined ??= compileInlined(indexHex);
  return inlined;
}

/**
 * A lexical kernel for one index. In WebAssembly where the engine takes it and the analyser is ours alone; a
 * `stem` function, and an engine that refuses, get the TypeScript twin with identical results.
 */
export function lexicalKernel(options: AnalyzerOptions): LexicalKernel {
  if (options.stem !== undefined) return jsLexical(options);
  return choose(
    (module) => wasmLexical(module, options),
    () => jsLexical(options),
  );
}

/** A vector kernel for one index, in WebAssembly where the engine takes it, else the twin with identical results. */
export function vectorKernel(options: VectorOptions): VectorKernel {
  return choose(
    (module) => wasmVector(module, options),
    () => jsVector(options),
  );
}

function choose<T>(wasm: (module: WasmModule) => T, twin: () => T): T {
  if (indexSource.kernel === 'js') return twin();
  try {
    const kernel = wasm(moduleOf());
    indexSource.state = { kernel: 'wasm' };
    return kernel;
  } catch (error) {
    indexSource.state = { kernel: 'js', reason: error instanceof Error ? error.message : String(error) };
    return twin();
  }
}
