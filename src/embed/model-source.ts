import { ShelfmarkError } from '../errors.ts';
import type { LoadProgress } from '../types.ts';
import { folderUrl, inNode, packageModels } from './addresses.ts';
import { bundled, defaultModel } from './bundled.ts';
import type { TransformersEnv } from './library.ts';
import { BadFile, checkContent, type OnBytes, parseJson, readModelFile } from './model-files.ts';

export interface ModelPlace {
  model: string;
  /** Folder of models; undefined for the default. */
  modelPath: string | undefined;
  revision: string;
  allowRemote: boolean;
}

/** Folder of models from the document's base. In Node the default is the package's own folder. */
export const defaultModelPath = './models/';

/** Reads a model's files from where its `config.json` is. */
export interface ModelSource {
  /** Address of the folder, with a slash at its end. */
  base: string;
  /** The content of `config.json`. */
  config: Record<string, unknown>;
  read(file: string): Promise<Uint8Array>;
  /** The content of a JSON file, or undefined where there is none. */
  optional(file: string): Promise<unknown>;
}

export interface SourceOptions {
  signal: AbortSignal;
  onProgress: (progress: LoadProgress) => void;
  /** Files that have been read before, by address. */
  known?: ReadonlyMap<string, Uint8Array> | undefined;
}

/**
 * Finds the model: in its own folder, then, where that is allowed, on the library's remote host.
 * @throws ShelfmarkError `MODEL_LOAD_FAILED` naming each address and what came back
 */
export async function openModel(
  place: ModelPlace,
  env: TransformersEnv,
  options: SourceOptions,
): Promise<ModelSource> {
  const progress = sumOf(options.onProgress);
  const faults: BadFile[] = [];
  for (const { base, cached } of candidates(place, env)) {
    const { signal } = options;
    const reader = (counted: boolean) => {
      const fetchFile = async (file: string) => {
        const onBytes: OnBytes = (loaded, total) => progress(file, loaded, total);
        const known = options.known?.get(base + file);
        if (known === undefined) {
          return readModelFile(base + file, { signal, onBytes: counted ? onBytes : undefined });
        }
        onBytes(known.length, known.length);
        return known;
      };
      return cached ? throughCache(base, env, fetchFile) : fetchFile;
    };
    const read = reader(true);
    try {
      const config = parseJson(`${base}config.json`, await read('config.json'));
      return {
        base,
        config: config as Record<string, unknown>,
        read: (file) => read(file).catch((error) => Promise.reject(explained(place, [error]))),
        optional: (file) => optionalJson(place, base, file, reader(false)),
      };
    } catch (error) {
      if (!(error instanceof BadFile)) throw error;
      faults.push(error);
      if (!error.absent) break;
    }
  }
  throw explained(place, faults);
}

function candidates(place: ModelPlace, env: TransformersEnv): { base: string; cached: boolean }[] {
  const folder = place.model.split('/').map(encodeURIComponent).join('/');
  const roots =
    place.modelPath === undefined && inNode()
      ? packageModels()
      : [folderUrl('modelPath', place.modelPath ?? defaultModelPath)];
  const local = roots.map((root) => ({ base: `${root}${folder}/`, cached: false }));
  if (!place.allowRemote) return local;
  const path = env.remotePathTemplate
    .replaceAll('{model}', place.model)
    .replaceAll('{revision}', encodeURIComponent(place.revision));
  return [...local, { base: new URL(path, env.remoteHost).href, cached: true }];
}

async function optionalJson(
  place: ModelPlace,
  base: string,
  file: string,
  read: (file: string) => Promise<Uint8Array>,
): Promise<unknown> {
  try {
    return parseJson(base + file, await read(file));
  } catch (error) {
    if (error instanceof BadFile && error.absent) return undefined;
    throw explained(place, [error]);
  }
}

/** `MODEL_LOAD_FAILED` in one wording: what came back from where, then what to do. */
function explained(place: ModelPlace, faults: unknown[]): unknown {
  const last = faults.at(-1);
  if (!(last instanceof BadFile)) return last;
  const texts = faults.map((fault) => (fault as BadFile).message).join('; ');
  const advice =
    place.model === defaultModel
      ? 'Run npx shelfmark copy-model <public folder>, which copies the folder models of the shelfmark package, or set modelPath'
      : 'Put the model there, or set modelPath or allowRemote';
  return new ShelfmarkError(
    'MODEL_LOAD_FAILED',
    `Model ${place.model}: ${texts}. ${advice}; then try again.`,
    {
      cause: last,
    },
  );
}

/** `config.json`, the tokeniser's two files and the graph: until each has answered, the sum is no total. */
const filesOfAModel = 4;

/** Adds up the files' progress. */
function sumOf(report: (progress: LoadProgress) => void) {
  const files = new Map<string, { loaded: number; total: number | undefined }>();
  return (file: string, loaded: number, total: number | undefined) => {
    files.set(file, { loaded, total });
    let sum = 0;
    let all = 0;
    for (const each of files.values()) {
      sum += each.loaded;
      all += each.total ?? Number.NaN;
    }
    report({ file, loaded: sum, total: files.size >= filesOfAModel && all >= sum ? all : 0 });
  };
}

/**
 * Files from afar are kept in the library's own browser cache, under its own keys, so that what one has
 * fetched the other finds. Only files that passed their check are put in, and what is found is checked again.
 */
function throughCache(
  base: string,
  env: TransformersEnv,
  fetchFile: (file: string) => Promise<Uint8Array>,
): (file: string) => Promise<Uint8Array> {
  if (typeof caches === 'undefined' || !env.useBrowserCache) return fetchFile;
  return async (file) => {
    // Private windows and some frames refuse the cache; then it is as if there were none.
    const cache = await caches.open(env.cacheKey ?? 'transformers-cache').catch(() => undefined);
    const kept = await cache?.match(base + file);
    if (kept !== undefined) {
      const bytes = new Uint8Array(await kept.arrayBuffer());
      if (isSound(base + file, bytes)) return bytes;
      await cache?.delete(base + file);
    }
    const bytes = await fetchFile(file);
    // A full disk is no reason to fail.
    await cache?.put(base + file, new Response(bytes.slice())).catch(() => {});
    return bytes;
  };
}

function isSound(url: string, bytes: Uint8Array): boolean {
  try {
    checkContent(url, bytes);
    return true;
  } catch {
    return false;
  }
}

/** The id's spelling of a revision. */
export const revisionOf = (model: string, revision: string | undefined): string =>
  revision ?? (model === defaultModel ? bundled.revision : 'main');
