import type { Scored } from './lexical.ts';
import { strideOf } from './vector.ts';

/** Largest magnitude of a row's byte. */
const MOST_BYTE = 127;
const MOST_SUM = 2 ** 31 - 1;

/** A query as the kernels take it: both forms padded, and the length of each; 1 where it is zero. */
export interface PreparedQuery {
  floats: Float32Array;
  norm: number;
  integers: Int16Array;
  integerNorm: number;
}

/**
 * Scales a query by a power of two so that its largest magnitude is from 1 to 2, which changes no digit of it and
 * keeps sums of f32 products in range. The integers have as many bits as their sum with a row of bytes, in 32
 * bits, has room for, so that they lose next to nothing.
 */
export function prepareQuery(query: Float32Array): PreparedQuery {
  const stride = strideOf(query.length);
  const floats = new Float32Array(stride);
  const integers = new Int16Array(stride);
  const peak = peakOf(query);
  if (peak === 0) return { floats, norm: 1, integers, integerNorm: 1 };
  let scale = 1;
  while (peak * scale >= 2) scale /= 2;
  while (peak * scale < 1) scale *= 2;
  const most = Math.min(2 ** 15 - 1, Math.floor(MOST_SUM / (MOST_BYTE * stride)));
  let squares = 0;
  let integerSquares = 0;
  for (let i = 0; i < query.length; i++) {
    const value = Math.fround(query[i]! * scale);
    const integer = Math.round((query[i]! / peak) * most);
    floats[i] = value;
    integers[i] = integer;
    squares += value * value;
    integerSquares += integer * integer;
  }
  return { floats, norm: Math.sqrt(squares), integers, integerNorm: Math.sqrt(integerSquares) };
}

export function peakOf(values: Float32Array): number {
  let peak = 0;
  for (let i = 0; i < values.length; i++) peak = Math.max(peak, Math.abs(values[i]!));
  return peak;
}

/** Adding and taking away this number rounds to a whole one, halves to even, as the kernel's instruction does. */
const ROUNDER = 1.5 * 2 ** 52;

/** Writes a row as bytes, `round(127 · value / peak)`; answers the peak. */
export function toBytes(values: Float32Array, bytes: Int8Array): number {
  const peak = peakOf(values);
  const scale = peak === 0 ? 0 : MOST_BYTE / peak;
  for (let i = 0; i < values.length; i++) bytes[i] = values[i]! * scale + ROUNDER - ROUNDER;
  return peak;
}

/** The values that bytes stand for. Written as bytes again they give the same ones. */
export function fromBytes(bytes: Int8Array, peak: number): Float32Array {
  return Float32Array.from(bytes, (byte) => (byte * peak) / MOST_BYTE);
}

/** The best `k` of scored rows, of at least `floor`: equal scores by the lower row. */
export function bestOf(rows: Uint32Array, scores: Float64Array, k: number, floor: number): Scored {
  const best = Array.from(rows, (row, at) => ({ row, score: scores[at]! }))
    .filter(({ score }) => score >= floor)
    .sort((a, b) => b.score - a.score || a.row - b.row)
    .slice(0, k);
  return {
    rows: Uint32Array.from(best, ({ row }) => row),
    scores: Float64Array.from(best, ({ score }) => score),
  };
}

/** Puts rows that lie one after the other into padded places; in one copy where there is no padding. */
export function spread(
  values: Float32Array | Int8Array,
  target: Float32Array | Int8Array,
  dimensions: number,
  stride: number,
): void {
  if (dimensions === stride) target.set(values);
  else {
    for (let from = 0, to = 0; from < values.length; from += dimensions, to += stride) {
      target.set(values.subarray(from, from + dimensions), to);
    }
  }
}

/** The other way round, in memory of its own. */
export function gather<T extends Float32Array | Int8Array>(padded: T, dimensions: number, stride: number): T {
  if (dimensions === stride) return padded.slice() as T;
  const rows = padded.length / stride;
  const values = padded.slice(0, rows * dimensions) as T;
  for (let row = 0; row < rows; row++) {
    values.set(padded.subarray(row * stride, row * stride + dimensions), row * dimensions);
  }
  return values;
}
