import type { ShelfmarkError } from './errors.ts';
import type { LexiconOptions } from './lexicon/analyzer.ts';
import type { IndexFile } from './store/open-file.ts';
import type { EmbedderLike, Filter, Splitter, VectorFormat, VectorStore } from './types.ts';

export interface OpenIndexOptions {
  /**
   * An exported index: its address, the file or its bytes. Alone, it is opened as it is, read-only and without IndexedDB;
   * with a `name` it is imported under it. An import replaces what was imported before from another file, is skipped
   * for the same one, and rejects with `UNSUPPORTED` where it would lose documents of another origin. Where the address
   * cannot be reached, what was imported before is opened.
   */
  from?: IndexFile | undefined;
  /** Names the index within the origin. Needed where it is to be kept. */
  name?: string | undefined;
  /**
   * Gives the index its meaning leg; its `id` is kept with the vectors. Its model is loaded when the first vector is
   * needed, never to open. Where it counts tokens and says how many it reads, documents are cut so that no chunk is longer.
   */
  embedder?: EmbedderLike | undefined;
  /** How documents are cut; `byHeading()` by default. `'auto'` is `autoSplitter()`: by the kind of each document. */
  splitter?: Splitter | 'auto' | undefined;
  /**
   * Whether the index outlives the page: `true` (the default) rejects where it cannot, `'auto'` then goes on
   * in memory and says so in `stats()`, also where IndexedDB does not answer for `blockedTimeout`; `false` keeps it
   * in memory.
   */
  persist?: boolean | 'auto' | undefined;
  /** How words are read; see `LexiconOptions`. */
  lexicon?: LexiconOptions | undefined;
  /**
   * How the legs are fused: `'convex'` (the default) adds their scores, `'rrf'` the reciprocals of their ranks, for
   * legs whose scores cannot be compared.
   */
  fusion?: 'convex' | 'rrf' | undefined;
  /** Weight of the semantic leg, 0 to 1; the embedder's own unless given, else 0.5. */
  semanticWeight?: number | undefined;
  /**
   * How vectors are kept, `'f32'` in a new index: exact. `'int8'` takes a quarter of the memory and disk and is
   * approximate; `'int8+f32'` is faster, takes a quarter more and gives exact scores, but may miss a passage. An
   * index made with `'int8'` rejects with `INVALID_OPTION` when it is opened as one of the others, and they as it.
   */
  vectors?: VectorFormat | undefined;
  /** A store to use in place of these; `persist`, `name`, `vectors` and `lexicon` then mean nothing. */
  store?: VectorStore | undefined;
  /** Called with a `STORE_BLOCKED` error while another tab keeps the open waiting. */
  onBlocked?: ((error: ShelfmarkError) => void) | undefined;
  /** Milliseconds to wait for that tab before the open rejects with `STORE_BLOCKED`, 10,000 by default. */
  blockedTimeout?: number | undefined;
  /** How sure a write must be before it counts as done; the browser's own default unless given. */
  durability?: IDBTransactionDurability | undefined;
}

export interface SearchIndexOptions {
  /** Hits at most, 1 to 10,000, 5 by default. */
  topK?: number | undefined;
  /**
   * `'auto'` (the default) answers by words until the model is ready, and by both from then on; `'hybrid'` waits
   * for the model; `'lexical'` and `'semantic'` ask one leg alone.
   */
  mode?: 'auto' | 'hybrid' | 'lexical' | 'semantic' | undefined;
  /** Also finds words that begin with the last one of the query, which may still be being typed. Default false. */
  prefix?: boolean | undefined;
  /** Also finds words with typing errors: one edit from 4 letters, two from 8. Default false. */
  typos?: boolean | undefined;
  /** Read against the documents' metadata: all keys equal, a list means any of, an empty list denies. */
  filter?: Filter | undefined;
  /** Floors, a leg each: a leg proposes nothing that scores lower in it. Never held against a fused score. */
  minScore?: { lexical?: number | undefined; semantic?: number | undefined } | undefined;
  /**
   * How sure it must be that the documents answer, or nothing is found: 1 is the floor that was chosen from data, less is
   * laxer, more is stricter, 0 (the default) is none. What is held against it is the best of the first five passages:
   * how much of the question it holds, word by word, and how near it is by a model that states a `minScore`, in the shares
   * of the fusion. What a model without one finds is never held against it. See docs/evaluation.md.
   */
  floor?: number | undefined;
  signal?: AbortSignal | undefined;
}
