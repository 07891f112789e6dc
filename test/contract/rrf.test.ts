import { describe, expect, it } from 'vitest';
import { HybridRetriever } from '../../src/retrieve/hybrid.ts';
import type { Passage, RetrieveOptions, Retriever } from '../../src/types.ts';
import { loadVectors } from '../vectors.ts';

interface Input {
  legs: Passage[][];
  legsIgnoreTopK?: boolean;
}
interface Options {
  hybrid?: { k?: number; fetchTopK?: number; weights?: number[] };
  retrieve?: RetrieveOptions;
}
interface Expected {
  asked: RetrieveOptions[];
  passages: Passage[];
}

describe('the reference cases of rrf', () => {
  it('agree to 1e-9; order, fields and what each leg is asked exactly', async () => {
    const cases = await loadVectors<Input, Options, Expected>('rrf');
    expect(cases.length).toBe(85);
    for (const { name, input, options, expected } of cases) {
      const asked: RetrieveOptions[] = [];
      const legs = input.legs.map(
        (list): Retriever => ({
          retrieve: async (_query, given = {}) => {
            asked.push(given);
            return input.legsIgnoreTopK ? list : list.slice(0, given.topK);
          },
        }),
      );
      const passages = await new HybridRetriever(legs, options.hybrid).retrieve('q', options.retrieve);
      expect(asked, name).toStrictEqual(expected.asked);
      const bare = passages.map(({ score: _score, legs: _legs, ...rest }) => rest);
      expect(bare, name).toStrictEqual(expected.passages.map(({ score: _score, ...rest }) => rest));
      passages.forEach(({ score }, at) => {
        const wanted = expected.passages[at]!.score;
        // Infinity and 0 are themselves; all else is relative.
        if (score !== wanted) expect(Math.abs(score - wanted) / wanted, name).toBeLessThan(1e-9);
      });
    }
  });
});
