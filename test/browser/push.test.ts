import { describe, expect, it } from 'vitest';
import { ShelfmarkError } from '../../src/errors.ts';
import type { Index } from '../../src/open-index.ts';
import { IndexedDBVectorStore } from '../../src/store/idb.ts';
import { MemoryVectorStore } from '../../src/store/memory.ts';
import type { Hit, Progress, VectorRecord } from '../../src/types.ts';
import { lettersEmbedder } from '../letters-embedder.ts';
import { freshName, open } from './index-helpers.ts';
import { papers, plainStore } from './push-helpers.ts';
import { connect } from './worker-helpers.ts';

const COUNT = 120;
const documents = papers(COUNT);
const questions = ['amber fjord', 'middle 17', 'olive grove kelp', 'indigo'];

/** An index of all documents, in memory, and how often it has embedded. */
async function filled(): Promise<{ index: Index; embedder: ReturnType<typeof lettersEmbedder> }> {
  const embedder = lettersEmbedder();
  const index = await open({ persist: false, embedder });
  await index.add(documents);
  return { index, embedder };
}

const plain = ({ neighbours: _function, ...hit }: Hit) => hit;
const hitsOf = async (
  index: Index,
  mode: 'hybrid' | 'lexical' | 'semantic',
  filter?: Record<string, unknown>,
) =>
  Promise.all(questions.map(async (question) => (await index.search(question, { mode, filter })).map(plain)));
const whole = { documents: COUNT, skipped: 0, removed: 0, sampled: 20, agreeing: 20, recall: 1 };

describe('An index that is pushed to a store of this library', () => {
  it('is there as it was: hits, scores, texts, and what is unchanged, with nothing embedded', async () => {
    const { index, embedder } = await filled();
    const { chunks } = await index.stats();
    expect(chunks).toBeGreaterThan(COUNT * 2);
    const calls = embedder.calls;
    const store = new MemoryVectorStore();
    const told: Progress[] = [];
    const report = await index.pushTo(store, { onProgress: (progress) => told.push(progress) });
    expect(report).toEqual({ ...whole, chunks, elapsedMs: expect.any(Number) });
    expect(told[0]).toEqual({ stage: 'store', done: 0, total: chunks });
    expect(told.at(-1)).toEqual({ stage: 'store', done: chunks, total: chunks });
    expect(embedder.calls).toBe(calls);

    const there = await open({ store, embedder });
    for (const mode of ['hybrid', 'lexical', 'semantic'] as const)
      expect(await hitsOf(there, mode)).toEqual(await hitsOf(index, mode));
    expect(await there.text('papers/3.md')).toBe(documents[3]!.text);
    expect(await there.documents()).toEqual(await index.documents());
    expect((await there.add(documents)).skipped).toBe(COUNT);
    expect(await there.stats()).toMatchObject({ lexical: 'local', embedder: 'letters', chunks });
  });

  it('is kept in IndexedDB, and opened by its name from then on', async () => {
    const { index, embedder } = await filled();
    const name = freshName();
    const store = await IndexedDBVectorStore.open({ name });
    expect(await index.pushTo(store)).toMatchObject(whole);
    await store.close();
    const there = await open({ name, embedder });
    expect(await hitsOf(there, 'hybrid')).toEqual(await hitsOf(index, 'hybrid'));
    expect((await there.sync(documents)).unchanged).toBe(COUNT);
  });

  it('tells how near an approximate store comes', async () => {
    const { index } = await filled();
    const report = await index.pushTo(new MemoryVectorStore({ vectors: 'int8' }), { sample: 40 });
    expect(report).toMatchObject({ documents: COUNT, sampled: 40 });
    expect(report.recall).toBeGreaterThan(0.8);
    expect(report.recall).toBeLessThanOrEqual(1);
    expect(report.agreeing).toBeLessThanOrEqual(40);
  });

  it('completes a document whose vectors were still to come there', async () => {
    const { index } = await filled();
    const store = new MemoryVectorStore();
    await (await open({ store })).add(documents.slice(0, 2));
    expect(store.vectorSize.count).toBe(0);
    expect(await index.pushTo(store)).toMatchObject(whole);
    expect((await index.pushTo(store)).skipped).toBe(COUNT);
  });
});

describe('An index that is pushed to a store of somebody else', () => {
  it('is searched by both legs, the words held here', async () => {
    const { index, embedder } = await filled();
    const store = plainStore(new MemoryVectorStore());
    const { chunks } = await index.stats();
    expect(await index.pushTo(store)).toMatchObject({ ...whole, chunks });
    expect(new Set(store.written).size).toBe(chunks);
    const there = await open({ store, embedder });
    expect(await there.stats()).toMatchObject({ lexical: 'local', chunks });
    for (const filter of [undefined, { parity: 'odd' }, { tags: ['olive'] }, { parity: [] }]) {
      expect(await hitsOf(there, 'lexical', filter)).toEqual(await hitsOf(index, 'lexical', filter));
      expect(await hitsOf(there, 'semantic', filter)).toEqual(await hitsOf(index, 'semantic', filter));
    }
    // Fused exactly as long as the store proposes all: of what it leaves out it tells no cosine.
    const few = { tags: ['olive'] };
    expect(await hitsOf(there, 'hybrid', few)).toEqual(await hitsOf(index, 'hybrid', few));
    const first = (all: { id: string }[][]) => all.map(([best]) => best?.id);
    expect(first(await hitsOf(there, 'hybrid'))).toEqual(first(await hitsOf(index, 'hybrid')));
    const [hit] = await there.search('middle 17', { mode: 'lexical' });
    expect(
      (await there.explain(hit!, 'middle 17', { mode: 'lexical' }))?.lexical?.terms?.map(({ term }) => term),
    ).toEqual(expect.arrayContaining(['middle', '17']));
    expect((await there.documents())[0]).toMatchObject({ title: 'Paper 0', metadata: { parity: 'even' } });
  });

  it('follows what is added and removed by words too', async () => {
    const { embedder } = await filled();
    const there = await open({ store: plainStore(new MemoryVectorStore()), embedder });
    await there.add(documents.slice(0, 3));
    await there.add([{ uri: 'papers/1.md', text: 'Something about xylophones.' }]);
    await there.remove('papers/2.md');
    const found = async (words: string) =>
      (await there.search(words, { mode: 'lexical' })).map(({ docUri }) => docUri);
    expect(await found('xylophones')).toEqual(['papers/1.md']);
    expect(await found('middle')).toEqual(['papers/0.md']);
  });

  it('asks a store that answers words for them, and says so', async () => {
    const { index, embedder } = await filled();
    const inner = new MemoryVectorStore();
    const asked: string[] = [];
    const store = Object.assign(
      plainStore(inner, { capabilities: { exact: true, lexical: true, persistent: false } }),
      {
        searchText: (query: string, options?: object) => {
          asked.push(query);
          return inner.searchText(query, options);
        },
      },
    );
    await index.pushTo(store);
    const there = await open({ store, embedder });
    expect(await there.stats()).toMatchObject({ lexical: 'store', lexicalBytes: 0 });
    expect(await hitsOf(there, 'lexical')).toEqual(await hitsOf(index, 'lexical'));
    expect(asked.sort()).toEqual([...questions].sort());
  });

  it('goes on where it failed or was aborted, and writes nothing twice', async () => {
    const { index } = await filled();
    const { chunks } = await index.stats();
    const inner = new MemoryVectorStore();
    let writes = 0;
    const store = plainStore(inner, {
      upsert: async (records: readonly VectorRecord[]) => {
        // The second write breaks off in the middle, of a document too.
        const part = ++writes === 2 ? records.slice(0, 31) : records;
        await inner.upsert(part);
        written.push(...part.map(({ id }) => id));
        if (writes === 2) throw new ShelfmarkError('STORE_BLOCKED', 'The network is down.');
      },
    });
    const { written } = store;
    await expect(index.pushTo(store)).rejects.toMatchObject({ code: 'STORE_BLOCKED' });
    const before = await inner.countChunks();
    expect(before).toBe(written.length);
    expect(before).toBeLessThan(chunks);
    const control = new AbortController();
    const reason = new Error('enough');
    const aborting = index.pushTo(store, {
      signal: control.signal,
      onProgress: ({ done }) => done > 0 && control.abort(reason),
    });
    await expect(aborting).rejects.toBe(reason);
    const report = await index.pushTo(store);
    expect(report).toMatchObject({ chunks: chunks - before, sampled: 20, agreeing: 20 });
    expect(report.documents + report.skipped).toBe(COUNT);
    expect(report.documents).toBeGreaterThan(0);
    expect(report.skipped).toBeGreaterThan(0);
    expect(written.length).toBe(chunks);
    expect(new Set(written).size).toBe(chunks);
    expect(await index.pushTo(store)).toMatchObject({ documents: 0, chunks: 0, skipped: COUNT });
  });

  it('replaces what has changed, and removes what it does not have only when asked', async () => {
    const { index } = await filled();
    const inner = new MemoryVectorStore();
    const store = plainStore(inner);
    const embedding = Float32Array.from({ length: 26 }, (_, at) => at);
    await inner.upsert([{ id: 'theirs#0', text: 'Not of this index.', embedding }]);
    await index.pushTo(store);
    await index.add([
      { uri: 'papers/5.md', text: 'One short text about amber.' },
      { ...documents[6]!, metadata: { parity: 'neither' } },
    ]);
    const again = await index.pushTo(store);
    expect(again).toMatchObject({ documents: 2, skipped: COUNT - 2, removed: 0, agreeing: 20 });
    expect((await inner.listChunks('papers/5.md')).map(({ text }) => text)).toEqual([
      'One short text about amber.',
    ]);
    expect((await inner.listChunks('papers/6.md'))[0]!.metadata).toEqual({ parity: 'neither' });
    expect(await inner.countChunks()).toBe((await index.stats()).chunks + 1);
    expect(await index.pushTo(store, { prune: true })).toMatchObject({ documents: 0, removed: 1 });
    expect(await inner.listDocumentIds()).not.toContain('theirs');
  });

  it('is refused where the store does not hold or find what it was given', async () => {
    const { index } = await filled();
    const losing = new MemoryVectorStore();
    const loses = plainStore(losing, {
      upsert: (records: readonly VectorRecord[]) => losing.upsert(records.slice(1)),
    });
    await expect(index.pushTo(loses)).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining('call pushTo again'),
    });
    const odd = new MemoryVectorStore();
    const turned = (records: readonly VectorRecord[]) =>
      odd.upsert(records.map((one) => ({ ...one, embedding: Float32Array.from(one.embedding).reverse() })));
    await expect(index.pushTo(plainStore(odd, { upsert: turned }))).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining('other chunks than the index'),
    });
    const capabilities = { exact: false, lexical: false, persistent: false };
    const report = await index.pushTo(plainStore(odd, { capabilities }));
    expect(report.recall).toBeLessThan(1);
    expect(report.agreeing).toBeLessThan(report.sampled);
  });
});

describe('What cannot be pushed', () => {
  const code = (expected: string, said: string) => ({
    code: expected,
    message: expect.stringContaining(said),
  });

  it('is an index without vectors, or with some to come', async () => {
    const store = new MemoryVectorStore();
    const bare = await open({ persist: false });
    await bare.add(documents.slice(0, 2));
    await expect(bare.pushTo(store)).rejects.toMatchObject(code('UNSUPPORTED', 'without an embedder'));
    const failing = { id: 'letters', embed: async () => Promise.reject(new Error('no')) };
    const mixed = new MemoryVectorStore();
    await (await open({ store: mixed, embedder: lettersEmbedder() })).add(documents.slice(0, 2));
    const pending = await open({ store: mixed, embedder: failing });
    await pending.add(documents.slice(2, 4));
    await expect(pending.pushTo(store)).rejects.toMatchObject(code('UNSUPPORTED', 'stats().pending'));
    expect(await store.countChunks()).toBe(0);
    expect(await (await open({ persist: false })).pushTo(store)).toMatchObject({
      documents: 0,
      sampled: 0,
      recall: 1,
    });
  });

  it('is an index of another embedder than the store has, where the store knows', async () => {
    const { index } = await filled();
    const store = new MemoryVectorStore();
    const other = await open({ store, embedder: lettersEmbedder('others') });
    await other.add(documents.slice(0, 1));
    await expect(index.pushTo(store)).rejects.toMatchObject(code('EMBEDDER_MISMATCH', 'letters'));
    const inner = new MemoryVectorStore();
    const knows = plainStore(inner, { embedder: 'others' });
    await expect(index.pushTo(knows)).rejects.toMatchObject(code('EMBEDDER_MISMATCH', 'others'));
    expect(await inner.countChunks()).toBe(0);
    await inner.upsert([{ id: 'a#0', text: 'amber', embedding: new Float32Array(26).fill(1) }]);
    const opened = await open({ store: knows, embedder: lettersEmbedder() });
    await expect(opened.search('amber', { mode: 'hybrid' })).rejects.toMatchObject({
      code: 'EMBEDDER_MISMATCH',
    });
  });

  it('is an index over a store that gives no vectors back, and a closed one', async () => {
    const over = await open({ store: plainStore(new MemoryVectorStore()), embedder: lettersEmbedder() });
    await over.add(documents.slice(0, 1));
    await expect(over.pushTo(new MemoryVectorStore())).rejects.toMatchObject(
      code('UNSUPPORTED', 'vectors back'),
    );
    await over.close();
    await expect(over.pushTo(new MemoryVectorStore())).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  });

  it('is anything into no store, or with other options', async () => {
    const { index } = await filled();
    const store = new MemoryVectorStore();
    for (const bad of [undefined, null, {}, 'http://localhost:8000'])
      await expect(index.pushTo(bad as never)).rejects.toMatchObject(
        code('INVALID_OPTION', 'a vector store'),
      );
    for (const options of [
      { sample: -1 },
      { sample: 1.5 },
      { prune: 'yes' },
      { signal: 1 },
      { onProgress: 1 },
      { x: 1 },
    ])
      await expect(index.pushTo(store, options as never)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    expect(await index.pushTo(store, { sample: 0 })).toMatchObject({ sampled: 0, agreeing: 0, recall: 1 });
  });

  it('is an index in a worker, which says where to push from', async () => {
    const there = await connect({ persist: false });
    await expect(there.pushTo(new MemoryVectorStore())).rejects.toMatchObject(
      code('UNSUPPORTED', 'openIndex({ from })'),
    );
  });
});
