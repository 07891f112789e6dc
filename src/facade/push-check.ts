import { throwIfAborted } from '../errors.ts';
import { idAt } from '../store/columns.ts';
import { documentIdOf } from '../store/ids.ts';
import type { RecordStore } from '../store/record-store.ts';
import type { Place } from '../store/table.ts';
import type { VectorStore } from '../types.ts';

/** Chunks asked for with each vector. */
const NEAREST = 10;
/** Cosines of two engines differ by their rounding. */
const SLACK = 1e-5;

export interface SampleCheck {
  sampled: number;
  agreeing: number;
  /** Share of the index's chunks that the store gave, 0 to 1; 1 where nothing was asked. */
  recall: number;
  /** The chunk whose vector first got others. */
  first: string | undefined;
}

/**
 * Asks a store for the chunks nearest to vectors of the index, spread evenly over it, and compares them with what the
 * index gives. Chunks as near as the last one of those count as well, since their order is anybody's.
 */
export async function sampleAgrees(
  source: RecordStore,
  target: VectorStore,
  sample: number,
  signal: AbortSignal | undefined,
): Promise<SampleCheck> {
  let [sampled, agreeing, owed, given] = [0, 0, 0, 0];
  let first: string | undefined;
  for (const place of spread(source, sample)) {
    throwIfAborted(signal);
    const query = source.vectorAt(place)?.slice();
    // One of zeros is as near to every chunk as to any other.
    if (query === undefined || query.every((value) => value === 0)) continue;
    const cosine = (id: string): number => cosineOf(query, vectorOf(source, id));
    const own = await source.search(query, { topK: NEAREST });
    const cosines = own.map(({ id }) => cosine(id)).sort((a, b) => b - a);
    const answer = await target.search(query, { topK: NEAREST });
    const found = [...new Set(answer.map(({ id }) => id))];
    // Documents the index does not have take places that its own would have had.
    const ours = found.filter((id) => source.entries.has(documentIdOf(id)));
    const expected = Math.max(0, cosines.length - (found.length - ours.length));
    const least = (cosines[expected - 1] ?? 0) - SLACK;
    const right = Math.min(expected, ours.filter((id) => cosine(id) >= least).length);
    sampled++;
    owed += expected;
    given += right;
    if (right === expected && ours.length >= expected) agreeing++;
    else first ??= idAt(place.entry.id, place.entry.columns, place.at);
  }
  return { sampled, agreeing, recall: owed === 0 ? 1 : given / owed, first };
}

/** Records spread evenly over an index, so many at most. */
function spread(source: RecordStore, sample: number): Place[] {
  const entries = [...source.entries.values()];
  const total = entries.reduce((sum, { rows }) => sum + rows.length, 0);
  const count = Math.min(sample, total);
  const places: Place[] = [];
  let before = 0;
  for (const entry of entries) {
    const end = before + entry.rows.length;
    for (;;) {
      const next = Math.floor(((places.length + 0.5) * total) / count);
      if (places.length >= count || next >= end) break;
      places.push({ entry, at: next - before });
    }
    before = end;
  }
  return places;
}

function vectorOf(source: RecordStore, id: string): Float32Array | undefined {
  const entry = source.entries.get(documentIdOf(id));
  const at = entry?.rows.findIndex((_, n) => idAt(entry.id, entry.columns, n) === id) ?? -1;
  return at < 0 ? undefined : source.vectorAt({ entry: entry!, at });
}

/** -2, below any cosine, for a record that the index does not have; 0 beside a vector of zeros. */
function cosineOf(a: Float32Array, b: Float32Array | undefined): number {
  if (b === undefined) return -2;
  let [dot, aa, bb] = [0, 0, 0];
  for (const [d, x] of a.entries()) {
    dot += x * b[d]!;
    aa += x * x;
    bb += b[d]! * b[d]!;
  }
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
}
