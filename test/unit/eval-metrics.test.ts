import { describe, expect, it } from 'vitest';
import { convex, reciprocal } from '../eval/legs.ts';
import { averagePrecision, ndcg, recall } from '../eval/metrics.ts';

const gains = new Map([
  ['a', 4],
  ['b', 2],
  ['c', 1],
]);

describe('what the evaluation computes', () => {
  it('is nDCG over all that was judged, found or not', () => {
    const ideal = 4 / Math.log2(2) + 2 / Math.log2(3) + 1 / Math.log2(4);
    expect(ndcg(['a', 'b', 'c'], gains, 10)).toBe(1);
    expect(ndcg(['x', 'b'], gains, 10)).toBeCloseTo(2 / Math.log2(3) / ideal, 12);
    expect(ndcg(['a', 'b', 'c'], gains, 1)).toBeCloseTo(4 / 4, 12);
    expect(ndcg([], gains, 10)).toBe(0);
  });

  it('is average precision, in which what is not found counts as 0', () => {
    expect(averagePrecision(['a', 'x', 'b'], gains)).toBeCloseTo((1 + 2 / 3) / 3, 12);
  });

  it('is the share of what is relevant among the first so many', () => {
    expect(recall(['x', 'a', 'b'], gains, 2)).toBeCloseTo(1 / 3, 12);
  });

  it('fuses by the formula of the facade, for every candidate of either leg', () => {
    const legs = { bm25: Float64Array.of(4, 2, 0, 0), cosine: Float64Array.of(0, 0.9, 0.5, -1) };
    expect(convex(legs, { weight: 0 })).toEqual([0, 1]);
    expect(convex(legs, { weight: 0.5 })).toEqual([1, 0, 2]);
    expect(convex(legs, { weight: 1, floor: 0.6 })).toEqual([1]);
    expect(convex({ ...legs, bm25: new Float64Array(4) }, { weight: 0.5 })).toEqual([1, 2]);
    expect(reciprocal(legs, 1)).toEqual([1, 0, 2]);
  });
});
