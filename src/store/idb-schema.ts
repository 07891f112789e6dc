import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb';
import { ShelfmarkError, show } from '../errors.ts';
import type { VectorFormat } from '../types.ts';
import type { StagedVectors } from './rebuild.ts';
import type { LexicalSegment } from './segments.ts';
import { outOfSpace } from './space.ts';
import type { Entry, TableMeta, Texts } from './table.ts';

/*
 * The database of an index, named `shelfmark:<name>`:
 *
 *   documents  key id       one entry a document: rows, heads in columns, metadata, what its owner keeps; by
 *                           `generation`, so that other tabs find what was written since. Which vectors are still
 *                           to come is in `meta`, so that a commit of vectors writes no entry
 *   directory  key 0, 1, …  the entries again, many to a record, since a record each takes three times as long to read.
 *                           What was added since is read one by one; a commit that changes or removes clears it
 *   texts      key id       its texts, read for hits alone: the whole text, of which the records are slices,
 *                           or a text a record where they are not
 *   vectors    key 0, 1, …  a segment of rows each, as bytes (src/vectors/format.ts)
 *   lexical    key 0, 1, …  the words of some documents each, as bytes (src/lexicon/format.ts)
 *   staged     key id       a document's vectors by the embedder the index is moving to
 *   meta       key 'index'  one record: counts commits, says what the index was made with
 *              key 0, 1, …  tickets: on a full disk, where nothing can be written, a removal takes one away, which
 *                           tells its state from the one before
 */
export interface IndexSchema extends DBSchema {
  documents: { key: string; value: Entry; indexes: { generation: number } };
  directory: { key: number; value: DirectoryPage };
  texts: { key: string; value: StoredTexts };
  vectors: { key: number; value: ArrayBuffer };
  lexical: { key: number; value: LexicalSegment };
  staged: { key: string; value: StagedVectors };
  meta: { key: string | number; value: StoredMeta | true };
}

export interface StoredTexts extends Texts {
  id: string;
  version: number;
}

/** Some of the entries of one state. */
export interface DirectoryPage {
  lineage: string;
  generation: number;
  /** Entries on all pages. */
  documents: number;
  entries: readonly Entry[];
}

export interface StoredMeta {
  /** Version of the layout of what is stored, beside the database's own version. */
  schema: number;
  /** Drawn when the first commit is made, so that a store deleted and filled anew is told from the old one. */
  lineage: string;
  generation: number;
  dimensions: number;
  rowCount: number;
  documents: number;
  chunks: number;
  embedder?: string | undefined;
  splitter?: string | undefined;
  analyzer?: string | undefined;
  /** `'f32'` where it is not said. */
  vectors?: VectorFormat | undefined;
  /** Rows whose vector is still to come, as ranges (src/store/pending.ts); version 3 of the layout has it not. */
  pending?: Uint32Array;
  /** Generation in which each segment of vectors was last written. */
  segments: readonly number[];
  /** Numbers of the segments of words; version 3 of the layout has them not. */
  words?: readonly number[];
  /** What was removed lately, with the generation. */
  removed: readonly (readonly [id: string, generation: number])[];
  /** Who knows a state before this generation has to read everything. */
  complete: number;
  /** The file the index was imported from, and the generation that did it. */
  imported?: TableMeta['imported'];
}

export type Connection = IDBPDatabase<IndexSchema>;
/** A transaction that reads one state: all that is read into memory. */
export type ReadTransaction = IDBPTransaction<
  IndexSchema,
  ('documents' | 'directory' | 'vectors' | 'lexical' | 'meta')[],
  'readonly'
>;

/**
 * Version of the database and of the layout. 1 is left to older tabs in tests of a blocked upgrade; 2 had no words,
 * nothing aside, and no generations: all of it is added as documents are written. 3 had what is pending in the entries,
 * where it is read until the next commit says it in the description. 4 had no directory.
 */
export const SCHEMA_VERSION = 5;
/** Removals in a row that a full disk allows. */
export const TICKETS = 16;

export const stores = ['documents', 'directory', 'texts', 'vectors', 'lexical', 'staged', 'meta'] as const;

/** What is stored of the index as a whole, and how many tickets are left. */
export async function readMeta(store: {
  get(key: string): Promise<StoredMeta | true | undefined>;
  count(): Promise<number>;
}): Promise<{ meta: StoredMeta | undefined; tickets: number }> {
  const [meta, count] = await Promise.all([store.get('index'), store.count()]);
  return { meta: meta as StoredMeta | undefined, tickets: count - (meta === undefined ? 0 : 1) };
}

/** Whether a table in this state is what is stored. */
export const isCurrent = (stored: StoredMeta | undefined, tickets: number, table: TableMeta): boolean =>
  stored === undefined
    ? table.generation === 0
    : stored.generation === table.generation && stored.lineage === table.lineage && tickets === table.tickets;

export const databaseName = (name: string): string => `shelfmark:${name}`;

export interface ConnectOptions {
  name: string;
  /** Called with a `STORE_BLOCKED` error while another tab keeps the open waiting. */
  onBlocked?: ((error: ShelfmarkError) => void) | undefined;
  /** Milliseconds to wait for that tab. */
  blockedTimeout: number;
  /**
   * Whether the caller goes on in memory where the database cannot be opened: the browser has `blockedTimeout` to answer at
   * all then, and messages say what becomes of the index.
   */
  orMemory?: boolean | undefined;
  /** Opens it even where object stores are missing, for whoever saves what there is. */
  incomplete?: boolean | undefined;
  /** Called once when the connection ends without us: the browser closed it, or another tab needs it gone. */
  onEnd?: (why: 'closed' | 'versionchange') => void;
}

/**
 * Opens the database, making or upgrading it. Rejects with `UNSUPPORTED` where IndexedDB is missing or
 * refuses, `STORE_BLOCKED` after the timeout, `FORMAT` where a newer version wrote it.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  requireIndexedDB(options);
  const { name, onEnd } = options;
  const opening = (blocked: () => void, answered: () => void) =>
    openDB<IndexSchema>(databaseName(name), SCHEMA_VERSION, {
      blocked,
      upgrade(db, _from, _to, tx) {
        answered();
        // Where the browser gives the upgrade up, the open itself says so.
        tx.done.catch(() => {});
        for (const store of stores) {
          if (db.objectStoreNames.contains(store)) continue;
          const named = store === 'documents' || store === 'texts' || store === 'staged';
          db.createObjectStore(store, named ? { keyPath: 'id' } : {});
        }
        const documents = tx.objectStore('documents');
        if (!documents.indexNames.contains('generation')) documents.createIndex('generation', 'generation');
      },
      blocking(_current, _next, event) {
        // Not closing would leave the other tab waiting for as long as this one is open.
        (event.target as IDBDatabase).close();
        onEnd?.('versionchange');
      },
      terminated: () => onEnd?.('closed'),
    });
  const db = await patiently(opening, options, 'open', (late) => late.close());
  if (options.incomplete || isComplete(db)) return db;
  db.close();
  throw new ShelfmarkError(
    'STORE_CORRUPT',
    `The database of index ${show(name)} lacks some of its object stores; call repairIndex(${show(name)}), or destroy the index and add the documents again.`,
  );
}

/** Whether a database has all of its object stores. */
export const isComplete = (db: Connection): boolean =>
  stores.every((store) => db.objectStoreNames.contains(store));

/** Deletes the database of an index; rejects with `STORE_BLOCKED` where another tab keeps it. */
export async function deleteDatabase(options: ConnectOptions): Promise<void> {
  requireIndexedDB(options);
  await patiently(
    (blocked) => deleteDB(databaseName(options.name), { blocked }),
    options,
    'destroy',
    () => {},
  );
}

function requireIndexedDB({ orMemory }: ConnectOptions): void {
  let factory: unknown;
  let cause: unknown;
  try {
    factory = globalThis.indexedDB;
  } catch (error) {
    cause = error;
  }
  if (factory) return;
  throw unsupported(
    `${isPage() ? 'This page' : 'Node'} has no IndexedDB, so nothing can be kept`,
    orMemory,
    cause,
  );
}

/** Whether this is a page or one of its workers, which have a location. */
const isPage = (): boolean => 'location' in globalThis;

const unsupported = (what: string, orMemory: boolean | undefined, cause?: unknown): ShelfmarkError => {
  const next = orMemory
    ? `the index is in memory and goes with the ${isPage() ? 'page' : 'process, export() keeps it in a file'}`
    : "use openIndex({ persist: 'auto' }) to go on in memory";
  return new ShelfmarkError('UNSUPPORTED', `${what}; ${next}.`, { cause });
};

const silent = (ms: number): ShelfmarkError => unsupported(`IndexedDB has not answered for ${ms} ms`, true);

/** What is read or, where that takes longer, `UNSUPPORTED` for a caller who goes on in memory. */
export function inTime<T>(read: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(silent(ms)), ms);
    read.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

/** Waits for a request that another tab may block, for as long as the options say. */
async function patiently<T>(
  request: (blocked: () => void, answered: () => void) => Promise<T>,
  { name, onBlocked, blockedTimeout, orMemory }: ConnectOptions,
  verb: 'open' | 'destroy',
  discard: (late: T) => void,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let gaveUp = false;
  return new Promise<T>((resolve, reject) => {
    const giveUp = (error: ShelfmarkError) => {
      gaveUp = true;
      reject(error);
    };
    const answered = () => clearTimeout(timer);
    const blocked = () => {
      answered();
      const error = new ShelfmarkError(
        'STORE_BLOCKED',
        `Another tab holds an older version of index ${show(name)} open; close or reload that tab to ${verb} it here.`,
      );
      timer = setTimeout(() => giveUp(error), blockedTimeout);
      onBlocked?.(error);
    };
    if (orMemory) {
      timer = setTimeout(() => giveUp(silent(blockedTimeout)), blockedTimeout);
    }
    // In a promise of its own, so that a synchronous throw is a rejection like any other.
    Promise.resolve()
      .then(() => request(blocked, answered))
      .finally(answered)
      .then(
        // The request stays in the browser's queue; what it gives when nobody waits any more must not linger.
        (result) => (gaveUp ? discard(result) : resolve(result)),
        (error: unknown) => openError(error, name, orMemory).then(reject),
      );
  });
}

async function openError(
  cause: unknown,
  name: string,
  orMemory: boolean | undefined,
): Promise<ShelfmarkError> {
  const { name: kind, message } = cause as DOMException;
  if (kind === 'VersionError') {
    return new ShelfmarkError(
      'FORMAT',
      `Index ${show(name)} was written by a newer version of this library and was left as it is; update the page.`,
      { cause },
    );
  }
  if (kind === 'QuotaExceededError') {
    return outOfSpace(
      (space) => `There is no storage space left${space} to open index ${show(name)}; free some.`,
      cause,
    );
  }
  const what = `The browser does not let this page open index ${show(name)} (${kind}: ${message})`;
  return unsupported(what, orMemory, cause);
}
