import { Bitmap } from './bitmap.ts';
import { type Match, TopK } from './topk.ts';

/** Rows in a segment: 768 KiB at 384 dimensions, which IndexedDB reads whole at full speed. */
export const SEGMENT_ROWS = 512;

/** The segment a row lies in. */
export const segmentOf = (row: number): number => Math.floor(row / SEGMENT_ROWS);

/**
 * Vectors of one length as packed f32 rows. A row keeps its number until the owner rebuilds the index, so
 * row order is the order of insertion. A deleted row stays as a tombstone: its bit in `live` is off.
 */
export class VectorRows {
  readonly dimensions: number;
  /** Rows that hold a vector. */
  readonly live = new Bitmap();
  #count = 0;
  /** Each `SEGMENT_ROWS × dimensions` long, or absent while none of its rows was set. */
  readonly #segments: (Float32Array | undefined)[] = [];
  /** Euclidean norm a row, a segment at a time. */
  readonly #norms: (Float64Array | undefined)[] = [];

  constructor(dimensions: number) {
    this.dimensions = dimensions;
  }

  /** Number of live rows. */
  get count(): number {
    return this.#count;
  }

  /** Bytes the vectors hold in memory. */
  get bytes(): number {
    return this.#segments.reduce((sum, segment) => sum + (segment?.byteLength ?? 0), 0);
  }

  set(row: number, vector: Float32Array): void {
    const segment = (this.#segments[segmentOf(row)] ??= new Float32Array(SEGMENT_ROWS * this.dimensions));
    segment.set(vector, (row % SEGMENT_ROWS) * this.dimensions);
    this.markLive(row);
  }

  /** Takes a segment as it was stored: `rows` holds its first rows, none of them live yet. */
  load(index: number, rows: Float32Array): void {
    const segment = new Float32Array(SEGMENT_ROWS * this.dimensions);
    segment.set(rows);
    this.#segments[index] = segment;
  }

  /** Makes a row whose values are there already a live one. */
  markLive(row: number): void {
    const norms = (this.#norms[segmentOf(row)] ??= new Float64Array(SEGMENT_ROWS));
    norms[row % SEGMENT_ROWS] = norm(this.view(row), this.dimensions);
    if (!this.live.has(row)) this.#count++;
    this.live.add(row);
  }

  delete(row: number): void {
    if (!this.live.has(row)) return;
    this.live.delete(row);
    this.#count--;
  }

  /** The row's values, as a view that the next `set` may change. */
  view(row: number): Float32Array {
    const segment = this.#segments[segmentOf(row)];
    if (segment === undefined) return new Float32Array(this.dimensions);
    const start = (row % SEGMENT_ROWS) * this.dimensions;
    return segment.subarray(start, start + this.dimensions);
  }

  /**
   * The `k` rows nearest to the query by cosine, best first, ties by row. Rows outside `allowed` are not
   * ranked at all. A zero vector on either side scores 0.
   *
   * A query of another length is compared over the values both have, as are the norms; callers that want
   * it refused check first.
   */
  search(query: Float32Array, k: number, allowed: Bitmap = this.live): Match[] {
    const length = Math.min(query.length, this.dimensions);
    const queryNorm = norm(query, length);
    const whole = length === this.dimensions;
    const best = new TopK(k);
    const { words } = this.live;
    for (let word = 0; word < words.length; word++) {
      let bits = words[word]! & (allowed.words[word] ?? 0);
      while (bits !== 0) {
        const row = (word << 5) + 31 - Math.clz32(bits & -bits);
        bits &= bits - 1;
        const segment = this.#segments[segmentOf(row)]!;
        const start = (row % SEGMENT_ROWS) * this.dimensions;
        let dot = 0;
        for (let i = 0; i < length; i++) dot += query[i]! * segment[start + i]!;
        const rowNorm = whole
          ? this.#norms[segmentOf(row)]![row % SEGMENT_ROWS]!
          : norm(segment.subarray(start, start + length), length);
        const scale = queryNorm * rowNorm;
        best.offer(row, scale === 0 ? 0 : dot / scale);
      }
    }
    return best.take();
  }

  /** The cosine of the query and each of these rows; 0 where a row holds no vector. */
  cosines(query: Float32Array, rows: readonly number[]): number[] {
    const queryNorm = norm(query, this.dimensions);
    return rows.map((row) => {
      if (!this.live.has(row)) return 0;
      const scale = queryNorm * this.#norms[segmentOf(row)]![row % SEGMENT_ROWS]!;
      const vector = this.view(row);
      let dot = 0;
      for (let i = 0; i < this.dimensions; i++) dot += query[i]! * vector[i]!;
      return scale === 0 ? 0 : dot / scale;
    });
  }

  /** The first `rows` rows of a segment with `changes` laid over them, in memory of its own. */
  snapshot(index: number, rows: number, changes: ReadonlyMap<number, Float32Array>): Float32Array {
    const size = rows * this.dimensions;
    const copy = this.#segments[index]?.slice(0, size) ?? new Float32Array(size);
    for (let row = index * SEGMENT_ROWS; row < index * SEGMENT_ROWS + rows; row++) {
      const vector = changes.get(row);
      if (vector !== undefined) copy.set(vector, (row % SEGMENT_ROWS) * this.dimensions);
    }
    return copy;
  }
}

function norm(values: Float32Array, length: number): number {
  let sum = 0;
  for (let i = 0; i < length; i++) sum += values[i]! * values[i]!;
  return Math.sqrt(sum);
}
