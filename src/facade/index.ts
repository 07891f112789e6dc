import {
  type ErrorCode,
  embedderMismatch,
  fetchPart,
  hasCode,
  invalidOption,
  messageOf,
  readOnlyIndex,
  ShelfmarkError,
} from '../errors.ts';
import type { DocumentInfo } from '../ingest/prepare.ts';
import type { AddOptions, Pipeline } from '../ingest/run.ts';
import type { SearchIndexOptions } from '../open-index-options.ts';
import { tabChunks } from '../options.ts';
import { fetchAutoSplitter } from '../split/fetch-auto.ts';
import { EXPORTER } from '../store/record-store.ts';
import { storageSpace } from '../store/space.ts';
import type {
  Explanation,
  Hits,
  IndexedChunk,
  IndexedDocument,
  IndexReport,
  IndexStats,
  PushOptions,
  PushReport,
  Retriever,
  SplitterDocument,
  SyncReport,
  VectorStore,
} from '../types.ts';
import type { IndexParts } from './parts.ts';
import { type IndexRetrieverOptions, retrieverOf } from './retriever.ts';
import { Searcher } from './searcher.ts';
import { Upkeep } from './upkeep.ts';

type Writing = typeof import('../ingest/writing.ts');

const crowded = (chunks: number): string =>
  `${chunks} chunks are more than the ${tabChunks} that one tab is meant for; divide the index by collection, or move it with pushTo().`;

/** What only changes need. */
const fetchWriting = (): Promise<Writing> =>
  fetchPart('part of the library that changes an index', () => import('../ingest/writing.ts'));

/** Documents, split, embedded and stored, and the search over them. Made by `openIndex`. */
export class Index {
  readonly #parts: IndexParts;
  readonly #searcher: Searcher;
  readonly #upkeep: Upkeep;
  #closed = false;

  constructor(parts: IndexParts) {
    this.#parts = parts;
    this.#searcher = new Searcher(
      parts,
      (uri) => this.chunks(uri),
      () => this.#checkEmbedder(),
      () => this.#upkeep.error,
    );
    this.#upkeep = new Upkeep(parts.shared);
    this.#resume();
    // Ahead of the first change, since by then the page may be offline; the call that needs it tells what went wrong.
    if (!parts.store.isReadOnly) {
      fetchWriting().catch(() => {});
      if (parts.splitter === 'auto') fetchAutoSplitter().catch(() => {});
    }
  }

  /**
   * Adds documents, or replaces those of the same uri. Each is stored twice, whole each time: with its words, by which
   * it is found from then on, then with its vectors. One that is as it was is left alone; one whose vectors are still
   * to come gets them. Resolves when all is stored.
   *
   * @throws ShelfmarkError `INVALID_DOCUMENT` before anything is written; `EMBEDDER_MISMATCH` where the vectors there
   * are another embedder's; what the model failed to load with, and the signal's reason when aborted: what was stored
   * by then stays, and vectors that are to come are made by the next `add`, `sync` or open.
   */
  async add(documents: readonly SplitterDocument[], options: AddOptions = {}): Promise<IndexReport> {
    return this.#changing(({ addDocuments }, pipeline) => addDocuments(documents, pipeline, options));
  }

  /**
   * Makes the index hold these documents and no others: adds what is new, replaces what has changed, removes what is
   * not among them, and leaves the rest alone. A call that was interrupted is resumed by the same call. Where a document
   * has no passage, the index keeps what it had of it; where its embedding fails, it is stored and found by words. Both
   * stand in `failed`.
   *
   * @throws ShelfmarkError as `add` does; nothing is removed then
   */
  async sync(documents: readonly SplitterDocument[], options: AddOptions = {}): Promise<SyncReport> {
    return this.#changing(({ syncDocuments }, pipeline) => syncDocuments(documents, pipeline, options));
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
    return this.#searcher.search(query, options);
  }

  /**
   * Why a search finds a passage: the words that matched and what each counts, the meaning's score, how the two were
   * put together, and what the filter kept out. It is the search of this moment, so give it what that one was given;
   * undefined where it does not find the passage.
   *
   * @param hit A hit of that search, or whatever has its id
   * @throws ShelfmarkError as `search` does
   */
  async explain(
    hit: { readonly id: string },
    query: string,
    options: SearchIndexOptions = {},
  ): Promise<Explanation | undefined> {
    this.#checkOpen();
    if (typeof hit?.id !== 'string') throw invalidOption('hit', hit, 'a hit of a search');
    return this.#searcher.explain(hit.id, query, options);
  }

  /** The search as a retriever, for `createRetrievalTool` and retrievers over others. */
  retriever(options: IndexRetrieverOptions = {}): Retriever {
    return retrieverOf(this, options);
  }

  /** Removes documents; answers how many there were. */
  async remove(uris: string | readonly string[]): Promise<number> {
    this.#checkOpen();
    const given = typeof uris === 'string' ? [uris] : uris;
    if (!Array.isArray(given) || given.some((uri) => typeof uri !== 'string')) {
      throw invalidOption('uris', uris, 'a uri or an array of them');
    }
    const wanted = new Set<string>(given);
    await this.#parts.store.sync();
    const present = [...wanted].filter((uri) => this.#parts.store.entries.has(uri));
    if (present.length > 0) await this.#parts.store.putDocuments([], present, {});
    return present.length;
  }

  /** The documents, in the order in which they were added. */
  async documents(): Promise<IndexedDocument[]> {
    this.#checkOpen();
    await this.#parts.store.sync();
    return [...this.#parts.store.entries.values()]
      .sort((a, b) => a.rows[0]! - b.rows[0]!)
      .map(({ id, rows, pending, info }) => {
        const { title, metadata } = (info ?? {}) as Partial<DocumentInfo>;
        return {
          uri: id,
          chunks: rows.length,
          vectors: pending === undefined ? 'stored' : this.#isAwaited(info) ? 'pending' : 'none',
          ...(title !== undefined && { title }),
          ...(metadata !== undefined && { metadata: structuredClone(metadata) }),
        };
      });
  }

  /** A document's chunks in their order; none for a uri that is not in the index. */
  async chunks(uri: string): Promise<IndexedChunk[]> {
    this.#checkOpen();
    await this.#parts.store.sync();
    const chunks = await this.#parts.store.listChunks(uri);
    return chunks.map((chunk) => ({ ...chunk, docUri: uri }));
  }

  /** A document's whole text, as it was added; undefined for a uri that is not in the index. */
  async text(uri: string): Promise<string | undefined> {
    this.#checkOpen();
    await this.#parts.store.sync();
    return this.#parts.store.readText(uri);
  }

  async stats(): Promise<IndexStats> {
    this.#checkOpen();
    await this.#parts.store.sync();
    const { entries, meta, vectorSize, capabilities, damages } = this.#parts.store;
    let [chunks, pending] = [0, 0];
    for (const entry of entries.values()) {
      chunks += entry.rows.length;
      if (this.#isAwaited(entry.info)) pending += entry.pending?.length ?? 0;
    }
    return {
      documents: entries.size,
      chunks,
      pending,
      dimensions: vectorSize.dimensions,
      vectorBytes: vectorSize.bytes,
      lexicalBytes: this.#parts.store.wordBytes ?? 0,
      lexical: this.#parts.store.words === undefined ? 'store' : 'local',
      analyzer: this.#parts.analyzer.id,
      embedder: meta.embedder,
      splitter: meta.splitter,
      persistent: capabilities.persistent,
      ...(this.#parts.unkept !== undefined && { unkept: this.#parts.unkept }),
      ...(chunks > tabChunks && { warning: crowded(chunks) }),
      ...(damages.length > 0 && { damaged: damages }),
      ...(this.#upkeep.error !== undefined && pending > 0 && { pendingError: messageOf(this.#upkeep.error) }),
    };
  }

  /**
   * Embeds all documents anew, where the index is to move to the embedder it was opened with. The vectors of the other
   * one serve, in other tabs, until all new ones are there. A call that was interrupted is resumed by the same call.
   *
   * @throws ShelfmarkError `UNSUPPORTED` without an embedder, or where the store cannot keep two sets of vectors; else
   * as `add` does
   */
  async reembed(options: AddOptions = {}): Promise<IndexReport> {
    this.#checkWritable();
    if (this.#parts.embedder === undefined) {
      throw new ShelfmarkError(
        'UNSUPPORTED',
        'There is no embedder to move to; give one to openIndex({ embedder }).',
      );
    }
    const writing = await fetchWriting();
    await this.#parts.store.sync();
    const from = this.#parts.store.meta.embedder;
    const work = async () => writing.reembedDocuments(await this.#pipeline(writing), options, from);
    const report = await this.#upkeep.alone(work, options?.signal);
    this.#searcher.markReady();
    return report;
  }

  /**
   * Mends what `stats().damaged` names: words are read from the texts again, and vectors that are lost are made again
   * where there is an embedder; else their documents wait for them. Documents whose text is gone are removed, and
   * reported as failed.
   */
  async repair(options: AddOptions = {}): Promise<IndexReport> {
    this.#checkWritable();
    const writing = await fetchWriting();
    await this.#parts.store.sync();
    const report = await writing.repairDocuments(await this.#pipeline(writing), options);
    this.#noteFailed(report);
    return report;
  }

  /**
   * Everything the index keeps, in one file: texts, words and vectors. `openIndex({ from })` opens it, in any browser and
   * in Node.
   *
   * @throws ShelfmarkError `UNSUPPORTED` for a store that is not of this library, and for metadata that is no plain data
   */
  async export(): Promise<Blob> {
    this.#checkOpen();
    const { encodeFile } = await fetchPart(EXPORTER, () => import('../store/file.ts'));
    await this.#parts.store.sync();
    return encodeFile(await this.#parts.store.snapshot());
  }

  /**
   * Copies the index with its vectors into another store, a batch of chunks at a time, and compares the two at the end.
   * Nothing is embedded. What is whole there is skipped, so that a call that was interrupted is resumed by the same call.
   * A document of the same uri is replaced; others are left alone, unless `prune` is given.
   *
   * @throws ShelfmarkError `UNSUPPORTED` without vectors, while some are to come, and for a store that gives none back;
   * `EMBEDDER_MISMATCH` where the store is known to hold another embedder's; `STORE_CORRUPT` where it does not hold in
   * the end what it was given, or is exact and answers otherwise; `STORE_BLOCKED` where the index changed meanwhile;
   * what the store throws; the signal's reason when aborted.
   */
  async pushTo(store: VectorStore, options: PushOptions = {}): Promise<PushReport> {
    this.#checkOpen();
    const { pushTo } = await fetchPart('part of the library that moves an index', () => import('./push.ts'));
    return pushTo(this.#parts.store, store, options);
  }

  /** Asks the browser to keep the index when space runs short; answers whether it will. */
  async persist(): Promise<boolean> {
    return (await globalThis.navigator?.storage?.persist?.()) ?? false;
  }

  /** What all of this origin takes up and may take up, in bytes as far as the browser tells, and whether it is kept. */
  async estimate(): Promise<{ usage?: number; quota?: number; persisted: boolean }> {
    const persisted = (await globalThis.navigator?.storage?.persisted?.()) ?? false;
    return { ...(await storageSpace()), persisted };
  }

  /** Closes the index; later calls reject with `STORE_CLOSED`. The embedder is its owner's to dispose of. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#upkeep.end();
    await this.#parts.store.close?.();
  }

  /** Closes the index and deletes all it kept. */
  async destroy(): Promise<void> {
    this.#closed = true;
    await this.#upkeep.end();
    await this.#parts.store.destroy?.();
  }

  async #pipeline({ defaultSplitter }: Writing): Promise<Pipeline> {
    const { store, splitter: given = defaultSplitter(), embedder, analyzer } = this.#parts;
    const splitter = given === 'auto' ? await fetchAutoSplitter() : given;
    const { oneAtATime } = this.#upkeep;
    return { store, splitter, embedder, analyzer: analyzer.id, oneAtATime };
  }

  async #changing<T extends IndexReport>(
    work: (writing: Writing, pipeline: Pipeline) => Promise<T>,
  ): Promise<T> {
    this.#checkWritable();
    const writing = await fetchWriting();
    await this.#parts.store.sync();
    this.#checkEmbedder();
    try {
      const report = await work(writing, await this.#pipeline(writing));
      this.#noteFailed(report);
      return report;
    } catch (error) {
      if (hasCode(error, 'MODEL_LOAD_FAILED', 'WORKER_FAILED')) this.#upkeep.error = error;
      throw error;
    }
  }

  /** Remembers why documents have no vectors, until all have theirs. */
  #noteFailed({ embedded, failed }: IndexReport): void {
    if (embedded > 0) this.#searcher.markReady();
    const { entries } = this.#parts.store;
    const isOpen = (uri: string): boolean => entries.get(uri)?.pending !== undefined;
    const one = failed.find(({ uri }) => isOpen(uri));
    if (one !== undefined) this.#upkeep.error = new ShelfmarkError(one.code as ErrorCode, one.reason);
    else if (![...entries.keys()].some(isOpen)) this.#upkeep.error = undefined;
  }

  /** Goes on with documents whose vectors are still to come, when whoever was at it is gone. */
  #resume(): void {
    const { store, embedder } = this.#parts;
    if (embedder === undefined || !store.keepsPending || store.isReadOnly) return;
    if (
      this.#otherEmbedder() !== undefined ||
      ![...store.entries.values()].some(({ pending }) => pending !== undefined)
    )
      return;
    this.#upkeep.begin(async () => {
      const writing = await fetchWriting();
      const run = writing.beginRun(await this.#pipeline(writing), { signal: this.#upkeep.signal });
      await writing.finishRun(run, () => writing.completeDocuments([...store.entries.keys()], run, embedder));
      this.#noteFailed(run.report);
    });
  }

  /** Whether a document without vectors is to get them: not where neither it nor the index ever had an embedder. */
  #isAwaited(info: unknown): boolean {
    const { embedder, store } = this.#parts;
    const isByWords = (info as Partial<DocumentInfo> | undefined)?.byWords === true;
    return !isByWords || embedder !== undefined || store.meta.embedder !== undefined;
  }

  #checkWritable(): void {
    this.#checkOpen();
    if (this.#parts.store.isReadOnly) throw readOnlyIndex();
  }

  #checkOpen(): void {
    if (this.#closed) throw new ShelfmarkError('STORE_CLOSED', 'The index was closed; open it again.');
  }

  #checkEmbedder(): void {
    const there = this.#otherEmbedder();
    if (there !== undefined) throw embedderMismatch(there, this.#parts.embedder!.id);
  }

  /** The embedder the vectors came from, where it is another than the one given. */
  #otherEmbedder(): string | undefined {
    const { store, embedder } = this.#parts;
    if (embedder === undefined || store.vectorSize.count === 0) return undefined;
    return store.meta.embedder === embedder.id ? undefined : store.meta.embedder;
  }
}
