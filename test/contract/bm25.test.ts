import { describe, expect, it } from 'vitest';
import { KeywordRetriever } from '../../src/retrieve/keyword.ts';
import type { ChunkRecord, RetrieveOptions } from '../../src/types.ts';
import { loadVectors } from '../vectors.ts';

type Step = { op: 'add'; records: ChunkRecord[] } | { op: 'remove'; documentId: string } | { op: 'clear' };
interface Input {
  steps: Step[];
  query: string;
}
interface Options {
  bm25?: { k1?: number; b?: number };
  retrieve?: RetrieveOptions;
}
interface Expected {
  size: number;
  passages: (Record<string, unknown> & { score: number })[];
}

describe('the reference cases of bm25', () => {
  it('agree to 1e-9, order and fields exactly', async () => {
    const cases = await loadVectors<Input, Options, Expected>('bm25');
    expect(cases.length).toBe(99);
    for (const { name, input, options, expected } of cases) {
      const retriever = new KeywordRetriever({ ...options.bm25, analyzer: 'ascii' });
      for (const step of input.steps) {
        if (step.op === 'add') retriever.add(step.records);
        else if (step.op === 'remove') retriever.remove(step.documentId);
        else retriever.clear();
      }
      expect(retriever.size, name).toBe(expected.size);
      const passages = await retriever.retrieve(input.query, options.retrieve);
      const bare = passages.map(({ text: _text, score: _score, ...rest }) => rest);
      expect(bare, name).toEqual(expected.passages.map(({ score: _score, ...rest }) => rest));
      passages.forEach(({ score }, at) => {
        const wanted = expected.passages[at]!.score;
        expect(Math.abs(score - wanted) / wanted, name).toBeLessThan(1e-9);
      });
    }
  });
});
