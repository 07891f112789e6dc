import * as chromadb from 'chromadb';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { ChromaVectorStore } from '../../src/chroma/index.ts';
import type { ChromaStoreOptions } from '../../src/chroma/store.ts';
import type { VectorRecord } from '../../src/types.ts';
import { BusyProxy } from './busy-proxy.ts';
import { ChromaServer } from './server.ts';

let counter = 0;
const fresh = () => `server-${Date.now()}-${counter++}`;
const open = (options: Partial<ChromaStoreOptions> = {}) =>
  ChromaVectorStore.open({ url: inject('chroma'), collection: fresh(), chromadb, ...options });
const record = (id: string, embedding: number[], rest: Partial<VectorRecord> = {}): VectorRecord => ({
  id,
  text: `text of ${id}`,
  embedding,
  ...rest,
});
const many = (count: number): VectorRecord[] =>
  Array.from({ length: count }, (_, at) => record(`doc${at >> 2}#${at % 4}`, [1, at / 100, (at % 7) / 7]));

describe('a collection', () => {
  it('says what it can do, and keeps whose vectors it holds', async () => {
    const collection = fresh();
    const store = await open({ collection, embedder: 'model-a' });
    expect(store.capabilities).toEqual({ exact: false, lexical: false, persistent: true });
    expect(store.embedder).toBe('model-a');
    await store.upsert([record('a#0', [1, 0])]);
    expect((await open({ collection })).embedder).toBe('model-a');
    await expect(open({ collection, embedder: { id: 'model-b' } })).rejects.toMatchObject({
      code: 'EMBEDDER_MISMATCH',
      message: expect.stringContaining('"model-a"'),
    });
    await store.remove('a');
    // It holds no vectors any more.
    expect((await open({ collection, embedder: 'model-b' })).embedder).toBe('model-b');
    expect((await open({ collection })).embedder).toBe('model-b');
  });

  it('refuses vectors of another length than those another client has stored', async () => {
    const collection = fresh();
    const [one, two] = [await open({ collection }), await open({ collection })];
    await one.upsert([record('a#0', [1, 0, 0])]);
    await expect(two.upsert([record('b#0', [1, 0])])).rejects.toMatchObject({ code: 'DIMENSION_MISMATCH' });
    await expect(two.search([1, 0])).rejects.toMatchObject({ code: 'DIMENSION_MISMATCH' });
    expect((await two.search([1, 0, 0])).map(({ id }) => id)).toEqual(['a#0']);
  });

  it('keeps what JSON cannot carry, and is filtered by others’ own means', async () => {
    const collection = fresh();
    const store = await open({ collection });
    const metadata = {
      when: new Date(5),
      odd: Number.NaN,
      none: undefined,
      lang: 'de',
      year: 1999,
      tags: ['x', 'y'],
    };
    const text = 'broken \ud800 half';
    await store.upsert([record('a"\\\ud83d#0', [1, 0], { metadata, text }), record('b#0', [0, 1])]);
    const again = await open({ collection });
    const [hit] = await again.search([1, 0]);
    expect(hit).toMatchObject({ id: 'a"\\\ud83d#0', text, metadata });
    expect(await again.listDocumentIds({ tags: ['y'], lang: 'de' })).toEqual(['a"\\\ud83d']);
    expect(await again.countChunks({ odd: [Number.NaN] })).toBe(1);
    const client = new chromadb.ChromaClient({
      host: 'localhost',
      port: Number(new URL(inject('chroma')).port),
    });
    const embeddingFunction = { generate: async () => [] };
    const theirs = await client.getCollection({ name: collection, embeddingFunction });
    expect(
      (await theirs.get({ where: { $and: [{ lang: 'de' }, { year: { $gt: 1990 } }] } })).ids,
    ).toHaveLength(1);
    await theirs.add({
      ids: ['foreign'],
      embeddings: [[1, 1]],
      documents: ['not of ours'],
      metadatas: [{ lang: 'fr' }],
    });
    expect(await again.listDocuments({ lang: 'fr' })).toEqual([{ id: 'foreign', metadata: { lang: 'fr' } }]);
    expect((await again.search([1, 1], { topK: 1 }))[0]).toMatchObject({
      id: 'foreign',
      text: 'not of ours',
    });
  });

  it('takes away what a write leaves out', async () => {
    const store = await open();
    await store.upsert([record('a#0', [1, 0], { metadata: { lang: 'de', old: true } })]);
    await store.upsert([record('a#0', [1, 0], { metadata: { lang: 'en' } })]);
    expect(await store.countChunks({ old: true })).toBe(0);
    expect(await store.updateMetadata('a', { lang: null, fresh: 1 })).toBe(1);
    expect(await store.countChunks({ lang: 'en' })).toBe(0);
    expect(await store.listDocuments({ fresh: 1 })).toEqual([{ id: 'a', metadata: { fresh: 1 } }]);
  });

  it('reads and writes page by page', async () => {
    const proxy = await BusyProxy.to(inject('chroma'));
    const store = await open({ url: proxy.url });
    await store.upsert(many(1200));
    expect(proxy.seen.filter((path) => path.endsWith('/upsert'))).toHaveLength(5);
    expect(await store.listDocumentIds()).toHaveLength(300);
    expect(await store.countChunks({})).toBe(1200);
    expect((await store.listChunks('doc7', { offset: 1, limit: 2 })).map(({ id }) => id)).toEqual([
      'doc7#1',
      'doc7#2',
    ]);
    await store.removeMany(Array.from({ length: 299 }, (_, at) => `doc${at}`));
    expect(await store.listDocumentIds()).toEqual(['doc299']);
    await proxy.end();
  });

  it.each<[Partial<ChromaStoreOptions>, string]>([
    [{ url: 'localhost:8000' }, 'url'],
    [{ url: 'http://localhost:8000/api' }, 'url'],
    [{ collection: '' }, 'collection'],
    [{ retries: -1 }, 'retries'],
    [{ embedder: '' }, 'embedder'],
    [{ client: {} }, 'client'],
    [{ chromadb: {} }, 'chromadb'],
    [{ colour: 'red' } as never, 'colour'],
  ])('refuses %j by name', async (options, named) => {
    await expect(open(options)).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining(named),
    });
  });

  it('says what the server says', async () => {
    await expect(open({ collection: 'a' })).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining('3-512 characters'),
      cause: expect.any(chromadb.ChromaClientError),
    });
    await expect(open({ chromadb: () => Promise.reject(new Error('not installed')) })).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('npm install chromadb'),
    });
  });
});

describe('a server that is busy', () => {
  let proxy: BusyProxy;
  beforeAll(async () => {
    proxy = await BusyProxy.to(inject('chroma'));
  });
  afterEach(() => {
    proxy.busy = undefined;
    proxy.before = () => {};
  });
  afterAll(() => proxy.end());

  it.each([429, 503, 502, 504])('is asked again, %i', async (status) => {
    const store = await open({ url: proxy.url });
    proxy.busy = { status, times: 2 };
    await store.upsert(many(8));
    expect(proxy.busy.times).toBeLessThan(0);
    expect(await store.countChunks()).toBe(8);
  });

  it('is given up after the tries that were asked for, and a failing one at once', async () => {
    const store = await open({ url: proxy.url, retries: 2 });
    for (const [status, tries] of [
      [503, 3],
      [500, 1],
    ] as const) {
      proxy.busy = { status, times: 100 };
      proxy.seen = [];
      await expect(store.countChunks()).rejects.toMatchObject({
        code: 'STORE_FAILED',
        message: expect.stringContaining(String(status)),
      });
      expect(proxy.seen).toHaveLength(tries);
    }
  });

  it('is not waited for when the signal ends it', async () => {
    const stop = new AbortController();
    const store = await open({ url: proxy.url, signal: stop.signal, retries: 50 });
    proxy.busy = { status: 503, times: 1000 };
    const waiting = store.upsert(many(4));
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(waiting).rejects.toThrow('enough');
    await expect(store.countChunks()).rejects.toThrow('enough');
    proxy.busy = undefined;
    await expect(open({ signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no');
  });

  it('is told from one that is not there', async () => {
    const gone = await BusyProxy.to(inject('chroma'));
    await gone.end();
    await expect(open({ url: gone.url, retries: 1 })).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringMatching(/cannot be reached; start it.*CORS/),
    });
  });
});

describe('a server that is killed', () => {
  it('in the middle of an ingest: the call goes on when it is back, nothing lost or doubled', async () => {
    const server = await ChromaServer.start();
    const proxy = await BusyProxy.to(server.url);
    try {
      const store = await open({ url: proxy.url, retries: 12 });
      let writes = 0;
      proxy.before = async (path) => {
        if (!path.endsWith('/upsert') || ++writes !== 3) return;
        await server.kill();
        void server.run();
      };
      await store.upsert(many(2000));
      expect(writes).toBeGreaterThan(8);
      expect(await store.countChunks()).toBe(2000);
      const ids = await store.listDocumentIds();
      expect(ids).toEqual(Array.from({ length: 500 }, (_, at) => `doc${at}`));
      for (const id of ['doc0', 'doc127', 'doc128', 'doc499']) {
        expect((await store.listChunks(id)).map(({ text }) => text)).toEqual(
          [0, 1, 2, 3].map((n) => `text of ${id}#${n}`),
        );
      }
    } finally {
      await proxy.end();
      await server.end();
    }
  });

  it('for too long: the call fails, and the same call completes what it began', async () => {
    const server = await ChromaServer.start();
    const proxy = await BusyProxy.to(server.url);
    try {
      const collection = fresh();
      const store = await open({ url: proxy.url, collection, retries: 0 });
      let writes = 0;
      proxy.before = async (path) => {
        if (path.endsWith('/upsert') && ++writes === 2) await server.kill();
      };
      await expect(store.upsert(many(1000))).rejects.toMatchObject({ code: 'STORE_FAILED' });
      await server.run();
      proxy.before = () => {};
      const again = await open({ url: proxy.url, collection });
      // What was answered is there.
      expect(await again.countChunks()).toBeGreaterThanOrEqual(256);
      await again.upsert(many(1000));
      expect(await again.countChunks()).toBe(1000);
      expect(await again.listDocumentIds()).toEqual(Array.from({ length: 250 }, (_, at) => `doc${at}`));
    } finally {
      await proxy.end();
      await server.end();
    }
  });
});
