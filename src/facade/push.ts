/* Fetched when an index is first pushed to another store. */
import { invalidOption, ShelfmarkError, show, throwIfAborted } from '../errors.ts';
import { knownOptions, maybeBoolean, maybeFunction, maybeSignal, wholeNumber } from '../options.ts';
import { sameData } from '../store/metadata.ts';
import type { DocumentPut } from '../store/plan.ts';
import { readingOf } from '../store/reading.ts';
import type { RecordStore } from '../store/record-store.ts';
import type { DocumentStore } from '../store/store.ts';
import type { Entry, TableMeta } from '../store/table.ts';
import type { ChunkRecord, PushOptions, PushReport, VectorStore } from '../types.ts';
import { sampleAgrees } from './push-check.ts';

/** Documents that are read and compared at once, each by a request where the store is a server. */
const READ_BATCH = 8;
/** Records that are written at once, but for a document that has more in a store of this library. */
const WRITE_BATCH = 256;

const optionNames: Readonly<Record<keyof PushOptions, true>> = {
  signal: true,
  onProgress: true,
  sample: true,
  prune: true,
};

/** A document with its vectors, all of them. */
type WholePut = DocumentPut & { vectors: readonly ArrayLike<number>[] };

/** Whether a store is of this library. Told by what it does: its class here would tear apart what loads at once. */
const isOwn = (store: DocumentStore | VectorStore): store is RecordStore =>
  'keepsPending' in store && store.keepsPending;

/** See `Index.pushTo`. */
export async function pushTo(
  from: DocumentStore,
  target: VectorStore,
  options: PushOptions,
): Promise<PushReport> {
  const { signal, onProgress, sample = 20, prune = false } = knownOptions(options, optionNames);
  maybeSignal(signal);
  maybeFunction('onProgress', onProgress);
  maybeBoolean('prune', prune);
  wholeNumber('sample', sample, 0, 10_000);
  if (typeof target?.upsert !== 'function' || typeof target.listDocumentIds !== 'function') {
    throw invalidOption('store', target, 'a vector store');
  }
  const started = performance.now();
  throwIfAborted(signal);
  const source = pushable(from);
  await source.sync();
  const entries = [...source.entries.values()];
  checkVectors(source, entries);
  checkSameEmbedder(source, target);

  const present = new Set(await target.listDocumentIds());
  const others = [...present].filter((id) => !source.entries.has(id));
  if (prune && others.length > 0) await target.removeMany(others);
  const before = await target.countChunks();
  const writer = new Writer(target, source.meta);
  const total = entries.reduce((sum, { rows }) => sum + rows.length, 0);
  let [there, skipped, written, seen] = [0, 0, 0, 0];
  const tell = (): void => onProgress?.({ stage: 'store', done: seen, total });
  tell();
  for (let at = 0; at < entries.length; at += READ_BATCH) {
    const batch = entries.slice(at, at + READ_BATCH);
    throwIfAborted(signal);
    const listed = batch.map(({ id }) => (present.has(id) ? target.listChunks(id) : []));
    const lists = await Promise.all(listed);
    for (const [n, put] of (await wholePuts(source, batch)).entries()) {
      throwIfAborted(signal);
      const known = lists[n]!;
      there += known.length;
      const chunks = await writer.put(put, known);
      written += chunks;
      if (chunks === 0) skipped++;
      seen += put.records.length;
      tell();
    }
  }
  throwIfAborted(signal);
  await writer.flush();

  const count = await target.countChunks();
  const owed = before - there + total;
  if (count !== owed) {
    throw new ShelfmarkError(
      'STORE_CORRUPT',
      `The store holds ${count} chunks after the push and ought to hold ${owed}; call pushTo again once nobody else writes to it: what is there is skipped, and what is missing is added.`,
    );
  }
  const checked = await sampleAgrees(source, target, sample, signal);
  if (target.capabilities.exact && checked.agreeing < checked.sampled) {
    throw new ShelfmarkError(
      'STORE_CORRUPT',
      `The store is exact and yet gives other chunks than the index for ${checked.sampled - checked.agreeing} of ${checked.sampled} vectors, that of ${show(checked.first)} first; its vectors are not those of the index: push into an empty store.`,
    );
  }
  const { sampled, agreeing, recall } = checked;
  return {
    documents: entries.length - skipped,
    chunks: written,
    skipped,
    removed: prune ? others.length : 0,
    sampled,
    agreeing,
    recall,
    elapsedMs: performance.now() - started,
  };
}

/** @throws ShelfmarkError `UNSUPPORTED` for a store that gives no vector back */
function pushable(store: DocumentStore): RecordStore {
  if (isOwn(store)) return store;
  throw new ShelfmarkError(
    'UNSUPPORTED',
    'The store of this index does not give its vectors back, so they cannot be pushed; push from the index that filled it, or add the documents to the other one.',
  );
}

function checkVectors(source: RecordStore, entries: readonly Entry[]): void {
  if (entries.length === 0) return;
  if (source.meta.embedder === undefined || source.vectorSize.count === 0) {
    throw new ShelfmarkError(
      'UNSUPPORTED',
      'This index has no vectors to push, since it was filled without an embedder; open it with one, add its documents again, then push.',
    );
  }
  const pending = entries.reduce((sum, entry) => sum + (entry.pending?.length ?? 0), 0);
  if (pending === 0) return;
  throw new ShelfmarkError(
    'UNSUPPORTED',
    `${pending} chunks of this index are still without their vectors; open it with its embedder, wait until stats().pending is 0 or call add with their documents, then push.`,
  );
}

/** Vectors of two models cannot be compared, though nothing would fail. */
function checkSameEmbedder({ meta: { embedder } }: RecordStore, target: VectorStore): void {
  const there = isOwn(target)
    ? target.vectorSize.count === 0
      ? undefined
      : target.meta.embedder
    : target.embedder;
  if (there === undefined || embedder === undefined || there === embedder) return;
  throw new ShelfmarkError(
    'EMBEDDER_MISMATCH',
    `The store holds vectors of ${show(there)}, the index those of ${show(embedder)}; push into an empty store.`,
  );
}

/** @throws ShelfmarkError `STORE_BLOCKED` where a document is another by now */
async function wholePuts(source: RecordStore, entries: readonly Entry[]): Promise<WholePut[]> {
  const puts = await source.copyDocuments(entries.map(({ id }) => id));
  const isWhole = (put: DocumentPut): put is WholePut => put.vectors.every((vector) => vector !== undefined);
  if (
    puts.length === entries.length &&
    entries.every((entry) => source.entries.get(entry.id) === entry) &&
    puts.every(isWhole)
  ) {
    return puts;
  }
  throw new ShelfmarkError(
    'STORE_BLOCKED',
    'The index was changed while it was pushed; call pushTo again: what is there is skipped.',
  );
}

/** Writes documents, many small ones at once. */
class Writer {
  readonly #target: VectorStore;
  readonly #meta: Partial<TableMeta>;
  #puts: WholePut[] = [];
  #records: (ChunkRecord & { embedding: ArrayLike<number> })[] = [];

  constructor(target: VectorStore, { embedder, splitter, analyzer }: TableMeta) {
    this.#target = target;
    this.#meta = { embedder, splitter, analyzer };
  }

  /**
   * Has a document written, as far as it is not there; answers how many chunks that takes.
   *
   * @param known What the store has of it
   */
  async put(put: WholePut, known: readonly ChunkRecord[]): Promise<number> {
    const byId = new Map(known.map((record) => [record.id, record]));
    const pending = isOwn(this.#target) && this.#target.entries.get(put.id)?.pending;
    const own = new Set(put.records.map(({ id }) => id));
    const isStale = known.some(({ id }) => !own.has(id));
    const missing = [...put.records.keys()].filter(
      (at) => !isSame(put.records[at]!, byId.get(put.records[at]!.id)),
    );
    if (missing.length === 0 && !isStale && !pending) return 0;
    if (isOwn(this.#target)) {
      // Of these, the owner of an index wants the whole text too, and a document is replaced in one step.
      this.#puts.push(put);
      this.#records.push(...recordsOf(put, put.records.keys()));
    } else {
      // What is left of a longer text would be found for ever; a store can only remove all of a document.
      if (isStale) await this.#target.remove(put.id);
      this.#records.push(...recordsOf(put, isStale ? put.records.keys() : missing));
    }
    const added = isOwn(this.#target) || isStale ? put.records.length : missing.length;
    if (this.#records.length >= WRITE_BATCH) await this.flush();
    return added;
  }

  async flush(): Promise<void> {
    const [puts, records] = [this.#puts, this.#records];
    this.#puts = [];
    this.#records = [];
    if (isOwn(this.#target)) {
      if (puts.length > 0) await this.#target.putDocuments(puts, [], this.#meta);
      return;
    }
    for (let at = 0; at < records.length; at += WRITE_BATCH)
      await this.#target.upsert(records.slice(at, at + WRITE_BATCH));
  }
}

const recordsOf = ({ records, vectors }: WholePut, which: Iterable<number>) =>
  Array.from(which, (at) => ({ ...records[at]!, embedding: vectors[at]! }));

/** Whether a record is there as it is: what is read of it, which its vector was made of, and its metadata. */
const isSame = (own: ChunkRecord, there: ChunkRecord | undefined): boolean =>
  there !== undefined &&
  there.text === own.text &&
  readingOf(there, there.text) === readingOf(own, own.text) &&
  sameData(there.metadata, own.metadata);
