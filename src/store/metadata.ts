import { ShelfmarkError, UnsafeRemovalError } from '../errors.ts';
import type { Filter, Metadata } from '../types.ts';

/**
 * Metadata with a patch applied, as a new object: `null` removes a key, `undefined` leaves it alone, any
 * other value replaces what was there, whole. An own `__proto__` key is data like any other.
 */
export function applyMetadataPatch(metadata: Metadata | undefined, patch: Metadata): Metadata {
  const result: Metadata = { ...metadata };
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) delete result[key];
    // Plain assignment to `__proto__` would change the prototype instead.
    else Object.defineProperty(result, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return result;
}

/** True where a patch would do nothing, whatever it is applied to. */
export const isEmptyPatch = (patch: Metadata): boolean => Object.values(patch).every((v) => v === undefined);

/**
 * Whether metadata passes a filter: every key must match. A list matches where any of its values does, an
 * empty one never; a list meets a list where they share a value. Without a key everything passes, without
 * metadata nothing else does.
 */
export function matchesFilter(metadata: Metadata | undefined, filter: Filter | undefined): boolean {
  const keys = filter ? Object.keys(filter) : [];
  if (keys.length === 0) return true;
  if (metadata === undefined) return false;
  return keys.every((key) => {
    const own = Object.hasOwn(metadata, key);
    // A name every object inherits (`toString`) is not a key that happens to be absent.
    if (!own && key in metadata) return false;
    const value = own ? metadata[key] : undefined;
    const wanted = filter![key];
    if (!Array.isArray(wanted)) return value === wanted;
    return Array.isArray(value) ? value.some((item) => wanted.includes(item)) : wanted.includes(value);
  });
}

/** Throws `UnsafeRemovalError` for a filter that would match more than its author can have meant. */
export function checkRemovalFilter(filter: Filter): void {
  const values = filter ? Object.values(filter) : [];
  const open = (value: unknown) => value === undefined || (Array.isArray(value) && value.includes(undefined));
  if (values.length === 0 || values.some(open)) throw new UnsafeRemovalError('empty-filter');
}

/** Metadata that shares nothing with the caller's. Throws `INVALID_DOCUMENT` where it cannot be stored. */
export function storableMetadata(metadata: Metadata, owner: string): Metadata {
  try {
    return structuredClone(metadata);
  } catch (cause) {
    throw new ShelfmarkError(
      'INVALID_DOCUMENT',
      `The metadata of ${owner} cannot be stored (${(cause as Error).message}); keep to plain data.`,
      { cause },
    );
  }
}

/** A copy that its receiver may change freely. Flat metadata, the common case, is copied the cheap way. */
export function copyMetadata(metadata: Metadata): Metadata {
  const flat = Object.values(metadata).every((value) => value === null || typeof value !== 'object');
  return flat ? { ...metadata } : structuredClone(metadata);
}

/** Whether two pieces of plain data say the same, keys in any order. Maps and the like are never the same. */
export function sameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (a instanceof Date || b instanceof Date) {
    return a instanceof Date && b instanceof Date && Object.is(a.getTime(), b.getTime());
  }
  if (!isPlain(a) || !isPlain(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return (
    left.length === right.length &&
    left.every(([key, value]) => Object.hasOwn(b, key) && sameData(value, (b as Metadata)[key]))
  );
}

const isPlain = (value: object): boolean =>
  [Object.prototype, Array.prototype, null].includes(Object.getPrototypeOf(value));
