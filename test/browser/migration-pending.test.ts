/** An older layout of which some documents have their vectors and some still wait for them. */
import { describe, expect, it } from 'vitest';
import { openIndex, repairIndex } from '../../src/open-index.ts';
import type { VectorFormat } from '../../src/types.ts';
import { openRaw, patch } from './faults.ts';
import { now, older, schemaOf } from './older-layout.ts';
import {
  answer,
  counting,
  found,
  freshName,
  freshState,
  numbered,
  open,
  stateOf,
  tamper,
  undo,
} from './watch.ts';

/** Fails on documents 1 and 3. */
const failing = () =>
  counting({
    before: (texts) => {
      if (texts.some((text) => /number[13]/.test(text))) throw new Error('not that one');
    },
  }).embedder;

/** An older index whose documents 1 and 3 are still to be embedded: 5 of its 12 chunks. */
const half = (version: 2 | 3, vectors: VectorFormat = 'f32') => older(version, vectors, failing());
const PENDING = 5;
const waiting = ['d1', 'd3'];

const pendingOf = async (index: Awaited<ReturnType<typeof openIndex>>) =>
  (await index.documents())
    .filter(({ vectors }) => vectors === 'pending')
    .map(({ uri }) => uri)
    .sort();

describe.each([2, 3] as const)('an index of layout %i with vectors still to come', (version) => {
  it.each(['f32', 'int8', 'int8+f32'] as const)(
    'tells which, finds as before, and gets them, %s',
    async (vectors) => {
      const name = await half(version, vectors);
      const plain = await open(name);
      expect(await pendingOf(plain)).toEqual(waiting);
      expect(await plain.stats()).toMatchObject({ documents: 5, chunks: 12, pending: PENDING });
      expect((await plain.stats()).damaged).toBeUndefined();
      expect((await found(plain, 'number3')).map(([id]) => id)).toContain('d3#0');
      await plain.close();
      const { embedder, asked } = counting();
      const index = await open(name, { embedder });
      await expect.poll(async () => (await index.stats()).pending).toBe(0);
      expect(asked).toHaveLength(PENDING);
      expect(await schemaOf(name)).toBe(5);
      expect(await stateOf(index)).toEqual(await freshState(name, { embedder }));
      const fresh = await open(freshName(), { embedder, vectors });
      await fresh.add(now);
      const ids = async (one: typeof fresh) =>
        (await found(one, 'zebra number3', 'semantic')).map(([id, score]) => `${id} ${score}`).sort();
      expect(await ids(index)).toEqual(await ids(fresh));
    },
  );

  it('keeps them waiting through a write that is not theirs, a removal and a change', async () => {
    const name = await half(version);
    const index = await open(name);
    await index.add([numbered(6)]);
    expect(await schemaOf(name)).toBe(5);
    expect(await pendingOf(index)).toEqual(['d1', 'd3', 'd6']);
    await index.remove('d1');
    await index.add([numbered(2, 'changed')]);
    expect(await pendingOf(index)).toEqual(['d2', 'd3', 'd6']);
    await index.close();
    const { embedder } = counting();
    const again = await open(name, { embedder });
    await expect.poll(async () => (await again.stats()).pending).toBe(0);
    expect(await stateOf(again)).toEqual(await freshState(name, { embedder }));
  });

  it('is completed once where two tabs open it at once', async () => {
    const name = await half(version);
    const { embedder, asked } = counting();
    const [one, two] = await Promise.all([open(name, { embedder }), open(name, { embedder })]);
    await expect.poll(async () => [(await one.stats()).pending, (await two.stats()).pending]).toEqual([0, 0]);
    expect(asked).toHaveLength(PENDING);
    expect(await stateOf(two)).toEqual(await stateOf(one));
    await Promise.all([one.add([numbered(6)]), two.add([numbered(7)])]);
    expect(await stateOf(two)).toEqual(await stateOf(one));
    expect(await stateOf(one)).toEqual(await freshState(name, { embedder }));
  });

  it('is as it was where the browser gives the upgrade up, and opens the next time', async () => {
    const name = await half(version);
    const take = patch(IDBFactory.prototype, 'open', (original) => {
      return function (this: IDBFactory, ...args: Parameters<IDBFactory['open']>) {
        const request = original.apply(this, args);
        request.addEventListener('upgradeneeded', () => {
          // Answered when all object stores and indexes are made.
          const { transaction } = request;
          transaction!.objectStore('meta').get('index').onsuccess = () => transaction!.abort();
        });
        return request;
      };
    });
    undo.push(take);
    await expect(openIndex({ name })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    take();
    const db = await openRaw(`shelfmark:${name}`);
    expect(db.version).toBe(version);
    db.close();
    expect(await pendingOf(await open(name))).toEqual(waiting);
  });

  it('is as it was where the first commit is aborted', async () => {
    const name = await half(version);
    const { embedder } = counting();
    const index = await open(name);
    const shown = async () => [
      { ...(await index.stats()), lexicalBytes: 0 },
      await index.documents(),
      await index.chunks('d3'),
      await found(index, 'zebra number3'),
    ];
    const before = await shown();
    const take = patch(IDBObjectStore.prototype, 'put', (original) => {
      return function (this: IDBObjectStore, ...args: Parameters<IDBObjectStore['put']>) {
        const request = original.apply(this, args);
        if (this.name === 'meta') this.transaction.abort();
        return request;
      };
    });
    undo.push(take);
    await expect(index.add([numbered(6)])).rejects.toMatchObject({ name: 'ShelfmarkError' });
    take();
    expect(await shown()).toEqual(before);
    expect(await schemaOf(name)).toBe(version);
    await index.close();
    const again = await open(name, { embedder });
    await expect.poll(async () => (await again.stats()).pending).toBe(0);
  });

  it('is exported and imported with what is pending, before anything was written to it', async () => {
    const name = await half(version);
    const index = await open(name);
    const file = await index.export();
    expect(await schemaOf(name)).toBe(version);
    const read = await openIndex({ from: file });
    expect(await read.stats()).toMatchObject({ documents: 5, chunks: 12, pending: PENDING });
    expect(await pendingOf(read)).toEqual(waiting);
    const other = freshName();
    const { embedder, asked } = counting();
    const imported = await open(other, { from: file, embedder });
    await expect.poll(async () => (await imported.stats()).pending).toBe(0);
    expect(asked).toHaveLength(PENDING);
    expect(await schemaOf(other)).toBe(5);
    const shown = await stateOf(imported);
    await index.close();
    const own = await open(name, { embedder });
    await expect.poll(async () => (await own.stats()).pending).toBe(0);
    expect(shown).toEqual(await stateOf(own));
  });

  it('is repaired with what is pending where it opens no more', async () => {
    const name = await half(version);
    await tamper(name, async (tx) => {
      const meta = await answer(tx.objectStore('meta').get('index'));
      tx.objectStore('meta').put({ ...meta, rowCount: 'many' }, 'index');
    });
    await expect(openIndex({ name })).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
    expect(await repairIndex(name)).toMatchObject({ documents: 5, chunks: 12, pending: 12, lost: [] });
    const { embedder } = counting();
    const index = await open(name, { embedder });
    await expect.poll(async () => (await index.stats()).pending).toBe(0);
    expect(await stateOf(index)).toEqual(await freshState(name, { embedder }));
  });

  it('moves to another embedder, which leaves nothing to come', async () => {
    const name = await half(version);
    const { embedder } = counting({ id: 'other', dimensions: 7 });
    const index = await open(name, { embedder });
    expect(await index.reembed()).toMatchObject({ documents: 5, embedded: 12, failed: [] });
    expect(await index.stats()).toMatchObject({ embedder: 'other', dimensions: 7, pending: 0 });
    expect(await stateOf(index)).toEqual(await freshState(name, { embedder }));
  });
});
