import { asEmbedder, embedTexts } from './embed/embedder.ts';
import { invalidOption, ShelfmarkError, show, throwIfAborted } from './errors.ts';
import { type AddOptions, addDocuments } from './ingest/add.ts';
import type { DocumentInfo } from './ingest/prepare.ts';
import { defaults, maxTopK, numberIn, oneOf, wholeNumber } from './options.ts';
import { byHeading } from './split/by-heading.ts';
import { IndexedDBVectorStore } from './store/idb.ts';
import { documentIdOf } from './store/ids.ts';
import { MemoryVectorStore } from './store/memory.ts';
import { asDocumentStore, type DocumentStore } from './store/store.ts';
import type {
  Embedder,
  EmbedderLike,
  Filter,
  Hit,
  IndexedChunk,
  IndexedDocument,
  IndexReport,
  IndexStats,
  Splitter,
  SplitterDocument,
  VectorStore,
} from './types.ts';

export interface OpenIndexOptions {
  /** Names the index within the origin. Needed where it is to be kept. */
  name?: string | undefined;
  /** Gives the index its meaning leg; its `id` is kept with the vectors. Its model is loaded when the first vector is needed, never to open. */
  embedder?: EmbedderLike | undefined;
  /** How documents are cut; `byHeading()` by default. */
  splitter?: Splitter | undefined;
  /**
   * Whether the index outlives the page: `true` (the default) rejects where it cannot, `'auto'` then goes on
   * in memory and says so in `stats()`, `false` keeps it in memory.
   */
  persist?: boolean | 'auto' | undefined;
  /** A store to use in place of these; `persist` and `name` then mean nothing. */
  store?: VectorStore | undefined;
  /** Called with a `STORE_BLOCKED` error while another tab keeps the open waiting. */
  onBlocked?: ((error: ShelfmarkError) => void) | undefined;
}

export interface SearchIndexOptions {
  /** Hits at most, 1 to 10,000, 5 by default. */
  topK?: number | undefined;
  mode?: 'auto' | 'hybrid' | 'lexical' | 'semantic' | undefined;
  /** Read against the documents' metadata: all keys equal, a list means any of, an empty list denies. */
  filter?: Filter | undefined;
  /** Floors, a leg each: a hit that scores lower in it is left out. */
  minScore?: { lexical?: number | undefined; semantic?: number | undefined } | undefined;
  signal?: AbortSignal | undefined;
}

/** Scores are sums of f32 products, so a floor allows for this much. */
const SCORE_SLACK = 1e-6;

/**
 * Opens an index, making it where there is none. What was added before is there again, with nothing
 * embedded anew and no model loaded.
 */
export async function openIndex(options: OpenIndexOptions = {}): Promise<Index> {
  const { splitter = byHeading() } = options;
  const embedder = options.embedder === undefined ? undefined : asEmbedder(options.embedder);
  const { store, unkept } = await chooseStore(options);
  return new Index(store, splitter, embedder, unkept);
}

async function chooseStore(options: OpenIndexOptions): Promise<{ store: DocumentStore; unkept?: string }> {
  const { name, persist = true, store, onBlocked } = options;
  if (store !== undefined) return { store: await asDocumentStore(store) };
  if (persist !== true && persist !== false && persist !== 'auto') {
    throw invalidOption('persist', persist, "true, false or 'auto'");
  }
  if (persist === false) return { store: new MemoryVectorStore() };
  if (name === undefined) throw invalidOption('name', name, 'a non-empty string, or persist: false');
  try {
    return { store: await IndexedDBVectorStore.open({ name, onBlocked }) };
  } catch (error) {
    const unsupported = error instanceof ShelfmarkError && error.code === 'UNSUPPORTED';
    if (!unsupported || persist !== 'auto') throw error;
    return { store: new MemoryVectorStore(), unkept: error.message };
  }
}

/** Documents, split, embedded and stored, and the search over them. Made by `openIndex`. */
export class Index {
  readonly #store: DocumentStore;
  readonly #splitter: Splitter;
  readonly #embedder: Embedder | undefined;
  readonly #unkept: string | undefined;
  #closed = false;

  constructor(
    store: DocumentStore,
    splitter: Splitter,
    embedder: Embedder | undefined,
    unkept: string | undefined,
  ) {
    this.#store = store;
    this.#splitter = splitter;
    this.#embedder = embedder;
    this.#unkept = unkept;
  }

  /**
   * Adds documents, or replaces those of the same uri. A document is in whole or not at all; one that is as it
   * was is left alone. Rejects with `INVALID_DOCUMENT` before anything is written, `EMBEDDER_MISMATCH` where
   * the index was made with another embedder, the signal's reason when aborted.
   */
  async add(documents: readonly SplitterDocument[], options: AddOptions = {}): Promise<IndexReport> {
    this.#checkOpen();
    await this.#store.sync();
    this.#checkEmbedder();
    const pipeline = { store: this.#store, splitter: this.#splitter, embedder: this.#embedder };
    return addDocuments(documents, pipeline, options);
  }

  /** The passages nearest to a question, best first. A blank question has none. */
  async search(query: string, options: SearchIndexOptions = {}): Promise<Hit[]> {
    this.#checkOpen();
    const { filter, minScore, signal } = options;
    const topK = wholeNumber('topK', options.topK ?? defaults.topK, 1, maxTopK);
    const mode = oneOf('mode', options.mode ?? 'auto', ['auto', 'hybrid', 'lexical', 'semantic']);
    const floor = minScore?.semantic;
    if (floor !== undefined) numberIn('minScore.semantic', floor, -1, 1);
    if (typeof query !== 'string') throw invalidOption('query', query, 'a string');
    throwIfAborted(signal);
    if (mode === 'lexical' || mode === 'hybrid') {
      throw new ShelfmarkError(
        'UNSUPPORTED',
        `Mode '${mode}' needs the keyword index, which this version does not have yet; use 'auto' or 'semantic'.`,
      );
    }
    if (this.#embedder === undefined) {
      throw new ShelfmarkError(
        'UNSUPPORTED',
        'Searching by meaning needs an embedder; give one to openIndex({ embedder }).',
      );
    }
    if (query.trim() === '') return [];
    await this.#store.sync();
    this.#checkEmbedder();
    if (this.#store.vectorSize.count === 0) return [];
    const [vector] = await embedTexts(this.#embedder, [query], { kind: 'query', signal });
    throwIfAborted(signal);
    // The model knows none of its words, so every passage would be as near as any other.
    if (vector === undefined || vector.every((value) => value === 0)) return [];
    const passages = await this.#store.search(vector, { topK, filter });
    throwIfAborted(signal);
    return passages
      .filter(({ score }) => floor === undefined || score >= floor - SCORE_SLACK)
      .map((passage, at) => ({
        ...passage,
        docUri: documentIdOf(passage.id),
        legs: { semantic: { rank: at + 1, score: passage.score } },
      }));
  }

  /** Removes documents; answers how many there were. */
  async remove(uris: string | readonly string[]): Promise<number> {
    this.#checkOpen();
    await this.#store.sync();
    const wanted = new Set(typeof uris === 'string' ? [uris] : uris);
    const present = [...wanted].filter((uri) => this.#store.entries.has(uri));
    if (present.length > 0) await this.#store.putDocuments([], present, {});
    return present.length;
  }

  /** The documents, in the order in which they were added. */
  async documents(): Promise<IndexedDocument[]> {
    this.#checkOpen();
    await this.#store.sync();
    return [...this.#store.entries.values()]
      .sort((a, b) => a.rows[0]! - b.rows[0]!)
      .map(({ id, rows, pending, info }) => {
        const { title, metadata } = (info ?? {}) as Partial<DocumentInfo>;
        return {
          uri: id,
          chunks: rows.length,
          vectors: pending === undefined ? 'stored' : 'pending',
          ...(title !== undefined && { title }),
          ...(metadata !== undefined && { metadata: structuredClone(metadata) }),
        };
      });
  }

  /** A document's chunks in their order; none for a uri that is not in the index. */
  async chunks(uri: string): Promise<IndexedChunk[]> {
    this.#checkOpen();
    await this.#store.sync();
    const chunks = await this.#store.listChunks(uri);
    return chunks.map((chunk) => ({ ...chunk, docUri: uri }));
  }

  /** A document's whole text, as it was added; undefined for a uri that is not in the index. */
  async text(uri: string): Promise<string | undefined> {
    this.#checkOpen();
    await this.#store.sync();
    return this.#store.readText(uri);
  }

  async stats(): Promise<IndexStats> {
    this.#checkOpen();
    await this.#store.sync();
    const { entries, meta, vectorSize, capabilities } = this.#store;
    let [chunks, pending] = [0, 0];
    for (const entry of entries.values()) {
      chunks += entry.rows.length;
      pending += entry.pending?.length ?? 0;
    }
    return {
      documents: entries.size,
      chunks,
      pending,
      dimensions: vectorSize.dimensions,
      vectorBytes: vectorSize.bytes,
      embedder: meta.embedder,
      splitter: meta.splitter,
      persistent: capabilities.persistent,
      ...(this.#unkept !== undefined && { unkept: this.#unkept }),
    };
  }

  /** Closes the index; later calls reject with `STORE_CLOSED`. The embedder is its owner's to dispose of. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#store.close?.();
  }

  /** Closes the index and deletes all it kept. */
  async destroy(): Promise<void> {
    this.#closed = true;
    await this.#store.destroy?.();
  }

  #checkOpen(): void {
    if (this.#closed) throw new ShelfmarkError('STORE_CLOSED', 'The index was closed; open it again.');
  }

  /** Vectors of two models cannot be compared, though nothing would fail. */
  #checkEmbedder(): void {
    const { meta, vectorSize } = this.#store;
    const [there, here] = [meta.embedder, this.#embedder?.id];
    if (here === undefined || there === undefined || there === here || vectorSize.count === 0) return;
    throw new ShelfmarkError(
      'EMBEDDER_MISMATCH',
      `The index holds vectors of ${show(there)}, the embedder given is ${show(here)}; open it with the former, or call reembed() to move to the latter.`,
    );
  }
}
