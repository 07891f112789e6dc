import type { KernelKind, KernelState } from './kernel.ts';
import type { WasmModule } from './wasm.ts';
import type { ScanExports, ScanMemory } from './wasm-memory.ts';

/** What `init()` chose for a module, and what came of it. */
export interface ModuleSource {
  module?: WasmModule;
  kernel?: KernelKind;
  state?: KernelState;
}

/** Kept apart from the loaders of the modules, so that an app carries those it uses and no other. */
export const indexSource: ModuleSource = {};

/** Of a module that scans texts, which is opened once; without `memory` its twin runs. */
export interface ScanSource<T extends ScanExports> extends ModuleSource {
  memory?: ScanMemory<T>;
}

export const textSource: ScanSource<import('./wasm-text.ts').TextExports> = {};
export const blockSource: ScanSource<import('./wasm-blocks.ts').BlockExports> = {};

/** Forgets what was chosen, so that the next use compiles afresh. */
export function forget(source: ScanSource<never>): void {
  delete source.module;
  delete source.kernel;
  delete source.state;
  delete source.memory;
}
