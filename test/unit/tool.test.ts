import { describe, expect, it } from 'vitest';
import { KeywordRetriever } from '../../src/retrieve/keyword.ts';
import { createRetrievalTool } from '../../src/retrieve/tool.ts';
import type { Retriever } from '../../src/types.ts';

function retriever(): KeywordRetriever {
  const keyword = new KeywordRetriever();
  keyword.add([
    {
      id: 'refunds.md#0',
      text: 'Refunds are issued within 14 days.',
      docUri: 'refunds.md',
      heading: 'Timing',
      headingPath: ['Refunds', 'Timing'],
      page: 2,
      charStart: 10,
      charEnd: 44,
      metadata: { secret: 'not for the model' },
    },
    { id: 'b#0', text: 'Refunds of deposits', source: 'b.pdf', metadata: { page: 3, heading: 'Deposits' } },
  ]);
  return keyword;
}

describe('a retrieval tool', () => {
  it('describes itself in plain data', () => {
    const { execute: _, ...described } = createRetrievalTool(retriever());
    expect(JSON.parse(JSON.stringify(described))).toEqual({
      name: 'search_knowledge',
      description: expect.stringMatching(/cite/),
      inputSchema: {
        type: 'object',
        properties: {
          query: { type: 'string', description: expect.any(String) },
          topK: { type: 'integer', minimum: 1, maximum: 50, description: expect.stringContaining('5') },
        },
        required: ['query'],
        additionalProperties: false,
      },
    });
  });

  it('answers passages with all that a citation needs, and nothing else', async () => {
    const result = await createRetrievalTool(retriever()).execute({ query: 'refunds within days' });
    expect(structuredClone(result)).toEqual({
      passages: [
        {
          id: 'refunds.md#0',
          docUri: 'refunds.md',
          heading: 'Timing',
          headingPath: ['Refunds', 'Timing'],
          page: 2,
          charStart: 10,
          charEnd: 44,
          text: 'Refunds are issued within 14 days.',
          score: expect.any(Number),
        },
        {
          id: 'b#0',
          docUri: 'b.pdf',
          heading: 'Deposits',
          page: 3,
          text: 'Refunds of deposits',
          score: expect.any(Number),
        },
      ],
    });
  });

  it('says honestly that it found nothing', async () => {
    const result = await createRetrievalTool(retriever()).execute({ query: 'warranty' });
    expect(result).toEqual({
      passages: [],
      message: expect.stringContaining('Nothing found for "warranty"'),
    });
  });

  it('returns as many as the model asks for, else as many as the app says', async () => {
    const tool = createRetrievalTool(retriever(), { topK: 1 });
    expect((await tool.execute({ query: 'refunds' })).passages).toHaveLength(1);
    expect((await tool.execute({ query: 'refunds', topK: null })).passages).toHaveLength(1);
    expect((await tool.execute({ query: 'refunds', topK: 2 })).passages).toHaveLength(2);
  });

  it.each([
    ['no arguments', undefined, /arguments are undefined/],
    ['a bare string', 'refunds', /arguments are "refunds"/],
    ['an array', ['refunds'], /arguments are an array/],
    ['no query', { q: 'refunds' }, /query is undefined/],
    ['a query that is no string', { query: 14 }, /query is 14/],
    ['a blank query', { query: ' \n' }, /query is " \\n"/],
    ['a topK out of range', { query: 'refunds', topK: 51 }, /topK is 51; give a whole number from 1 to 50/],
    ['a topK of 0', { query: 'refunds', topK: 0 }, /topK is 0/],
    ['a topK that is a string', { query: 'refunds', topK: '3' }, /topK is "3"/],
  ])('answers %s with an error the model can read', async (_, input, message) => {
    const result = await createRetrievalTool(retriever()).execute(input);
    expect(result).toEqual({ passages: [], error: expect.stringMatching(message) });
  });

  it('passes an abort on, under either of its names', async () => {
    const stop = new AbortController();
    stop.abort(new Error('tab closed'));
    const tool = createRetrievalTool(retriever());
    for (const call of [{ signal: stop.signal }, { abortSignal: stop.signal }]) {
      await expect(tool.execute({ query: 'refunds' }, call)).rejects.toThrow('tab closed');
    }
    const seen: unknown[] = [];
    const spy: Retriever = {
      retrieve: async (_query, options) => {
        seen.push(options?.signal);
        return [];
      },
    };
    const { signal } = new AbortController();
    await createRetrievalTool(spy).execute({ query: 'refunds' }, { signal });
    expect(seen).toEqual([signal]);
  });

  it('rejects with what the retriever fails with: that is no mistake of the model', async () => {
    const broken: Retriever = { retrieve: () => Promise.reject(new Error('closed')) };
    await expect(createRetrievalTool(broken).execute({ query: 'refunds' })).rejects.toThrow('closed');
  });

  it.each([
    ['name', { name: 'search knowledge' }],
    ['description', { description: ' ' }],
    ['topK', { topK: 51 }],
  ])('refuses an odd %s of the app', (option, options) => {
    expect(() => createRetrievalTool(retriever(), options)).toThrow(new RegExp(`${option} is`));
  });
});
