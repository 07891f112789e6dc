import { describe, expect, it } from 'vitest';
import type { VectorRecord } from '../../src/types.ts';
import { SEGMENT_ROWS } from '../../src/vectors/rows.ts';
import { storeKinds } from './store-kinds.ts';

const record = (id: string, embedding: number[], rest: Partial<VectorRecord> = {}): VectorRecord => ({
  id,
  text: `text of ${id}`,
  embedding,
  ...rest,
});

const kinds = await storeKinds();

describe.each(kinds)('$name', ({ open, reopen, dispose }) => {
  it('scores a zero vector 0, never NaN, and does not let it push out real hits (B143)', async () => {
    const store = await open();
    await store.upsert([record('a#0', [1, 0]), record('b#0', [0.5, 0.5]), record('c#0', [0, 0])]);
    const hits = await store.search([1, 0], { topK: 2 });
    expect(hits.map(({ id }) => id)).toEqual(['a#0', 'b#0']);
    expect(hits.every(({ score }) => Number.isFinite(score))).toBe(true);
    expect((await store.search([0, 0], { topK: 9 })).map(({ id, score }) => [id, score])).toEqual([
      ['a#0', 0],
      ['b#0', 0],
      ['c#0', 0],
    ]);
    await dispose(store);
  });

  it('refuses vectors of another length, naming both lengths (B146)', async () => {
    const store = await open();
    await store.upsert([record('a#0', [1, 0, 0, 0])]);
    const eight = [1, 2, 3, 4, 5, 6, 7, 8];
    await expect(store.search(eight)).rejects.toMatchObject({ code: 'DIMENSION_MISMATCH' });
    await expect(store.search(eight)).rejects.toThrow(/8 values.* 4/);
    await expect(store.upsert([record('b#0', eight)])).rejects.toThrow(/"b#0".*8 values.* 4/);
    await expect(store.upsert([record('b#0', [1, 2, 3, 4]), record('c#0', [1])])).rejects.toMatchObject({
      code: 'DIMENSION_MISMATCH',
    });
    expect(await store.listDocumentIds()).toEqual(['a']);
    await dispose(store);
  });

  it('takes vectors of another length once it holds none', async () => {
    const store = await open();
    await store.upsert([record('a#0', [1, 0, 0, 0])]);
    await store.remove('a');
    await store.upsert([record('b#0', [1, 0])]);
    const again = await reopen(store);
    expect((await again.search([1, 0])).map(({ id }) => id)).toEqual(['b#0']);
    await dispose(again);
  });

  it('refuses what is no finite 32-bit number, naming the record', async () => {
    const store = await open();
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, 1e39, '1' as unknown as number]) {
      await expect(store.upsert([record('good#0', [1, 1]), record('bad#0', [1, bad])])).rejects.toMatchObject(
        {
          code: 'INVALID_VECTOR',
          message: expect.stringContaining('"bad#0"'),
        },
      );
      await expect(store.search([bad, 1])).rejects.toMatchObject({ code: 'INVALID_VECTOR' });
    }
    await expect(store.upsert([record('bad#0', [])])).rejects.toMatchObject({ code: 'INVALID_VECTOR' });
    const { embedding: _, ...without } = record('bad#0', []);
    await expect(store.upsert([without as VectorRecord])).rejects.toMatchObject({ code: 'INVALID_VECTOR' });
    expect(await store.countChunks()).toBe(0);
    await dispose(store);
  });

  it('refuses a record without an id or a passage, and what cannot be stored, and keeps nothing of the call', async () => {
    const store = await open();
    const good = record('good#0', [1, 1]);
    for (const [bad, code] of [
      [record('', [1, 1]), 'INVALID_DOCUMENT'],
      [record('a#0', [1, 1], { text: ' \n' }), 'EMPTY_DOCUMENT'],
      [record('a#0', [1, 1], { text: 7 as unknown as string }), 'EMPTY_DOCUMENT'],
      [record('a#0', [1, 1], { metadata: { run: () => 1 } }), 'INVALID_DOCUMENT'],
    ] as const) {
      await expect(store.upsert([good, bad])).rejects.toMatchObject({ code });
    }
    expect(await store.countChunks()).toBe(0);
    await expect(store.search([1, 1], { topK: 1.5 })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    await dispose(store);
  });

  it('filters before it ranks (B156)', async () => {
    const store = await open();
    const near = Array.from({ length: 100 }, (_, at) =>
      record(`b#${at}`, [1, at / 1000], { metadata: { tag: 'B' } }),
    );
    const far = Array.from({ length: 10 }, (_, at) =>
      record(`a#${at}`, [0.1, 1 + at], { metadata: { tag: 'A' } }),
    );
    await store.upsert([...near, ...far]);
    const hits = await store.search([1, 0], { topK: 5, filter: { tag: 'A' } });
    expect(hits.map(({ id }) => id)).toEqual(['a#0', 'a#1', 'a#2', 'a#3', 'a#4']);
    await dispose(store);
  });

  it('keeps ties in the order of insertion, every time and after a reload (B159)', async () => {
    const store = await open();
    const ids = ['z#0', 'm#3', 'a#1', 'm#0', 'z#9', 'b'];
    await store.upsert(ids.map((id) => record(id, [2, 1])));
    await store.upsert([record('m#3', [4, 2])]);
    for (let run = 0; run < 20; run++) {
      expect((await store.search([2, 1], { topK: 4 })).map(({ id }) => id)).toEqual(ids.slice(0, 4));
    }
    const again = await reopen(store);
    expect((await again.search([2, 1], { topK: 9 })).map(({ id }) => id)).toEqual(ids);
    expect(await again.listDocumentIds()).toEqual(['z', 'm', 'a', 'b']);
    await dispose(again);
  });

  it('takes names of built-in members for ids, keys and values (B165)', async () => {
    const store = await open();
    const names = ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf'];
    await store.upsert(
      names.map((name, at) => {
        const metadata: Record<string, unknown> = {};
        Object.defineProperty(metadata, name, {
          value: name,
          enumerable: true,
          configurable: true,
          writable: true,
        });
        return record(name, [1, at], { metadata });
      }),
    );
    const again = await reopen(store);
    for (const name of names) {
      const filter = Object.fromEntries([[name, name]]);
      expect((await again.search([1, 0], { filter })).map(({ id }) => id)).toEqual([name]);
      expect(await again.listDocumentIds(filter)).toEqual([name]);
    }
    expect(await again.countChunks({ constructor: Object })).toBe(0);
    await dispose(again);
  });

  it('holds a record once however often it is written (B173)', async () => {
    const store = await open();
    await store.upsert([record('d#0', [1, 0], { text: 'old words' }), record('d#1', [0, 1])]);
    await store.upsert([record('d#0', [0, 1], { text: 'new words' })]);
    const again = await reopen(store);
    expect((await again.search([0, 1], { topK: 9 })).map(({ text }) => text)).toEqual([
      'new words',
      'text of d#1',
    ]);
    await dispose(again);
  });

  it('shares no object with its caller', async () => {
    const store = await open();
    const metadata = { tags: ['x'] };
    const embedding = [1, 0];
    await store.upsert([record('a#0', embedding, { metadata })]);
    metadata.tags.push('y');
    embedding[0] = 0;
    const [hit] = await store.search([1, 0]);
    expect(hit).toMatchObject({ score: 1, metadata: { tags: ['x'] } });
    (hit!.metadata!['tags'] as string[]).push('z');
    expect((await store.listChunks('a'))[0]!.metadata).toEqual({ tags: ['x'] });
    await dispose(store);
  });

  it('stays the same store while rows are removed, compacted and read again', async () => {
    const store = await open();
    const size = SEGMENT_ROWS / 16;
    const documents = Array.from({ length: 40 }, (_, doc) =>
      Array.from({ length: size }, (_, at) =>
        record(`d${doc}#${at}`, [doc + 1, at, 1], { metadata: { even: doc % 2 === 0 }, heading: `H${at}` }),
      ),
    );
    for (const records of documents) await store.upsert(records);
    expect(await store.countChunks()).toBe(40 * size);
    const before = await store.search([3, 4, 1], { topK: 10_000, filter: { even: true } });
    await store.removeWhere({ even: false });
    expect(await store.search([3, 4, 1], { topK: 10_000 })).toEqual(before);
    await store.removeMany(Array.from({ length: 30 }, (_, doc) => `d${doc}`));
    await store.upsert([record('late#0', [3, 4, 1])]);
    const left = before.filter(({ id }) => Number(/^d(\d+)#/.exec(id)![1]) >= 30);
    const again = await reopen(store);
    // All that is left fits one segment, so the tombstones are gone from memory and disk.
    const small = await open();
    await small.upsert([record('one#0', [3, 4, 1])]);
    // An engine does not tell.
    const { bytes } = small.vectorSize ?? {};
    await dispose(small);
    if (bytes !== undefined) {
      expect(again.vectorSize).toEqual({ count: 5 * size + 1, dimensions: 3, bytes });
    }
    const after = await again.search([3, 4, 1], { topK: 10_000 });
    expect(after[0]).toMatchObject({ id: 'late#0', text: 'text of late#0' });
    expect(after.slice(1)).toEqual(left);
    expect(await again.listDocumentIds()).toEqual(['d30', 'd32', 'd34', 'd36', 'd38', 'late']);
    await dispose(again);
  });

  it('runs calls in the order in which they were made, and one that fails spoils none', async () => {
    const store = await open();
    const calls = [
      store.upsert([record('a#0', [1, 0])]),
      store.upsert([record('b#0', [1])]),
      store.updateMetadata('a', { seen: true }),
      store.upsert([record('c#0', [0, 1])]),
      store.remove('c'),
    ];
    const settled = await Promise.allSettled(calls);
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
    expect(await store.listDocuments()).toEqual([{ id: 'a', metadata: { seen: true } }]);
    await dispose(store);
  });
});
