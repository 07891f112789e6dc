import indexBase64 from '../../build/index.wasm.js';
import { jsLexical } from './js-lexical.ts';
import type { AnalyzerOptions, LexicalKernel } from './lexical.ts';
import { indexSource } from './state.ts';
import { compileInlined, type WasmModule } from './wasm.ts';
import { wasmLexical } from './wasm-lexical.ts';

let inlined: WasmModule | undefined;

/** The index module, compiled synchronously on first use, or the one `init()` was given. */
function moduleOf(): WasmModule {
  if (indexSource.module !== undefined) return indexSource.module;
  inlined ??= compileInlined(indexBase64);
  return inlined;
}

/**
 * A lexical kernel for one index. In WebAssembly where the engine takes it and the analyser is ours alone; a
 * `stem` function, and an engine that refuses, get the TypeScript twin with identical results.
 */
export function lexicalKernel(options: AnalyzerOptions): LexicalKernel {
  if (indexSource.kernel === 'js') return jsLexical(options);
  if (options.stem !== undefined) return jsLexical(options);
  try {
    const kernel = wasmLexical(moduleOf(), options);
    indexSource.state = { kernel: 'wasm' };
    return kernel;
  } catch (error) {
    indexSource.state = { kernel: 'js', reason: error instanceof Error ? error.message : String(error) };
    return jsLexical(options);
  }
}
