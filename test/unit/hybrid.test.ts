import { describe, expect, it } from 'vitest';
import { HybridRetriever } from '../../src/retrieve/hybrid.ts';
import { KeywordRetriever } from '../../src/retrieve/keyword.ts';
import type { Passage, Retriever } from '../../src/types.ts';

const passage = (id: string, score: number): Passage => ({ id, text: `text of ${id}`, score });
const leg = (...ids: string[]): Retriever => ({
  retrieve: async () => ids.map((id, at) => passage(id, 10 - at)),
});
const failing = (error: unknown): Retriever => ({
  retrieve: () => {
    throw error;
  },
});
const ids = (passages: readonly Passage[]) => passages.map(({ id }) => id);

describe('a hybrid retriever', () => {
  it('says which rank and score a passage had in each leg, by the leg’s name', async () => {
    const found = await new HybridRetriever({ words: leg('a', 'b'), meaning: leg('b') }).retrieve('q');
    expect(found.map(({ id, legs }) => [id, legs])).toEqual([
      ['b', { words: { rank: 2, score: 9 }, meaning: { rank: 1, score: 10 } }],
      ['a', { words: { rank: 1, score: 10 } }],
    ]);
  });

  it('names the legs of an array by their position', async () => {
    const [first] = await new HybridRetriever([leg('a'), leg('a')]).retrieve('q');
    expect(Object.keys(first!.legs!)).toEqual(['0', '1']);
  });

  it('weighs legs by name or position, a weight of 0 included', async () => {
    const legs = { words: leg('a', 'b'), meaning: leg('c', 'b') };
    const only = (weights: Record<string, number> | number[]) =>
      new HybridRetriever(legs, { weights }).retrieve('q');
    expect(ids(await only({ words: 0 }))).toEqual(['c', 'b', 'a']);
    expect(ids(await only([0]))).toEqual(['c', 'b', 'a']);
    expect((await only([0])).at(-1)).toMatchObject({ score: 0, legs: { words: { rank: 1, score: 10 } } });
  });

  it('counts a passage once a leg, where the leg named it first', async () => {
    const [first] = await new HybridRetriever([leg('a', 'a', 'b')]).retrieve('q');
    expect(first).toMatchObject({ id: 'a', score: 1 / 61, legs: { 0: { rank: 1, score: 10 } } });
  });

  it('rejects with the error of a leg', async () => {
    const error = new Error('no model');
    await expect(new HybridRetriever([leg('a'), failing(error)]).retrieve('q')).rejects.toBe(error);
  });

  it('goes on without a leg that fails where it is told to, and says which', async () => {
    const told: unknown[] = [];
    const onLegError = (error: unknown, name: string) => told.push([name, (error as Error).message]);
    const legs = { words: leg('a'), meaning: failing(new Error('no model')) };
    expect(ids(await new HybridRetriever(legs, { onLegError }).retrieve('q'))).toEqual(['a']);
    expect(told).toEqual([['meaning', 'no model']]);
  });

  it('rejects where every leg fails, whatever it is told', async () => {
    const legs = [failing(new Error('first')), failing(new Error('second'))];
    await expect(new HybridRetriever(legs, { onLegError: () => {} }).retrieve('q')).rejects.toThrow('first');
  });

  it('rejects with the signal’s reason as soon as it is aborted', async () => {
    const stop = new AbortController();
    const never: Retriever = { retrieve: () => new Promise(() => {}) };
    const call = new HybridRetriever([leg('a'), never], { onLegError: () => {} }).retrieve('q', {
      signal: stop.signal,
    });
    const reason = new Error('changed my mind');
    stop.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  it('hands the question, the filter and the signal to every leg', async () => {
    const seen: unknown[] = [];
    const spy: Retriever = {
      retrieve: async (query, options) => {
        seen.push([query, options]);
        return [];
      },
    };
    const { signal } = new AbortController();
    await new HybridRetriever([spy, spy], { fetchTopK: 7 }).retrieve('why', { filter: { tag: 'x' }, signal });
    const asked = ['why', { topK: 7, filter: { tag: 'x' }, signal }];
    expect(seen).toEqual([asked, asked]);
  });

  it.each([
    ['k', { k: Number.NaN }],
    ['k', { k: -2 }],
    ['fetchTopK', { fetchTopK: 1.5 }],
    ['fetchTopK', { fetchTopK: -1 }],
    ['weights.0', { weights: [-1] }],
    ['weights.0', { weights: [Number.NaN] }],
    ['weights', { weights: { wrods: 1 } }],
  ])('refuses an odd %s', (option, options) => {
    expect(() => new HybridRetriever([new KeywordRetriever()], options)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining(`${option} is`) }),
    );
  });

  it('refuses what is no retriever, and a topK that is no number', async () => {
    expect(() => new HybridRetriever([{} as Retriever])).toThrow(/retrievers\.0 is an object/);
    await expect(new HybridRetriever([]).retrieve('q', { topK: Number.NaN })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    });
  });
});
