import { ShelfmarkError } from '../errors.ts';

/** The parts of Node that are used, reached without an import so that no bundler meets a Node built-in. */
interface NodeProcess {
  versions?: { node?: string };
  getBuiltinModule?: (name: string) => unknown;
}
export interface NodeFiles {
  readFile(path: string | URL): Promise<Uint8Array>;
}

const runtime = globalThis as {
  process?: NodeProcess;
  document?: { baseURI: string };
  location?: { href: string };
  WorkerGlobalScope?: unknown;
};

/** True in Node itself; false in pages and workers, those of Electron included. */
export const inNode = (): boolean =>
  runtime.process?.versions?.node !== undefined &&
  runtime.document === undefined &&
  runtime.WorkerGlobalScope === undefined;

/** A built-in module of Node (20.16 or later). */
export function nodeModule<T>(name: string): T {
  const found = runtime.process?.getBuiltinModule?.(`node:${name}`);
  if (found === undefined) throw new ShelfmarkError('UNSUPPORTED', `node:${name} needs Node 20.16 or later.`);
  return found as T;
}

/** The folder address `path` stands for, with a slash at its end: absolute, so that the site's root plays no part. */
export function folderUrl(option: string, path: string): string {
  return withSlash(absoluteUrl(option, path));
}

const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`);

/**
 * An absolute address. Relative ones go from the document's base or the worker's own address; in Node they
 * are file paths from the working folder.
 */
export function absoluteUrl(option: string, path: string): string {
  if (inNode()) {
    if (/^(https?|file|data|blob):/.test(path)) return path;
    const { pathToFileURL } = nodeModule<{ pathToFileURL(path: string): URL }>('url');
    return pathToFileURL(path).href;
  }
  const base = runtime.document?.baseURI ?? runtime.location?.href;
  try {
    return new URL(path, base).href;
  } catch (cause) {
    // A worker made from a blob has no address to go from.
    throw new ShelfmarkError(
      'INVALID_OPTION',
      `${option} is ${JSON.stringify(path)}, which can't be resolved from ${base}; give an absolute address.`,
      { cause },
    );
  }
}

/** Where the package's own models may lie: beside `dist/`, or two folders up from the sources. */
export function packageModels(): string[] {
  // Written apart from `new URL(…)` so that bundlers don't take it for an asset.
  const here = import.meta.url;
  return ['../models/', '../../models/'].map((path) => new URL(path, here).href);
}
