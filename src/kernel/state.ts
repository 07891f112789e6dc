import { messageOf } from '../errors.ts';
import type { KernelKind, KernelState } from './kernel.ts';
import { compileInlined, type ModuleName, type WasmModule } from './wasm.ts';
import { openModule, type ScanExports, type ScanMemory } from './wasm-memory.ts';

/** What `init()` chose for a module, and what came of it. */
export interface ModuleSource {
  module?: WasmModule;
  kernel?: KernelKind;
  state?: KernelState;
}

/** Kept apart from the loaders of the modules, so that an app carries those it uses and no other. */
export const indexSource: ModuleSource = {};

/** A module that scans texts, once it was opened; without `memory` its twin runs. */
interface ScanSource<T extends ScanExports> extends ModuleSource {
  memory?: ScanMemory<T>;
}

export const textSource: ScanSource<import('./wasm-text.ts').TextExports> = {};
export const blockSource: ScanSource<import('./wasm-blocks.ts').BlockExports> = {};

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

/** Forgets what was chosen, so that the next use compiles afresh. */
export function forget(source: ScanSource<never>): void {
  delete source.module;
  delete source.kernel;
  delete source.state;
  delete source.memory;
}
