import { analyzerOf } from '../lexicon/analyzer.ts';
import type { LexiconOptions } from '../lexicon/lexicon.ts';
import { decodeSegment, encodeSegment } from '../vectors/format.ts';
import { SEGMENT_ROWS, VectorRows } from '../vectors/rows.ts';
import type { Snapshot } from './file.ts';
import { Packer } from './packer.ts';
import { vectorsOf, withoutGaps } from './rebuild.ts';
import type { Change, Entry, Table, TableMeta, Texts } from './table.ts';

/** What an index is copied from: one state of it. */
export interface SnapshotSource {
  meta: TableMeta;
  entries: readonly Entry[];
  texts: ReadonlyMap<string, Texts>;
  /** Length of the vectors. */
  dimensions: number;
  /** By row, as far as they are there. */
  vectors: ReadonlyMap<number, Float32Array>;
  lexicon: LexiconOptions;
}

export { vectorsOf };

/** Everything an index keeps, its rows numbered without gaps and its words in one segment. */
export async function takeSnapshot(source: SnapshotSource): Promise<Snapshot> {
  const { meta, texts, dimensions, lexicon } = source;
  const { embedder, splitter, analyzer, vectors: format = 'f32' } = meta;
  const renumbered = withoutGaps(source.entries);
  const rowCount = renumbered.size;
  const rows = new VectorRows(dimensions, format);
  await rows.reserve(rowCount);
  for (const [row, vector] of source.vectors) rows.set(renumbered.get(row)!, vector);
  const packer = new Packer(lexicon, analyzerOf(lexicon).id, Number.POSITIVE_INFINITY);
  const entries: Entry[] = [];
  for (const entry of source.entries) {
    entries.push({ ...entry, rows: entry.rows.map((row) => renumbered.get(row)!) });
    await packer.add(entry, texts.get(entry.id)!);
  }
  const vectors: ArrayBuffer[] = [];
  for (let first = 0; dimensions > 0 && first < rowCount; first += SEGMENT_ROWS) {
    const used = Math.min(SEGMENT_ROWS, rowCount - first);
    vectors.push(encodeSegment(rows.snapshot(vectors.length, used, new Map()), dimensions));
  }
  return {
    meta: {
      ...(embedder !== undefined && { embedder }),
      ...(splitter !== undefined && { splitter }),
      ...(analyzer !== undefined && { analyzer }),
      vectors: format,
      dimensions,
      rowCount,
    },
    entries,
    texts,
    vectors,
    words: packer.finish(),
  };
}

/** The rows of a snapshot. */
export async function rowsOf({ meta, vectors }: Snapshot, name: string): Promise<VectorRows> {
  const rows = new VectorRows(meta.dimensions, meta.vectors);
  await rows.reserve(meta.rowCount);
  vectors.forEach((bytes, index) => {
    rows.load(index, decodeSegment(bytes, meta.dimensions, meta.vectors, `Segment ${index} of ${name}`));
  });
  return rows;
}

/** A change that puts a snapshot in place of all there is. */
export function importChange(table: Table, snapshot: Snapshot, rows: VectorRows, hash: string): Change {
  const { meta, entries, texts, words } = snapshot;
  const generation = table.meta.generation + 1;
  const all = new Map<string, Entry | undefined>([...table.entries.keys()].map((id) => [id, undefined]));
  for (const entry of entries) all.set(entry.id, { ...entry, version: generation, generation });
  const { embedder, splitter, analyzer } = meta;
  const { lineage } = table.meta;
  return {
    meta: {
      generation,
      lineage,
      embedder,
      splitter,
      analyzer,
      vectors: table.meta.vectors ?? meta.vectors,
      imported: { hash, generation },
    },
    entries: all,
    texts,
    words: words.map((segment) => ({ ...segment, versions: segment.ids.map(() => generation) })),
    vectors: vectorsOf(entries, rows),
    rowCount: meta.rowCount,
    dimensions: meta.dimensions,
    rebuilt: true,
  };
}
