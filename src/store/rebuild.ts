import { checksum } from '../kernel/checksum.ts';
import type { VectorRows } from '../vectors/rows.ts';
import type { Change, Entry, Table, TableMeta } from './table.ts';

/** Vectors that wait until those of all documents are there. */
export interface StagedVectors {
  id: string;
  /** Version of the texts they were made of. */
  version: number;
  embedder: string;
  dimensions: number;
  /** A vector a record, one after the other. */
  values: Float32Array;
  /** Of the values, made where they are put aside. */
  checksum?: number;
}

/** The checksum of vectors that are put aside. */
export const stagedChecksum = ({ buffer, byteOffset, length }: Float32Array): number =>
  checksum(new Uint32Array(buffer, byteOffset, length));

/** The place of each row in use among them all: what it is numbered where there are no gaps. */
export function withoutGaps(entries: Iterable<Entry>): Map<number, number> {
  const order = [...entries].flatMap(({ rows }) => Array.from(rows)).sort((a, b) => a - b);
  return new Map(order.map((row, at) => [row, at]));
}

/** The vectors of documents by row, as far as they are there. */
export function vectorsOf(entries: Iterable<Entry>, rows: VectorRows): Map<number, Float32Array> {
  const vectors = new Map<number, Float32Array>();
  for (const entry of entries) {
    const pending = new Set(entry.pending);
    for (const [at, row] of entry.rows.entries()) if (!pending.has(at)) vectors.set(row, rows.read(row));
  }
  return vectors;
}

/** The same change with all rows numbered anew, in their old order and without the tombstones. */
export function compact(table: Table, change: Change): Change {
  const entries = new Map<string, Entry>();
  for (const [id, entry] of table.entries) if (!change.entries.has(id)) entries.set(id, entry);
  for (const [id, entry] of change.entries) if (entry !== undefined) entries.set(id, entry);
  const renumbered = withoutGaps(entries.values());
  const vectors = new Map<number, Float32Array>();
  for (const [id, entry] of entries) {
    const pending = new Set(entry.pending);
    entry.rows.forEach((row, at) => {
      if (!pending.has(at))
        vectors.set(renumbered.get(row)!, change.vectors.get(row) ?? table.rows.read(row));
    });
    const rows = entry.rows.map((row) => renumbered.get(row)!);
    entries.set(id, { ...entry, generation: change.meta.generation, rows });
  }
  const all = new Map<string, Entry | undefined>(entries);
  for (const [id, entry] of change.entries) if (entry === undefined) all.set(id, undefined);
  return { ...change, entries: all, vectors, rowCount: renumbered.size, rebuilt: true };
}

/** All entries as they are, with the vectors of another embedder. */
export function exchange(
  table: Table,
  staged: ReadonlyMap<string, StagedVectors>,
  meta: Partial<TableMeta>,
): Change {
  const generation = table.meta.generation + 1;
  const [first] = staged.values();
  const dimensions = first?.dimensions ?? 0;
  const vectors = new Map<number, Float32Array>();
  const entries = new Map<string, Entry>();
  for (const [id, { pending: _had, ...entry }] of table.entries) {
    entries.set(id, { ...entry, generation });
    const { values } = staged.get(id)!;
    entry.rows.forEach((row, at) => {
      vectors.set(row, values.subarray(at * dimensions, (at + 1) * dimensions));
    });
  }
  return {
    meta: { ...table.meta, ...meta, generation },
    entries,
    texts: new Map(),
    vectors,
    rowCount: table.rowCount,
    dimensions,
    rebuilt: true,
    unstages: true,
  };
}
