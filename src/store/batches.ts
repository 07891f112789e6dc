/**
 * Reads values in the order of their keys, `size` at a time so that no single read is huge; the next batch is on
 * its way while one is taken in.
 */
export async function inBatches<K, V>(
  keys: readonly K[],
  size: number,
  fetch: (batch: K[]) => Promise<V[]>,
  take: (key: K, value: V) => void,
): Promise<void> {
  const begin = (start: number): Promise<V[]> | undefined => {
    const batch = keys.slice(start, start + size);
    if (batch.length === 0) return undefined;
    const values = fetch(batch);
    // It is awaited only after the batch before it was taken in, which may fail first.
    values.catch(() => {});
    return values;
  };
  let next = begin(0);
  for (let start = 0; next !== undefined; start += size) {
    const values: V[] = await next;
    next = begin(start + size);
    for (const [at, value] of values.entries()) take(keys[start + at]!, value);
  }
}
