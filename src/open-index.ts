import { asEmbedder, embedTexts } from './embed/embedder.ts';
import { embedderMismatch, invalidOption, ShelfmarkError, throwIfAborted } from './errors.ts';
import { type AddOptions, addDocuments } from './ingest/add.ts';
import type { DocumentInfo } from './ingest/prepare.ts';
import { type Analyzer, analyzerOf, checkLexicon } from './lexicon/analyzer.ts';
import { hasWord, highlight, type MatchOptions } from './lexicon/highlight.ts';
import type { OpenIndexOptions, SearchIndexOptions } from './open-index-options.ts';
import { defaults, maxTopK, numberIn, oneOf, wholeNumber } from './options.ts';
import { convex, only, reciprocalRank } from './retrieve/fuse.ts';
import { byHeading } from './split/by-heading.ts';
import { checkSplitter } from './split/split-documents.ts';
import { IndexedDBVectorStore } from './store/idb.ts';
import { documentIdOf } from './store/ids.ts';
import type { Choose, Judged } from './store/legs.ts';
import { MemoryVectorStore } from './store/memory.ts';
import { checkFilter } from './store/metadata.ts';
import { asDocumentStore, type DocumentStore } from './store/store.ts';
import type {
  Embedder,
  Hit,
  Hits,
  IndexedChunk,
  IndexedDocument,
  IndexReport,
  IndexStats,
  Passage,
  Splitter,
  SplitterDocument,
} from './types.ts';
import { checkLength } from './vectors/check.ts';

/** Candidates a leg proposes for each hit that is wanted, and at the least, so that fusion sees past the first few. */
const FETCH_FACTOR = 4;
const FETCH_LEAST = 100;

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
  const { store, unkept } = await chooseStore(options);
  // The words of a store that was passed in are read as it reads them.
  const analyzer = analyzerOf(store.lexicon ?? lexicon);
  const ready = options.embedder !== undefined && options.embedder.load === undefined;
  return new Index({ store, splitter, embedder, unkept, fuse, analyzer, ready });
}

async function chooseStore(options: OpenIndexOptions): Promise<{ store: DocumentStore; unkept?: string }> {
  const { name, persist = true, store, onBlocked, lexicon, vectors } = options;
  if (store !== undefined) return { store: await asDocumentStore(store) };
  if (persist !== true && persist !== false && persist !== 'auto') {
    throw invalidOption('persist', persist, "true, false or 'auto'");
  }
  if (persist === false) return { store: new MemoryVectorStore({ lexicon, vectors }) };
  if (name === undefined) throw invalidOption('name', name, 'a non-empty string, or persist: false');
  try {
    return { store: await IndexedDBVectorStore.open({ name, onBlocked, lexicon, vectors }) };
  } catch (error) {
    const unsupported = error instanceof ShelfmarkError && error.code === 'UNSUPPORTED';
    if (!unsupported || persist !== 'auto') throw error;
    return { store: new MemoryVectorStore({ lexicon, vectors }), unkept: error.message };
  }
}

interface IndexParts {
  store: DocumentStore;
  splitter: Splitter;
  embedder: Embedder | undefined;
  unkept: string | undefined;
  fuse: Choose;
  /** How the store's lexicon reads words. */
  analyzer: Analyzer;
  /** Whether the embedder answers without loading anything first. */
  ready: boolean;
}

/** Documents, split, embedded and stored, and the search over them. Made by `openIndex`. */
export class Index {
  readonly #store: DocumentStore;
  readonly #splitter: Splitter;
  readonly #embedder: Embedder | undefined;
  readonly #unkept: string | undefined;
  readonly #fuse: Choose;
  readonly #analyzer: Analyzer;
  #closed = false;
  /** Settles when the model is loaded; dropped where that failed, so that the next search tries again. */
  #loading: Promise<void> | undefined;
  #ready: boolean;
  #loadError: unknown;

  constructor({ store, splitter, embedder, unkept, fuse, analyzer, ready }: IndexParts) {
    this.#store = store;
    this.#splitter = splitter;
    this.#embedder = embedder;
    this.#unkept = unkept;
    this.#fuse = fuse;
    this.#analyzer = analyzer;
    this.#ready = ready;
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
    const pipeline = {
      store: this.#store,
      splitter: this.#splitter,
      embedder: this.#embedder,
      analyzer: this.#analyzer.id,
    };
    const report = await addDocuments(documents, pipeline, options);
    if (report.embedded > 0) this.#ready = true;
    return report;
  }

  /**
   * The passages that answer a question best, best first, and what became of each leg (`legStates`). A question
   * without a word has none. A leg that fails, or whose model is not there yet, does not sink the other.
   *
   * @throws ShelfmarkError `INVALID_OPTION`; `EMBEDDER_MISMATCH` where the vectors are another embedder's;
   * `UNSUPPORTED` for a leg asked for by name that the index does not have; in mode `'semantic'` what the embedder
   * failed with; the signal's reason when aborted.
   */
  async search(query: string, options: SearchIndexOptions = {}): Promise<Hits> {
    this.#checkOpen();
    const { filter, minScore, prefix, typos, signal } = options;
    const topK = wholeNumber('topK', options.topK ?? defaults.topK, 1, maxTopK);
    const mode = oneOf('mode', options.mode ?? 'auto', ['auto', 'hybrid', 'lexical', 'semantic']);
    if (minScore?.semantic !== undefined) numberIn('minScore.semantic', minScore.semantic, -1, 1);
    if (minScore?.lexical !== undefined) numberIn('minScore.lexical', minScore.lexical, 0);
    if (typeof query !== 'string') throw invalidOption('query', query, 'a string');
    checkFilter(filter);
    throwIfAborted(signal);
    this.#checkLegs(mode);
    const states: Hits['legStates'] = { lexical: 'unused', semantic: 'unused' };
    if (!hasWord(query, this.#analyzer.options)) return this.#hits([], states);
    await this.#store.sync();
    this.#checkEmbedder();

    const lexical = mode !== 'semantic' && this.#store.capabilities.lexical;
    if (lexical) states.lexical = 'used';
    const asked = mode === 'lexical' ? undefined : await this.#vectorOf(query, mode, lexical, states, signal);
    throwIfAborted(signal);
    let legError = asked?.error;
    const fetch = Math.max(topK * FETCH_FACTOR, FETCH_LEAST);
    const request = {
      ...(lexical && { query, prefix, typos }),
      vector: asked?.vector,
      fetch,
      filter,
      floors: minScore,
      onLegError: (leg: 'lexical' | 'semantic', error: unknown) => {
        states[leg] = 'failed';
        legError = error;
      },
    };
    const choose: Choose =
      asked?.vector === undefined ? only('lexical') : lexical ? this.#fuse : only('semantic');
    const passages = await this.#store.searchLegs(request, (candidates, best) =>
      choose(candidates, best).slice(0, topK),
    );
    throwIfAborted(signal);
    const hits = passages.map((passage) => this.#hit(passage, query, { prefix, typos }));
    return this.#hits(hits, states, legError);
  }

  /** The question's vector, or why there is none; in mode `'semantic'` a failure rejects. */
  async #vectorOf(
    query: string,
    mode: string,
    lexical: boolean,
    states: Hits['legStates'],
    signal: AbortSignal | undefined,
  ): Promise<{ vector?: Float32Array; error?: unknown }> {
    const embedder = this.#embedder;
    if (embedder === undefined || this.#store.vectorSize.count === 0) return {};
    if (mode === 'auto' && lexical && !this.#ready) {
      const error = this.#loadError;
      this.#loadError = undefined;
      // A model that is there already says so at once.
      await Promise.race([this.#load(), new Promise((turn) => setTimeout(turn))]);
      if (!this.#ready) {
        states.semantic = error === undefined ? 'loading' : 'failed';
        return { error };
      }
    }
    try {
      const [vector] = await embedTexts(embedder, [query], { kind: 'query', signal });
      this.#ready = true;
      const { dimensions } = this.#store.vectorSize;
      if (vector !== undefined && dimensions > 0) checkLength(vector.length, dimensions, 'the query');
      states.semantic = 'used';
      // The model knows none of its words, so every passage would be as near as any other.
      return vector === undefined || vector.every((value) => value === 0) ? {} : { vector };
    } catch (error) {
      throwIfAborted(signal);
      if (!lexical) throw error;
      states.semantic = 'failed';
      return { error };
    }
  }

  /** Loads the model once, in the background; what goes wrong is told with the next search. */
  #load(): Promise<void> {
    this.#loading ??= Promise.resolve(this.#embedder?.load?.())
      .then(() => {
        this.#ready = true;
      })
      .catch((error: unknown) => {
        this.#loadError = error;
        this.#loading = undefined;
      });
    return this.#loading;
  }

  #hit(passage: Passage & Judged, query: string, how: MatchOptions): Hit {
    const docUri = documentIdOf(passage.id);
    return {
      ...passage,
      docUri,
      highlights: highlight(query, passage.text, this.#analyzer.options, how),
      neighbours: async () => {
        const chunks = await this.chunks(docUri);
        const at = chunks.findIndex(({ id }) => id === passage.id);
        const [previous, next] = at < 0 ? [] : [chunks[at - 1], chunks[at + 1]];
        return { ...(previous !== undefined && { previous }), ...(next !== undefined && { next }) };
      },
    };
  }

  /** The legs' states are told beside the hits: a list of hits is compared, copied and sent as a list of hits. */
  #hits(hits: Hit[], legStates: Hits['legStates'], legError?: unknown): Hits {
    return Object.defineProperties(hits, {
      legStates: { value: legStates },
      legError: { value: legError },
    }) as Hits;
  }

  /** Refuses a leg that was asked for by name and is not there. */
  #checkLegs(mode: string): void {
    if ((mode === 'semantic' || mode === 'hybrid') && this.#embedder === undefined) {
      throw new ShelfmarkError(
        'UNSUPPORTED',
        `Mode '${mode}' searches by meaning, which needs an embedder; give one to openIndex({ embedder }).`,
      );
    }
    if (this.#store.capabilities.lexical || (mode !== 'lexical' && this.#embedder !== undefined)) return;
    throw new ShelfmarkError(
      'UNSUPPORTED',
      'This store does not search words, and there is no embedder to search by meaning; give one of them.',
    );
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
      lexicalBytes: (await this.#store.words?.())?.lexicon.bytes ?? 0,
      analyzer: this.#analyzer.id,
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

  #checkEmbedder(): void {
    const { meta, vectorSize } = this.#store;
    const [there, here] = [meta.embedder, this.#embedder?.id];
    if (here === undefined || there === undefined || there === here || vectorSize.count === 0) return;
    throw embedderMismatch(there, here);
  }
}
