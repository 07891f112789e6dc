import { openDB } from 'idb';

/**
 * Bytes of a value as the browser writes it to IndexedDB, but for compression and a few bytes of framing: a string takes
 * a byte a character where all are Latin-1, else two, a number that is no small integer 9, a buffer its length.
 */
export function structuredBytes(value: unknown): number {
  if (typeof value === 'string') return 2 + value.length * (isLatin1(value) ? 1 : 2);
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 2 ** 30 ? 4 : 9;
  if (value instanceof ArrayBuffer) return 5 + value.byteLength;
  if (ArrayBuffer.isView(value)) return 10 + value.byteLength;
  if (value instanceof Map) return [...value].reduce((sum, pair) => sum + structuredBytes(pair), 2);
  if (value === null || typeof value !== 'object') return 1;
  let bytes = 2;
  if (Array.isArray(value)) for (const item of value) bytes += structuredBytes(item);
  else for (const [key, item] of Object.entries(value)) bytes += 2 + key.length + structuredBytes(item);
  return bytes;
}

const isLatin1 = (text: string): boolean => /^[\u0000-\u00ff]*$/.test(text);

/** Bytes in each object store of a database, of values alone. */
export async function storedBytes(name: string): Promise<Map<string, number>> {
  const db = await openDB(name);
  const found = new Map<string, number>();
  for (const store of db.objectStoreNames) {
    let bytes = 0;
    // One by one, so that what is large is not in memory all at once.
    for (const key of await db.getAllKeys(store)) bytes += structuredBytes(await db.get(store, key));
    found.set(store, bytes);
  }
  db.close();
  return found;
}
