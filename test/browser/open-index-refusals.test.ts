import { describe, expect, it } from 'vitest';
import { openIndex } from '../../src/open-index.ts';
import { open } from './index-helpers.ts';

const refusal = (message: string, code = 'INVALID_OPTION') => ({
  name: 'ShelfmarkError',
  code,
  message: expect.stringContaining(message),
});
const odd = (value: unknown) => value as never;
const embedder = { embed: async (texts: readonly string[]) => texts.map(() => [1, 2]) };

describe('openIndex', () => {
  it.each<[string, unknown, string]>([
    ['no object', 'docs', 'options is "docs"'],
    ['null', null, 'options is null'],
    ['a misspelt name', { persist: false, embeder: embedder }, 'Unknown option embeder'],
    ['persist', { persist: 'yes' }, 'persist is "yes"'],
    ['persist null', { name: 'x', persist: null }, 'persist is null'],
    ['name', { name: 5 }, 'name is 5'],
    ['name null', { name: null }, 'name is null'],
    ['embedder', { persist: false, embedder: null }, 'embedder is null'],
    ['splitter', { persist: false, splitter: null }, 'splitter is null'],
    ['lexicon', { persist: false, lexicon: null }, 'lexicon is null'],
    ['lexicon, misspelt', { persist: false, lexicon: { stemm: true } }, 'Unknown option lexicon.stemm'],
    ['vectors', { persist: false, vectors: 'f16' }, 'vectors is "f16"'],
    ['vectors null', { persist: false, vectors: null }, 'vectors is null'],
    ['fusion', { persist: false, fusion: 'sum' }, 'fusion is "sum"'],
    ['fusion null', { persist: false, fusion: null }, 'fusion is null'],
    ['semanticWeight', { persist: false, semanticWeight: 2 }, 'semanticWeight is 2'],
    ['semanticWeight null', { persist: false, semanticWeight: null }, 'semanticWeight is null'],
    [
      'an embedder’s weight',
      { persist: false, embedder: { ...embedder, semanticWeight: '1' } },
      'semanticWeight is "1"',
    ],
    ['store', { store: null }, 'store is null'],
    ['store {}', { store: {} }, 'store is an object'],
    ['from', { from: null }, 'from is null'],
    ['from 5', { from: 5 }, 'from is 5'],
    ['onBlocked', { name: 'x', onBlocked: true }, 'onBlocked is true'],
    ['blockedTimeout', { name: 'x', blockedTimeout: -1 }, 'blockedTimeout is -1'],
    ['blockedTimeout null', { name: 'x', blockedTimeout: null }, 'blockedTimeout is null'],
    ['durability', { name: 'x', durability: 'high' }, 'durability is "high"'],
    ['durability null', { name: 'x', durability: null }, 'durability is null'],
  ])('refuses %s', async (_, options, message) => {
    await expect(openIndex(odd(options))).rejects.toMatchObject(refusal(message));
  });

  it('takes an option at undefined for one left out', async () => {
    const index = await openIndex(odd({ persist: false, nothing: undefined, embedder: undefined }));
    expect((await index.stats()).documents).toBe(0);
    await index.close();
  });
});

describe('add and sync', () => {
  const good = { uri: 'a', text: 'zebra' };

  it.each<[string, unknown]>([
    ['no list', good],
    ['null', null],
    ['a string', 'zebra'],
    ['a hole', [undefined]],
    ['a null text', [{ uri: 'a', text: null }]],
    ['no text', [{ uri: 'a' }]],
    ['null pages', [{ ...good, pages: null }]],
    ['pages that are no strings', [{ ...good, pages: [1] }]],
    ['a null title', [{ ...good, title: null }]],
    ['null metadata', [{ ...good, metadata: null }]],
    ['a list as metadata', [{ ...good, metadata: [1] }]],
    ['a function in metadata', [{ ...good, metadata: { f: () => 1 } }]],
    ['two of a name', [good, good]],
  ])('refuse %s, and store nothing', async (_, documents) => {
    const index = await open({ persist: false });
    for (const call of [index.add(odd(documents)), index.sync(odd(documents))]) {
      await expect(call).rejects.toMatchObject({ code: 'INVALID_DOCUMENT' });
    }
    expect((await index.stats()).documents).toBe(0);
  });

  it.each<[string, unknown, string]>([
    ['null', null, 'options is null'],
    ['a misspelt name', { onprogress() {} }, 'Unknown option onprogress'],
    ['a signal that is none', { signal: true }, 'signal is true'],
    ['a controller for a signal', { signal: new AbortController() }, 'signal is a AbortController'],
    ['onProgress', { onProgress: 'log' }, 'onProgress is "log"'],
  ])('refuse %s as options, and store nothing', async (_, options, message) => {
    const index = await open({ persist: false, embedder });
    for (const call of [
      index.add([good], odd(options)),
      index.sync([good], odd(options)),
      index.reembed(odd(options)),
      index.repair(odd(options)),
    ]) {
      await expect(call).rejects.toMatchObject(refusal(message));
    }
    expect((await index.stats()).documents).toBe(0);
  });
});

describe('search', () => {
  it.each<[string, unknown, string]>([
    ['null', null, 'options is null'],
    ['a number', 5, 'options is 5'],
    ['a misspelt name', { topk: 3 }, 'Unknown option topk'],
    ['topK null', { topK: null }, 'topK is null'],
    ['mode null', { mode: null }, 'mode is null'],
    ['a floor for both', { minScore: 0.3 }, 'minScore is 0.3'],
    ['no floors', { minScore: null }, 'minScore is null'],
    ['a misspelt floor', { minScore: { meaning: 0.3 } }, 'Unknown option minScore.meaning'],
    ['a floor at null', { minScore: { semantic: null } }, 'minScore.semantic is null'],
    ['prefix', { prefix: 'yes' }, 'prefix is "yes"'],
    ['typos', { typos: 2 }, 'typos is 2'],
    ['filter', { filter: null }, 'filter is null'],
    ['signal', { signal: null }, 'signal is null'],
  ])('refuses %s', async (_, options, message) => {
    const index = await open({ persist: false });
    await index.add([{ uri: 'a', text: 'zebra' }]);
    await expect(index.search('zebra', odd(options))).rejects.toMatchObject(refusal(message));
  });
});

describe('retriever', () => {
  it('refuses what search refuses', async () => {
    const index = await open({ persist: false });
    await expect(index.retriever(odd({ topk: 3 })).retrieve('zebra')).rejects.toMatchObject(
      refusal('Unknown option topk'),
    );
  });

  it.each([null, 5])('refuses %s for its options, and for those of a call', async (options) => {
    const index = await open({ persist: false });
    const message = refusal(`options is ${options}`);
    expect(() => index.retriever(odd(options))).toThrow(expect.objectContaining(message));
    await expect(index.retriever().retrieve('zebra', odd(options))).rejects.toMatchObject(message);
  });
});

describe('remove', () => {
  it.each([undefined, null, 5, { uri: 'a' }, [[5]]])('refuses %s, and removes nothing', async (uris) => {
    const index = await open({ persist: false });
    await index.add([{ uri: 'a', text: 'zebra' }]);
    await expect(index.remove(odd(uris))).rejects.toMatchObject(refusal('uris is'));
    expect((await index.stats()).documents).toBe(1);
  });
});
