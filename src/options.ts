import { invalidOption } from './errors.ts';

/** Every default of the library, once. Sizes are UTF-16 code units unless a name says otherwise. */
export const defaults = {
  byHeading: { maxChars: 1000, overlapChars: 150, maxLevel: 6 },
  byParagraph: { maxChars: 1000, overlapChars: 150 },
  fixedWithOverlap: { chars: 1000, overlapChars: 150, wordWindow: 40 },
  byRecord: { separator: '\n', chunkSize: 800 },
  chunkText: { chunkSize: 800, overlap: 100 },
  /** Of `KeywordRetriever`, which is the reference's. */
  bm25: { k1: 1.5, b: 0.75 },
  /** Of stores and indexes; chosen by `npm run eval`. */
  storeBm25: { k1: 2, b: 0.75 },
  hybrid: { k: 60, fetchTopK: 20 },
  reranking: { fetchTopK: 20 },
  tool: { name: 'search_knowledge', maxTopK: 50 },
  /** Of the semantic leg, where the embedder names none of its own. */
  semanticWeight: 0.5,
  /** Share of a question's words, by weight, that an answer holds; chosen by `npm run eval -- unanswerable`. */
  coverage: 0.5,
  /** Passages a search answers. */
  topK: 5,
} as const;

/** The floor of a section: `min(250, floor(maxChars / 4))`. */
export const minCharsFor = (maxChars: number): number => Math.min(250, Math.floor(maxChars / 4));

/** Ways to keep vectors. */
export const vectorFormats = ['f32', 'int8', 'int8+f32'] as const;

/** Range of `topK` in the facade. */
export const maxTopK = 10_000;

/** Chunks an index in one tab is meant for at most; docs/scale.md says what more of them take. */
export const tabChunks = 250_000;

/** An options object as it was given, or `INVALID_OPTION`: a default stands in for undefined only. */
export function optionsObject<T>(options: T, name = 'options'): T {
  if (options !== null && typeof options === 'object') return options;
  throw invalidOption(name, options, 'an object, or leave it out');
}

/**
 * An options object of which every name is known, or `INVALID_OPTION`: a name that is misspelt would be a default in
 * silence. One at undefined is as good as left out.
 *
 * @param within The option that the object is, where it is one of others
 */
export function knownOptions<T extends object>(
  options: T,
  names: Readonly<Record<keyof T, true>>,
  within?: string,
): T {
  optionsObject(options, within);
  const prefix = within === undefined ? '' : `${within}.`;
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(names, name)) continue;
    throw invalidOption(
      `Unknown option ${prefix}${name}`,
      value,
      `one of ${Object.keys(names).join(', ')}, or leave it out`,
    );
  }
  return options;
}

/** A function or nothing, or `INVALID_OPTION`. */
export function maybeFunction(option: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function')
    throw invalidOption(option, value, 'a function, or leave it out');
}

/** True, false or nothing, or `INVALID_OPTION`. */
export function maybeBoolean(option: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'boolean') throw invalidOption(option, value, 'true or false');
}

/** A signal or nothing, or `INVALID_OPTION`. One of another realm has no class in common. */
export function maybeSignal(signal: unknown): void {
  if (signal === undefined || typeof (signal as AbortSignal | null)?.addEventListener === 'function') return;
  throw invalidOption('signal', signal, 'an AbortSignal, or leave it out');
}

/** A whole number from `low` to `high`, or `INVALID_OPTION` naming option, value and range. */
export function wholeNumber(
  option: string,
  value: unknown,
  low: number,
  high = Number.MAX_SAFE_INTEGER,
): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high) return value;
  const range =
    high === Number.MAX_SAFE_INTEGER
      ? `a whole number, ${low} or more`
      : `a whole number from ${low} to ${high}`;
  throw invalidOption(option, value, range);
}

/** A finite number from `low` to `high`, or `INVALID_OPTION`. */
export function numberIn(option: string, value: unknown, low: number, high = Number.MAX_VALUE): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= low && value <= high) return value;
  throw invalidOption(
    option,
    value,
    high === Number.MAX_VALUE ? `a finite number, ${low} or more` : `a finite number from ${low} to ${high}`,
  );
}

/** One of the listed words, or `INVALID_OPTION`. */
export function oneOf<T extends string>(option: string, value: unknown, words: readonly T[]): T {
  if (words.includes(value as T)) return value as T;
  throw invalidOption(option, value, `one of ${words.map((word) => `'${word}'`).join(', ')}`);
}
