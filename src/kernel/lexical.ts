import type { KernelKind } from './kernel.ts';

/** `'ascii'` is the reference's `/[a-z0-9]+/g`; `'unicode'` is described in `tokens.ts`. */
export type AnalyzerKind = 'unicode' | 'ascii';

export interface AnalyzerOptions {
  kind: AnalyzerKind;
  /** Folds é to e. Default true; of no meaning for `'ascii'`. */
  diacritics: boolean;
  /** Turns a token into its stem, for texts and queries alike. */
  stem?: ((token: string) => string) | undefined;
}

/** A token of a query. */
export interface QueryToken {
  /** Names the term to this kernel; 0 where no text ever held it. */
  term: number;
  token: string;
}

/** A term of the dictionary near to a token; in the order in which terms were first seen. */
export interface NearTerm {
  term: number;
  /** Bytes added, for a prefix; edits, for a typing error. */
  distance: number;
}

export interface Scored {
  /** Best first; equal scores by the lower row. */
  rows: Uint32Array;
  scores: Float64Array;
}

/** In place of a row: leaves a chunk out. */
export const LEFT_OUT = 0xffffffff;
/** Rows are below this. */
export const MOST_ROWS = 2 ** 29;

/** Counting and scoring of words. Rows are the caller's names for documents. Both kernels give equal results. */
export interface LexicalKernel {
  readonly kind: KernelKind;
  readonly documents: number;
  /** Tokens of all documents. */
  readonly tokens: number;
  /** Terms ever seen. */
  readonly terms: number;
  /** Memory in use, or an estimate of it. */
  readonly bytes: number;
  /** Texts removed whose postings still take up room. */
  readonly dead: number;
  has(row: number): boolean;
  /** Adds a text under a row that holds none. */
  add(row: number, text: string): void;
  /** Removes a row's text from every statistic; false where there is none. */
  remove(row: number): boolean;
  /** Frees what removed texts take up. Ends the present query. */
  compact(): void;
  /**
   * All live texts, in the order of adding, and their words: bytes for `unpack` in a kernel with the same analyser.
   * Equal calls give equal bytes, whichever the kernel.
   */
  pack(): Uint8Array<ArrayBuffer>;
  /**
   * Adds packed texts as though each had come through `add`, the i-th under `rows[i]`, which holds none, or not at
   * all where that is `LEFT_OUT`. Their terms follow the dictionary's in the order of the kernel that packed them.
   * False where the bytes are malformed or do not go with the rows: what the kernel holds is undefined from then
   * on, and its owner drops it.
   */
  unpack(bytes: Uint8Array, rows: Uint32Array): boolean;
  /** The tokens of a query, in order, with repetitions. */
  tokenize(query: string): QueryToken[];
  /** Documents that hold a term. */
  frequency(term: number): number;
  /** Longer terms that begin with the token (`suffix`: or end with it). */
  affixed(token: string, suffix: boolean): NearTerm[];
  /** Other terms within so many edits. */
  similar(token: string, most: number): NearTerm[];
  /** Starts a query: forgets all scores. */
  begin(): void;
  /** Adds `weight · tf / (tf + base + slope · length)` to every document that holds the term. */
  score(term: number, weight: number, base: number, slope: number): void;
  /** The best `k` rows of at least `floor`; `allowed` has a bit a row. */
  select(k: number, floor: number, allowed?: Uint32Array): Scored;
  /** The score of one row in the present query. */
  scoreOf(row: number): number;
}
