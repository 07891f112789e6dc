import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TopK } from '../../src/kernel/topk.ts';
import { Bitmap } from '../../src/vectors/bitmap.ts';
import { toVector } from '../../src/vectors/check.ts';
import { decodeSegment, encodeSegment, SEGMENT_VERSION } from '../../src/vectors/format.ts';
import { SEGMENT_ROWS, VectorRows } from '../../src/vectors/rows.ts';

describe('a bitmap', () => {
  it('holds the bits that were set and not deleted, however far apart', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(5_000))), (steps) => {
        const bits = new Bitmap();
        const naive = new Set<number>();
        for (const [add, bit] of steps) {
          if (add) bits.add(bit);
          else bits.delete(bit);
          if (add) naive.add(bit);
          else naive.delete(bit);
        }
        for (const [, bit] of steps) expect(bits.has(bit)).toBe(naive.has(bit));
        expect(bits.has(100_000)).toBe(false);
      }),
    );
  });
});

describe('the best k', () => {
  it('are those a stable sort would put first', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3, max: 3 })), fc.integer({ min: 1, max: 12 }), (scores, k) => {
        const best = new TopK(k);
        for (const [row, score] of scores.entries()) best.offer(row, score);
        const sorted = scores.map((score, row) => ({ row, score })).sort((a, b) => b.score - a.score);
        expect(best.take()).toEqual(sorted.slice(0, k));
      }),
    );
  });
});

describe('vector rows', () => {
  const dimensions = 3;
  const values = fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 3, maxLength: 3 });
  const row = fc.nat(SEGMENT_ROWS * 2 + 40);

  it('find what a full scan and a stable sort find, among the allowed rows', async () => {
    const step = fc.record({ row, values, keep: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        values,
        fc.array(row),
        fc.integer({ min: 1, max: 9 }),
        async (steps, query, extra, k) => {
          const rows = new VectorRows(dimensions);
          await rows.reserve(0);
          const naive = new Map<number, number[]>();
          for (const one of steps) {
            if (one.keep) {
              rows.set(one.row, Float32Array.from(one.values));
              naive.set(one.row, one.values);
            } else {
              rows.delete(one.row);
              naive.delete(one.row);
            }
          }
          expect(rows.count).toBe(naive.size);
          const allowed = new Bitmap();
          for (const one of [...extra, ...steps.slice(0, 20).map((each) => each.row)]) allowed.add(one);
          const expected = [...naive]
            .filter(([at]) => allowed.has(at))
            .sort(([a], [b]) => a - b)
            .map(([at, vector]) => ({ row: at, score: cosine(query, vector) }))
            .sort((a, b) => b.score - a.score)
            .slice(0, k);
          const actual = rows.search(Float32Array.from(query), k, allowed);
          expect(actual.map((match) => match.score)).toEqual(
            expected.map(({ score }) => expect.closeTo(score, 9)),
          );
          for (const { row: at, score } of actual)
            expect(score).toBeCloseTo(cosine(query, naive.get(at)!), 9);
        },
      ),
    );
  });

  it('compare over the values both sides have where the query is of another length', async () => {
    const rows = new VectorRows(2);
    await rows.reserve(0);
    rows.set(0, Float32Array.of(3, 4));
    rows.set(1, Float32Array.of(0, 1));
    expect(rows.search(Float32Array.of(5), 9)).toEqual([
      { row: 0, score: 1 },
      { row: 1, score: 0 },
    ]);
    expect(rows.search(Float32Array.of(0, 1, 7), 1)).toEqual([{ row: 1, score: 1 }]);
    expect(rows.search(new Float32Array(), 9).map(({ score }) => score)).toEqual([0, 0]);
  });

  it('hold 4 bytes a value and 9 a row, give or take a segment (B108)', async () => {
    const rows = new VectorRows(16);
    await rows.reserve(0);
    for (let at = 0; at < 30_000; at++) rows.set(at, new Float32Array(16));
    expect(rows.bytes).toBeLessThanOrEqual((30_000 + SEGMENT_ROWS) * (16 * 4 + 9));
  });

  it('tell the cosine of any row, 0 for one without a vector', async () => {
    const rows = new VectorRows(2);
    expect(rows.cosines(Float32Array.of(0, 2), [0])).toEqual([0]);
    await rows.reserve(0);
    rows.set(3, Float32Array.of(3, 4));
    rows.set(4, Float32Array.of(0, 1));
    rows.delete(4);
    expect(rows.cosines(Float32Array.of(0, 2), [4, 3, 3, 9_999])).toEqual([0, 0.8, 0.8, 0]);
  });

  it('are copied when a vector comes as a view of a large buffer', () => {
    const matrix = new Float32Array(10_000);
    expect(toVector(matrix.subarray(40, 44), 'a row').buffer.byteLength).toBe(16);
  });
});

describe('a stored segment', () => {
  const rows = Float32Array.of(1, -2, 0.5, 1e-3, 7, 0);
  const bytes = () => encodeSegment({ values: rows }, 3);
  const changed = (change: (view: DataView) => void) => {
    const copy = bytes();
    change(new DataView(copy));
    return copy;
  };

  it('gives back the rows it was made of', () => {
    fc.assert(
      fc.property(fc.float32Array({ noNaN: true, noDefaultInfinity: true, minLength: 1 }), (values) => {
        expect(decodeSegment(encodeSegment({ values }, 1), 1, 'f32', 'it')).toEqual({ values });
      }),
    );
    fc.assert(
      fc.property(fc.int8Array({ minLength: 1 }), fc.float({ noNaN: true }), (values, peak) => {
        const packed = { values, peaks: new Float32Array(values.length).fill(peak) };
        expect(decodeSegment(encodeSegment(packed, 1), 1, 'int8', 'it')).toEqual(packed);
      }),
    );
    const empty = encodeSegment({ values: new Float32Array() }, 3);
    expect(decodeSegment(empty, 3, 'int8+f32', 'it').values).toHaveLength(0);
  });

  it.each<[string, string, unknown, RegExp]>([
    ['something else', 'STORE_CORRUPT', 'bytes', /not a block of bytes/],
    ['a cut header', 'STORE_CORRUPT', new ArrayBuffer(20), /20 bytes long/],
    ['another magic', 'STORE_CORRUPT', changed((v) => v.setUint8(0, 0)), /mark of a vector segment/],
    ['version 0', 'STORE_CORRUPT', changed((v) => v.setUint16(4, 0, true)), /no version/],
    [
      'a newer version',
      'FORMAT',
      changed((v) => v.setUint16(4, SEGMENT_VERSION + 1, true)),
      /version 2 .* up to 1/,
    ],
    ['an unknown type', 'STORE_CORRUPT', changed((v) => v.setUint8(6, 9)), /unknown type \(9\)/],
    [
      'another type',
      'STORE_CORRUPT',
      encodeSegment({ values: new Int8Array(6), peaks: new Float32Array(2) }, 3),
      /kind of values of the index, 'f32'/,
    ],
    [
      'other dimensions',
      'STORE_CORRUPT',
      encodeSegment({ values: rows }, 2),
      /vectors of 2 values where the index has 3/,
    ],
    ['too many rows', 'STORE_CORRUPT', changed((v) => v.setUint32(12, 100_000, true)), /claims 100000 rows/],
    ['a cut end', 'STORE_CORRUPT', bytes().slice(0, -4), /52 bytes long instead of 56/],
    ['an altered value', 'STORE_CORRUPT', changed((v) => v.setFloat32(32, 1.5, true)), /checksum/],
  ])('is refused for %s, saying so', (_, code, given, message) => {
    expect(() => decodeSegment(given, 3, 'f32', 'Segment 7')).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
    expect(() => decodeSegment(given, 3, 'f32', 'Segment 7')).toThrow('Segment 7');
  });

  it('is refused for any one bit, and for two signs, that changed', () => {
    for (let bit = 0; bit < rows.byteLength * 8; bit++) {
      const copy = bytes();
      new Uint8Array(copy)[32 + (bit >> 3)]! ^= 1 << (bit & 7);
      expect(() => decodeSegment(copy, 3, 'f32', 'it')).toThrow(/checksum/);
    }
    const signs = changed((view) => {
      for (const at of [35, 39]) view.setUint8(at, view.getUint8(at) ^ 0x80);
    });
    expect(() => decodeSegment(signs, 3, 'f32', 'it')).toThrow(/checksum/);
  });
});

function cosine(a: number[], b: number[]): number {
  const dot = a.reduce((sum, value, at) => sum + value * b[at]!, 0);
  const scale = Math.hypot(...a) * Math.hypot(...b);
  return scale === 0 ? 0 : dot / scale;
}
