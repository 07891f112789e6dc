import { hasCode, ShelfmarkError, show } from '../errors.ts';
import type { PackedRows } from '../kernel/vector.ts';
import type { IndexDamage, VectorFormat } from '../types.ts';
import { decodeSegment } from '../vectors/format.ts';
import { SEGMENT_ROWS, segmentOf, VectorRows } from '../vectors/rows.ts';
import { inBatches } from './batches.ts';
import {
  type Connection,
  type DirectoryPage,
  type ReadTransaction,
  readMeta,
  SCHEMA_VERSION,
  type StoredMeta,
} from './idb-schema.ts';
import { areRanges, pendingIn, withPending } from './pending.ts';
import type { Entry, Table } from './table.ts';
import type { WordSegments } from './word-segments.ts';

/** Documents a read fetches at once. */
const DOCUMENT_BATCH = 500;
/** Segments a read fetches at once: 6 MiB at 384 dimensions. */
const SEGMENT_BATCH = 8;
/** Pages of the directory a read fetches at once. */
const PAGE_BATCH = 4;

/** What a stored state is read into. */
export interface Target {
  name: string;
  table: Table;
  words: WordSegments;
  /** How vectors are to be kept; as they are stored unless given. */
  wanted: VectorFormat | undefined;
}

/**
 * Reads the stored state into a table, in one transaction so that it is one state: all of it or, where the table
 * knows an earlier state of the same store, what was written since. Texts stay where they are. Vectors and words
 * that are damaged are left out, and remembered as such.
 *
 * @param expected What was stored a moment ago, with so many tickets. A transaction ends while anything else is
 *   waited for, so the kernel is chosen before it, and chosen again where the vectors have another shape by then.
 * @returns How many entries were read one by one, in place of from the directory
 */
export async function loadTable(
  db: Connection,
  target: Target,
  expected: StoredMeta | undefined,
  expectedTickets: number,
): Promise<number> {
  const { name, table, words, wanted } = target;
  const follows = canFollow(expected, target, expectedTickets);
  const rows = follows ? table.rows : await emptyRows(expected, name, wanted);
  const tx: ReadTransaction = db.transaction(['documents', 'directory', 'vectors', 'lexical', 'meta']);
  tx.done.catch(() => {});
  const { meta, tickets } = await readMeta(tx.objectStore('meta'));
  if (meta === undefined) {
    table.restore({ generation: 0, vectors: wanted }, [], new VectorRows(0), 0);
    words.retain(new Set());
    words.match(table.entries);
    return 0;
  }
  checkMeta(meta, name);
  const format = formatOf(meta, name, wanted);
  if (
    meta.dimensions !== rows.dimensions ||
    format !== rows.format ||
    canFollow(meta, target, tickets) !== follows
  ) {
    return loadTable(db, target, meta, tickets);
  }

  // Versions and numbers of another store of this name mean something else.
  if (meta.lineage !== table.meta.lineage) words.retain(new Set());
  const since = follows ? table.meta.generation : 0;
  // Nobody looks at new rows yet; of those in use, none changes before all that belongs together is there.
  const later: (() => void)[] = [];
  const load = (index: number, packed: PackedRows): void => {
    if (follows) later.push(() => rows.load(index, packed));
    else rows.load(index, packed);
  };
  const [{ entries: read, single }, vectors] = await Promise.all([
    follows ? readSince(tx, since) : readEntries(tx, meta),
    readVectors(tx, meta, name, format, since, load),
    readWords(tx, words, meta, name),
  ]);

  if (!follows) checkRows(read, meta, name);
  const removed = meta.removed?.filter(([, at]) => at > since).map(([id]) => id) ?? [];
  const changed = withStoredPending(read, meta);
  if (follows) changed.push(...completedSince(table, [...removed, ...read.map(({ id }) => id)], meta));
  const { entries, damages, lost } = degraded(changed, vectors, follows);
  const { generation, lineage, embedder, splitter, analyzer, imported } = meta;
  const next = { generation, lineage, tickets, embedder, splitter, analyzer, imported, vectors: format };
  if (follows) {
    table.follow(next, entries, removed, meta.rowCount, () => {
      for (const one of later) one();
    });
  } else table.restore(next, entries, rows, meta.rowCount);
  // What was not written since is as damaged as it was.
  const known = table.damages.filter(({ segment }) => (meta.segments[segment] ?? 0) <= since);
  table.damages = follows ? [...known, ...damages] : damages;
  for (const id of lost) table.unsaved.add(id);
  words.match(table.entries);
  return single;
}

/** Whether a table that knows an earlier state can do with what was written since. */
const canFollow = (meta: StoredMeta | undefined, { name, table, wanted }: Target, tickets: number): boolean =>
  meta?.complete !== undefined &&
  meta.lineage === table.meta.lineage &&
  table.meta.generation >= meta.complete &&
  table.meta.generation <= meta.generation &&
  // A removal without a trace but a ticket.
  (table.meta.generation < meta.generation || table.meta.tickets === tickets) &&
  meta.dimensions === table.rows.dimensions &&
  // Rows of no vectors yet may be of no format yet.
  formatOf(meta, name, wanted) === table.rows.format;

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

interface EntriesRead {
  entries: Entry[];
  /** How many of them were read one by one. */
  single: number;
}

async function readSince(tx: ReadTransaction, generation: number): Promise<EntriesRead> {
  const written = tx.objectStore('documents').index('generation');
  const entries = await written.getAll(IDBKeyRange.lowerBound(generation, true));
  return { entries, single: entries.length };
}

/** All entries, from the directory as far as there is one. */
async function readEntries(tx: ReadTransaction, meta: StoredMeta): Promise<EntriesRead> {
  const store = tx.objectStore('documents');
  const [keys, listed] = await Promise.all([store.getAllKeys(), readDirectory(tx, meta)]);
  if (listed !== undefined) {
    const { entries, single } = await readSince(tx, listed.generation);
    if (listed.entries.length + single === keys.length) {
      return { entries: [...listed.entries, ...entries], single };
    }
  }
  const entries: Entry[] = [];
  await inBatches(
    keys,
    DOCUMENT_BATCH,
    (keys) => store.getAll(IDBKeyRange.bound(keys[0], keys.at(-1))),
    // One of version 2 of the layout does not say when it was written.
    (_, entry) =>
      entries.push(entry.generation === undefined ? { ...entry, generation: entry.version } : entry),
  );
  return { entries, single: entries.length };
}

/** The directory and the state it was written in; undefined where it is not whole, or another store's. */
async function readDirectory(
  tx: ReadTransaction,
  { lineage, generation: latest }: StoredMeta,
): Promise<{ generation: number; entries: Entry[] } | undefined> {
  const store = tx.objectStore('directory');
  const keys = await store.getAllKeys();
  const pages: DirectoryPage[] = [];
  await inBatches(
    keys,
    PAGE_BATCH,
    (keys) => store.getAll(IDBKeyRange.bound(keys[0], keys.at(-1))),
    (_, page) => pages.push(page),
  );
  const entries = pages.flatMap((page) => page.entries);
  const [first] = pages;
  const isWhole = (page: DirectoryPage): boolean =>
    page.lineage === lineage && page.generation === first!.generation && page.documents === entries.length;
  if (first === undefined || first.generation > latest || !pages.every(isWhole)) return undefined;
  return { generation: first.generation, entries };
}

/** Entries with what is pending of them, wherever their layout says it. */
const withStoredPending = (entries: readonly Entry[], { pending }: StoredMeta): Entry[] =>
  pending === undefined
    ? [...entries]
    : entries.map((entry) => withPending(entry, pendingIn(entry, pending)));

/** Entries that a table knows and of which nothing was written since but what is pending of them. */
function completedSince(table: Table, written: readonly string[], { pending }: StoredMeta): Entry[] {
  if (pending === undefined) return [];
  const others = new Set(written);
  const found: Entry[] = [];
  for (const entry of table.entries.values()) {
    // Of what only memory knows to be lost, the store says nothing.
    if (others.has(entry.id) || table.unsaved.has(entry.id)) continue;
    const now = withPending(entry, pendingIn(entry, pending));
    if (now !== entry) found.push(now);
  }
  return found;
}

/** What is known of the stored vectors. */
interface VectorsRead {
  /** Rows that are there, by segment. */
  filled: Map<number, number>;
  /** Why a segment is of no use. */
  damaged: Map<number, string>;
}

async function readVectors(
  tx: ReadTransaction,
  meta: StoredMeta,
  name: string,
  format: VectorFormat,
  since: number,
  load: (index: number, rows: PackedRows) => void,
): Promise<VectorsRead> {
  const store = tx.objectStore('vectors');
  const filled = new Map<number, number>();
  const damaged = new Map<number, string>();
  const keys = await store.getAllKeys();
  const written = keys.filter((key) => since === 0 || (meta.segments[key] ?? 0) > since);
  for (const key of keys) filled.set(key, SEGMENT_ROWS);
  await inBatches(
    written,
    SEGMENT_BATCH,
    (batch) => Promise.all(batch.map((key) => store.get(key))),
    (index, bytes) => {
      const segment = `Vector segment ${index} of index ${show(name)}`;
      try {
        const packed = decodeSegment(bytes, meta.dimensions, format, segment);
        load(index, packed);
        filled.set(index, packed.values.length / meta.dimensions);
      } catch (error) {
        if (!hasCode(error, 'STORE_CORRUPT')) throw error;
        filled.delete(index);
        damaged.set(index, error.message);
      }
    },
  );
  return { filled, damaged };
}

async function readWords(
  tx: ReadTransaction,
  words: WordSegments,
  meta: StoredMeta,
  name: string,
): Promise<void> {
  const store = tx.objectStore('lexical');
  const stored = await store.getAllKeys();
  // One that is gone is as damaged as one that cannot be read.
  const keys = [...new Set([...stored, ...(meta.words ?? [])])];
  words.retain(new Set(keys));
  await inBatches(
    keys.filter((key) => !words.has(key)),
    SEGMENT_BATCH,
    (batch) => Promise.all(batch.map((key) => store.get(key))),
    (key, segment) => words.load(key, segment, `Word segment ${key} of index ${show(name)}`),
  );
}

/** Entries as they are of use: what has lost its vector is still to get one, as though it never had. */
function degraded(
  entries: readonly Entry[],
  { filled, damaged }: VectorsRead,
  follows: boolean,
): { entries: Entry[]; damages: IndexDamage[]; lost: string[] } {
  const found = new Map<number, IndexDamage & { documents: string[] }>();
  const note = (segment: number) => {
    const reason = damaged.get(segment) ?? `Vector segment ${segment} is not there, or too short.`;
    const damage = found.get(segment) ?? { part: 'vectors' as const, segment, reason, documents: [] };
    found.set(segment, damage);
    return damage;
  };
  for (const segment of damaged.keys()) note(segment);
  const lost = new Set<string>();
  const usable = entries.map((entry) => {
    const pending = new Set(entry.pending);
    for (const [at, row] of entry.rows.entries()) {
      const segment = segmentOf(row);
      if (pending.has(at) || row % SEGMENT_ROWS < (filled.get(segment) ?? 0)) continue;
      // What was not written since lies in memory, whatever became of the stored bytes.
      if (follows && !damaged.has(segment)) continue;
      pending.add(at);
      const { documents } = note(segment);
      if (documents.at(-1) !== entry.id) documents.push(entry.id);
      lost.add(entry.id);
    }
    return lost.has(entry.id) ? { ...entry, pending: [...pending].sort((a, b) => a - b) } : entry;
  });
  return { entries: usable, damages: [...found.values()], lost: [...lost] };
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

/** Throws `FORMAT` for what a newer version wrote, `STORE_CORRUPT` for what nobody wrote. */
export function checkMeta(meta: StoredMeta, name: string): void {
  if (meta?.schema > SCHEMA_VERSION) {
    throw new ShelfmarkError(
      'FORMAT',
      `Index ${show(name)} is laid out in version ${meta.schema}, this library reads up to ${SCHEMA_VERSION}; it was left as it is, update the page.`,
    );
  }
  const numbers = [meta?.schema, meta?.generation, meta?.dimensions, meta?.rowCount];
  const whole = numbers.every((value) => Number.isSafeInteger(value) && value >= 0);
  if (!whole || (meta.schema > 3 && !areRanges(meta.pending))) {
    throw corrupt(name, 'has a description that makes no sense');
  }
}

/** Every row must be one document's alone. */
function checkRows(entries: readonly Entry[], meta: StoredMeta, name: string): void {
  const taken = new Uint8Array(meta.rowCount);
  for (const { id, rows } of entries) {
    for (const row of rows) {
      if (row >= meta.rowCount || taken[row] === 1) {
        throw corrupt(name, `gives document ${show(id)} a row that is not its own`);
      }
      taken[row] = 1;
    }
  }
}

const corrupt = (name: string, what: string): ShelfmarkError =>
  new ShelfmarkError(
    'STORE_CORRUPT',
    `Index ${show(name)} ${what}; call repairIndex(${show(name)}), or destroy it and add the documents again.`,
  );
