import type { Filter, Metadata } from '../types.ts';
import type { Scalar, Where } from './client.ts';

/** Keys of this library's own in a record's metadata. */
export const keys = {
  document: 'shelfmark:document',
  order: 'shelfmark:order',
  head: 'shelfmark:head',
  lists: 'shelfmark:lists',
} as const;

/** What the engine compares as `===` does: it tells whole numbers from others, and whole ones have 64 bits. */
const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length <= 1024 && !/\p{Surrogate}/u.test(value)) ||
  (typeof value === 'number' &&
    Number.isFinite(value) &&
    (!Number.isInteger(value) || Number.isSafeInteger(value)));

/** Names that the engine takes for keys and this library does not use. */
const isKey = (key: string): boolean => /^[a-z_][\w.-]{0,127}$/i.test(key) && key !== '__proto__';

/** Metadata as the engine can filter by it: what is a scalar, under its own key; and whether any value is a list. */
export function nativeMetadata(metadata: Metadata | undefined): Record<string, Scalar> {
  const native: Record<string, Scalar> = {};
  for (const [key, value] of Object.entries(metadata ?? {})) {
    if (Array.isArray(value)) native[keys.lists] = true;
    else if (isKey(key) && isScalar(value)) native[key] = value;
  }
  return native;
}

/**
 * A condition that every record passes which passes the filter, and as few others as the engine can tell; undefined where
 * it can tell none. Which of them pass is decided here, in any case.
 */
export function whereOf(filter: Filter | undefined): Where | undefined {
  const all = Object.entries(filter ?? {}).flatMap(([key, wanted]) => {
    if (!isKey(key)) return [];
    if (!Array.isArray(wanted)) return isScalar(wanted) ? [{ [key]: { $eq: wanted } }] : [];
    if (!wanted.every(isScalar)) return [];
    return [either([...inOf(key, wanted), { [keys.lists]: { $eq: true } }])];
  });
  return all.length === 0 ? undefined : both(all);
}

/** Any of the values, a condition a type: the engine takes no list of several. */
function inOf(key: string, values: readonly Scalar[]): Where[] {
  const kinds = new Map<string, Scalar[]>();
  for (const value of values) {
    const kind = typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
    kinds.set(kind, [...(kinds.get(kind) ?? []), value]);
  }
  return [...kinds.values()].map((some) => ({ [key]: { $in: some } }));
}

const either = (some: Where[]): Where => (some.length === 1 ? some[0]! : { $or: some });
const both = (some: Where[]): Where => (some.length === 1 ? some[0]! : { $and: some });
