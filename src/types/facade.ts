/** Public types of an index: what `openIndex` takes, tells and answers. */
import type { LegScore, ListedChunk, Metadata, Passage } from '../types.ts';

/** Called while documents are added. `total` is 0 while it is unknown. */
export interface Progress {
  stage: 'split' | 'load-model' | 'embed' | 'store';
  done: number;
  total: number;
  /** Bytes loaded, for `load-model`. */
  bytes?: number;
}

export interface IndexFailure {
  uri: string;
  code: string;
  reason: string;
}

/** What `add` did. Counts are of this call. */
export interface IndexReport {
  /** Documents that were stored, with those whose embedding failed: they are found by words, and stand in `failed` too. */
  documents: number;
  chunks: number;
  embedded: number;
  /** Chunks kept without a vector: no embedder was given, or it failed on their document. */
  unembedded: number;
  /** Documents that were unchanged. */
  skipped: number;
  removed: number;
  failed: IndexFailure[];
  /**
   * Chunks longer than the model reads, which it cuts off; `chars` and `tokens` count all that is embedded (title,
   * headings, context, text). Documents are cut to what it reads where the embedder counts tokens and states a limit, so
   * that this is empty, but for: chunks whose title, headings and context alone leave no room; documents that were added
   * without this embedder (the next `add` or `sync` with them cuts them anew); a tokenizer that could not be loaded.
   */
  truncated: { id: string; chars: number; tokens?: number }[];
  embedder: string | undefined;
  splitter: string;
  elapsedMs: number;
}

/** What `sync` did, beside what `add` would say. Documents are counted; those of `failed` are in none of these. */
export interface SyncReport extends IndexReport {
  /** The index did not have them. */
  added: number;
  /** Text, title, metadata, splitter or analyser were others, or chunks might be longer than the embedder reads. */
  changed: number;
  unchanged: number;
}

/** What `repairIndex` could save. */
export interface RepairReport {
  documents: number;
  chunks: number;
  /** Chunks whose vectors are lost, and made again by the next `sync`, `add` or open with an embedder. */
  pending: number;
  /** Documents that were there, or partly there, and are lost; add them again. */
  lost: string[];
}

export interface PushOptions {
  /** Cancels within one batch; what was stored by then stays, and the next call goes on from it. */
  signal?: AbortSignal | undefined;
  /** Told of chunks, with `stage: 'store'`. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** How many of the index's vectors the store is asked for at the end, 0 to 10,000, 20 by default. */
  sample?: number | undefined;
  /** Whether documents that the index does not have are removed from the store. Default false. */
  prune?: boolean | undefined;
}

/** What `pushTo` did. Counts are of this call. */
export interface PushReport {
  /** Documents that were written, whole or in part. */
  documents: number;
  chunks: number;
  /** Documents that were there as they are. */
  skipped: number;
  /** Documents the index does not have, removed with `prune`. */
  removed: number;
  /** Vectors of the index the store was asked for, each for its nearest ten. */
  sampled: number;
  /** Of those, the ones for which it gave the chunks the index gives. */
  agreeing: number;
  /** Share of the index's chunks it gave, 0 to 1: 1 for a store that is exact. */
  recall: number;
  elapsedMs: number;
}

/** What was found to be damaged when an index was opened. */
export interface IndexDamage {
  part: 'vectors' | 'words';
  /** Number of the damaged segment. */
  segment: number;
  reason: string;
  /** Documents that are found by words alone until `sync`, `add` or `repair` has embedded them again. */
  documents: readonly string[];
}

/** A passage of an index, with the document it is from. */
export interface Hit extends Passage {
  docUri: string;
  /** What the legs said of it: `lexical` a BM25 score, `semantic` a cosine; absent where a leg had nothing to say. */
  legs: Record<string, LegScore>;
  /** Where words of the query stand in `text`: rising, half-open, apart from each other. */
  highlights: [start: number, end: number][];
  /** The chunks before and after it in its document. */
  neighbours(): Promise<{ previous?: IndexedChunk; next?: IndexedChunk }>;
}

/**
 * What became of a leg in a search: it answered; it was not asked for, or there is nothing for it to search; its
 * model is still loading; it failed, and the other leg answered alone.
 */
export type LegState = 'used' | 'unused' | 'loading' | 'failed';

/** Hits, best first, and which legs found them. */
export interface Hits extends Array<Hit> {
  legStates: { lexical: LegState; semantic: LegState };
  /** Why a leg failed. */
  legError?: unknown;
}

/** A document as an index lists it. */
export interface IndexedDocument {
  uri: string;
  title?: string;
  metadata?: Metadata;
  /** How many chunks it was cut into. */
  chunks: number;
  /** Whether its vectors are there, still to come, or not to come because nobody ever gave an embedder. */
  vectors: 'stored' | 'pending' | 'none';
}

/** A chunk as an index lists it. */
export interface IndexedChunk extends ListedChunk {
  docUri: string;
}

export interface IndexStats {
  documents: number;
  chunks: number;
  /** Chunks whose vector is still to come; 0 where nobody ever gave an embedder. */
  pending: number;
  /** Length of the vectors, 0 while there are none. */
  dimensions: number;
  /** Memory the vectors take. */
  vectorBytes: number;
  /** Memory the words take; 0 until they are first searched. */
  lexicalBytes: number;
  /** Who answers words: this library, from a lexicon held here, or the store that was given. */
  lexical: 'local' | 'store';
  /** Identity of the analyser that reads the words, where they are held here. */
  analyzer: string;
  /** Identity of the embedder they came from. */
  embedder: string | undefined;
  splitter: string | undefined;
  /** Whether the index outlives the page. */
  persistent: boolean;
  /** Why it does not although it was to. */
  unkept?: string;
  /** Present where the index holds more chunks than one tab is meant for: what to do (docs/scale.md). */
  warning?: string;
  /** What was found to be damaged when the index was opened; absent where nothing was. See `repair()`. */
  damaged?: readonly IndexDamage[];
  /** Why documents whose vectors are to come could not be embedded; `add` or `sync` of them, or the next open, tries again. */
  pendingError?: string;
}
