import type { Scored } from '../kernel/lexical.ts';
import { vectorKernel } from '../kernel/load-index.ts';
import { type PackedRows, SEGMENT_ROWS, segmentOf, type VectorKernel } from '../kernel/vector.ts';
import { bestOf, toBytes } from '../kernel/vector-values.ts';
import type { VectorFormat } from '../types.ts';
import type { Bitmap } from './bitmap.ts';

export { SEGMENT_ROWS, segmentOf };

/** A row and what it scored. */
export interface Match {
  row: number;
  score: number;
}

/**
 * Vectors of one length, packed in a kernel of their own. A row keeps its number until the owner rebuilds the
 * index, so row order is the order of insertion. A deleted row stays as a tombstone.
 */
export class VectorRows {
  readonly dimensions: number;
  readonly format: VectorFormat;
  /** Made by `reserve`; an index without vectors has none. */
  #kernel: VectorKernel | undefined;
  /** Rows up to the highest that was ever live. */
  #end = 0;

  constructor(dimensions: number, format: VectorFormat = 'f32') {
    this.dimensions = dimensions;
    this.format = format;
  }

  /** Number of live rows. */
  get count(): number {
    return this.#kernel?.count ?? 0;
  }

  /** Bytes the rows take up in memory. */
  get bytes(): number {
    return this.#kernel?.bytes ?? 0;
  }

  /** Whether a row holds a vector. */
  has(row: number): boolean {
    return this.#kernel?.has(row) ?? false;
  }

  /**
   * Makes room for so many rows, or rejects where there is no memory for them. Comes before everything that
   * writes, since it is here that the kernel is chosen.
   */
  async reserve(rows: number): Promise<void> {
    const { dimensions, format } = this;
    if (dimensions === 0) return;
    this.#kernel ??= await vectorKernel({ dimensions, format });
    this.#kernel.reserve(rows);
  }

  set(row: number, vector: Float32Array): void {
    this.#kernel!.set(row, vector);
    this.#end = Math.max(this.#end, row + 1);
  }

  /** Takes a segment as it was stored: its first rows, none of them live yet. */
  load(index: number, rows: PackedRows): void {
    this.#kernel?.load(index, rows);
  }

  /** Makes a row whose values are there already a live one. */
  markLive(row: number): void {
    if (!this.has(row)) this.#kernel!.seal(row);
    this.#end = Math.max(this.#end, row + 1);
  }

  delete(row: number): void {
    this.#kernel?.delete(row);
  }

  /** The row's values, in memory of their own. */
  read(row: number): Float32Array {
    return this.#kernel?.read(row) ?? new Float32Array(this.dimensions);
  }

  /**
   * The `k` rows nearest to the query by cosine, best first, ties by row. Rows outside `allowed` are not
   * ranked at all. A zero vector on either side scores 0.
   *
   * A query of another length is compared over the values both have, as are the norms; callers that want
   * it refused check first.
   */
  search(query: Float32Array, k: number, allowed?: Bitmap): Match[] {
    const kernel = this.#kernel;
    if (kernel === undefined) return [];
    if (query.length !== this.dimensions) return this.#searchShared(kernel, query, k, allowed);
    return matches(kernel.search(query, k, undefined, allowed?.words));
  }

  /** Only the reference's rule on vectors of unlike lengths needs this, so it is plain rather than fast. */
  #searchShared(kernel: VectorKernel, query: Float32Array, k: number, allowed: Bitmap | undefined): Match[] {
    const rows = Uint32Array.from({ length: this.#end }, (_, row) => row).filter(
      (row) => kernel.has(row) && allowed?.has(row) !== false,
    );
    const scores = Float64Array.from(rows, (row) => cosine(query, kernel.read(row)));
    return matches(bestOf(rows, scores, k, Number.NEGATIVE_INFINITY));
  }

  /** The cosine of the query and each of these rows; 0 where a row holds no vector. */
  cosines(query: Float32Array, rows: readonly number[]): number[] {
    const scores = this.#kernel?.scoreRows(query, Uint32Array.from(rows));
    return scores === undefined ? rows.map(() => 0) : Array.from(scores);
  }

  /** The first `rows` rows of a segment with `changes` laid over them, in memory of its own. */
  snapshot(index: number, rows: number, changes: ReadonlyMap<number, Float32Array>): PackedRows {
    const packed = this.#kernel?.pack(index, rows) ?? this.#zeros(rows);
    const { values, peaks } = packed;
    for (let at = 0; at < rows; at++) {
      const vector = changes.get(index * SEGMENT_ROWS + at);
      if (vector === undefined) continue;
      const target = values.subarray(at * this.dimensions, (at + 1) * this.dimensions);
      if (target instanceof Int8Array) peaks![at] = toBytes(vector, target);
      else target.set(vector);
    }
    return packed;
  }

  #zeros(rows: number): PackedRows {
    const size = rows * this.dimensions;
    if (this.format !== 'int8') return { values: new Float32Array(size) };
    return { values: new Int8Array(size), peaks: new Float32Array(rows) };
  }
}

const matches = ({ rows, scores }: Scored): Match[] =>
  Array.from(rows, (row, at) => ({ row, score: scores[at]! }));

/** The cosine over the values both have. */
function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, squaresA, squaresB] = [0, 0, 0];
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    dot += a[i]! * b[i]!;
    squaresA += a[i]! * a[i]!;
    squaresB += b[i]! * b[i]!;
  }
  const scale = Math.sqrt(squaresA) * Math.sqrt(squaresB);
  return scale === 0 ? 0 : dot / scale;
}
