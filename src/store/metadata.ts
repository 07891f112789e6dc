import { invalidOption, ShelfmarkError, show, UnsafeRemovalError } from '../errors.ts';
import type { Filter, Metadata } from '../types.ts';

/**
 * Metadata with a patch applied, as a new object: `null` removes a key, `undefined` leaves it alone, any
 * other value replaces what was there, whole. An own `__proto__` key is data like any other.
 */
export function applyMetadataPatch(metadata: Metadata | undefined, patch: Metadata): Metadata {
  checkPatch(patch);
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
export function isEmptyPatch(patch: Metadata): boolean {
  checkPatch(patch);
  return Object.values(patch).every((value) => value === undefined);
}

function checkPatch(patch: unknown): void {
  if (!isRecord(patch)) throw invalidOption('patch', patch, 'an object of keys and values');
}

/**
 * Throws `INVALID_OPTION` for a filter that is no plain object: the keys of a `Map` or a list are none that could
 * be compared, and without a key everything passes.
 */
export function checkFilter(filter: unknown): void {
  if (filter === undefined) return;
  if (isRecord(filter)) {
    const above = Object.getPrototypeOf(filter);
    // A frame's objects have an `Object.prototype` of their own.
    if (above === null || Object.getPrototypeOf(above) === null) return;
  }
  throw invalidOption('filter', filter, 'a plain object of keys and values');
}

/**
 * Whether metadata passes a filter: every key must match. A list matches where any of its values does, an
 * empty one never; a list meets a list where they share a value. Without a key everything passes, without
 * metadata nothing else does.
 */
export function matchesFilter(metadata: Metadata | undefined, filter: Filter | undefined): boolean {
  checkFilter(filter);
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
  if (!isRecord(metadata)) {
    throw new ShelfmarkError(
      'INVALID_DOCUMENT',
      `The metadata of ${owner} is ${show(metadata)}; give an object.`,
    );
  }
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

/**
 * Whether two pieces of data say the same: the keys of objects in any order, those of maps and the values of sets in theirs,
 * bytes by value, dates by time. What else can be stored (errors, files) is the same only as itself. Data may hold
 * itself: what is being compared already is not compared again.
 */
export function sameData(a: unknown, b: unknown): boolean {
  const pairs: [unknown, unknown][] = [[a, b]];
  const met = new Map<unknown, Set<unknown>>();
  // A list in place of a recursion, which deep data would overflow. It grows as it is walked.
  for (const [one, other] of pairs) {
    if (Object.is(one, other)) continue;
    if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') return false;
    if (one instanceof Date && other instanceof Date && Object.is(one.getTime(), other.getTime())) continue;
    if (sameBytes(one, other)) continue;
    const lists = listed(one, other);
    if (lists === undefined && (!isPlain(one) || !isPlain(other))) return false;
    if (Array.isArray(one) !== Array.isArray(other)) return false;
    const partners = met.get(one) ?? new Set();
    if (partners.has(other)) continue;
    met.set(one, partners.add(other));
    if (lists !== undefined) {
      pairs.push(lists);
      continue;
    }
    const entries = Object.entries(one);
    if (entries.length !== Object.keys(other).length) return false;
    for (const [key, value] of entries) {
      if (!Object.hasOwn(other, key)) return false;
      pairs.push([value, (other as Metadata)[key]]);
    }
  }
  return true;
}

/** Two maps, or two sets, as lists of what is in them. */
function listed(one: object, other: object): [unknown[], unknown[]] | undefined {
  if (one instanceof Map && other instanceof Map) return [[...one], [...other]];
  return one instanceof Set && other instanceof Set ? [[...one], [...other]] : undefined;
}

/** Whether two buffers, or two views of one kind into buffers, hold the same bytes. */
function sameBytes(one: object, other: object): boolean {
  const [a, b] = [bytesIn(one), bytesIn(other)];
  return (
    a !== undefined &&
    a.length === b?.length &&
    Object.prototype.toString.call(one) === Object.prototype.toString.call(other) &&
    a.every((byte, at) => byte === b[at])
  );
}

function bytesIn(value: object): Uint8Array | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (!ArrayBuffer.isView(value)) return undefined;
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

const isRecord = (value: unknown): value is Metadata =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const isPlain = (value: object): boolean =>
  [Object.prototype, Array.prototype, null].includes(Object.getPrototypeOf(value));
