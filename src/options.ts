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
  /** Passages a search answers. */
  topK: 5,
} as const;

/** The floor of a section: `min(250, floor(maxChars / 4))`. */
export const minCharsFor = (maxChars: number): number => Math.min(250, Math.floor(maxChars / 4));

/** Ways to keep vectors. */
export const vectorFormats = ['f32', 'int8', 'int8+f32'] as const;

/** Range of `topK` in the facade. */
export const maxTopK = 10_000;

/** An options object as it was given, or `INVALID_OPTION`: a default stands in for undefined only. */
export function optionsObject<T>(options: T): T {
  if (options !== null && typeof options === 'object') return options;
  throw invalidOption('options', options, 'an object, or leave it out');
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
