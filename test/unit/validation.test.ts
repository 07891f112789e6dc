/** What is refused, by name, where it would otherwise be taken for something else or fail with a raw TypeError. */
import { describe, expect, it } from 'vitest';
import { ingestChunks, ingestDocuments } from '../../src/ingest/records.ts';
import { EmbeddingRetriever } from '../../src/retrieve/embedding.ts';
import { FilteredRetriever } from '../../src/retrieve/filtered.ts';
import { HybridRetriever } from '../../src/retrieve/hybrid.ts';
import { KeywordRetriever } from '../../src/retrieve/keyword.ts';
import { LexicalRetriever } from '../../src/retrieve/lexical.ts';
import { RerankingRetriever } from '../../src/retrieve/reranking.ts';
import { createRetrievalTool } from '../../src/retrieve/tool.ts';
import { checkSplitter } from '../../src/split/check-splitter.ts';
import { chunkDocuments } from '../../src/split/chunk-documents.ts';
import { splitDocuments } from '../../src/split/split-documents.ts';
import { wholeDocument } from '../../src/split/whole-document.ts';
import { MemoryVectorStore } from '../../src/store/memory.ts';
import {
  applyMetadataPatch,
  checkFilter,
  isEmptyPatch,
  matchesFilter,
  sameData,
  storableMetadata,
} from '../../src/store/metadata.ts';
import { isLexicalVectorStore } from '../../src/store/store.ts';
import type { ChunkRecord, Retriever, Splitter, VectorStore } from '../../src/types.ts';
import { lettersEmbedder } from '../letters-embedder.ts';

/** An error of this code, its message beginning as given. */
const refusal = (message: string, code = 'INVALID_OPTION') =>
  expect.objectContaining({ name: 'ShelfmarkError', code, message: expect.stringContaining(message) });

const odd = (value: unknown) => value as never;

const embedder = lettersEmbedder();

async function storeOf(records: readonly ChunkRecord[]): Promise<MemoryVectorStore> {
  const store = new MemoryVectorStore();
  await ingestChunks(records, { embedder, store });
  return store;
}

const teas: ChunkRecord[] = [
  { id: 'a#0', text: 'green tea', metadata: { tag: 'x' } },
  { id: 'b#0', text: 'black tea', metadata: { tag: 'y' } },
];

function keyword(records = teas): KeywordRetriever {
  const retriever = new KeywordRetriever();
  retriever.add(records);
  return retriever;
}

const notFilters: [string, unknown][] = [
  ['null', null],
  ['a Map', new Map([['tag', 'x']])],
  ['a Set', new Set()],
  ['a list', []],
  ['a list of filters', [{ tag: 'x' }]],
  ['a number', 5],
  ['true', true],
  ['a string', ''],
  ['a Date', new Date(0)],
  ['an instance', new (class Filter {})()],
  ['a function', () => true],
];

describe.each(notFilters)('a filter that is %s', (_, filter) => {
  const accepted = refusal('give a plain object of keys and values');

  it('is refused wherever metadata is compared with it', () => {
    expect(() => checkFilter(filter)).toThrow(accepted);
    expect(() => matchesFilter({ tag: 'x' }, odd(filter))).toThrow(accepted);
    expect(() => matchesFilter(undefined, odd(filter))).toThrow(accepted);
  });

  it('is refused by every retriever, by those that hold nothing too', async () => {
    const inner: Retriever = { retrieve: async () => expect.unreachable() };
    // A store of someone else's, which would let everything pass.
    const foreign = {
      capabilities: { exact: true, lexical: true, persistent: false },
      search: inner.retrieve,
      searchText: inner.retrieve,
    } as unknown as VectorStore;
    for (const retriever of [
      keyword(),
      new KeywordRetriever(),
      new EmbeddingRetriever(embedder, foreign),
      new LexicalRetriever(foreign),
      new HybridRetriever([inner], { onLegError: () => {} }),
      new FilteredRetriever(inner, { tag: 'x' }),
      new RerankingRetriever(inner, () => []),
    ]) {
      await expect(retriever.retrieve('tea', { filter: odd(filter) })).rejects.toThrow(accepted);
    }
  });

  it('is refused as the fixed filter of a FilteredRetriever', () => {
    expect(() => new FilteredRetriever(keyword(), odd(filter))).toThrow(accepted);
  });

  it('is refused by what lists and counts a store', async () => {
    const store = await storeOf(teas);
    await expect(store.listDocuments(odd(filter))).rejects.toThrow(accepted);
    await expect(store.listDocumentIds(odd(filter))).rejects.toThrow(accepted);
    await expect(store.countChunks(odd(filter))).rejects.toThrow(accepted);
    await expect(store.removeWhere(odd(filter))).rejects.toMatchObject({
      code: expect.stringMatching(/^(INVALID_OPTION|UNSAFE_REMOVAL)$/),
    });
    expect(await store.countChunks()).toBe(2);
  });
});

describe('a filter', () => {
  it('may have no prototype, and may be left out', async () => {
    const filter = Object.assign(Object.create(null), { tag: 'x' });
    expect((await keyword().retrieve('tea', { filter })).map(({ id }) => id)).toEqual(['a#0']);
    expect(await keyword().retrieve('tea', { filter: undefined })).toHaveLength(2);
    expect(await keyword().retrieve('tea', { filter: {} })).toHaveLength(2);
  });

  it('must be given to a FilteredRetriever, which keeps it as it was', async () => {
    expect(() => new FilteredRetriever(keyword(), odd(undefined))).toThrow(refusal('filter is undefined'));
    const filter: Record<string, unknown> = { tag: 'x' };
    const filtered = new FilteredRetriever(keyword(), filter);
    delete filter['tag'];
    expect((await filtered.retrieve('tea')).map(({ id }) => id)).toEqual(['a#0']);
  });
});

/** `depth` objects, one in the other; the last one holds the first. */
function cycle(depth: number, value: unknown = 1): Record<string, unknown> {
  const first: Record<string, unknown> = { value };
  let last = first;
  for (let at = 1; at < depth; at++) last = last['next'] = { value } as Record<string, unknown>;
  last['next'] = first;
  return first;
}

describe('metadata', () => {
  it('that holds itself can be compared, however the cycle is spelt', () => {
    expect(sameData(cycle(1), cycle(1))).toBe(true);
    expect(sameData(cycle(2), cycle(3))).toBe(true);
    expect(sameData(cycle(2), structuredClone(cycle(2)))).toBe(true);
    expect(sameData(cycle(2), cycle(2, 'other'))).toBe(false);
    expect(sameData(cycle(1), { value: 1, next: { value: 1 } })).toBe(false);
    expect(storableMetadata(cycle(2), 'it')).toEqual(cycle(2));
  });

  it('that is deep, or shares a part many times over, can be compared in little time', () => {
    const deep = () => {
      let value: unknown = 1;
      for (let at = 0; at < 50_000; at++) value = [value];
      return value;
    };
    const shared = () => {
      let value: unknown = 1;
      for (let at = 0; at < 60; at++) value = { left: value, right: value };
      return value;
    };
    expect(sameData(deep(), deep())).toBe(true);
    expect(sameData(shared(), shared())).toBe(true);
    expect(sameData([shared()], [[shared()]])).toBe(false);
  });

  it('is compared by value, keys in any order', () => {
    expect(sameData({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 })).toBe(true);
    expect(sameData({ a: undefined }, { b: undefined })).toBe(false);
    expect(sameData({ a: 'x' }, { a: undefined })).toBe(false);
    expect(sameData([1], { 0: 1 })).toBe(false);
    expect(sameData({ a: new Date(1) }, { a: new Date(1) })).toBe(true);
    expect(sameData({ a: new Date(1) }, { a: new Date(2) })).toBe(false);
    expect(sameData({ a: new Date(1) }, { a: {} })).toBe(false);
    expect(sameData(new Error('a'), new Error('a'))).toBe(false);
  });

  it.each([[null], [5], ['x'], [[]]])('that is %j is refused', (metadata) => {
    const refused = refusal('metadata of record "a" is', 'INVALID_DOCUMENT');
    expect(() => storableMetadata(odd(metadata), 'record "a"')).toThrow(refused);
    expect(() => keyword([{ id: 'a', text: 'tea', metadata: odd(metadata) }])).toThrow(refused);
  });

  it.each([[null], [5], [[]]])('is not patched by %j', (patch) => {
    expect(() => applyMetadataPatch({}, odd(patch))).toThrow(refusal('patch is'));
    expect(() => isEmptyPatch(odd(patch))).toThrow(refusal('patch is'));
  });
});

describe('splitDocuments', () => {
  const documents = [{ uri: 'a.md', text: 'some text' }];
  const answering = (answer: unknown): Splitter => ({ id: 'own@1', name: 'own', split: () => odd(answer) });
  const piece = { text: 'some', charStart: 0, charEnd: 4 };

  it.each([
    ['a Promise', Promise.resolve([])],
    ['null', null],
    ['undefined', undefined],
    ['"some"', 'some'],
    ['5', 5],
    ['an object', {}],
  ])('refuses a splitter that answers %s, by name', (shown, answer) => {
    const message = `The answer of "a.md" from splitter "own" is ${shown}; give an array of pieces`;
    for (const verifyOffsets of [true, false]) {
      expect(() => splitDocuments(documents, answering(answer), { verifyOffsets })).toThrow(refusal(message));
    }
  });

  it.each([
    ['Piece 0 of "a.md" from splitter "own" is null', null],
    ['Piece 0 of "a.md" from splitter "own" is "some"', 'some'],
    ['text of Piece 0 of "a.md" from splitter "own" is undefined', {}],
    ['heading of Piece 0 of "a.md" from splitter "own" is 5', { ...piece, heading: 5 }],
    ['slug of Piece 0 of "a.md" from splitter "own" is null', { ...piece, slug: null }],
    ['context of Piece 0 of "a.md" from splitter "own" is an array of 0', { ...piece, context: [] }],
    ['page of Piece 0 of "a.md" from splitter "own" is "1"', { ...piece, page: '1' }],
    ['page of Piece 0 of "a.md" from splitter "own" is 0', { ...piece, page: 0 }],
    ['line of Piece 0 of "a.md" from splitter "own" is NaN', { ...piece, line: Number.NaN }],
    ['headingPath of Piece 0 of "a.md" from splitter "own" is "A > B"', { ...piece, headingPath: 'A > B' }],
    [
      'headingPath of Piece 0 of "a.md" from splitter "own" is an array of 2',
      { ...piece, headingPath: ['A', null] },
    ],
  ])('says “%s”', (message, given) => {
    expect(() => splitDocuments(documents, answering([given]))).toThrow(refusal(message));
  });

  it('takes fields that are undefined', () => {
    const given = { ...piece, heading: undefined, headingPath: undefined, page: undefined };
    expect(splitDocuments(documents, answering([given]))).toHaveLength(1);
  });

  it.each([
    [null],
    [undefined],
    [{}],
    ['own'],
    [{ ...wholeDocument(), id: 5 }],
    [{ ...wholeDocument(), split: 1 }],
  ])('refuses %j in place of a splitter, without a document too', async (splitter) => {
    expect(() => checkSplitter(odd(splitter))).toThrow(refusal('give a splitter'));
    expect(() => splitDocuments([], odd(splitter))).toThrow(refusal('splitter is'));
    if (splitter === undefined) return;
    const store = new MemoryVectorStore();
    const given = { embedder, store, splitter: odd(splitter) };
    await expect(ingestDocuments([], given)).rejects.toThrow(refusal('splitter is'));
  });

  it('refuses what is no list of documents, and odd options', () => {
    expect(() => splitDocuments(odd(null), wholeDocument())).toThrow(
      refusal('The documents are null', 'INVALID_DOCUMENT'),
    );
    expect(() => splitDocuments([odd(null)], wholeDocument())).toThrow(refusal('uri', 'INVALID_DOCUMENT'));
    expect(() => splitDocuments(documents, wholeDocument(), odd(null))).toThrow(refusal('options is null'));
  });
});

describe('documents and records', () => {
  it('must be lists of documents with an id', async () => {
    const options = { embedder, store: new MemoryVectorStore() };
    expect(() => chunkDocuments(odd(null))).toThrow(refusal('docs is null'));
    expect(() => chunkDocuments([], odd(null))).toThrow(refusal('options is null'));
    await expect(ingestDocuments(odd(null), options)).rejects.toThrow(refusal('docs is null'));
    const nameless = refusal("A document's id is undefined", 'INVALID_DOCUMENT');
    expect(() => chunkDocuments([odd(null)])).toThrow(nameless);
    await expect(ingestDocuments([odd(null)], options)).rejects.toThrow(nameless);
    for (const none of [null, undefined]) {
      await expect(ingestDocuments([], odd(none))).rejects.toThrow(refusal(`options is ${none}`));
      await expect(ingestChunks([], odd(none))).rejects.toThrow(refusal(`options is ${none}`));
    }
  });

  it('are told from stores: what is no store searches no words', () => {
    for (const store of [{}, null, undefined, { capabilities: null }, { capabilities: { lexical: 1 } }]) {
      expect(isLexicalVectorStore(odd(store))).toBe(false);
    }
    expect(isLexicalVectorStore(new MemoryVectorStore())).toBe(true);
  });
});

describe('retrievers', () => {
  const store = new MemoryVectorStore();

  it.each<[string, () => unknown]>([
    ['store is null', () => new LexicalRetriever(odd(null))],
    ['store is an object', () => new LexicalRetriever(odd({}))],
    ['options is null', () => new LexicalRetriever(store, odd(null))],
    ['minScore is NaN', () => new LexicalRetriever(store, { minScore: Number.NaN })],
    ['embedder is null', () => new EmbeddingRetriever(odd(null), store)],
    ['store is null', () => new EmbeddingRetriever(embedder, odd(null))],
    ['options is null', () => new EmbeddingRetriever(embedder, store, odd(null))],
    ['minScore is "0.5"', () => new EmbeddingRetriever(embedder, store, { minScore: odd('0.5') })],
    ['inner is null', () => new FilteredRetriever(odd(null), {})],
    ['retriever is null', () => new RerankingRetriever(odd(null), () => [])],
    ['options is null', () => new RerankingRetriever(keyword(), () => [], odd(null))],
    ['options is null', () => new HybridRetriever([], odd(null))],
    ['weights is null', () => new HybridRetriever([], { weights: odd(null) })],
    ['weights is 5', () => new HybridRetriever([], { weights: odd(5) })],
    ['options is null', () => new KeywordRetriever(odd(null))],
    ['records is null', () => new KeywordRetriever().add(odd(null))],
    ['retriever is null', () => createRetrievalTool(odd(null))],
    ['options is null', () => createRetrievalTool(keyword(), odd(null))],
  ])('say “%s”', (message, make) => {
    expect(make).toThrow(refusal(message));
  });

  it('refuse a question that is no string, and odd options', async () => {
    for (const retriever of [
      keyword(),
      new EmbeddingRetriever(embedder, store),
      new LexicalRetriever(store),
      new HybridRetriever([]),
      new FilteredRetriever(keyword(), {}),
      new RerankingRetriever(keyword(), () => []),
    ]) {
      await expect(retriever.retrieve(odd(null))).rejects.toThrow(refusal('query is null'));
      await expect(retriever.retrieve('q', odd(null))).rejects.toThrow(refusal('options is null'));
    }
  });

  it('say so where an embedder answers nothing', async () => {
    const silent = new EmbeddingRetriever({ embed: async () => odd(null) }, store);
    await expect(silent.retrieve('q')).rejects.toMatchObject({ code: 'EMBEDDER_FAILED' });
  });

  it('weigh a leg that is named like a member of every object', async () => {
    const legs = { constructor: keyword(), toString: keyword() };
    const [first] = await new HybridRetriever(legs, { weights: {} }).retrieve('green');
    expect(first).toMatchObject({ id: 'a#0', score: 2 / 61 });
  });
});

describe('KeywordRetriever', () => {
  it('answers from copies, and with copies', async () => {
    const metadata = { tag: 'x', list: [1] };
    const headingPath = ['Tea'];
    const record = { id: 'a#0', text: 'green tea', metadata, headingPath };
    const retriever = keyword([record, { id: 'a#1', text: 'more tea', metadata }]);
    const kept = [
      { id: 'a#0', text: 'green tea', metadata: { tag: 'x', list: [1] }, headingPath: ['Tea'] },
      { id: 'a#1', text: 'more tea', metadata: { tag: 'x', list: [1] } },
    ];
    metadata.tag = 'y';
    metadata.list.push(2);
    record.text = 'coffee';
    headingPath.push('Green');
    const filter = { tag: 'x' };
    const passages = await retriever.retrieve('tea', { filter });
    expect(passages).toMatchObject(kept);
    passages[0]!.metadata!['tag'] = 'z';
    (passages[1]!.metadata!['list'] as number[]).push(3);
    expect(await retriever.retrieve('tea', { filter })).toMatchObject(kept);
  });

  it('adds none of the records where one cannot be kept', () => {
    const retriever = new KeywordRetriever();
    const bad = { id: 'b', text: 'tea', metadata: { run: () => {} } };
    expect(() => retriever.add([...teas, bad])).toThrow(refusal('record "b"', 'INVALID_DOCUMENT'));
    expect(retriever.size).toBe(0);
  });

  it('removes the records of a document, and the one of this very id', async () => {
    const ids = ['a', 'a#0', 'a#1', 'a#0#0', 'b#0'];
    const left = async (...removed: string[]) => {
      const retriever = keyword(ids.map((id) => ({ id, text: 'tea' })));
      retriever.add([{ id: 'a#1', text: 'tea again' }]);
      for (const id of removed) retriever.remove(id);
      const passages = await retriever.retrieve('tea', { topK: 9 });
      expect(retriever.size).toBe(passages.length);
      return passages.map(({ id }) => id).sort();
    };
    expect(await left('a')).toEqual(['a#0#0', 'b#0']);
    expect(await left('a#0')).toEqual(['a', 'a#1', 'b#0']);
    expect(await left('a#1', 'a#1')).toEqual(['a', 'a#0', 'a#0#0', 'b#0']);
    expect(await left('a#1', 'a')).toEqual(['a#0#0', 'b#0']);
    expect(await left('none')).toHaveLength(5);
  });

  it('takes a document out of many without looking at the others', () => {
    const count = 20_000;
    const retriever = keyword(Array.from({ length: count }, (_, at) => ({ id: `d${at}#0`, text: 'tea' })));
    const started = performance.now();
    for (let at = 0; at < 1000; at++) retriever.remove(`d${at}`);
    // Looking at every record took 5 ms and more each.
    expect(performance.now() - started).toBeLessThan(1000);
    expect(retriever.size).toBe(count - 1000);
  });
});
