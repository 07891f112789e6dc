import { invalidOption, ShelfmarkError, show, throwIfAborted } from '../errors.ts';
import { isFinite32 } from '../kernel/finite.ts';
import { numberIn, wholeNumber } from '../options.ts';
import type { Embedder, EmbedderLike, EmbedOptions } from '../types.ts';
import { breather, untilAborted } from './abort.ts';

/** The id of an embedder that states none. It tells no two of them apart: see `sameModel` (src/ingest/unnamed.ts). */
export const unnamedEmbedder = 'custom';

/** Texts in one call of an embedder, and so what a signal or a progress report waits for. */
export const defaultBatchSize = 32;

export interface EmbedTextsOptions extends EmbedOptions {
  /** Texts a call of the embedder; 1 or more. Default 32. */
  batchSize?: number | undefined;
  /** Called after each batch with the number of texts done. */
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
}

/** The embedder each object was turned into, so that what was learnt of it is kept. */
const known = new WeakMap<object, Embedder>();

/**
 * An `Embedder` over anything that embeds: `{ embed(texts): Promise<number[][]> }` will do.
 *
 * - `id`: `'custom'` where none is given.
 * - `dimensions`: 0 where none is given, until the first batch shows it.
 * - `maxInputTokens`: undefined where it is so large (a million and more) that it stands for no limit.
 * - `embed` checks every vector before it hands them on, and copies them to `Float32Array`s.
 *
 * The same object gives the same embedder.
 * @throws ShelfmarkError `INVALID_OPTION` where `like` has no `embed`, or an odd `id`, `dimensions`,
 *   `maxInputTokens` or `countTokens`;
 *   `embed` rejects with `EMBEDDER_FAILED`, `DIMENSION_MISMATCH`, `INVALID_VECTOR` or the signal's reason
 */
export function asEmbedder(like: EmbedderLike): Embedder {
  if (typeof like?.embed !== 'function') {
    throw invalidOption('embedder', like, 'an object with embed(texts): Promise<number[][]>');
  }
  const seen = known.get(like);
  if (seen !== undefined) return seen;
  const { id = unnamedEmbedder, dimensions } = like;
  if (typeof id !== 'string' || id === '') throw invalidOption('embedder.id', id, 'a non-empty string');
  if (dimensions !== undefined) wholeNumber('embedder.dimensions', dimensions, 0);
  const { maxInputTokens, countTokens, loadTokenizer, semanticWeight, minScore } = like;
  if (semanticWeight !== undefined) numberIn('embedder.semanticWeight', semanticWeight, 0, 1);
  if (minScore !== undefined && !(typeof minScore === 'number' && minScore > 0 && minScore <= 1)) {
    throw invalidOption('embedder.minScore', minScore, 'a cosine above 0, at most 1, or leave it out');
  }
  if (maxInputTokens !== undefined && !(typeof maxInputTokens === 'number' && maxInputTokens >= 1)) {
    throw invalidOption('embedder.maxInputTokens', maxInputTokens, 'a number, 1 or more, or leave it out');
  }
  for (const [name, value] of Object.entries({ countTokens, loadTokenizer })) {
    if (value !== undefined && typeof value !== 'function') {
      throw invalidOption(`embedder.${name}`, value, 'a function, or leave it out');
    }
  }

  let learnt = 0;
  const embedder: Embedder = {
    id,
    get dimensions() {
      return like.dimensions || learnt;
    },
    get maxInputTokens() {
      return tokenLimit(like.maxInputTokens);
    },
    get countTokens() {
      return like.countTokens?.bind(like);
    },
    get semanticWeight() {
      return like.semanticWeight;
    },
    get minScore() {
      return like.minScore;
    },
    async embed(texts, options = {}) {
      throwIfAborted(options.signal);
      if (texts.length === 0) return [];
      const answer = await call(like, id, texts, options);
      const vectors = checkedVectors(answer, id, texts.length, embedder.dimensions);
      learnt = vectors[0]!.length;
      return vectors;
    },
    async load(options) {
      await like.load?.(options);
    },
    get loadTokenizer() {
      return like.loadTokenizer?.bind(like);
    },
    async dispose() {
      await like.dispose?.();
    },
  };
  known.set(like, embedder);
  known.set(embedder, embedder);
  return embedder;
}

/** From here on a number of tokens is how a tokenizer says that it has no limit: 1e30, 2^63 - 1, … */
const NO_LIMIT = 1e6;

/** A limit that is one: whole tokens, or undefined. */
export const tokenLimit = (tokens: unknown): number | undefined =>
  typeof tokens === 'number' && tokens >= 1 && tokens < NO_LIMIT ? Math.floor(tokens) : undefined;

/**
 * Vectors of `texts`, in order, asked for in batches. Zero vectors are kept: they mean that the model knows
 * none of a text's words.
 * @throws ShelfmarkError as `asEmbedder` says, naming the text's place in `texts`; `INVALID_OPTION`
 */
export async function embedTexts(
  like: EmbedderLike,
  texts: readonly string[],
  options: EmbedTextsOptions = {},
): Promise<Float32Array[]> {
  const embedder = asEmbedder(like);
  const { kind = 'passage', signal, onProgress } = options;
  const batchSize = wholeNumber('batchSize', options.batchSize ?? defaultBatchSize, 1);
  const vectors: Float32Array[] = [];
  // An embedder of one's own may compute without ever leaving the thread.
  const breathe = breather();
  while (vectors.length < texts.length) {
    const start = vectors.length;
    if (start > 0) await breathe();
    const batch = texts.slice(start, start + batchSize);
    try {
      for (const vector of await embedder.embed(batch, { kind, signal })) vectors.push(vector);
    } catch (error) {
      throw error instanceof VectorError ? error.from(start) : error;
    }
    onProgress?.({ done: vectors.length, total: texts.length });
  }
  return vectors;
}

async function call(
  like: EmbedderLike,
  id: string,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<unknown> {
  const { signal } = options;
  try {
    // In a promise of its own, so that a synchronous throw is a rejection like any other.
    return await untilAborted(
      Promise.resolve().then(() => like.embed(texts, options)),
      signal,
    );
  } catch (error) {
    throwIfAborted(signal);
    if (error instanceof ShelfmarkError) throw error;
    const count = texts.length === 1 ? '1 text' : `${texts.length} texts`;
    const reason = error instanceof Error ? error.message : show(error);
    throw new ShelfmarkError('EMBEDDER_FAILED', `Embedder ${show(id)} failed on ${count}: ${reason}`, {
      cause: error,
    });
  }
}

/** A fault of one vector; `from` moves its place where the batch didn't start at 0. */
class VectorError extends ShelfmarkError {
  readonly #at: number;
  readonly #fault: string;

  constructor(code: 'INVALID_VECTOR' | 'DIMENSION_MISMATCH', at: number, fault: string) {
    super(code, `The vector of text ${at} ${fault}`);
    this.#at = at;
    this.#fault = fault;
  }

  from(start: number): VectorError {
    return new VectorError(this.code as 'INVALID_VECTOR', start + this.#at, this.#fault);
  }
}

/** The answer of an embedder as `count` finite vectors of one length; `dimensions` 0 takes the first's. */
function checkedVectors(answer: unknown, id: string, count: number, dimensions: number): Float32Array[] {
  if (!Array.isArray(answer) || answer.length !== count) {
    const got = Array.isArray(answer) ? `${answer.length} vectors` : show(answer);
    throw new ShelfmarkError('EMBEDDER_FAILED', `Embedder ${show(id)} answered ${got} for ${count} texts.`);
  }
  let expected = dimensions;
  return answer.map((row: unknown, at) => {
    const vector = finiteVector(row, at);
    expected ||= vector.length;
    if (vector.length === expected) return vector;
    throw new VectorError(
      'DIMENSION_MISMATCH',
      at,
      `has ${vector.length} numbers; embedder ${show(id)} makes vectors of ${expected}.`,
    );
  });
}

function finiteVector(row: unknown, at: number): Float32Array {
  const listed = Array.isArray(row) || (ArrayBuffer.isView(row) && !(row instanceof DataView));
  if (!listed || (row as ArrayLike<unknown>).length === 0) {
    throw new VectorError('INVALID_VECTOR', at, `is ${show(row)}; an array of numbers is expected.`);
  }
  if (row instanceof Float32Array && isFinite32(row)) return row.slice();
  const values = row as ArrayLike<unknown>;
  const vector = new Float32Array(values.length);
  for (let d = 0; d < values.length; d++) {
    const value = values[d];
    // Checked after rounding: 1e39 is finite as a double and infinite as a float.
    vector[d] = typeof value === 'number' ? value : Number.NaN;
    if (!Number.isFinite(vector[d])) {
      throw new VectorError(
        'INVALID_VECTOR',
        at,
        `holds ${show(value)} at place ${d}; finite numbers are expected.`,
      );
    }
  }
  return vector;
}
