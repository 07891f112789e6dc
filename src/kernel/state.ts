import type { KernelKind, KernelState } from './kernel.ts';
import type { WasmModule } from './wasm.ts';

/**
 * What `init()` chose for the index module, kept apart from its loader so that an app which only splits does
 * not carry that module.
 */
export const indexSource: { module?: WasmModule; kernel?: KernelKind; state?: KernelState } = {};
