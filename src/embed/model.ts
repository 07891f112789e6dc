import { invalidOption, ShelfmarkError } from '../errors.ts';
import { inNode } from './addresses.ts';
import { bundled, defaultModel } from './bundled.ts';
import { tokenLimit } from './embedder.ts';
import {
  type Extractor,
  type Library,
  loadLibrary,
  type Tokenizer,
  type TransformersSource,
  withFiles,
} from './library.ts';
import { type ModelPlace, type ModelSource, openModel, type SourceOptions } from './model-source.ts';
import { modulesFile, type Pooling, pooledRow, poolingFile, poolingOf } from './pooling.ts';
import { type ModelRuntime, prepareRuntime, runtimeReason, usableDevice, type WasmPaths } from './runtime.ts';
import { bundledVector, startTried } from './self-test.ts';

export interface ModelSpec extends ModelPlace {
  transformers: TransformersSource | undefined;
  wasmPaths: WasmPaths | undefined;
  pooling: Pooling | undefined;
  device: string | undefined;
  dtype: string;
}

/** A tokenizer that is ready. */
export interface LoadedTokenizer {
  readonly maxInputTokens: number | undefined;
  readonly countTokens: (text: string) => number;
}

/** A model that is ready. */
export interface LoadedModel extends LoadedTokenizer {
  readonly dimensions: number | undefined;
  readonly runtime: ModelRuntime;
  /** One vector a text, as pooled, not normalised; an empty one for a text without a token. */
  run(texts: readonly string[]): Promise<Float32Array[]>;
  dispose(): Promise<void>;
}

/** What each dtype adds to the name of the model's file. */
const suffixes: Record<string, string> = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
};
export const dtypes = Object.keys(suffixes);

/**
 * Loads library, files and session.
 * @throws ShelfmarkError `MODEL_LOAD_FAILED`, `INVALID_OPTION`, `UNSUPPORTED`, or the signal's reason
 */
export async function loadModel(spec: ModelSpec, options: SourceOptions): Promise<LoadedModel> {
  const library = await loadLibrary(spec.transformers);
  options.signal.throwIfAborted();
  refuseUnknownDtype(library, spec.dtype);
  const source = await openModel(spec, library.env, options);
  const names = [...tokenizerFiles, `onnx/model${suffixes[spec.dtype]}.onnx`];
  const [pooling, files] = await Promise.all([pooled(spec, source), readAll(names, source)]);
  const { device: asked, basic, note } = await usableDevice(library, spec.device);
  const { threads, notes } = await prepareRuntime(library, spec.wasmPaths, asked, options.signal);
  const isAsBundled =
    spec.model === defaultModel && spec.revision === bundled.revision && pooling === bundled.pooling;
  const tried = await startTried({
    model: spec.model,
    device: asked,
    basic,
    known: isAsBundled ? bundledVector() : undefined,
    start: async (device) =>
      ready(await startSession(library, spec, device, files, source), pooling, source.config),
  });
  const device = tried.device ?? (inNode() ? 'cpu' : 'wasm');
  const all = [note, tried.note, ...notes].filter((one) => one !== undefined);
  return { ...tried.model, runtime: { device, threads, notes: all } };
}

/**
 * Loads library and tokenizer, and no more. Answers the files it read, by address; undefined where the library given
 * has no tokenizers of its own.
 * @throws ShelfmarkError as `loadModel` does
 */
export async function loadTokenizer(
  spec: ModelSpec,
  options: SourceOptions,
): Promise<(LoadedTokenizer & { files: Map<string, Uint8Array> }) | undefined> {
  const library = await loadLibrary(spec.transformers);
  const { AutoTokenizer } = library;
  if (AutoTokenizer === undefined) return undefined;
  options.signal.throwIfAborted();
  const source = await openModel(spec, library.env, options);
  const read = await readAll(tokenizerFiles, source);
  const tokenizer = await started(library, spec, read, source, (key) =>
    AutoTokenizer.from_pretrained(key, { local_files_only: true }),
  );
  const files = new Map([...read].map(([name, bytes]) => [source.base + name, bytes]));
  return { ...tokensOf(tokenizer, source.config), files };
}

/** `@xenova/transformers` knows two kinds of file; the others came with its successor. */
function refuseUnknownDtype(library: Library, dtype: string): void {
  if (library.major < 3 && dtype !== 'q8' && dtype !== 'fp32') {
    throw invalidOption('dtype', dtype, "'q8' or 'fp32' with @xenova/transformers");
  }
}

async function pooled(spec: ModelSpec, source: ModelSource): Promise<Pooling> {
  if (spec.pooling !== undefined) return spec.pooling;
  if (spec.model === defaultModel) return bundled.pooling;
  const [pooling, modules] = await Promise.all([source.optional(poolingFile), source.optional(modulesFile)]);
  return poolingOf(spec.model, pooling, modules);
}

const tokenizerFiles = ['tokenizer.json', 'tokenizer_config.json'];

/** Files the library is going to ask for, by name, `config.json` among them. */
async function readAll(names: readonly string[], source: ModelSource): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>([
    ['config.json', new TextEncoder().encode(JSON.stringify(source.config))],
  ]);
  await Promise.all(names.map(async (name) => files.set(name, await source.read(name))));
  return files;
}

let loads = 0;

function startSession(
  library: Library,
  spec: ModelSpec,
  device: string | undefined,
  files: Map<string, Uint8Array>,
  source: ModelSource,
): Promise<Extractor> {
  const options =
    library.major < 3
      ? { quantized: spec.dtype !== 'fp32', local_files_only: true }
      : { dtype: spec.dtype, device, local_files_only: true };
  return started(library, spec, files, source, (key) => library.pipeline('feature-extraction', key, options));
}

/** What the library makes of the files: it reads them, under the name it is called with, and no others. */
async function started<T>(
  library: Library,
  spec: ModelSpec,
  files: Map<string, Uint8Array>,
  source: ModelSource,
  start: (key: string) => Promise<T>,
): Promise<T> {
  // A name of its own for each load, so that no file of another one can be meant.
  const key = `shelfmark-${++loads}/${spec.model.split('/').at(-1)}`;
  const cache = fileCache(`${key}/`, files, source);
  try {
    return await withFiles(library.env, cache, () => start(key));
  } catch (cause) {
    if (cause instanceof ShelfmarkError) throw cause;
    throw new ShelfmarkError(
      'MODEL_LOAD_FAILED',
      `Model ${spec.model} did not start: ${runtimeReason(cause)}`,
      {
        cause,
      },
    );
  }
}

/** The library's cache interface over files already read. Others of the same model are read when asked for. */
function fileCache(key: string, files: Map<string, Uint8Array>, source: ModelSource): object {
  return {
    async match(address: unknown): Promise<Response | undefined> {
      const at = String(address).indexOf(key);
      if (at < 0) return undefined;
      // Asked for by the path of a local file or by that of a remote one.
      const name = String(address)
        .slice(at + key.length)
        .replace(/^resolve\/[^/]+\//, '');
      const bytes = files.get(name) ?? (await source.read(name));
      // A copy: the runtime may take the buffer away.
      return new Response(bytes.slice(), { headers: { 'content-length': String(bytes.length) } });
    },
    async put(): Promise<void> {},
  };
}

function ready(
  extractor: Extractor,
  pooling: Pooling,
  config: Record<string, unknown>,
): Omit<LoadedModel, 'runtime'> {
  const { tokenizer } = extractor;
  const { maxInputTokens, countTokens } = tokensOf(tokenizer, config);
  // A longer text than the model's window would end in an error of the runtime. Defined, not assigned: version 4
  // has a getter there.
  if (maxInputTokens !== undefined) {
    Object.defineProperty(tokenizer, 'model_max_length', { value: maxInputTokens, configurable: true });
  }
  /** Some tokenizers answer an empty text with no token at all, which the runtime can't take. */
  const canBeEmpty = countTokens('') === 0;

  return {
    dimensions: firstNumber(config, ['hidden_size', 'd_model', 'dim', 'n_embd']),
    maxInputTokens,
    countTokens,
    async run(texts) {
      const filled = canBeEmpty ? texts.filter((text) => countTokens(text) > 0) : texts;
      const rows = await vectorsOf(extractor, pooling, filled);
      if (filled.length === texts.length) return rows;
      const rest = rows.values();
      return texts.map((text) => (countTokens(text) > 0 ? rest.next().value! : new Float32Array(0)));
    },
    async dispose() {
      await extractor.dispose();
    },
  };
}

/** The pooled vectors, computed one text at a time where the library can't be trusted with several. */
async function vectorsOf(
  extractor: Extractor,
  pooling: Pooling,
  texts: readonly string[],
): Promise<Float32Array[]> {
  if (texts.length === 0) return [];
  if (texts.length === 1) {
    // Without padding there is no mask to heed, and pooling here takes a quarter of the time.
    const hidden = await extractor(texts, { pooling: 'none', normalize: false });
    return [pooledRow(hidden, pooling)];
  }
  // The library takes the last column for it, which is padding in all but the longest text.
  if (pooling === 'last_token') {
    const rows: Float32Array[] = [];
    for (const text of texts) rows.push(...(await vectorsOf(extractor, pooling, [text])));
    return rows;
  }
  const { data, dims } = await extractor(texts, { pooling, normalize: false });
  const size = dims.at(-1)!;
  return texts.map((_, row) => Float32Array.from({ length: size }, (_, d) => data[row * size + d]!));
}

const firstNumber = (config: Record<string, unknown>, keys: string[]): number | undefined =>
  keys.map((key) => config[key]).find((value): value is number => Number.isSafeInteger(value));

/** How the tokenizer counts, and the smaller of what it and the model's configuration take for the limit. */
function tokensOf(tokenizer: Tokenizer, config: Record<string, unknown>): LoadedTokenizer {
  const limits = [tokenizer.model_max_length, windowOf(config)]
    .map(tokenLimit)
    .filter((limit) => limit !== undefined);
  return {
    maxInputTokens: limits.length === 0 ? undefined : Math.min(...limits),
    countTokens: (text) => tokenizer.encode(text).length,
  };
}

/** RoBERTa's positions start after the padding position, so two of its table's rows are no window. */
const shifted = /roberta|camembert|mpnet|longformer|data2vec-text|xmod|^(esm|ibert|luke)$/;

/** Positions of a model's table, as its configuration names them; undefined where it has none. */
function windowOf(config: Record<string, unknown>): number | undefined {
  const { text_config: inner, model_type: type } = config;
  const positions = firstNumber(config, ['max_position_embeddings', 'n_positions', 'max_sequence_length']);
  // Models of texts and pictures say it of each part.
  if (positions === undefined) {
    return typeof inner === 'object' && inner !== null
      ? windowOf(inner as Record<string, unknown>)
      : undefined;
  }
  return shifted.test(String(type)) ? positions - 2 : positions;
}
