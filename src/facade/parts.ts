import type { Analyzer } from '../lexicon/analyzer.ts';
import type { Shares } from '../retrieve/fuse.ts';
import type { DocumentStore } from '../store/store.ts';
import type { Embedder, Splitter } from '../types.ts';

/** What an index is put together from. */
export interface IndexParts {
  store: DocumentStore;
  /** The default one where none was given; `'auto'` is fetched when documents are cut. */
  splitter: Splitter | 'auto' | undefined;
  embedder: Embedder | undefined;
  /** Why the index does not outlive the page although it was to. */
  unkept: string | undefined;
  fusion: {
    kind: 'convex' | 'rrf';
    /** Of the semantic leg, 0 to 1. */
    weight: number;
    shares: Shares;
  };
  /** How the store's lexicon reads words. */
  analyzer: Analyzer;
  /** Whether the embedder answers without loading anything first. */
  ready: boolean;
  /** Name of the locks that tabs share; absent where nothing is shared. */
  shared: string | undefined;
}
