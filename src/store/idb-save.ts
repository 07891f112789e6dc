import { unwrap } from 'idb';
import { SCHEMA_VERSION, type StoredMeta, TICKETS } from './idb-schema.ts';
import type { WriteTransaction } from './idb-transaction.ts';
import { pendingRanges, withPending } from './pending.ts';
import type { StagedVectors } from './rebuild.ts';
import type { Change, Entry, TableMeta } from './table.ts';
import type { WordsChange } from './word-segments.ts';

/** Removals that are remembered; who missed more of them reads everything. */
const MOST_REMOVED = 1000;

/** A change, with all that is computed of it before its transaction opens. */
export interface Write {
  change: Change;
  meta: TableMeta;
  /** The bytes of each segment of vectors that is written. */
  segments: ReadonlyMap<number, ArrayBuffer>;
  words: WordsChange;
  /** The documents there were. */
  known: ReadonlyMap<string, Entry>;
  /** The documents there are once it is written. */
  after: Iterable<Entry>;
  /** Tickets that are left. */
  tickets: number;
  /** Whether nothing of what is stored stays, readable or not. */
  replaces: boolean;
}

/** Queues every request of a change. The transaction's own end tells whether they went well. */
export function putChange(tx: WriteTransaction, write: Write, before: StoredMeta | undefined): void {
  const { change, meta, segments, words, replaces } = write;
  const { documents, directory, texts, vectors, lexical, staged, about } = storesOf(tx);
  if (!onlyAdds(write)) directory.clear();
  if (change.rebuilt) vectors.clear();
  if (change.unstages || replaces) staged.clear();
  if (replaces) for (const store of [documents, texts, lexical]) store.clear();
  for (const [id, entry] of change.entries) {
    if (entry === undefined) for (const store of [documents, texts]) store.delete(id);
    else if (entry.generation === meta.generation) documents.put(withPending(entry, undefined));
  }
  for (const [id, text] of change.texts) texts.put({ ...text, id, version: meta.generation });
  for (const [index, bytes] of segments) vectors.put(bytes, index);
  for (const key of words.drops) lexical.delete(key);
  for (const [key, segment] of words.puts) lexical.put(segment, key);
  about.put(metaAfter(write, before), 'index');
  for (let ticket = write.tickets; ticket < TICKETS; ticket++) about.put(true, ticket);
}

/** Whether of what a directory lists everything stays as it is. */
const onlyAdds = ({ change, meta, known, replaces }: Write): boolean =>
  !replaces &&
  !change.rebuilt &&
  [...change.entries].every(
    ([id, entry]) => entry !== undefined && (entry.generation !== meta.generation || !known.has(id)),
  );

/** Whether a change does nothing but remove documents. */
export const onlyRemoves = ({ entries, texts, vectors, rebuilt, unstages }: Change): boolean =>
  !rebuilt &&
  !unstages &&
  texts.size === 0 &&
  vectors.size === 0 &&
  [...entries.values()].every((entry) => entry === undefined);

/** Queues the deletions of such a change, and takes a ticket. Browsers let them pass on a full disk. */
export function deleteOnly(tx: WriteTransaction, { entries }: Change, tickets: number): void {
  const { documents, directory, texts, about } = storesOf(tx);
  directory.clear();
  for (const id of entries.keys()) for (const store of [documents, texts]) store.delete(id);
  about.delete(tickets - 1);
}

/** Puts vectors aside. */
export function putStaged(tx: WriteTransaction, staged: readonly StagedVectors[]): void {
  const store = storesOf(tx).staged;
  for (const one of staged) store.put(one);
}

/**
 * The browser's own object stores: a request that fails aborts the transaction, which reports it, so that a promise for
 * each would be of no use, and costs as much as a small put.
 */
function storesOf(tx: WriteTransaction) {
  const native = unwrap(tx);
  return {
    documents: native.objectStore('documents'),
    directory: native.objectStore('directory'),
    texts: native.objectStore('texts'),
    vectors: native.objectStore('vectors'),
    lexical: native.objectStore('lexical'),
    staged: native.objectStore('staged'),
    about: native.objectStore('meta'),
  };
}

/** What is stored of the index as a whole, and who will have to read all of it. */
function metaAfter(write: Write, before: StoredMeta | undefined): StoredMeta {
  const { change, meta, segments, replaces } = write;
  const after = [...write.after];
  const { generation } = meta;
  const written = change.rebuilt || replaces ? [] : [...(before?.segments ?? [])];
  for (const index of segments.keys()) {
    while (written.length < index) written.push(generation);
    written[index] = generation;
  }
  const removed = [...(before?.removed ?? [])];
  for (const [id, entry] of change.entries) if (entry === undefined) removed.push([id, generation]);
  // A layout without generations tells nobody what was written since.
  const restarts =
    // Nor is what a ticket was taken for among the removals.
    write.tickets < TICKETS ||
    change.rebuilt ||
    replaces ||
    before?.complete === undefined ||
    removed.length > MOST_REMOVED;
  return {
    schema: SCHEMA_VERSION,
    lineage: meta.lineage ?? '',
    generation,
    dimensions: change.dimensions,
    rowCount: change.rowCount,
    documents: after.length,
    chunks: after.reduce((sum, { rows }) => sum + rows.length, 0),
    pending: pendingRanges(after),
    embedder: meta.embedder,
    analyzer: meta.analyzer,
    splitter: meta.splitter,
    imported: meta.imported,
    vectors: meta.vectors ?? 'f32',
    segments: written,
    words: write.words.keys,
    removed: restarts ? [] : removed,
    complete: restarts ? generation : before.complete,
  };
}
