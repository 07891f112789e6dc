import { messageOf } from '../errors.ts';
import type { ScanSource } from './state.ts';
import { compileInlined, type ModuleName } from './wasm.ts';
import { openModule, type ScanExports, type ScanMemory } from './wasm-memory.ts';

/**
 * The memory of a module, compiled synchronously on first use. None where the engine refuses WebAssembly (no SIMD, or a
 * content security policy without `wasm-unsafe-eval`) or the twin was chosen: it gives identical results.
 */
export function memoryOf<T extends ScanExports>(
  source: ScanSource<T>,
  name: ModuleName,
  inlined: string,
): ScanMemory<T> | undefined {
  if (source.state === undefined) {
    try {
      source.memory = openModule<T>(source.module ?? compileInlined(inlined), name);
      source.state = { kernel: 'wasm' };
    } catch (error) {
      source.state = { kernel: 'js', reason: messageOf(error) };
    }
  }
  return source.memory;
}
