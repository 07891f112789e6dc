import { hasCode } from '../errors.ts';
import type { RepairReport, VectorFormat } from '../types.ts';
import { decodeSegment } from '../vectors/format.ts';
import { SEGMENT_ROWS, segmentOf, VectorRows } from '../vectors/rows.ts';
import { checkMeta } from './idb-load.ts';
import { type Connection, type StoredMeta, type StoredTexts, stores } from './idb-schema.ts';
import { pendingIn } from './pending.ts';
import type { DocumentPut } from './plan.ts';
import { type Entry, recordsOf, type TableMeta } from './table.ts';

export interface Salvage {
  puts: DocumentPut[];
  meta: Partial<TableMeta>;
  report: RepairReport;
}

/** Reads from a database whatever makes sense. Throws `FORMAT` where a newer version wrote it. */
export async function salvage(db: Connection, name: string): Promise<Salvage> {
  const there = stores.filter((store) => db.objectStoreNames.contains(store));
  if (there.length === 0)
    return { puts: [], meta: {}, report: { documents: 0, chunks: 0, pending: 0, lost: [] } };
  const tx = db.transaction(there);
  tx.done.catch(() => {});
  const has = (store: (typeof stores)[number]) => there.includes(store);
  const [stored, entries, texts, keys, segments] = await Promise.all([
    has('meta') ? tx.objectStore('meta').get('index') : undefined,
    has('documents') ? tx.objectStore('documents').getAll() : [],
    has('texts') ? tx.objectStore('texts').getAll() : [],
    has('vectors') ? tx.objectStore('vectors').getAllKeys() : [],
    has('vectors') ? tx.objectStore('vectors').getAll() : [],
  ]);
  const meta = sane(stored as StoredMeta | undefined, name);
  const rows = await readRows(new Map(keys.map((key, at) => [key, segments[at]])), meta);
  const textsOf = new Map(texts.map((one) => [one.id, one]));
  const lost = new Set(textsOf.keys());
  const taken = new Set<number>();
  const puts: (DocumentPut & { first: number })[] = [];
  for (const entry of entries) {
    const own = textsOf.get(entry?.id);
    const records = own === undefined ? undefined : wholeRecords(entry, own);
    if (records === undefined) {
      if (typeof entry?.id === 'string') lost.add(entry.id);
      continue;
    }
    lost.delete(entry.id);
    const { pending: ranges } = meta ?? {};
    const pending = new Set(ranges === undefined ? entry.pending : pendingIn(entry, ranges));
    const read = Array.from(entry.rows, (row, at) => {
      // Whose vector it is cannot be told where two documents lay claim to it.
      if (pending.has(at) || taken.has(row)) return undefined;
      taken.add(row);
      return rows(row);
    });
    const { text } = own!;
    puts.push({
      id: entry.id,
      ...(text !== undefined && { text }),
      records,
      vectors: read,
      info: entry.info,
      first: entry.rows[0]!,
    });
  }
  puts.sort((a, b) => a.first - b.first);
  const { embedder, splitter, analyzer, vectors: format } = meta ?? {};
  const report = {
    documents: puts.length,
    chunks: puts.reduce((sum, { records }) => sum + records.length, 0),
    pending: puts.reduce((sum, put) => sum + put.vectors.filter((one) => one === undefined).length, 0),
    lost: [...lost],
  };
  return { puts, meta: { embedder, splitter, analyzer, vectors: format }, report };
}

/** What is known of the index as a whole; undefined where that makes no sense. */
function sane(meta: StoredMeta | undefined, name: string): StoredMeta | undefined {
  try {
    if (meta !== undefined) checkMeta(meta, name);
    return meta;
  } catch (error) {
    if (hasCode(error, 'FORMAT')) throw error;
    return undefined;
  }
}

/** Reads a row's vector; undefined where its segment is damaged or, without a description, nobody knows whose it is. */
async function readRows(
  segments: ReadonlyMap<number, unknown>,
  meta: StoredMeta | undefined,
): Promise<(row: number) => Float32Array | undefined> {
  if (meta === undefined || meta.dimensions === 0) return () => undefined;
  const format: VectorFormat = meta.vectors ?? 'f32';
  const rows = new VectorRows(meta.dimensions, format);
  await rows.reserve(0);
  const filled = new Map<number, number>();
  for (const [index, bytes] of segments) {
    try {
      const packed = decodeSegment(bytes, meta.dimensions, format, `Vector segment ${index}`);
      rows.load(index, packed);
      filled.set(index, packed.values.length / meta.dimensions);
    } catch (error) {
      if (hasCode(error, 'FORMAT')) throw error;
      // Its documents are told as pending.
    }
  }
  return (row) => (row % SEGMENT_ROWS < (filled.get(segmentOf(row)) ?? 0) ? rows.read(row) : undefined);
}

/** The records of a document, or undefined where they cannot be put together. */
function wholeRecords(entry: Entry, texts: StoredTexts): DocumentPut['records'] | undefined {
  try {
    if (entry.version !== texts.version || !(entry.rows instanceof Uint32Array)) return undefined;
    const records = recordsOf(entry, texts);
    const whole = records.length > 0 && records.every(({ id, text }) => id !== '' && text.trim() !== '');
    return whole ? records : undefined;
  } catch {
    // Whatever is wrong with it, it is told as lost.
    return undefined;
  }
}
