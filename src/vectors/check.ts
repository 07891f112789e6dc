import { ShelfmarkError, show } from '../errors.ts';
import { isFinite32 } from '../kernel/finite.ts';

/**
 * The vector as f32, always a copy: a view would keep, and store, the whole buffer it looks into.
 * Throws `INVALID_VECTOR` for anything but finite numbers (in f32, so 1e39 is refused too).
 *
 * @param owner What the vector belongs to, as the message names it: `record "a#0"`, `the query`.
 */
export function toVector(values: ArrayLike<number>, owner: string): Float32Array {
  if (values === null || typeof values !== 'object' || typeof values.length !== 'number') {
    throw new ShelfmarkError(
      'INVALID_VECTOR',
      `The vector of ${owner} is ${show(values)}; give an array of numbers.`,
    );
  }
  if (values instanceof Float32Array && isFinite32(values)) return values.slice();
  const vector = new Float32Array(values.length);
  for (let i = 0; i < vector.length; i++) {
    const value: unknown = values[i];
    vector[i] = typeof value === 'number' ? value : Number.NaN;
    if (!Number.isFinite(vector[i])) {
      throw new ShelfmarkError(
        'INVALID_VECTOR',
        `The vector of ${owner} holds ${show(value)} at position ${i}; every value must be a finite 32-bit number.`,
      );
    }
  }
  return vector;
}

/** Throws `DIMENSION_MISMATCH` naming both lengths. */
export function checkLength(length: number, dimensions: number, owner: string): void {
  if (length === dimensions) return;
  throw new ShelfmarkError(
    'DIMENSION_MISMATCH',
    `The vector of ${owner} has ${length} values, those stored have ${dimensions}; use the embedder the store was filled with.`,
  );
}
