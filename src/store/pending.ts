import type { Entry } from './table.ts';

/**
 * The rows whose vector is still to come, as ranges `from, to, from, to, …` in rising order, `to` not in them. So a commit
 * of vectors need not write the entries of their documents again: what it says of them is a few numbers.
 */
export function pendingRanges(entries: Iterable<Entry>): Uint32Array {
  const found: [from: number, to: number][] = [];
  for (const { rows, pending } of entries) {
    if (pending === undefined) continue;
    const [first, last] = [rows[0]!, rows.at(-1)!];
    if (pending.length === rows.length && last - first + 1 === rows.length) found.push([first, last + 1]);
    else for (const at of pending) found.push([rows[at]!, rows[at]! + 1]);
  }
  found.sort(([a], [b]) => a - b);
  const ranges: number[] = [];
  for (const [from, to] of found) {
    if (ranges.at(-1) === from) ranges[ranges.length - 1] = to;
    else ranges.push(from, to);
  }
  return Uint32Array.from(ranges);
}

/** Positions of an entry's records whose row is in one of the ranges; undefined where none is. */
export function pendingIn({ rows }: Entry, ranges: Uint32Array): number[] | undefined {
  if (ranges.length === 0) return undefined;
  const pending: number[] = [];
  for (const [at, row] of rows.entries()) if (isIn(ranges, row)) pending.push(at);
  return pending.length === 0 ? undefined : pending;
}

function isIn(ranges: Uint32Array, row: number): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]! <= row) low = middle + 1;
    else high = middle;
  }
  // Behind an odd number of borders.
  return low % 2 === 1;
}

/** Whether these could be such ranges, whoever wrote them. */
export const areRanges = (ranges: unknown): ranges is Uint32Array =>
  ranges instanceof Uint32Array &&
  ranges.length % 2 === 0 &&
  ranges.every((border, at) => at === 0 || border > ranges[at - 1]!);

/** The entry with other positions that are pending; itself where they are the same. */
export function withPending(entry: Entry, pending: readonly number[] | undefined): Entry {
  const { pending: before, ...rest } = entry;
  const same =
    before?.length === pending?.length && (before ?? []).every((position, at) => position === pending![at]);
  if (same) return entry;
  return { ...rest, ...(pending !== undefined && { pending }) };
}
