import { fetchPart, hasCode, invalidOption, ShelfmarkError, show } from '../errors.ts';
import type { LexiconOptions } from '../lexicon/lexicon.ts';
import { numberIn } from '../options.ts';
import type { IndexDamage, RepairReport, VectorFormat } from '../types.ts';
import { loadTable } from './idb-load.ts';
import {
  type Connection,
  connect,
  databaseName,
  deleteDatabase,
  inTime,
  isComplete,
  isCurrent,
  readMeta,
  type StoredMeta,
  TICKETS,
} from './idb-schema.ts';
import { isConnectionLost, storageError, type WriteTransaction, write } from './idb-transaction.ts';
import type { WordSource } from './pack-words.ts';
import type { StagedVectors } from './rebuild.ts';
import { RecordStore } from './record-store.ts';
import type { LexicalSegment } from './segments.ts';
import type { Change, Entry, Texts } from './table.ts';
import { type Committed, fetchChanging } from './table-store.ts';
import { Tabs } from './tabs.ts';
import { WordSegments, type WordsChange } from './word-segments.ts';

export interface IndexedDBStoreOptions {
  /** Names the store within the origin; the database is called `shelfmark:<name>`. */
  name: string;
  /** How words are read. */
  lexicon?: LexiconOptions | undefined;
  /**
   * How vectors are kept: as they are stored, and `'f32'` in a new store, unless given. A store of `'int8'`
   * cannot be opened as one of the others, nor they as one.
   */
  vectors?: VectorFormat | undefined;
  /** How sure a write must be before it counts as done; the browser's own default unless given. */
  durability?: IDBTransactionDurability | undefined;
  /** Called with a `STORE_BLOCKED` error when another tab keeps the open waiting. */
  onBlocked?: ((error: ShelfmarkError) => void) | undefined;
  /** Milliseconds to wait for that tab before the open rejects, 10,000 by default. */
  blockedTimeout?: number | undefined;
  /**
   * Whether the caller goes on in memory where it rejects with `UNSUPPORTED`, which it then also does where the browser does
   * not answer at all for `blockedTimeout`. Default false.
   */
  orMemory?: boolean | undefined;
}

/** Milliseconds without a commit after which the directory is brought up to date. */
const LIST_AFTER = 1000;
/** Entries that are read one by one without much ado. */
const LIST_FROM = 64;

/**
 * A store that outlives the page. Rows, ids and metadata are in memory; texts are read for hits. Each
 * changing call is one transaction: when it resolves the change is committed, when it rejects nothing
 * was changed, on disk or in memory.
 */
export class IndexedDBVectorStore extends RecordStore {
  readonly name: string;
  readonly #options: IndexedDBStoreOptions & { blockedTimeout: number };
  readonly #words: WordSegments;
  readonly #tabs: Tabs;
  #connection: Promise<Connection> | undefined;
  /** Whether the next commit leaves nothing of what is stored, readable or not. */
  #replaces = false;
  /** Why no call is accepted any more. */
  #ended: string | undefined;
  /** Until the directory is written. */
  #listing: ReturnType<typeof setTimeout> | undefined;
  /** Whether the directory that is stored was of no use. */
  #listAnew = false;
  /** Whether the database has ever been read. */
  #hasAnswered = false;

  private constructor(options: IndexedDBStoreOptions) {
    super(options?.lexicon, options?.vectors);
    if (typeof options?.name !== 'string' || options.name === '') {
      throw invalidOption('name', options?.name, 'a non-empty string');
    }
    const { blockedTimeout = 10_000 } = options;
    numberIn('blockedTimeout', blockedTimeout, 0);
    this.name = options.name;
    this.#options = { ...options, blockedTimeout };
    this.#words = new WordSegments(this.lexicon);
    this.#tabs = new Tabs(databaseName(options.name), () => {
      // Whoever calls next asks for the state again, and is told what goes wrong.
      if (this.#ended === undefined) this.sync().catch(() => {});
    });
  }

  get capabilities() {
    return { exact: this.isExact, lexical: true, persistent: true };
  }

  /**
   * Opens a store, making it where there is none. Rejects with `UNSUPPORTED` where the page has no
   * IndexedDB or may not use it, `STORE_BLOCKED` when another tab keeps an older version open for
   * `blockedTimeout`, `FORMAT` where a newer version of the library wrote it, `STORE_CORRUPT`,
   * `INVALID_OPTION` where its vectors are kept otherwise than `vectors` says.
   */
  static async open(options: IndexedDBStoreOptions): Promise<IndexedDBVectorStore> {
    const store = new IndexedDBVectorStore(options);
    try {
      await store.refresh();
    } catch (error) {
      await store.close();
      throw error;
    }
    return store;
  }

  /**
   * Rebuilds a store that may be past opening, from whatever of it makes sense: documents whose texts are there, with
   * the vectors that can be told to be theirs. Rejects as `open` does, and leaves alone what a newer version wrote.
   */
  static async repair(options: IndexedDBStoreOptions): Promise<RepairReport> {
    const store = new IndexedDBVectorStore(options);
    const { salvage } = await fetchPart(
      'part of the library that repairs an index',
      () => import('./idb-salvage.ts'),
    );
    try {
      const { puts, meta, report } = await store.#withIncomplete((db) => salvage(db, store.name));
      store.#replaces = true;
      store.table.meta = { ...store.table.meta, ...meta };
      await store.change({
        make: (plan) => {
          for (const put of puts) plan.put(put);
        },
        meta,
        always: true,
      });
      return report;
    } finally {
      await store.close();
    }
  }

  /** Closes the store when the writes already asked for are done. Later calls reject with `STORE_CLOSED`. */
  async close(): Promise<void> {
    this.#ended ??= 'was closed';
    await this.idle();
    this.#tabs.close();
    if (this.#listing !== undefined) await this.#list();
    const connection = this.#connection;
    this.#connection = undefined;
    // Where it could not be opened there is nothing to close.
    (await connection?.catch(() => undefined))?.close();
  }

  /** Closes the store and deletes all it kept. */
  async destroy(): Promise<void> {
    clearTimeout(this.#listing);
    this.#listing = undefined;
    await this.close();
    await deleteDatabase(this.#options);
  }

  protected override checkOpen(): void {
    if (this.#ended !== undefined) throw this.#closed();
  }

  #closed(): ShelfmarkError {
    return new ShelfmarkError('STORE_CLOSED', `Index ${show(this.name)} ${this.#ended}; open it again.`);
  }

  /** Plain-http pages have no locks; there the generation checked in each write must do. */
  protected override async exclusively<T>(work: () => Promise<T>): Promise<T> {
    const locks = globalThis.navigator?.locks;
    return locks === undefined ? work() : locks.request(databaseName(this.name), work);
  }

  protected override async refresh(): Promise<void> {
    if (this.#replaces) return;
    await this.#withConnection(async (db) => {
      const { store, done } = db.transaction('meta');
      done.catch(() => {});
      const { meta, tickets } = await this.#firstAnswer(readMeta(store), db);
      if (isCurrent(meta, tickets, this.table.meta)) return;
      const { name, table } = this;
      const target = { name, table, words: this.#words, wanted: this.#options.vectors };
      const single = await loadTable(db, target, meta, tickets);
      this.#listAnew ||= single === table.entries.size;
      if (single >= LIST_FROM) this.#listLater();
    });
  }

  /** Has the directory written when nothing has been for a while, or at the end. */
  #listLater(): void {
    if (this.table.entries.size < LIST_FROM) return;
    clearTimeout(this.#listing);
    this.#listing = setTimeout(() => this.#list(), LIST_AFTER);
  }

  async #list(): Promise<void> {
    clearTimeout(this.#listing);
    this.#listing = undefined;
    try {
      const [db, { writeDirectory }] = await Promise.all([this.#connection, fetchChanging()]);
      if (db !== undefined) await writeDirectory(db, this.table, this.#listAnew);
      this.#listAnew = false;
    } catch {
      // Without it the next open takes longer, and tries again.
    }
  }

  /**
   * Where memory will do, a database that opened and then does not answer is given up like one that does not open. What
   * has answered once is waited for.
   */
  async #firstAnswer<T>(answer: Promise<T>, db: Connection): Promise<T> {
    const { orMemory, blockedTimeout } = this.#options;
    if (!orMemory || this.#hasAnswered) return answer;
    const given = await inTime(answer, blockedTimeout).catch((error: unknown) => {
      if (hasCode(error, 'UNSUPPORTED')) db.close();
      throw error;
    });
    this.#hasAnswered = true;
    return given;
  }

  protected override readTexts(entries: readonly Entry[]): Promise<Map<string, Texts>> {
    return this.#withConnection(async (db) => {
      const { store, done } = db.transaction('texts');
      done.catch(() => {});
      const stored = await Promise.all(entries.map(({ id }) => store.get(id)));
      const found = new Map<string, Texts>();
      for (const [at, { id, version }] of entries.entries()) {
        const texts = stored[at];
        if (texts?.version === version) found.set(id, texts);
      }
      return found;
    });
  }

  protected override async commit(change: Change): Promise<Committed | undefined> {
    const lineage = this.table.meta.lineage ?? Math.random().toString(36).slice(2);
    const meta = { ...change.meta, lineage, tickets: TICKETS };
    const replaces = this.#replaces;
    const { changedSegments, deleteOnly, onlyRemoves, packWords, putChange } = await fetchChanging();
    const words = await packWords(this.#words, change, this.table.entries, this.#source);
    const segments = changedSegments(this.table, change);
    const tickets = this.table.meta.tickets ?? 0;
    const followed = (kept: Omit<WordsChange, 'keys'>) => () => {
      this.#words.apply(change, kept, this.table.entries);
      this.#tabs.tell();
      this.#listLater();
    };
    try {
      const written = await this.#write((tx, stored, left) => {
        if (!replaces && !isCurrent(stored, left, this.table.meta)) return false;
        const after = this.table.entriesAfter(change);
        const all = {
          change,
          meta,
          segments,
          words,
          after,
          tickets: left,
          replaces,
          known: this.table.entries,
        };
        putChange(tx, all, replaces ? undefined : stored);
        return true;
      });
      if (!written) return undefined;
      this.#replaces = false;
      return { meta, followed: followed(words) };
    } catch (error) {
      if (!hasCode(error, 'QUOTA_EXCEEDED') || !onlyRemoves(change) || tickets === 0) throw error;
    }
    // Nothing can be written, but what makes room can be done.
    const removed = await this.#write((tx, stored, left) => {
      if (!isCurrent(stored, left, this.table.meta)) return false;
      deleteOnly(tx, change, left);
      return true;
    });
    if (!removed) return undefined;
    const kept = { puts: new Map(), drops: [] };
    return { meta: { ...this.table.meta, tickets: tickets - 1 }, followed: followed(kept) };
  }

  /** One write transaction; `work` gets what is stored of the index as a whole. */
  #write(
    work: (tx: WriteTransaction, stored: StoredMeta | undefined, tickets: number) => boolean,
  ): Promise<boolean> {
    return this.#withConnection((db) =>
      write(db, this.#options.durability, async (tx) => {
        const { meta, tickets } = await readMeta(tx.objectStore('meta'));
        return work(tx, meta, tickets);
      }),
    );
  }

  /** Where words are read from that are to be packed with others. */
  get #source(): WordSource {
    return {
      segments: (keys) =>
        keys.length === 0
          ? Promise.resolve([])
          : this.#withConnection((db) => Promise.all(keys.map((key) => db.get('lexical', key)))),
      texts: (entries) => this.readTexts(entries),
    };
  }

  protected override packedWords(): LexicalSegment[] {
    return this.#words.drain();
  }

  override get damages(): readonly IndexDamage[] {
    return [...super.damages, ...this.#words.damages];
  }

  /** Writes afresh whatever was damaged or is not stored yet: the words of so many documents with each commit. */
  override async rewrite(): Promise<void> {
    let before: number;
    do {
      before = this.#words.lacking;
      await super.rewrite();
    } while (this.#words.lacking > 0 && this.#words.lacking < before);
  }

  protected override readStaged(): Promise<StagedVectors[]> {
    return this.#withConnection((db) => db.getAll('staged'));
  }

  protected override async writeStaged(staged: readonly StagedVectors[]): Promise<void> {
    const { putStaged } = await fetchChanging();
    await this.#write((tx) => {
      putStaged(tx, staged);
      return true;
    });
  }

  /** Runs against the connection; where the browser closed that under us, once more against a new one. */
  async #withConnection<T>(work: (db: Connection) => Promise<T>): Promise<T> {
    try {
      try {
        return await work(await this.#connect());
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        this.#connection = undefined;
        return await work(await this.#connect());
      }
    } catch (error) {
      throw await storageError(error);
    }
  }

  /**
   * Reads from a database that may lack object stores, of which nothing could make more: such a one is deleted then, and
   * made anew by whoever connects next.
   */
  async #withIncomplete<T>(work: (db: Connection) => Promise<T>): Promise<T> {
    try {
      const db = await connect({ ...this.#options, incomplete: true });
      const read = await work(db).finally(() => db.close());
      if (!isComplete(db)) await deleteDatabase(this.#options);
      return read;
    } catch (error) {
      throw await storageError(error);
    }
  }

  async #connect(): Promise<Connection> {
    if (this.#connection !== undefined) return this.#connection;
    if (this.#ended !== undefined) throw this.#closed();
    const connection: Promise<Connection> = connect({
      ...this.#options,
      onEnd: (why) => {
        if (this.#connection === connection) this.#connection = undefined;
        if (why === 'versionchange') this.#ended ??= 'was upgraded or removed by another tab';
      },
    });
    this.#connection = connection;
    // A failed open must not be what every later call gets.
    connection.catch(() => {
      if (this.#connection === connection) this.#connection = undefined;
    });
    return connection;
  }
}
