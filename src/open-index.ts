import { asEmbedder } from './embed/embedder.ts';
import { invalidOption, ShelfmarkError } from './errors.ts';
import { Index } from './facade/index.ts';
import { analyzerOf, checkLexicon } from './lexicon/analyzer.ts';
import type { OpenIndexOptions } from './open-index-options.ts';
import { defaults, numberIn, oneOf } from './options.ts';
import { convex, reciprocalRank } from './retrieve/fuse.ts';
import { byHeading } from './split/by-heading.ts';
import { checkSplitter } from './split/split-documents.ts';
import { IndexedDBVectorStore } from './store/idb.ts';
import { MemoryVectorStore } from './store/memory.ts';
import { asDocumentStore, type DocumentStore } from './store/store.ts';

export { Index };

/**
 * Opens an index, making it where there is none. What was added before is there again, with nothing
 * embedded anew and no model loaded.
 */
export async function openIndex(options: OpenIndexOptions = {}): Promise<Index> {
  const { splitter = byHeading(), lexicon = {} } = options;
  checkSplitter(splitter);
  checkLexicon(lexicon);
  const weight = options.semanticWeight ?? options.embedder?.semanticWeight ?? defaults.semanticWeight;
  numberIn('semanticWeight', weight, 0, 1);
  const fusion = oneOf('fusion', options.fusion ?? 'convex', ['convex', 'rrf']);
  const fuse = fusion === 'convex' ? convex(weight) : reciprocalRank(weight);
  const embedder = options.embedder === undefined ? undefined : asEmbedder(options.embedder);
  const { store, unkept, shared } = await chooseStore(options);
  // The words of a store that was passed in are read as it reads them.
  const analyzer = analyzerOf(store.lexicon ?? lexicon);
  const ready = options.embedder !== undefined && options.embedder.load === undefined;
  return new Index({ store, splitter, embedder, unkept, fuse, analyzer, ready, shared });
}

interface Chosen {
  store: DocumentStore;
  unkept?: string;
  shared?: string;
}

async function chooseStore(options: OpenIndexOptions): Promise<Chosen> {
  const { name, persist = true, store, onBlocked, blockedTimeout, durability, lexicon, vectors } = options;
  if (store !== undefined) return { store: await asDocumentStore(store) };
  if (persist !== true && persist !== false && persist !== 'auto') {
    throw invalidOption('persist', persist, "true, false or 'auto'");
  }
  if (persist === false) return { store: new MemoryVectorStore({ lexicon, vectors }) };
  if (name === undefined) throw invalidOption('name', name, 'a non-empty string, or persist: false');
  try {
    const how = { onBlocked, blockedTimeout, durability, lexicon, vectors };
    return { store: await IndexedDBVectorStore.open({ name, ...how }), shared: `shelfmark:${name}` };
  } catch (error) {
    const unsupported = error instanceof ShelfmarkError && error.code === 'UNSUPPORTED';
    if (!unsupported || persist !== 'auto') throw error;
    return { store: new MemoryVectorStore({ lexicon, vectors }), unkept: error.message };
  }
}
