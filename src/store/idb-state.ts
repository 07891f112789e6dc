import { ShelfmarkError, show } from '../errors.ts';
import type { VectorFormat } from '../types.ts';
import { decodeSegment } from '../vectors/format.ts';
import { SEGMENT_ROWS, segmentOf, VectorRows } from '../vectors/rows.ts';
import { type Connection, SCHEMA_VERSION, type StoredMeta } from './idb-schema.ts';
import type { WriteTransaction } from './idb-transaction.ts';
import type { Change, Entry, Table, TableMeta } from './table.ts';

/** Documents a read fetches at once. */
const DOCUMENT_BATCH = 500;
/** Segments a read fetches at once: 6 MiB at 384 dimensions. */
const SEGMENT_BATCH = 8;

/**
 * Reads the whole state into a table, in one transaction so that it is one state. Texts stay where they are.
 *
 * @param expected What was stored a moment ago. A transaction ends while anything else is waited for, so the
 *   kernel is chosen before it, and chosen again where the vectors have another shape by then.
 * @param wanted How vectors are to be kept; as they are stored unless given.
 */
export async function loadTable(
  db: Connection,
  table: Table,
  name: string,
  expected: StoredMeta | undefined,
  wanted: VectorFormat | undefined,
): Promise<void> {
  const rows = await emptyRows(expected, name, wanted);
  const tx = db.transaction(['documents', 'vectors', 'meta']);
  tx.done.catch(() => {});
  const meta = await tx.objectStore('meta').get('index');
  if (meta === undefined) {
    table.restore({ generation: 0, vectors: wanted }, [], new VectorRows(0), 0);
    return;
  }
  checkMeta(meta, name);
  const format = formatOf(meta, name, wanted);
  if (meta.dimensions !== rows.dimensions || format !== rows.format) {
    return loadTable(db, table, name, meta, wanted);
  }

  const entries: Entry[] = [];
  const filled: number[] = [];
  await Promise.all([
    inBatches(tx.objectStore('documents'), DOCUMENT_BATCH, (_, entry) => entries.push(entry)),
    inBatches(tx.objectStore('vectors'), SEGMENT_BATCH, (index, bytes) => {
      const segment = `Vector segment ${index} of index ${show(name)}`;
      const packed = decodeSegment(bytes, meta.dimensions, format, segment);
      rows.load(index, packed);
      filled[index] = packed.values.length / meta.dimensions;
    }),
  ]);

  checkRows(entries, filled, meta, name);
  const { generation, lineage, embedder, splitter, analyzer } = meta;
  table.restore(
    { generation, lineage, embedder, splitter, analyzer, vectors: format },
    entries,
    rows,
    meta.rowCount,
  );
}

/** Rows of the shape of those stored, in a kernel that is ready to take them. */
async function emptyRows(
  meta: StoredMeta | undefined,
  name: string,
  wanted: VectorFormat | undefined,
): Promise<VectorRows> {
  if (meta === undefined) return new VectorRows(0);
  checkMeta(meta, name);
  const rows = new VectorRows(meta.dimensions, formatOf(meta, name, wanted));
  await rows.reserve(0);
  return rows;
}

/** Queues every request of a change. The transaction's own end tells whether they went well. */
export function putChange(
  tx: WriteTransaction,
  { entries, texts, rebuilt, rowCount, dimensions }: Change,
  meta: TableMeta,
  segments: ReadonlyMap<number, ArrayBuffer>,
  counts: { documents: number; chunks: number },
): void {
  const [documents, kept, vectors] = [
    tx.objectStore('documents'),
    tx.objectStore('texts'),
    tx.objectStore('vectors'),
  ];
  // A request that fails aborts the transaction, which reports it.
  const issue = (...requests: Promise<unknown>[]) => {
    for (const request of requests) request.catch(() => {});
  };
  if (rebuilt) issue(vectors.clear());
  for (const [id, entry] of entries) {
    if (entry !== undefined) issue(documents.put(entry));
    else issue(documents.delete(id), kept.delete(id));
  }
  for (const [id, text] of texts) issue(kept.put({ ...text, id, version: meta.generation }));
  for (const [index, bytes] of segments) issue(vectors.put(bytes, index));
  const stored: StoredMeta = {
    schema: SCHEMA_VERSION,
    lineage: meta.lineage ?? '',
    generation: meta.generation,
    dimensions,
    rowCount,
    ...counts,
    embedder: meta.embedder,
    analyzer: meta.analyzer,
    splitter: meta.splitter,
    vectors: meta.vectors ?? 'f32',
  };
  issue(tx.objectStore('meta').put(stored, 'index'));
}

/**
 * How vectors are kept from now on. `'f32'` and `'int8+f32'` store the same and may take each other's place;
 * bytes cannot become the floats they were made of, nor are floats dropped for them without being told to.
 */
function formatOf(meta: StoredMeta, name: string, wanted: VectorFormat | undefined): VectorFormat {
  const stored = meta.vectors ?? 'f32';
  if (wanted === undefined || stored === wanted) return stored;
  const holdsNone = meta.rowCount === 0 || meta.dimensions === 0;
  if (holdsNone || (stored !== 'int8' && wanted !== 'int8')) return wanted;
  throw new ShelfmarkError(
    'INVALID_OPTION',
    `Index ${show(name)} keeps its vectors as '${stored}', not '${wanted}'; leave the option vectors out, or destroy the index and add the documents again.`,
  );
}

function checkMeta(meta: StoredMeta, name: string): void {
  if (meta.schema > SCHEMA_VERSION) {
    throw new ShelfmarkError(
      'FORMAT',
      `Index ${show(name)} is laid out in version ${meta.schema}, this library reads up to ${SCHEMA_VERSION}; it was left as it is, update the page.`,
    );
  }
  const numbers = [meta.schema, meta.generation, meta.dimensions, meta.rowCount];
  if (!numbers.every((value) => Number.isSafeInteger(value) && value >= 0)) {
    throw corrupt(name, 'has a description that makes no sense');
  }
}

/** Every row must be one document's alone, and every vector that is not pending must be there. */
function checkRows(
  entries: readonly Entry[],
  filled: readonly number[],
  meta: StoredMeta,
  name: string,
): void {
  const taken = new Uint8Array(meta.rowCount);
  for (const entry of entries) {
    const pending = new Set(entry.pending);
    for (const [at, row] of entry.rows.entries()) {
      if (row >= meta.rowCount || taken[row] === 1) {
        throw corrupt(name, `gives document ${show(entry.id)} a row that is not its own`);
      }
      taken[row] = 1;
      // Of vectors without a length there are none, however many bytes are there.
      if (!pending.has(at) && !(row % SEGMENT_ROWS < (filled[segmentOf(row)] ?? 0))) {
        throw corrupt(name, `has lost vectors of document ${show(entry.id)}`);
      }
    }
  }
}

const corrupt = (name: string, what: string): ShelfmarkError =>
  new ShelfmarkError('STORE_CORRUPT', `Index ${show(name)} ${what}; destroy it and add the documents again.`);

/** The part of an object store that a batched read needs. */
interface Readable<K, V> {
  getAllKeys(): Promise<K[]>;
  getAll(range: IDBKeyRange): Promise<V[]>;
}

/**
 * Reads a store in key order, `size` values at a time so that no single read is huge; the next batch is on
 * its way while one is taken in.
 */
async function inBatches<K extends IDBValidKey, V>(
  store: Readable<K, V>,
  size: number,
  take: (key: K, value: V) => void,
): Promise<void> {
  const keys = await store.getAllKeys();
  const fetch = (start: number): Promise<V[]> | undefined => {
    const batch = keys.slice(start, start + size);
    if (batch.length === 0) return undefined;
    const values = store.getAll(IDBKeyRange.bound(batch[0], batch[batch.length - 1]));
    // It is awaited only after the batch before it was taken in, which may fail first.
    values.catch(() => {});
    return values;
  };
  let next = fetch(0);
  for (let start = 0; next !== undefined; start += size) {
    const values: V[] = await next;
    next = fetch(start + size);
    for (const [at, value] of values.entries()) take(keys[start + at]!, value);
  }
}
