import { invalidOption, messageOf, ShelfmarkError } from '../errors.ts';
import { absoluteUrl, folderUrl, inNode } from './addresses.ts';
import type { Library } from './library.ts';

/** Where ONNX Runtime's WebAssembly files are: their folder, or the address of each by name. */
export type WasmPaths = string | { readonly [name: string]: string };

/** Folder of the runtime's files, from the document's base. A CDN is never used unless it is named. */
export const defaultWasmPaths = './ort/';

/** Something that is done otherwise than was asked for. */
export interface RuntimeNote {
  /**
   * - `'NO_WEBGPU'`: `device: 'webgpu'`, and the browser has no adapter for it, or the runtime was started without
   * - `'NO_DEVICES'`: a `device`, and `@xenova/transformers`, which runs on WASM alone
   * - `'DEVICE_FAILED'`: the device did not start, or computes wrong vectors
   * - `'ONE_THREAD'`: several threads, and a page that is not cross-origin isolated
   */
  readonly code: 'NO_WEBGPU' | 'NO_DEVICES' | 'DEVICE_FAILED' | 'ONE_THREAD';
  /** What is done instead, and why. */
  readonly message: string;
}

/** How a model that is loaded is run. */
export interface ModelRuntime {
  /** `'wasm'`, `'webgpu'`, …; `'cpu'` in Node. */
  readonly device: string;
  /** Threads of ONNX Runtime on WASM, as set; undefined in Node, and where the runtime decides. */
  readonly threads: number | undefined;
  /** What is done otherwise than was asked for; empty as a rule. */
  readonly notes: readonly RuntimeNote[];
}

type WasmSettings = NonNullable<NonNullable<NonNullable<Library['env']['backends']>['onnx']>['wasm']>;

/** The build of the runtime that was started with these settings; there is no starting another one. */
const builds = new WeakMap<object, string>();
const basicBuild = 'ort-wasm-simd-threaded';
const gpuBuild = `${basicBuild}.asyncify`;

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
): Promise<Pick<ModelRuntime, 'threads' | 'notes'>> {
  const wasm = library.env.backends?.onnx?.wasm;
  if (inNode() || wasm === undefined) return { threads: undefined, notes: [] };
  // Version 4 would keep a copy of the runtime in a cache of its own, bad answers included.
  if (library.env.useWasmCache !== undefined) library.env.useWasmCache = false;
  const asked = wasm.numThreads ?? 0;
  const alone = (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated !== true;
  if (alone) wasm.numThreads = 1;
  if (paths !== undefined || !isOwnSetting(wasm.wasmPaths)) {
    wasm.wasmPaths = resolved(library, paths ?? defaultWasmPaths, device);
    for (const url of runtimeFiles(library, wasm)) await checkRuntimeFile(url, signal);
    if (!builds.has(wasm)) builds.set(wasm, device === 'webgpu' ? gpuBuild : basicBuild);
  }
  return { threads: wasm.numThreads || undefined, notes: alone && asked > 1 ? [oneThread(asked)] : [] };
}

const oneThread = (asked: number): RuntimeNote => ({
  code: 'ONE_THREAD',
  message: `ONNX Runtime runs on one thread in place of ${asked}: this page is not cross-origin isolated. Serve it with Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp.`,
});

/** The device to use, and the one that every machine has; both undefined where the library knows none. */
export async function usableDevice(
  library: Library,
  device: string | undefined,
): Promise<{ device: string | undefined; basic: string | undefined; note?: RuntimeNote }> {
  const basic = inNode() ? 'cpu' : 'wasm';
  if (library.major < 3) {
    const none = { device: undefined, basic: undefined };
    if (device === undefined || device === basic) return none;
    const message = `The model runs on ${basic}: @xenova/transformers knows no ${device}. Pass transformers: () => import('@huggingface/transformers').`;
    return { ...none, note: { code: 'NO_DEVICES', message } };
  }
  if (device !== 'webgpu' || inNode()) return { device: device ?? basic, basic };
  // `navigator.gpu` may be there without a GPU behind it.
  const { gpu } = globalThis.navigator as { gpu?: { requestAdapter(): Promise<unknown> } };
  const adapter = await gpu?.requestAdapter().catch(() => null);
  const wasm = library.env.backends?.onnx?.wasm;
  const startedWithout = wasm !== undefined && builds.get(wasm) === basicBuild;
  if (adapter && !startedWithout) return { device, basic };
  const why = startedWithout
    ? 'ONNX Runtime was started for WASM alone in this page; load the model for WebGPU first'
    : gpu === undefined
      ? 'this browser has no WebGPU here'
      : 'WebGPU has no adapter on this machine';
  return { device: basic, basic, note: { code: 'NO_WEBGPU', message: `The model runs on WASM: ${why}.` } };
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
  const build = device === 'webgpu' ? gpuBuild : basicBuild;
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
  if (fault !== undefined && url.includes('.asyncify.')) {
    throw new ShelfmarkError(
      'MODEL_LOAD_FAILED',
      `ONNX Runtime's ${url} ${fault}. WebGPU needs this build, which copy-model leaves out (27 MB): copy ort-wasm-simd-threaded.asyncify.mjs and .wasm from onnxruntime-web/dist, or leave out device.`,
    );
  }
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
