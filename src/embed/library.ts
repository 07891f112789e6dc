import { ShelfmarkError } from '../errors.ts';

/**
 * What is used of transformers.js. Loose on purpose: `@xenova/transformers` 2 and `@huggingface/transformers` 3 and 4 fit.
 * Without `AutoTokenizer` tokens can be counted only once the whole model is loaded.
 */
export interface TransformersModule {
  readonly env: object;
  readonly pipeline: (task: never, ...rest: never[]) => Promise<unknown>;
  readonly AutoTokenizer?: { from_pretrained(name: never, options: never): Promise<unknown> };
}

/** The library, a promise of it, or a function that gets it. */
export type TransformersSource =
  | TransformersModule
  | Promise<TransformersModule>
  | (() => TransformersModule | Promise<TransformersModule>);

/** Global settings of the library. Which of them exist depends on its version. */
export interface TransformersEnv {
  version?: string;
  allowLocalModels: boolean;
  remoteHost: string;
  remotePathTemplate: string;
  useBrowserCache: boolean;
  useFSCache: boolean;
  useCustomCache: boolean;
  customCache: unknown;
  useWasmCache?: boolean;
  cacheKey?: string;
  backends?: { onnx?: { wasm?: { wasmPaths?: unknown; numThreads?: number; simd?: boolean } } };
}

export interface Tensor {
  dims: readonly number[];
  data: ArrayLike<number>;
}

export interface Tokenizer {
  model_max_length?: number;
  encode(text: string): ArrayLike<unknown>;
}

/** A `feature-extraction` pipeline. */
export interface Extractor {
  (texts: readonly string[], options: { pooling: string; normalize: boolean }): Promise<Tensor>;
  tokenizer: Tokenizer;
  model: { config?: Record<string, unknown> };
  dispose(): Promise<unknown>;
}

export interface Library {
  env: TransformersEnv;
  pipeline(task: string, model: string, options: Record<string, unknown>): Promise<Extractor>;
  AutoTokenizer?: { from_pretrained(name: string, options: Record<string, unknown>): Promise<Tokenizer> };
  /** 2 for `@xenova/transformers`. */
  major: number;
}

/** Loads the library. Without a source that is `@xenova/transformers`, an optional peer dependency. */
export async function loadLibrary(source: TransformersSource | undefined): Promise<Library> {
  const module = source === undefined ? await importDefault() : await given(source);
  const { env, pipeline, AutoTokenizer } = (module ?? {}) as unknown as Partial<Library>;
  if (typeof env !== 'object' || typeof pipeline !== 'function') {
    throw new ShelfmarkError(
      'MODEL_LOAD_FAILED',
      'The transformers option gave no transformers.js: env and pipeline are missing.',
    );
  }
  return {
    env,
    pipeline: pipeline.bind(module),
    ...(AutoTokenizer !== undefined && { AutoTokenizer }),
    major: Number.parseInt(env.version ?? '2', 10),
  };
}

async function given(source: TransformersSource): Promise<unknown> {
  try {
    return await (typeof source === 'function' ? source() : source);
  } catch (cause) {
    throw notLoaded('The transformers option could not be loaded', cause);
  }
}

async function importDefault(): Promise<unknown> {
  try {
    return await import('@xenova/transformers');
  } catch (cause) {
    throw notLoaded(
      '@xenova/transformers could not be loaded. Run npm install @xenova/transformers, or pass transformers: () => import(…)',
      cause,
    );
  }
}

const notLoaded = (text: string, cause: unknown): ShelfmarkError =>
  new ShelfmarkError('MODEL_LOAD_FAILED', `${text}: ${cause instanceof Error ? cause.message : cause}`, {
    cause,
  });

/** The last user of each `env`: its settings are global, so loads take turns. */
const turns = new WeakMap<object, Promise<unknown>>();

/**
 * Runs `work` with settings that make the library read files through `cache` alone, and puts the settings
 * back. A load by the host app in the meantime keeps its own settings as far as it goes on after an `await`;
 * one that asks for a file while ours is running misses the browser's cache once, and nothing else.
 */
export async function withFiles<T>(env: TransformersEnv, cache: object, work: () => Promise<T>): Promise<T> {
  const before = turns.get(env) ?? Promise.resolve();
  const turn = before.then(async () => {
    const kept = {
      allowLocalModels: env.allowLocalModels,
      useBrowserCache: env.useBrowserCache,
      useFSCache: env.useFSCache,
      useCustomCache: env.useCustomCache,
      customCache: env.customCache,
    };
    // allowLocalModels: the library refuses `local_files_only` without it.
    Object.assign(env, {
      allowLocalModels: true,
      useBrowserCache: false,
      useFSCache: false,
      useCustomCache: true,
      customCache: cache,
    });
    try {
      return await work();
    } finally {
      Object.assign(env, kept);
    }
  });
  turns.set(
    env,
    turn.catch(() => {}),
  );
  return turn;
}
