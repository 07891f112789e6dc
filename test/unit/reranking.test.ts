import { describe, expect, it } from 'vitest';
import { KeywordRetriever } from '../../src/retrieve/keyword.ts';
import { RerankingRetriever } from '../../src/retrieve/reranking.ts';
import type { Passage, RetrieveOptions, Retriever } from '../../src/types.ts';

function retriever(): KeywordRetriever {
  const keyword = new KeywordRetriever();
  keyword.add(['tea', 'green tea', 'green tea and black tea'].map((text, n) => ({ id: `d#${n}`, text })));
  return keyword;
}

const byLength = async (_query: string, passages: readonly { text: string }[]) =>
  passages.map(({ text }) => text.length);

describe('a reranking retriever', () => {
  it('puts passages in the reranker’s order, with its scores and what they had before', async () => {
    const before = await retriever().retrieve('tea', { topK: 3 });
    const found = await new RerankingRetriever(retriever(), byLength).retrieve('tea', { topK: 2 });
    expect(found.map(({ id, score }) => [id, score])).toEqual([
      ['d#2', 23],
      ['d#1', 9],
    ]);
    for (const { id, legs } of found) {
      const at = before.findIndex((one) => one.id === id);
      expect(legs).toEqual({ retrieved: { rank: at + 1, score: before[at]!.score } });
    }
  });

  it('keeps the retriever’s order between equal scores', async () => {
    const flat = new RerankingRetriever(retriever(), async (_, passages) => passages.map(() => 0));
    const plain = await retriever().retrieve('tea');
    expect((await flat.retrieve('tea')).map(({ id }) => id)).toEqual(plain.map(({ id }) => id));
  });

  it('shows the reranker more than are wanted, and never fewer', async () => {
    const asked: RetrieveOptions[] = [];
    const inner: Retriever = {
      retrieve: async (_query, options = {}) => {
        asked.push(options);
        return [];
      },
    };
    const { signal } = new AbortController();
    await new RerankingRetriever(inner, byLength).retrieve('q', { topK: 2, filter: { a: 1 }, signal });
    await new RerankingRetriever(inner, byLength, { fetchTopK: 3 }).retrieve('q', { topK: 9 });
    expect(asked).toEqual([{ topK: 20, filter: { a: 1 }, signal }, { topK: 9 }]);
  });

  it('takes a typed array, and does not call the reranker for nothing', async () => {
    let calls = 0;
    const typed = new RerankingRetriever(retriever(), (_, passages) => {
      calls++;
      return Float32Array.from(passages, (_one, at) => at);
    });
    expect(await typed.retrieve('coffee')).toEqual([]);
    expect(calls).toBe(0);
    expect(await typed.retrieve('tea')).toHaveLength(3);
  });

  it.each([
    ['too few scores', [1, 2], '2 scores'],
    ['NaN', [1, Number.NaN, 2], 'Score 1 of rerank is NaN'],
    ['a string', [1, 2, '3'], 'Score 2 of rerank is "3"'],
    ['no list', { scores: [1, 2, 3] }, 'is an object'],
    ['nothing', undefined, 'is undefined'],
  ])('refuses an answer of %s', async (_, answer, message) => {
    const odd = new RerankingRetriever(retriever(), async () => answer as number[]);
    await expect(odd.retrieve('tea')).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining(message),
    });
  });

  it('is not disturbed by a reranker that sorts its list in place', async () => {
    const rude = new RerankingRetriever(retriever(), async (_, passages) => {
      const scores = passages.map(({ text }) => text.length);
      (passages as Passage[]).reverse();
      return scores;
    });
    expect((await rude.retrieve('tea')).map(({ score }) => score)).toEqual([23, 9, 3]);
  });

  it('rejects with the reranker’s error, or with the signal’s reason while it works', async () => {
    const broken = new RerankingRetriever(retriever(), () => {
      throw new Error('out of memory');
    });
    await expect(broken.retrieve('tea')).rejects.toThrow('out of memory');
    const stop = new AbortController();
    const slow = new RerankingRetriever(retriever(), () => {
      stop.abort(new Error('enough'));
      return new Promise<number[]>(() => {});
    });
    await expect(slow.retrieve('tea', { signal: stop.signal })).rejects.toThrow('enough');
  });

  it('refuses options out of range', async () => {
    expect(() => new RerankingRetriever(retriever(), 'bge' as never)).toThrow(/rerank is "bge"/);
    expect(() => new RerankingRetriever(retriever(), byLength, { fetchTopK: 0 })).toThrow(/fetchTopK is 0/);
    await expect(new RerankingRetriever(retriever(), byLength).retrieve('q', { topK: -1 })).rejects.toThrow(
      /topK is -1/,
    );
  });
});
