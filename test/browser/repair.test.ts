import { describe, expect, it } from 'vitest';
import type { Index } from '../../src/open-index.ts';
import { IndexedDBVectorStore } from '../../src/store/idb.ts';
import type { SplitterDocument } from '../../src/types.ts';
import { dump } from './faults.ts';
import { answer, counting, doc, found, freshName, numbered, open, reads, tamper } from './watch.ts';

/** Eighteen documents of 32 chunks: the first sixteen fill a segment of vectors, the last two lie in the next. */
const documents = Array.from({ length: 18 }, (_, n) =>
  doc(`m${n}`, ...Array.from({ length: 32 }, (__, line) => `document${n} line${line} ${'xyz'.repeat(n)}`)),
);
const lost = ['m16', 'm17'];
const linesOf = (...all: SplitterDocument[]) => all.flatMap(({ text }) => (text as string).split('\n'));

async function filled(vectors: 'f32' | 'int8' = 'f32'): Promise<string> {
  const name = freshName();
  const index = await open(name, { embedder: counting({ dimensions: 8 }).embedder, vectors });
  await index.add(documents);
  await index.close();
  return name;
}

/** An embedder whose model loads only once it is allowed to, so that nothing is mended in the background. */
function unloaded() {
  const { embedder, asked } = counting({ dimensions: 8 });
  const state = { loads: false };
  const load = async () => {
    if (!state.loads) throw new Error('not now');
  };
  return { embedder: { ...embedder, load }, asked, allow: () => (state.loads = true) };
}

const bytesOf = (change: (bytes: Uint8Array<ArrayBuffer>, view: DataView) => void) => {
  return async (tx: IDBTransaction) => {
    const store = tx.objectStore('vectors');
    const bytes: ArrayBuffer = await answer(store.get(1));
    change(new Uint8Array(bytes), new DataView(bytes));
    store.put(bytes, 1);
  };
};

const damages: [string, RegExp, (tx: IDBTransaction) => void | Promise<void>][] = [
  ['is gone', /not there/, (tx) => void tx.objectStore('vectors').delete(1)],
  [
    'was cut',
    /bytes long/,
    async (tx) => {
      const store = tx.objectStore('vectors');
      store.put((await answer(store.get(1))).slice(0, 500), 1);
    },
  ],
  ['is no block of bytes', /block of bytes/, (tx) => void tx.objectStore('vectors').put('bytes', 1)],
  ['lost its mark', /mark of a vector segment/, bytesOf((bytes) => bytes.fill(0, 0, 4))],
  ['has no version', /version/, bytesOf((_, view) => view.setUint16(4, 0, true))],
  ['has a byte that was altered', /checksum/, bytesOf((bytes) => (bytes[100]! ^= 1))],
  ['claims other dimensions', /vectors of 9 values/, bytesOf((_, view) => view.setUint32(8, 9, true))],
  ['claims values of another kind', /kind of values/, bytesOf((_, view) => view.setUint8(6, 1))],
  ['claims values of no kind', /unknown type/, bytesOf((_, view) => view.setUint8(6, 7))],
];

const ways: [string, (index: Index) => Promise<unknown>][] = [
  ['sync', (index) => index.sync(documents)],
  ['repair', (index) => index.repair()],
];

describe('an index one of whose segments of vectors', () => {
  const cases = damages.flatMap(([what, reason, damage]) =>
    ways.map(([way, mend]) => ({ what, reason, damage, way, mend })),
  );
  it.each(cases)('$what opens without them, and $way makes them again and no others', async (one) => {
    const name = await filled();
    const whole = await open(name, { embedder: counting({ dimensions: 8 }).embedder });
    const question = 'document17 line3';
    const before = [await found(whole, question), await found(whole, question, 'semantic')];
    await whole.close();
    await tamper(name, one.damage);

    const { embedder, asked, allow } = unloaded();
    const index = await open(name, { embedder });
    expect(await index.stats()).toMatchObject({
      damaged: [{ part: 'vectors', segment: 1, reason: expect.stringMatching(one.reason), documents: lost }],
      documents: 18,
      pending: 64,
    });
    const waiting = (await index.documents()).filter(({ vectors }) => vectors === 'pending');
    expect(waiting.map(({ uri }) => uri)).toEqual(lost);
    expect(await found(index, question)).toEqual(before[0]);
    const near = await found(index, question, 'semantic');
    expect(near).toEqual(before[1]!.filter(([id]) => !/^m1[67]#/.test(id)));
    expect(near).toHaveLength(512);
    expect(asked).toEqual([]);

    allow();
    await one.mend(index);
    expect([...asked].sort()).toEqual(linesOf(...documents.slice(16)).sort());
    expect((await index.stats()).damaged).toBeUndefined();
    await index.close();
    const again = await open(name, { embedder: counting({ dimensions: 8 }).embedder });
    const stats = await again.stats();
    expect([stats.damaged, stats.pending]).toEqual([undefined, 0]);
    expect([await found(again, question), await found(again, question, 'semantic')]).toEqual(before);
  });

  it('was altered gets its vectors again in the background, of bytes as well', async () => {
    const name = await filled('int8');
    await tamper(
      name,
      bytesOf((bytes) => (bytes[200]! ^= 1)),
    );
    const { embedder, asked } = counting({ dimensions: 8 });
    const index = await open(name, { embedder });
    await expect.poll(async () => (await index.stats()).pending).toBe(0);
    expect(asked).toHaveLength(64);
    await index.close();
    expect((await (await open(name)).stats()).damaged).toBeUndefined();
  });

  it('is of a newer format makes the index refuse to open, and is left as it is', async () => {
    const name = await filled();
    await tamper(
      name,
      bytesOf((_, view) => view.setUint16(4, 2, true)),
    );
    const before = await dump(`shelfmark:${name}`);
    await expect(open(name)).rejects.toMatchObject({ code: 'FORMAT', message: /version 2/ });
    expect(await dump(`shelfmark:${name}`)).toEqual(before);
  });

  it('was altered is mended without an embedder as far as that goes: the documents wait for their vectors', async () => {
    const name = await filled();
    await tamper(
      name,
      bytesOf((bytes) => (bytes[100]! ^= 1)),
    );
    const index = await open(name);
    expect((await index.stats()).damaged).toHaveLength(1);
    expect(await index.repair()).toMatchObject({ embedded: 0, removed: 0, failed: [] });
    await index.close();
    const { embedder, asked } = unloaded();
    const again = await open(name, { embedder });
    const stats = await again.stats();
    expect([stats.damaged, stats.pending]).toEqual([undefined, 64]);
    expect(asked).toEqual([]);
    expect(await found(again, 'document1', 'semantic')).toHaveLength(512);
  });

  it('was altered under two tabs is made durable by the one that found it, also after the other has written', async () => {
    const name = await filled();
    const { embedder } = unloaded();
    const well = await open(name, { embedder });
    await tamper(
      name,
      bytesOf((bytes) => (bytes[100]! ^= 1)),
    );
    const index = await open(name, { embedder: unloaded().embedder });
    expect((await index.stats()).damaged).toHaveLength(1);
    // Of another segment, so that the damaged bytes stay as they are.
    await well.remove('m0');
    expect((await index.stats()).damaged).toHaveLength(1);
    await index.remove('m1');
    const third = await open(name, { embedder: unloaded().embedder });
    expect(await third.stats()).toMatchObject({ documents: 16, pending: 64 });
    expect((await third.stats()).damaged).toBeUndefined();
  });
});

describe('repair', () => {
  it('removes documents that have lost their texts, and reports them', async () => {
    const name = freshName();
    const { embedder } = counting();
    const first = await open(name, { embedder });
    await first.add([0, 1, 2, 3].map((n) => numbered(n)));
    await first.close();
    await tamper(name, (tx) => {
      tx.objectStore('texts').delete('d1');
      tx.objectStore('texts').delete('d3');
    });
    const index = await open(name, { embedder });
    await expect(index.search('number1')).rejects.toMatchObject({ code: 'STORE_CORRUPT', message: /"d1"/ });
    expect((await found(index, 'number2')).map(([id]) => id)).toEqual(['d2#0']);
    const report = await index.repair();
    expect(report).toMatchObject({
      removed: 2,
      embedded: 0,
      failed: ['d1', 'd3'].map((uri) => ({
        uri,
        code: 'STORE_CORRUPT',
        reason: expect.stringContaining('missing'),
      })),
    });
    expect((await index.documents()).map(({ uri }) => uri)).toEqual(['d0', 'd2']);
    expect(await found(index, 'number1')).toEqual([]);
    await index.sync([0, 1, 2, 3].map((n) => numbered(n)));
    expect((await found(index, 'number3')).map(([id]) => id)).toEqual(['d3#0']);
  });

  it('does not remove a document that another tab stores anew while its text is looked for', async () => {
    const name = freshName();
    const store = await IndexedDBVectorStore.open({ name });
    const [index, other] = [await open('', { store }), await open(name)];
    await index.add([numbered(0), numbered(1)]);
    const readTexts = Reflect.get(store, 'readTexts') as (...args: unknown[]) => unknown;
    Object.defineProperty(store, 'readTexts', {
      configurable: true,
      value: async (...args: unknown[]) => {
        Reflect.deleteProperty(store, 'readTexts');
        await other.add([numbered(0, 'anew')]);
        return readTexts.apply(store, args);
      },
    });
    expect(await index.repair()).toMatchObject({ removed: 0, failed: [] });
    expect(await index.text('d0')).toBe(numbered(0, 'anew').text);
    expect((await index.stats()).documents).toBe(2);
  });

  it('of an index that is well reports nothing, and everything is found as before', async () => {
    const { embedder, asked } = counting();
    const name = freshName();
    const index = await open(name, { embedder });
    await index.add([0, 1, 2].map((n) => numbered(n)));
    const before = await found(index, 'zebra gate2', 'hybrid');
    asked.length = 0;
    expect(await index.repair()).toMatchObject({ removed: 0, embedded: 0, failed: [] });
    expect(asked).toEqual([]);
    expect(await found(index, 'zebra gate2', 'hybrid')).toEqual(before);
    const count = reads('texts');
    const again = await open(name, { embedder });
    expect(await found(again, 'zebra gate2', 'hybrid')).toEqual(before);
    // Those of the hits.
    expect(count.count).toBe(3);
  });

  it('has nothing to do in memory', async () => {
    const index = await open('', { persist: false, embedder: counting().embedder });
    await index.add([numbered(0)]);
    expect(await index.repair()).toMatchObject({ removed: 0, embedded: 0, failed: [] });
    expect((await found(index, 'number0')).map(([id]) => id)).toEqual(['d0#0']);
  });
});
