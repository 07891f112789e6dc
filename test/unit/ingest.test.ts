import { describe, expect, it } from 'vitest';
import { ingestChunks, ingestDocuments } from '../../src/ingest/records.ts';
import { LexicalRetriever } from '../../src/retrieve/lexical.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import { wholeDocument } from '../../src/split/whole-document.ts';
import { MemoryVectorStore } from '../../src/store/memory.ts';
import type { Progress, TextDocument, VectorStore } from '../../src/types.ts';
import { lettersEmbedder } from '../letters-embedder.ts';

/** The same store as code outside of this library would offer one: by the interface alone. */
function foreign(): VectorStore {
  const store = new MemoryVectorStore();
  return {
    capabilities: { exact: true, lexical: false, persistent: false },
    upsert: (records) => store.upsert(records),
    search: (embedding, options) => store.search(embedding, options),
    remove: (id) => store.remove(id),
    removeMany: (ids) => store.removeMany(ids),
    removeWhere: (filter) => store.removeWhere(filter),
    updateMetadata: (id, patch) => store.updateMetadata(id, patch),
    listDocuments: (filter) => store.listDocuments(filter),
    listDocumentIds: (filter) => store.listDocumentIds(filter),
    listChunks: (id, options) => store.listChunks(id, options),
    countChunks: (filter) => store.countChunks(filter),
  };
}

const stores = [
  ['a store of this library', () => new MemoryVectorStore()],
  ['any other store', foreign],
] as const;

const texts = async (store: VectorStore, id: string) => (await store.listChunks(id)).map(({ text }) => text);

describe.each(stores)('ingestDocuments into %s', (_, make) => {
  it('stores a document’s chunks with its source and metadata, and says how many', async () => {
    const store = make();
    const docs = [{ id: 'd', text: 'one\ntwo\nthree', source: 'd.txt', metadata: { team: 'x' } }];
    const count = await ingestDocuments(docs, {
      embedder: lettersEmbedder(),
      store,
      chunkSize: 4,
      separator: '\n',
    });
    expect(count).toBe(4);
    expect(await texts(store, 'd')).toEqual(['one', 'two', 'thre', 'e']);
    expect(await store.listDocuments({ team: 'x' })).toEqual([
      { id: 'd', source: 'd.txt', metadata: { team: 'x' } },
    ]);
  });

  it('replaces a document whole, leaving no chunk of its earlier text (B169, B173)', async () => {
    const store = make();
    const options = { embedder: lettersEmbedder(), store, chunkSize: 9, separator: '\n' };
    await ingestDocuments([{ id: 'd', text: 'old words\nold lines\nold rest' }], options);
    await ingestDocuments([{ id: 'e', text: 'another' }], options);
    expect(await ingestDocuments([{ id: 'd', text: 'new words' }], options)).toBe(1);
    expect(await texts(store, 'd')).toEqual(['new words']);
    expect(await store.countChunks()).toBe(2);
    if (store instanceof MemoryVectorStore) {
      const retriever = new LexicalRetriever(store);
      expect(await retriever.retrieve('old')).toEqual([]);
      expect(await retriever.retrieve('new')).toHaveLength(1);
    }
  });

  it('gives records of a splitter their provenance', async () => {
    const store = make();
    const pages = [
      `# Refunds\n\n${'Issued in 14 days. '.repeat(20)}`,
      `## Fees\n\n${'None at all. '.repeat(30)}`,
    ];
    const doc: TextDocument = { id: 'r.md', text: pages.join('\n\n'), pages, metadata: { a: 1 } };
    await ingestDocuments([doc], { embedder: lettersEmbedder(), store, splitter: byHeading() });
    const chunks = await store.listChunks('r.md');
    expect(chunks.map(({ heading, page, docUri }) => [docUri, heading, page])).toEqual([
      ['r.md', 'Refunds', 1],
      ['r.md', 'Fees', 2],
    ]);
    for (const { text, charStart, charEnd } of chunks) {
      expect(String(doc.text).slice(charStart, charEnd)).toBe(text);
    }
  });

  it('stores the other documents, then rejects for those without a passage', async () => {
    const store = make();
    const docs = [
      { id: 'blank', text: ' \n' },
      { id: 'good', text: 'something to find' },
      { id: 'empty', text: '' },
    ];
    const call = ingestDocuments(docs, { embedder: lettersEmbedder(), store });
    await expect(call).rejects.toMatchObject({
      name: 'EmptyDocumentError',
      code: 'EMPTY_DOCUMENT',
      message: expect.stringContaining('"blank", "empty"'),
      stored: 1,
      failed: [
        { uri: 'blank', code: 'EMPTY_DOCUMENT' },
        { uri: 'empty', code: 'EMPTY_DOCUMENT' },
      ],
    });
    expect(await store.listDocumentIds()).toEqual(['good']);
  });

  it('leaves what it has of a document that comes back without a passage', async () => {
    const store = make();
    const options = { embedder: lettersEmbedder(), store };
    await ingestDocuments([{ id: 'd', text: 'kept' }], options);
    await expect(ingestDocuments([{ id: 'd', text: '' }], options)).rejects.toMatchObject({ stored: 0 });
    expect(await texts(store, 'd')).toEqual(['kept']);
  });

  it('cancels within one batch and leaves whole documents only', async () => {
    const store = make();
    const stop = new AbortController();
    const embedder = lettersEmbedder();
    const plain = embedder.embed.bind(embedder);
    embedder.embed = (batch, options) => {
      if (embedder.calls === 14) stop.abort(new Error('tab closed'));
      return plain(batch, options);
    };
    const docs = Array.from({ length: 20 }, (_one, n) => ({ id: `d${n}`, text: 'line\n'.repeat(50) }));
    const call = ingestDocuments(docs, {
      embedder,
      store,
      chunkSize: 4,
      separator: '\n',
      signal: stop.signal,
    });
    await expect(call).rejects.toThrow('tab closed');
    const ids = await store.listDocumentIds();
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.length).toBeLessThan(20);
    for (const id of ids) expect(await store.listChunks(id)).toHaveLength(50);
  });
});

describe('ingestDocuments', () => {
  const doc = { id: 'd', text: 'words' };

  it('embeds what the lexical leg reads: heading path, context and text', async () => {
    const embedder = lettersEmbedder();
    const text = `# Fees\n\n${'None. '.repeat(60)}`;
    await ingestDocuments([{ id: 'd', text }], {
      embedder,
      store: new MemoryVectorStore(),
      splitter: byHeading(),
    });
    expect(embedder.asked).toEqual([`Fees\n${text}`.trimEnd()]);
  });

  it('tells how far it is, stage by stage', async () => {
    const seen: Progress[] = [];
    const onProgress = (progress: Progress) => seen.push(progress);
    const docs = [doc, { id: 'e', text: 'more words' }];
    await ingestDocuments(docs, { embedder: lettersEmbedder(), store: new MemoryVectorStore(), onProgress });
    expect(seen).toEqual([
      { stage: 'split', done: 1, total: 2 },
      { stage: 'split', done: 2, total: 2 },
      { stage: 'embed', done: 2, total: 2 },
      { stage: 'store', done: 2, total: 2 },
    ]);
  });

  it('asks the embedder in batches', async () => {
    const embedder = lettersEmbedder();
    const docs = Array.from({ length: 7 }, (_, n) => ({ id: `d${n}`, text: 'words' }));
    await ingestDocuments(docs, { embedder, store: new MemoryVectorStore(), batchSize: 3 });
    expect(embedder.calls).toBe(3);
  });

  it('refuses another embedder than the one the vectors came from', async () => {
    const store = new MemoryVectorStore();
    await ingestDocuments([doc], { embedder: lettersEmbedder('one'), store });
    const other = ingestDocuments([doc], { embedder: lettersEmbedder('two'), store });
    await expect(other).rejects.toMatchObject({ code: 'EMBEDDER_MISMATCH', message: /"one".*"two"/ });
  });

  it('writes nothing where the embedder fails', async () => {
    const store = new MemoryVectorStore();
    const embedder = { embed: () => Promise.reject(new Error('no model')) };
    await expect(ingestDocuments([doc], { embedder, store })).rejects.toMatchObject({
      code: 'EMBEDDER_FAILED',
    });
    expect(await store.countChunks()).toBe(0);
  });

  it.each([
    ['two documents of one id', [doc, doc], {}, 'INVALID_DOCUMENT'],
    ['a document without an id', [{ text: 'x' }], {}, 'INVALID_DOCUMENT'],
    ['a document without a text', [{ id: 'x' }], {}, 'INVALID_DOCUMENT'],
    ['no array', 'words', {}, 'INVALID_OPTION'],
    ['chunk options beside a splitter', [doc], { splitter: wholeDocument(), chunkSize: 9 }, 'INVALID_OPTION'],
    ['a batch of none', [doc], { batchSize: 0 }, 'INVALID_OPTION'],
    ['no store', [doc], { store: undefined }, 'INVALID_OPTION'],
    ['no embedder', [doc], { embedder: {} }, 'INVALID_OPTION'],
  ])('refuses %s before anything is stored', async (_, docs, extra, code) => {
    const store = new MemoryVectorStore();
    const call = ingestDocuments(docs as never, { embedder: lettersEmbedder(), store, ...extra } as never);
    await expect(call).rejects.toMatchObject({ code });
    expect(await store.countChunks()).toBe(0);
  });
});

describe('ingestChunks', () => {
  it('stores records by their ids, replacing those it knows', async () => {
    const store = new MemoryVectorStore();
    const options = { embedder: lettersEmbedder(), store };
    const chunks = Array.from({ length: 300 }, (_, n) => ({ id: `d#${n}`, text: `text ${n}` }));
    expect(await ingestChunks(chunks, options)).toBe(300);
    expect(await ingestChunks([{ id: 'd#7', text: 'other' }], options)).toBe(1);
    expect(await store.countChunks()).toBe(300);
    expect((await store.listChunks('d', { offset: 7, limit: 1 }))[0]!.text).toBe('other');
  });

  it('stores the others, then rejects for records without a passage', async () => {
    const store = new MemoryVectorStore();
    const chunks = [
      { id: 'a#0', text: '  ' },
      { id: 'a#1', text: 'found' },
    ];
    await expect(ingestChunks(chunks, { embedder: lettersEmbedder(), store })).rejects.toMatchObject({
      code: 'EMPTY_DOCUMENT',
      stored: 1,
      failed: [{ uri: 'a#0', reason: 'Its text is "  ".' }],
    });
    expect(await texts(store, 'a')).toEqual(['found']);
  });

  it('refuses a record without an id, and answers 0 for nothing', async () => {
    const options = { embedder: lettersEmbedder(), store: new MemoryVectorStore() };
    await expect(ingestChunks([{ text: 'x' } as never], options)).rejects.toMatchObject({
      code: 'INVALID_DOCUMENT',
    });
    expect(await ingestChunks([], options)).toBe(0);
  });
});

describe('a lexical retriever', () => {
  it('finds words in a store, above its floor', async () => {
    const store = new MemoryVectorStore();
    const docs = [
      { id: 'a', text: 'green tea and more green tea', metadata: { tag: 'x' } },
      { id: 'b', text: 'a word on tea' },
      { id: 'c', text: 'coffee' },
    ];
    await ingestDocuments(docs, { embedder: lettersEmbedder(), store });
    const all = await new LexicalRetriever(store).retrieve('green tea');
    expect(all.map(({ id }) => id)).toEqual(['a#0', 'b#0']);
    const floored = new LexicalRetriever(store, { minScore: all[0]!.score });
    expect(await floored.retrieve('green tea')).toEqual(all.slice(0, 1));
    expect(await new LexicalRetriever(store).retrieve('tea', { filter: { tag: 'x' }, topK: 9 })).toHaveLength(
      1,
    );
  });

  it('refuses a store that keeps no words', () => {
    expect(() => new LexicalRetriever(foreign())).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }));
  });

  it('rejects with the reason of an aborted signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(new LexicalRetriever(new MemoryVectorStore()).retrieve('q', { signal })).rejects.toThrow(
      'enough',
    );
  });
});
