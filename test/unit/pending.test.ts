import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areRanges, pendingIn, pendingRanges, withPending } from '../../src/store/pending.ts';
import type { Entry } from '../../src/store/table.ts';
import { runs } from '../arbitraries.ts';

const entryOf = (id: string, rows: readonly number[], pending: readonly number[]): Entry => ({
  id,
  version: 1,
  generation: 1,
  rows: Uint32Array.from(rows),
  columns: { numbers: {}, values: {} },
  ...(pending.length > 0 && { pending }),
});

/** Documents over rows that are dealt out in any order, some of them nobody's, some without a vector. */
const documents = fc
  .array(fc.record({ owner: fc.integer({ min: -1, max: 5 }), pending: fc.boolean() }), { maxLength: 60 })
  .map((rows) =>
    Array.from({ length: 6 }, (_, owner) => {
      const own = rows.flatMap((row, at) => (row.owner === owner ? [{ at, pending: row.pending }] : []));
      return entryOf(
        `d${owner}`,
        own.map(({ at }) => at),
        own.flatMap(({ pending }, at) => (pending ? [at] : [])),
      );
    }).filter(({ rows }) => rows.length > 0),
  );

describe('what is pending, as ranges of rows', () => {
  it('is the same again for every document', () => {
    fc.assert(
      fc.property(documents, (entries) => {
        const ranges = pendingRanges(entries);
        expect(areRanges(ranges)).toBe(true);
        const naive = entries.flatMap(({ rows, pending = [] }) => pending.map((at) => rows[at]!));
        const spelt: number[] = [];
        for (let at = 0; at < ranges.length; at += 2) {
          for (let row = ranges[at]!; row < ranges[at + 1]!; row++) spelt.push(row);
        }
        expect(spelt).toEqual(naive.sort((a, b) => a - b));
        for (const entry of entries) {
          expect(pendingIn(entry, ranges)).toEqual(entry.pending);
          expect(withPending(withPending(entry, undefined), entry.pending)).toEqual(entry);
          expect(withPending(entry, pendingIn(entry, ranges))).toBe(entry);
        }
      }),
      { numRuns: runs() },
    );
  });

  it('is one range while documents come in, however many they are', () => {
    const entries = Array.from({ length: 1000 }, (_, at) => entryOf(`d${at}`, [at * 2, at * 2 + 1], [0, 1]));
    expect([...pendingRanges(entries)]).toEqual([0, 2000]);
    expect([...pendingRanges(entries.slice(7))]).toEqual([14, 2000]);
  });

  it.each([[[1]], [[2, 2]], [[3, 1]], [[0, 2, 2, 4]]])('is not %j', (borders) => {
    expect(areRanges(Uint32Array.from(borders))).toBe(false);
    expect(areRanges(borders)).toBe(false);
  });
});
