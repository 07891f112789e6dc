import { encodeSegment } from '../vectors/format.ts';
import { SEGMENT_ROWS, segmentOf, VectorRows } from '../vectors/rows.ts';
import type { Change, Table } from './table.ts';

/** The bytes of every segment a change touches, made before the transaction opens. */
export function changedSegments(
  table: Table,
  { meta, vectors, rowCount, dimensions, rebuilt }: Change,
): Map<number, ArrayBuffer> {
  const fresh = rebuilt || dimensions !== table.rows.dimensions;
  const rows = fresh ? new VectorRows(dimensions, meta.vectors) : table.rows;
  const touched = new Set([...vectors.keys()].map(segmentOf));
  // What was damaged is written anew, its lost rows empty.
  if (!rebuilt) {
    for (const { part, segment } of table.damages) {
      if (part === 'vectors' && segment * SEGMENT_ROWS < rowCount) touched.add(segment);
    }
  }
  return new Map(
    [...touched].map((index) => {
      const used = Math.min(SEGMENT_ROWS, rowCount - index * SEGMENT_ROWS);
      return [index, encodeSegment(rows.snapshot(index, used, vectors), dimensions)];
    }),
  );
}
