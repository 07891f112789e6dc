import type { VectorFormat } from '../types.ts';
import type { KernelKind } from './kernel.ts';
import type { Scored } from './lexical.ts';

/** Rows in a segment: 768 KiB of f32 at 384 dimensions, which IndexedDB reads whole at full speed. */
export const SEGMENT_ROWS = 512;

/** The segment a row lies in. */
export const segmentOf = (row: number): number => Math.floor(row / SEGMENT_ROWS);

/** Values of a row as kernels keep it: padded with zeros, so that no loop over it has a tail. */
export const strideOf = (dimensions: number): number => (dimensions + 15) & ~15;

export interface VectorOptions {
  /** Values in a vector. */
  dimensions: number;
  format: VectorFormat;
}

/** The first rows of a segment as they are stored: values without padding, one row after the other. */
export interface PackedRows {
  /** Bytes for `'int8'`, floats for the other two. */
  values: Float32Array | Int8Array;
  /** The largest magnitude of each row, which its byte 127 stands for; for `'int8'` alone. */
  peaks?: Float32Array;
}

/**
 * Vectors of one length, and exact search over what is kept of them. Both kernels give scores equal to the last
 * bit. Rows are the caller's numbers; a row's values stay where they are until it is set again.
 */
export interface VectorKernel extends Readonly<VectorOptions> {
  readonly kind: KernelKind;
  /** Rows that hold a vector. */
  readonly count: number;
  /** Bytes of memory the rows take up, those without a vector in their segments included. */
  readonly bytes: number;
  has(row: number): boolean;
  /** Makes room for rows below this one, or throws where there is no memory for them. */
  reserve(rows: number): void;
  /** Gives a row its vector, of finite values. */
  set(row: number, values: Float32Array): void;
  /** Leaves a row out of every search; its values stay, and `seal` brings them back. */
  delete(row: number): void;
  /** Puts rows of a segment where they belong, none of them live until it is sealed. */
  load(segment: number, rows: PackedRows): void;
  /** Takes a row into the search with the values that are there. */
  seal(row: number): void;
  /** The first `count` rows of a segment, in memory of their own. */
  pack(segment: number, count: number): PackedRows;
  /** A row's values, in memory of their own: as they were set or, for `'int8'`, as near as its bytes are. */
  read(row: number): Float32Array;
  /**
   * The `k` live rows nearest to the query by cosine, of at least `floor`, best first and equal scores by the
   * lower row; `allowed` has a bit a row. A zero vector scores 0. `'int8+f32'` scores the bytes of all rows and
   * the floats of the best `4 · k`, so the scores it gives are exact and a row may be missed.
   */
  search(query: Float32Array, k: number, floor?: number, allowed?: Uint32Array): Scored;
  /** The cosine of each of these rows, by the floats where they are kept; 0 for a row without a vector. */
  scoreRows(query: Float32Array, rows: Uint32Array): Float64Array;
}

/** Rows scored by their floats, for each that is asked for, after all were scored by their bytes. */
export const OVERFETCH = 4;
