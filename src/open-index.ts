import { asEmbedder } from './embed/embedder.ts';
import { fetchPart, hasCode, invalidOption } from './errors.ts';
import { Index as OpenIndex } from './facade/index.ts';
import { analyzerOf, checkLexicon, type LexiconOptions } from './lexicon/analyzer.ts';
import type { OpenIndexOptions } from './open-index-options.ts';
import { defaults, knownOptions, maybeFunction, numberIn, oneOf } from './options.ts';
import { convex, reciprocalRank } from './retrieve/fuse.ts';
import { checkSplitter } from './split/check-splitter.ts';
import { IndexedDBVectorStore } from './store/idb.ts';
import { MemoryVectorStore } from './store/memory.ts';
import { asDocumentStore, type DocumentStore } from './store/store.ts';
import type { RepairReport } from './types.ts';

/** Documents, split, embedded and stored, and the search over them: here, or in a worker. */
export type Index = Pick<OpenIndex, keyof OpenIndex>;

/**
 * Opens an index, making it where there is none. What was added before is there again, with nothing
 * embedded anew and no model loaded.
 */
export async function openIndex(options: OpenIndexOptions = {}): Promise<Index> {
  knownOptions(options, optionNames);
  const { splitter, lexicon = {}, fusion = 'convex', embedder: given } = options;
  maybeFunction('onBlocked', options.onBlocked);
  if (options.durability !== undefined)
    oneOf('durability', options.durability, ['default', 'strict', 'relaxed']);
  if (splitter !== undefined && splitter !== 'auto') checkSplitter(splitter);
  checkLexicon(lexicon);
  const embedder = given === undefined ? undefined : asEmbedder(given);
  const { semanticWeight: weight = embedder?.semanticWeight ?? defaults.semanticWeight } = options;
  numberIn('semanticWeight', weight, 0, 1);
  oneOf('fusion', fusion, ['convex', 'rrf']);
  const shares = fusion === 'convex' ? convex(weight) : reciprocalRank(weight);
  const { store, unkept, shared } = await chooseStore(options);
  // The words of a store that was passed in are read as it reads them.
  const analyzer = analyzerOf(store.lexicon ?? lexicon);
  const ready = given !== undefined && given.load === undefined;
  return new OpenIndex({
    store,
    splitter,
    embedder,
    unkept,
    fusion: { kind: fusion, weight, shares },
    analyzer,
    ready,
    shared,
  });
}

/**
 * Rebuilds an index that cannot be opened any more (`STORE_CORRUPT`), from whatever of it makes sense. Close it in every
 * tab first. What `openIndex` can open is mended by `index.repair()`.
 *
 * @param lexicon How words are read, if not by default
 * @throws ShelfmarkError `FORMAT` where a newer version wrote it, `STORE_BLOCKED`, `UNSUPPORTED`, `QUOTA_EXCEEDED`
 */
export function repairIndex(name: string, lexicon?: LexiconOptions): Promise<RepairReport> {
  return IndexedDBVectorStore.repair({ name, lexicon });
}

const optionNames: Readonly<Record<keyof OpenIndexOptions, true>> = {
  from: true,
  name: true,
  embedder: true,
  splitter: true,
  persist: true,
  lexicon: true,
  fusion: true,
  semanticWeight: true,
  vectors: true,
  store: true,
  onBlocked: true,
  blockedTimeout: true,
  durability: true,
};

interface Chosen {
  store: DocumentStore;
  unkept?: string;
  shared?: string;
}

async function chooseStore(options: OpenIndexOptions): Promise<Chosen> {
  const {
    from,
    name,
    persist = true,
    store,
    onBlocked,
    blockedTimeout,
    durability,
    lexicon,
    vectors,
  } = options;
  if (store !== undefined) return { store: await asDocumentStore(store, lexicon) };
  const reader =
    from === undefined
      ? undefined
      : await fetchPart('part of the library that reads a file', () => import('./store/open-file.ts'));
  if (persist !== true && persist !== false && persist !== 'auto') {
    throw invalidOption('persist', persist, "true, false or 'auto'");
  }
  if (from !== undefined && (name === undefined || persist === false)) {
    return { store: await reader!.openFile(from, lexicon) };
  }
  if (persist === false) return { store: new MemoryVectorStore({ lexicon, vectors }) };
  if (name === undefined) {
    const others = 'persist: false to keep nothing, or from: an exported index';
    throw invalidOption('name', name, `a non-empty string to keep the index under, or ${others}`);
  }
  try {
    const orMemory = persist === 'auto';
    const how = { onBlocked, blockedTimeout, durability, lexicon, vectors, orMemory };
    const own = await IndexedDBVectorStore.open({ name, ...how });
    if (from !== undefined) await importing(own, () => reader!.importFile(from, own));
    return { store: own, shared: `shelfmark:${name}` };
  } catch (error) {
    if (!hasCode(error, 'UNSUPPORTED') || persist !== 'auto') throw error;
    const unkept = error.message;
    if (from !== undefined) return { store: await reader!.openFile(from, lexicon), unkept };
    return { store: new MemoryVectorStore({ lexicon, vectors }), unkept };
  }
}

/** Closes a store into which nothing could be imported. */
async function importing(store: IndexedDBVectorStore, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await store.close();
    throw error;
  }
}
