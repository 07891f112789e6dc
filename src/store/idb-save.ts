import { SCHEMA_VERSION, type StoredMeta, TICKETS } from './idb-schema.ts';
import type { WriteTransaction } from './idb-transaction.ts';
import type { StagedVectors } from './rebuild.ts';
import type { Change, TableMeta } from './table.ts';
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
  counts: { documents: number; chunks: number };
  /** Tickets that are left. */
  tickets: number;
  /** Whether nothing of what is stored stays, readable or not. */
  replaces: boolean;
}

/** Queues every request of a change. The transaction's own end tells whether they went well. */
export function putChange(tx: WriteTransaction, write: Write, before: StoredMeta | undefined): void {
  const { change, meta, segments, words, replaces } = write;
  const [documents, texts, vectors, lexical] = [
    tx.objectStore('documents'),
    tx.objectStore('texts'),
    tx.objectStore('vectors'),
    tx.objectStore('lexical'),
  ];
  if (change.rebuilt) issue(vectors.clear());
  if (change.unstages || replaces) issue(tx.objectStore('staged').clear());
  if (replaces) for (const store of [documents, texts, lexical]) issue(store.clear());
  for (const [id, entry] of change.entries) {
    if (entry !== undefined) issue(documents.put(entry));
    else for (const store of [documents, texts]) issue(store.delete(id));
  }
  for (const [id, text] of change.texts) issue(texts.put({ ...text, id, version: meta.generation }));
  for (const [index, bytes] of segments) issue(vectors.put(bytes, index));
  for (const key of words.drops) issue(lexical.delete(key));
  for (const [key, segment] of words.puts) issue(lexical.put(segment, key));
  const about = tx.objectStore('meta');
  issue(about.put(metaAfter(write, before), 'index'));
  for (let ticket = write.tickets; ticket < TICKETS; ticket++) issue(about.put(true, ticket));
}

/** Whether a change does nothing but remove documents. */
export const onlyRemoves = ({ entries, texts, vectors, rebuilt, unstages }: Change): boolean =>
  !rebuilt &&
  !unstages &&
  texts.size === 0 &&
  vectors.size === 0 &&
  [...entries.values()].every((entry) => entry === undefined);

/** Queues the deletions of such a change, and takes a ticket. Browsers let them pass on a full disk. */
export function deleteOnly(tx: WriteTransaction, { entries }: Change, tickets: number): void {
  const [documents, texts] = [tx.objectStore('documents'), tx.objectStore('texts')];
  for (const id of entries.keys()) for (const store of [documents, texts]) issue(store.delete(id));
  issue(tx.objectStore('meta').delete(tickets - 1));
}

/** Puts vectors aside. */
export function putStaged(tx: WriteTransaction, staged: readonly StagedVectors[]): void {
  for (const one of staged) issue(tx.objectStore('staged').put(one));
}

/**
 * A request that fails aborts the transaction, which reports it. Takes one alone, since another that threw while the
 * arguments are put together would leave it to be rejected unheard.
 */
function issue(request: Promise<unknown>): void {
  request.catch(() => {});
}

/** What is stored of the index as a whole, and who will have to read all of it. */
function metaAfter(write: Write, before: StoredMeta | undefined): StoredMeta {
  const { change, meta, segments, counts, replaces } = write;
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
    ...counts,
    embedder: meta.embedder,
    analyzer: meta.analyzer,
    splitter: meta.splitter,
    imported: meta.imported,
    vectors: meta.vectors ?? 'f32',
    segments: written,
    removed: restarts ? [] : removed,
    complete: restarts ? generation : before.complete,
  };
}
