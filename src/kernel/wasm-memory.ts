/** Texts in the linear memory of the modules that scan them. */
import type { TextInput } from '../types.ts';
import { instantiate, type KernelExports, type ModuleName, type WasmModule } from './wasm.ts';

/**
 * Bytes from which a text gets an instance of its own, which is dropped afterwards: linear memory never
 * shrinks, so the shared instance would keep the largest text's memory for good.
 */
const ownInstanceBytes = 16 * 1024 * 1024;

export interface ScanExports extends KernelExports {
  reset(): void;
  reserve(bytes: number): number;
  results(): number;
  validate(at: number, length: number): number;
}

/** A module that scans texts, and its instance that all but very large texts share. */
export interface ScanMemory<T extends ScanExports> {
  readonly name: ModuleName;
  readonly module: WasmModule;
  readonly shared: T;
}

/** Instantiates a module. Throws where the engine refuses it. */
export const openModule = <T extends ScanExports>(module: WasmModule, name: ModuleName): ScanMemory<T> => ({
  name,
  module,
  shared: instantiate<T>(module, name),
});

/** A text in linear memory. */
export interface Entered<T> {
  kernel: T;
  at: number;
  length: number;
  ascii: boolean;
}

export const encoder = new TextEncoder();
/** The kernel's word for bytes that are not UTF-8, and for bytes below 0x80 alone. */
const invalid = 0;
const ascii = 1;

/** Writes a string as UTF-8; undefined where there is no memory left. */
function encode(kernel: ScanExports, text: string): { at: number; length: number } | undefined {
  // ASCII needs one byte a unit; what does not fit goes on after room for the worst case is made.
  let at = kernel.reserve(text.length);
  if (at === 0) return undefined;
  let view = new Uint8Array(kernel.memory.buffer, at, text.length);
  let { read, written } = encoder.encodeInto(text, view);
  if (read < text.length) {
    kernel.reset();
    const room = written + (text.length - read) * 3;
    at = kernel.reserve(room);
    if (at === 0) return undefined;
    view = new Uint8Array(kernel.memory.buffer, at + written, room - written);
    written += encoder.encodeInto(text.slice(read), view).written;
  }
  // The padding that `reserve` zeroed lies behind the room, not behind the text.
  const end = at + written;
  new Uint8Array(kernel.memory.buffer).fill(0, end, Math.min(end + 64, kernel.memory.buffer.byteLength));
  return { at, length: written };
}

/** Puts a text into linear memory; undefined where it does not fit or is no UTF-8. */
export function enter<T extends ScanExports>(
  { name, module, shared }: ScanMemory<T>,
  text: TextInput,
): Entered<T> | undefined {
  const kernel = text.length < ownInstanceBytes ? shared : instantiate<T>(module, name);
  kernel.reset();
  if (typeof text === 'string') {
    const placed = encode(kernel, text);
    if (placed === undefined) return undefined;
    return { kernel, ...placed, ascii: placed.length === text.length };
  }
  const at = kernel.reserve(text.length);
  if (at === 0) return undefined;
  new Uint8Array(kernel.memory.buffer, at, text.length).set(text);
  const state = kernel.validate(at, text.length);
  return state === invalid ? undefined : { kernel, at, length: text.length, ascii: state === ascii };
}

/** Runs a scan; undefined where the engine ran out of memory in the middle of it. */
export function scan<T>(kernel: ScanExports, run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (kernel.exhausted.value === 1) return undefined;
    throw error;
  }
}
