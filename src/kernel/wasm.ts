/** The only file that touches WebAssembly. */
import { ShelfmarkError } from '../errors.ts';

/** What `ABI_VERSION` of each module must be. */
const abiVersions = { text: 3, blocks: 1, index: 2 };

export type ModuleName = keyof typeof abiVersions;

export type WasmModule = WebAssembly.Module;
/** Where a module's bytes come from. */
export type WasmSource = string | URL | Response | BufferSource | WasmModule;

/** What every module of ours exports, besides its functions. */
export interface KernelExports {
  readonly ABI_VERSION: { readonly value: number };
  readonly memory: { readonly buffer: ArrayBuffer };
  /** 1 once a call was given up because the engine had no more memory. */
  readonly exhausted: { readonly value: number };
}

/** Compiles an inlined module, synchronously; assembly/build.mjs tells how its bytes are written. */
export function compileInlined(text: string): WasmModule {
  const bytes = new Uint8Array(text.length);
  let length = 0;
  let page = 0;
  for (let i = 0; i < text.length; i++) {
    const place = text.charCodeAt(i) - 0x28;
    if (page === 0 && place >= 85) page = (place - 84) * 85;
    else {
      bytes[length++] = page + place - 4;
      page = 0;
    }
  }
  return new WebAssembly.Module(bytes.subarray(0, length));
}

/** Compiles a module served apart. Rejects with what the engine or the network said. */
export async function compileSource(source: WasmSource): Promise<WasmModule> {
  if (source instanceof WebAssembly.Module) return source;
  if (ArrayBuffer.isView(source) || source instanceof ArrayBuffer) return WebAssembly.compile(source);
  const response = source instanceof Response ? source : await fetch(source);
  if (!response.ok) {
    throw new ShelfmarkError(
      'UNSUPPORTED',
      `The kernel at ${response.url} answered ${response.status}; serve the file, or call init() without wasm.`,
    );
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

/** True where the module is the one with this export. */
export const moduleHas = (module: WasmModule, name: string): boolean =>
  WebAssembly.Module.exports(module).some((entry) => entry.name === name);

/** Instantiates a module of ours. Throws where the engine refuses it, and where it is of another version. */
export function instantiate<T extends KernelExports>(module: WasmModule, name: ModuleName): T {
  const instance = new WebAssembly.Instance(module, {
    env: {
      abort(_message: number, _file: number, line: number, column: number) {
        throw new Error(`The kernel failed an assertion at ${line}:${column}.`);
      },
    },
  });
  const exports = instance.exports as unknown as T;
  const version = exports.ABI_VERSION?.value as number | undefined;
  const needed = abiVersions[name];
  if (version !== needed) {
    throw new ShelfmarkError(
      'UNSUPPORTED',
      `The kernel is of version ${version ?? 'none'}, and ${needed} is needed; serve the file of the same release.`,
    );
  }
  return exports;
}
