import { invalidOption, messageOf, ShelfmarkError } from '../errors.ts';
import { absoluteUrl, folderUrl, inNode } from './addresses.ts';
import type { Library } from './library.ts';

/** Where ONNX Runtime's WebAssembly files are: their folder, or the address of each by name. */
export type WasmPaths = string | { readonly [name: string]: string };

/** Folder of the runtime's files, from the document's base. A CDN is never used unless it is named. */
export const defaultWasmPaths = './ort/';

type WasmSettings = NonNullable<NonNullable<NonNullable<Library['env']['backends']>['onnx']>['wasm']>;

/** Files that were seen to be there, so that each is asked for once. */
const seen = new Set<string>();

/**
 * Points ONNX Runtime at its WebAssembly files and settles on one thread where there can't be more. These
 * settings are read once, when the first session starts, and stay. In Node there is nothing to set.
 *
 * The file is asked for first: a runtime that fails to start can't be started again in the same page, where a
 * missing file found beforehand can be put right.
 */
export async function prepareRuntime(
  library: Library,
  paths: WasmPaths | undefined,
  device: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const wasm = library.env.backends?.onnx?.wasm;
  if (inNode() || wasm === undefined) return;
  // Version 4 would keep a copy of the runtime in a cache of its own, bad answers included.
  if (library.env.useWasmCache !== undefined) library.env.useWasmCache = false;
  if ((globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated !== true) wasm.numThreads = 1;
  if (paths === undefined && isOwnSetting(wasm.wasmPaths)) return;
  wasm.wasmPaths = resolved(library, paths ?? defaultWasmPaths, device);
  for (const url of runtimeFiles(library, wasm)) await checkRuntimeFile(url, signal);
}

/** A setting the host app made itself, as opposed to the CDN the library starts with. */
function isOwnSetting(paths: unknown): boolean {
  if (paths === undefined || paths === null) return false;
  return !JSON.stringify(paths).includes('//cdn.jsdelivr.net/');
}

function resolved(library: Library, paths: WasmPaths, device: string | undefined): WasmPaths {
  if (typeof paths === 'object' && paths !== null) {
    return Object.fromEntries(
      Object.entries(paths).map(([name, path]) => [name, absoluteUrl(`wasmPaths.${name}`, path)]),
    );
  }
  if (typeof paths !== 'string' || paths === '') {
    throw invalidOption('wasmPaths', paths, 'a folder, or an object of file names and addresses');
  }
  const folder = folderUrl('wasmPaths', paths);
  if (library.major < 3) return folder;
  // A folder alone would make version 4 take its largest build (27 MB), which only WebGPU needs.
  const build = device === 'webgpu' ? 'ort-wasm-simd-threaded.asyncify' : 'ort-wasm-simd-threaded';
  return { mjs: `${folder}${build}.mjs`, wasm: `${folder}${build}.wasm` };
}

/** The files the runtime will ask for, as far as that is sure. */
function runtimeFiles(library: Library, wasm: WasmSettings): string[] {
  const paths = wasm.wasmPaths as WasmPaths;
  if (library.major >= 3) return typeof paths === 'object' ? Object.values(paths) : [];
  const threads = wasm.numThreads === 1 ? '' : '-threaded';
  const name = `ort-wasm${wasm.simd === false ? '' : '-simd'}${threads}.wasm`;
  const url = typeof paths === 'object' ? paths[name] : `${paths}${name}`;
  return url === undefined ? [] : [url];
}

/** The first bytes of a WebAssembly file: `\0asm`. */
const magic = [0, 0x61, 0x73, 0x6d];

async function checkRuntimeFile(url: string, signal: AbortSignal): Promise<void> {
  if (seen.has(url)) return;
  const fault = await runtimeFault(url, signal);
  if (fault !== undefined) {
    throw new ShelfmarkError(
      'MODEL_LOAD_FAILED',
      `ONNX Runtime's ${url} ${fault}. Run npx shelfmark copy-model <public folder>, which copies the .wasm files of @xenova/transformers/dist to ort/ in it (for @huggingface/transformers, those of onnxruntime-web/dist), or set wasmPaths.`,
    );
  }
  seen.add(url);
}

async function runtimeFault(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal });
    const reader = response.body?.getReader();
    const start = response.ok ? (await reader?.read())?.value : undefined;
    await reader?.cancel();
    if (!response.ok) return `answered ${response.status} ${response.statusText}`.trim();
    const html = /\bhtml\b/.test(response.headers.get('content-type') ?? '');
    if (!html && (!url.endsWith('.wasm') || magic.every((byte, at) => start?.[at] === byte)))
      return undefined;
    return html ? 'answered an HTML page instead of WebAssembly' : 'is no WebAssembly file';
  } catch (error) {
    signal.throwIfAborted();
    return `could not be fetched (${messageOf(error)})`;
  }
}

/** What a failure of ONNX Runtime means for whoever has to put it right. */
export function runtimeReason(error: unknown): string {
  const text = messageOf(error);
  if (
    /out of memory|memory allocation|allocation failed|bad_alloc|array buffer allocation|could not allocate/i.test(
      text,
    )
  ) {
    return `not enough memory: ${text}. Close other tabs or use a smaller model; keyword search works without one`;
  }
  if (/unsafe-eval|content security policy|disallowed by embedder/i.test(text)) {
    return `the page's Content-Security-Policy forbids WebAssembly; add 'wasm-unsafe-eval' to script-src: ${text}`;
  }
  if (/no available backend found\. ERR:\s*$|previous call to .* failed/.test(text)) {
    return `ONNX Runtime failed before in this page and starts again only after a reload: ${text}`;
  }
  return text;
}
