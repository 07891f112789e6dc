import { invalidOption, ShelfmarkError, throwIfAborted } from '../errors.ts';
import { oneOf, wholeNumber } from '../options.ts';
import type { Embedder, EmbedOptions, LoadOptions, LoadProgress } from '../types.ts';
import { breather, sharedTask, untilAborted } from './abort.ts';
import { bundled, defaultModel } from './bundled.ts';
import type { TransformersSource } from './library.ts';
import {
  dtypes,
  type LoadedModel,
  type LoadedTokenizer,
  loadModel,
  loadTokenizer,
  type ModelSpec,
} from './model.ts';
import { revisionOf } from './model-source.ts';
import { type Pooling, poolings } from './pooling.ts';
import { type ModelRuntime, type RuntimeNote, runtimeReason, type WasmPaths } from './runtime.ts';

export { defaultModel } from './bundled.ts';
export type { TransformersModule, TransformersSource } from './library.ts';
export { defaultModelPath } from './model-source.ts';
export type { Pooling } from './pooling.ts';
export { defaultWasmPaths, type ModelRuntime, type RuntimeNote, type WasmPaths } from './runtime.ts';

export interface TransformersEmbedderOptions {
  /** Name of the model: its folder under `modelPath`, or on Hugging Face. Default `'glove-static'`, the bundled one. */
  model?: string | undefined;
  /** transformers.js: the module, a promise of it or a function that gets it. Default `import('@xenova/transformers')`. */
  transformers?: TransformersSource | undefined;
  /**
   * Folder that holds the model's folder. In a page or worker an address, from the document's base or the
   * worker's own address; default `'./models/'`. In Node a path, or a `file:` or `http:` address; default the
   * `models` folder of this package.
   */
  modelPath?: string | undefined;
  /**
   * Where ONNX Runtime's `.wasm` files are: a folder, or an object of names and addresses as the library takes
   * it. Default `'./ort/'`, unless the app has set `env.backends.onnx.wasm.wasmPaths` itself. Unused in Node.
   */
  wasmPaths?: WasmPaths | undefined;
  /** How tokens become one vector. Default: what the model's `1_Pooling/config.json` says. */
  pooling?: Pooling | undefined;
  /** Scale vectors to length 1. Default true. A zero vector stays zero. */
  normalize?: boolean | undefined;
  /** Put before each query. Default `''`. */
  queryPrefix?: string | undefined;
  /** Put before each passage. Default `''`. */
  passagePrefix?: string | undefined;
  /**
   * Texts in one run of the model; default 1, and 16 on WebGPU. On WASM a larger run is no faster, keeps the
   * thread for longer, and with 8-bit models lets a text's neighbours change its vector.
   */
  batchSize?: number | undefined;
  /**
   * `'wasm'` (default; `'cpu'` in Node), `'webgpu'`, …: for `@huggingface/transformers`. Where the device is not there,
   * does not start or computes other vectors than WASM does, WASM takes over, with a note.
   */
  device?: string | undefined;
  /** Which of the model's files: `'q8'` (default), `'fp32'`, …; `@xenova/transformers` knows these two. */
  dtype?: string | undefined;
  /** Branch, tag or commit on Hugging Face, default `'main'`; part of `id`. Local folders hold one revision. */
  revision?: string | undefined;
  /**
   * Fetch the model from the library's `env.remoteHost` where `modelPath` doesn't have it. Default false for
   * the bundled model, else true. Browsers keep it in the library's cache; Node keeps nothing between runs.
   */
  allowRemote?: boolean | undefined;
  /**
   * Told, when the model is loaded, of what is done otherwise than was asked for, such as WASM in place of WebGPU. The
   * notes also stand in `runtime.notes`. What it throws is thrown by `load` or `embed`.
   */
  onNote?: ((note: RuntimeNote) => void) | undefined;
}

/** An embedder that also says how its model is run. */
export interface TransformersEmbedder extends Embedder {
  /** Device, threads and notes; undefined until the model is loaded, and after `dispose`. */
  readonly runtime: ModelRuntime | undefined;
}

/** Padded characters in one run, which bounds its memory: a run costs tokens of the longest text × texts. */
const maxRunChars = 65_536;

/**
 * An embedder that runs a model with transformers.js, in this thread. Nothing is loaded before `load`,
 * `loadTokenizer` or the first `embed`; a load that failed is tried again by the next call. Calls are served one after the other.
 *
 * `id` spells the model and whatever else changes vectors. `dimensions` is 100 for the bundled model; for
 * another one it is 0 until the model is loaded. After `dispose` the next call loads the model again.
 *
 * A model is asked for the vector of a sentence when it is loaded: the bundled one must give the vector that is known;
 * on a device other than WASM (in Node the processor) any other must give what it gives on WASM, which is computed
 * first; and on WASM its vector must be finite and the same when asked for again.
 *
 * transformers.js has global settings. While a model loads, its cache settings are replaced and then put back;
 * `wasmPaths` and `numThreads` of ONNX Runtime, which are read once, stay as set.
 *
 * @throws ShelfmarkError `INVALID_OPTION`; `load` and `embed` reject with `MODEL_LOAD_FAILED` (naming address
 *   and answer), `EMBEDDER_FAILED`, `UNSUPPORTED`, `INVALID_OPTION` (no pooling known) or the signal's reason
 */
export function transformersEmbedder(options: TransformersEmbedderOptions = {}): TransformersEmbedder {
  const spec = specOf(options);
  const { normalize = true, queryPrefix = '', passagePrefix = '', onNote } = options;
  if (onNote !== undefined && typeof onNote !== 'function')
    throw invalidOption('onNote', onNote, 'a function');
  const isBundled = spec.model === defaultModel;
  const batchSize = wholeNumber('batchSize', options.batchSize ?? (spec.device === 'webgpu' ? 16 : 1), 1);

  const listeners = new Set<(progress: LoadProgress) => void>();
  let loaded: LoadedModel | undefined;
  /** Stands in for the model's own until that is loaded. */
  let tokenizer: LoadedTokenizer | undefined;
  /** `countTokens` over one of the two. */
  let counting: { by: LoadedTokenizer; count: (text: string) => number } | undefined;
  /** What was read for it, so that the model need not ask for it again. */
  let known: Map<string, Uint8Array> | undefined;
  let learnt = isBundled ? bundled.dimensions : 0;
  let queue: Promise<unknown> = Promise.resolve();

  const onProgress = (progress: LoadProgress) => {
    for (const listener of listeners) listener(progress);
  };

  const loading = sharedTask(async (signal) => {
    const model = await loadModel(spec, { signal, onProgress, known });
    if (signal.aborted) {
      // Nobody waits for it any more; a session can't be stopped while it starts.
      await model.dispose();
      throwIfAborted(signal);
    }
    try {
      for (const note of model.runtime.notes) onNote?.(note);
    } catch (error) {
      await model.dispose();
      throw error;
    }
    learnt = model.dimensions ?? learnt;
    loaded = model;
    forgetTokenizer();
    return model;
  });

  const tokenizing = sharedTask(async (signal) => {
    const one = await loadTokenizer(spec, { signal, onProgress });
    throwIfAborted(signal);
    if (one === undefined) await load({ signal });
    else if (loaded === undefined) {
      tokenizer = one;
      known = one.files;
    }
  });

  /** Splitters that measure by it spell its `id` in theirs. */
  const counterOf = ({ countTokens }: LoadedTokenizer): ((text: string) => number) =>
    Object.assign((text: string) => countTokens(passagePrefix + text), {
      id: `${spec.model}@${spec.revision}`,
    });

  function forgetTokenizer(): void {
    tokenizing.take()?.catch(() => {});
    tokenizer = undefined;
    known = undefined;
  }

  async function telling<T>(listener: LoadOptions['onProgress'], work: Promise<T>): Promise<T> {
    if (listener !== undefined) listeners.add(listener);
    try {
      return await work;
    } finally {
      if (listener !== undefined) listeners.delete(listener);
    }
  }

  const load = ({ signal, onProgress: listener }: LoadOptions = {}): Promise<LoadedModel> =>
    telling(listener, loading.get(signal));

  /** After everything asked for before; a failure of one is no failure of the next. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = queue.then(work);
    queue = turn.catch(() => {});
    return turn;
  }

  async function embed(texts: readonly string[], { kind = 'passage', signal }: EmbedOptions = {}) {
    throwIfAborted(signal);
    if (texts.length === 0) return [];
    const prefix = kind === 'query' ? queryPrefix : passagePrefix;
    const whole = prefix === '' ? texts : texts.map((text) => prefix + text);
    await load({ signal });
    const vectors: Float32Array[] = new Array(texts.length);
    const breathe = breather();
    for (const run of runsOf(whole, batchSize)) {
      const rows = await untilAborted(
        inTurn(async () => {
          throwIfAborted(signal);
          const model = await load();
          return runModel(
            model,
            spec.model,
            run.map((at) => whole[at]!),
          );
        }),
        signal,
      );
      run.forEach((at, row) => {
        vectors[at] = rows[row]!;
      });
      await breathe();
    }
    learnt = vectors.find((vector) => vector.length > 0)?.length ?? learnt;
    return vectors.map((vector) =>
      finished(vector.length > 0 ? vector : new Float32Array(learnt), normalize),
    );
  }

  return {
    id: idOf(spec, { normalize, queryPrefix, passagePrefix }),
    ...(isBundled && { semanticWeight: bundled.semanticWeight, minScore: bundled.minScore }),
    get dimensions() {
      return learnt;
    },
    get maxInputTokens() {
      return (loaded ?? tokenizer)?.maxInputTokens ?? (isBundled ? bundled.maxInputTokens : undefined);
    },
    get countTokens() {
      const counter = loaded ?? tokenizer;
      if (counter !== counting?.by) counting = counter && { by: counter, count: counterOf(counter) };
      return counting?.count;
    },
    get runtime() {
      return loaded?.runtime;
    },
    embed,
    async load(options) {
      await load(options);
    },
    async loadTokenizer({ signal, onProgress: listener } = {}) {
      if (loaded === undefined) await telling(listener, tokenizing.get(signal));
    },
    async dispose() {
      forgetTokenizer();
      const taken = loading.take();
      await inTurn(async () => {
        const model = await taken?.catch(() => undefined);
        if (loaded === model) loaded = undefined;
        await model?.dispose();
      });
    },
  };
}

function specOf(options: TransformersEmbedderOptions): ModelSpec {
  const { model = defaultModel, pooling, dtype = 'q8', modelPath } = options;
  if (typeof model !== 'string' || !/^[\w.-]+(\/[\w.-]+)*$/.test(model) || model.includes('..')) {
    throw invalidOption('model', model, "a model's name such as 'glove-static' or 'Xenova/all-MiniLM-L6-v2'");
  }
  if (modelPath !== undefined && (typeof modelPath !== 'string' || modelPath === '')) {
    throw invalidOption('modelPath', modelPath, 'the folder that holds the model’s folder');
  }
  if (pooling !== undefined) oneOf('pooling', pooling, poolings);
  return {
    model,
    modelPath,
    transformers: options.transformers,
    wasmPaths: options.wasmPaths,
    pooling,
    device: options.device,
    dtype: oneOf('dtype', dtype, dtypes),
    revision: revisionOf(model, options.revision),
    allowRemote: options.allowRemote ?? model !== defaultModel,
  };
}

function idOf(
  spec: ModelSpec,
  rest: { normalize: boolean; queryPrefix: string; passagePrefix: string },
): string {
  // Where pooling is left to the model's files, the revision settles it.
  const pooling = spec.pooling ?? (spec.model === defaultModel ? bundled.pooling : 'model');
  return [
    `${spec.model}@${spec.revision}`,
    `dtype=${spec.dtype}`,
    `pooling=${pooling}`,
    `normalize=${rest.normalize}`,
    `query=${JSON.stringify(rest.queryPrefix)}`,
    `passage=${JSON.stringify(rest.passagePrefix)}`,
  ].join(';');
}

/** Places of the texts, in runs of texts of like length, so that little of a run is padding. */
function runsOf(texts: readonly string[], batchSize: number): number[][] {
  const longestFirst = texts.map((_, at) => at).sort((a, b) => texts[b]!.length - texts[a]!.length || a - b);
  const runs: number[][] = [];
  for (let start = 0; start < longestFirst.length; ) {
    const longest = Math.max(1, texts[longestFirst[start]!]!.length);
    const size = Math.max(1, Math.min(batchSize, Math.floor(maxRunChars / longest)));
    runs.push(longestFirst.slice(start, start + size));
    start += size;
  }
  return runs;
}

async function runModel(model: LoadedModel, name: string, texts: string[]): Promise<Float32Array[]> {
  try {
    return await model.run(texts);
  } catch (cause) {
    throw new ShelfmarkError('EMBEDDER_FAILED', `Model ${name} failed: ${runtimeReason(cause)}`, { cause });
  }
}

/** Length 1, in doubles, so that Node and browsers round alike; a zero vector has no direction and stays. */
function finished(vector: Float32Array, normalize: boolean): Float32Array {
  if (!normalize) return vector;
  let sum = 0;
  for (const x of vector) sum += x * x;
  const length = Math.sqrt(sum);
  return length > 0 ? vector.map((x) => x / length) : vector;
}
