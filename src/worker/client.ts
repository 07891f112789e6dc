import { untilAborted } from '../embed/abort.ts';
import { invalidOption, ShelfmarkError, throwIfAborted } from '../errors.ts';
import { type IndexRetrieverOptions, retrieverOf } from '../facade/retriever.ts';
import type { AddOptions } from '../ingest/run.ts';
import type { Index } from '../open-index.ts';
import type { SearchIndexOptions } from '../open-index-options.ts';
import type {
  Explanation,
  Hit,
  Hits,
  IndexedChunk,
  IndexedDocument,
  IndexReport,
  IndexStats,
  Retriever,
  SplitterDocument,
  SyncReport,
} from '../types.ts';
import type { Method, WireHits } from './protocol.ts';
import { type CallOptions, closedIndex, Session, type SessionOptions, type WorkerSource } from './session.ts';
import { decodeThrown } from './wire.ts';

export type { WorkerSource } from './session.ts';

export interface ConnectOptions {
  /** Plain data for the function the worker gave to `serveIndex`; in `shelfmark/worker/entry`, `EntryOptions`. */
  send?: unknown;
  /**
   * Milliseconds the worker may take until its script runs, 60,000 by default, `Infinity` for ever. Opening the index,
   * which comes after, takes what it takes.
   */
  startTimeout?: number | undefined;
}

/**
 * Connects to a worker that calls `serveIndex`: an index with the interface of `openIndex`, which works in the worker.
 * Documents, options and answers are copied on their way.
 *
 * Give a function that makes the worker, or its address, and one that failed is started anew by the next call; a worker
 * that was passed in is left to you to replace.
 *
 * @throws ShelfmarkError what `openIndex` rejects with in the worker; `WORKER_FAILED` where the worker does not start.
 * Calls that are pending when it crashes or is terminated reject with `WORKER_FAILED`.
 */
export async function connectIndex(source: WorkerSource, options: ConnectOptions = {}): Promise<Index> {
  const { send, startTimeout = 60_000 } = options;
  if (typeof startTimeout !== 'number' || !(startTimeout > 0)) {
    throw invalidOption('startTimeout', startTimeout, 'milliseconds, more than 0');
  }
  const connection = new Connection(source, { send, startTimeout });
  await connection.session();
  return new RemoteIndex(connection);
}

/** The way to a worker, and to the next one where that has failed. */
class Connection {
  readonly #source: WorkerSource;
  readonly #options: SessionOptions;
  #session: Promise<Session> | undefined;
  #closed = false;

  constructor(source: WorkerSource, options: SessionOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** The running worker's; starts one where there is none. */
  session(): Promise<Session> {
    if (this.#session !== undefined) return this.#session;
    const forget = (): void => {
      if (this.#session === starting) this.#session = undefined;
    };
    const starting = Session.start(this.#source, this.#options, forget);
    this.#session = starting;
    starting.catch(forget);
    return starting;
  }

  /** @param options What the method takes as its last argument; nothing where it takes none */
  async call(method: Method, args: readonly unknown[], options?: CallOptions): Promise<unknown> {
    if (this.#closed) throw closedIndex();
    throwIfAborted(options?.signal);
    const session = await untilAborted(this.session(), options?.signal);
    return session.call(method, args, options);
  }

  /** Closes the index; a worker that has failed is closed. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const session = await this.#session?.catch(() => undefined);
    await session?.end('close');
  }

  /** Deletes what the index kept; a worker is started for it where there is none. */
  async destroy(): Promise<void> {
    this.#closed = true;
    await (await this.session()).end('destroy');
  }
}

/** What the page holds of an index in a worker. */
class RemoteIndex implements Index {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async add(documents: readonly SplitterDocument[], options: AddOptions = {}): Promise<IndexReport> {
    return (await this.#connection.call('add', [sendable(documents)], options)) as IndexReport;
  }

  async sync(documents: readonly SplitterDocument[], options: AddOptions = {}): Promise<SyncReport> {
    return (await this.#connection.call('sync', [sendable(documents)], options)) as SyncReport;
  }

  async search(query: string, options: SearchIndexOptions = {}): Promise<Hits> {
    const { hits, legStates, legError } = (await this.#connection.call(
      'search',
      [query],
      options,
    )) as WireHits;
    const whole = hits.map((hit) => ({
      ...hit,
      neighbours: () =>
        this.#connection.call('neighbours', [hit.docUri, hit.id]) as ReturnType<Hit['neighbours']>,
    }));
    return Object.defineProperties(whole, {
      legStates: { value: legStates },
      legError: { value: legError && decodeThrown(legError) },
    }) as Hits;
  }

  async explain(
    hit: { readonly id: string },
    query: string,
    options: SearchIndexOptions = {},
  ): Promise<Explanation | undefined> {
    // Of a hit, its functions cannot be sent.
    const sent = typeof hit?.id === 'string' ? { id: hit.id } : undefined;
    return (await this.#connection.call('explain', [sent, query], options)) as Explanation | undefined;
  }

  retriever(options: IndexRetrieverOptions = {}): Retriever {
    return retrieverOf(this, options);
  }

  async remove(uris: string | readonly string[]): Promise<number> {
    return (await this.#connection.call('remove', [uris])) as number;
  }

  async documents(): Promise<IndexedDocument[]> {
    return (await this.#connection.call('documents', [])) as IndexedDocument[];
  }

  async chunks(uri: string): Promise<IndexedChunk[]> {
    return (await this.#connection.call('chunks', [uri])) as IndexedChunk[];
  }

  async text(uri: string): Promise<string | undefined> {
    return (await this.#connection.call('text', [uri])) as string | undefined;
  }

  async stats(): Promise<IndexStats> {
    return (await this.#connection.call('stats', [])) as IndexStats;
  }

  async reembed(options: AddOptions = {}): Promise<IndexReport> {
    return (await this.#connection.call('reembed', [], options)) as IndexReport;
  }

  async repair(options: AddOptions = {}): Promise<IndexReport> {
    return (await this.#connection.call('repair', [], options)) as IndexReport;
  }

  async export(): Promise<Blob> {
    return (await this.#connection.call('export', [])) as Blob;
  }

  /** @throws ShelfmarkError `UNSUPPORTED`: a store is no data that could be sent */
  async pushTo(): Promise<never> {
    throw new ShelfmarkError(
      'UNSUPPORTED',
      'A store cannot be sent to a worker; open the index on the page too, openIndex({ name }), or its export(), openIndex({ from }), and call pushTo there.',
    );
  }

  /** Here, since browsers let no worker ask. */
  async persist(): Promise<boolean> {
    return (await globalThis.navigator?.storage?.persist?.()) ?? false;
  }

  async estimate(): ReturnType<Index['estimate']> {
    return (await this.#connection.call('estimate', [])) as Awaited<ReturnType<Index['estimate']>>;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  destroy(): Promise<void> {
    return this.#connection.destroy();
  }
}

/**
 * What the library reads of documents: a framework's proxies and objects with getters cannot be sent. Of bytes that are a
 * part of a larger buffer only that part is. What is no document is sent as it is, and refused there.
 */
function sendable(documents: readonly SplitterDocument[]): unknown {
  if (!Array.isArray(documents)) return documents;
  return documents.map((document: SplitterDocument | null | undefined) => {
    if (document === null || typeof document !== 'object') return document;
    const { uri, text, pages, title, metadata } = document;
    return {
      uri,
      text: text instanceof Uint8Array && text.byteLength < text.buffer.byteLength ? text.slice() : text,
      pages: Array.isArray(pages) ? [...pages] : pages,
      title,
      metadata,
    };
  });
}
