import { describe, expect, it } from 'vitest';
import { IndexedDBVectorStore } from '../../src/store/idb.ts';
import { SEGMENT_ROWS } from '../../src/vectors/rows.ts';
import { dump, patch } from './faults.ts';
import { database, freshName, open, record, stateOf, three, undo } from './idb-helpers.ts';
import { tamper } from './watch.ts';

describe('an IndexedDBVectorStore', () => {
  it('is there again after a reload, to the letter', async () => {
    const store = await open();
    await store.upsert(three);
    await store.updateMetadata('b', { at: new Date(0), list: [1, null] });
    const before = await stateOf(store);
    await store.close();
    expect(await stateOf(await open(store.name))).toEqual(before);
  });

  it.each(['with', 'without'])('keeps both when two of one name write in turn, %s locks', async (locks) => {
    if (locks === 'without') {
      Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
      undo.push(() => Reflect.deleteProperty(navigator, 'locks'));
    }
    const one = await open();
    const two = await open(one.name);
    await one.upsert([record('a#0', [1, 0])]);
    await two.upsert([record('b#0', [0, 1])]);
    await one.upsert([record('a#1', [1, 1])]);
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 ? one : two).upsert([record(`c#${at}`, [1, at + 2])])),
    );
    await one.close();
    await two.close();
    const three = await open(one.name);
    expect(await three.countChunks()).toBe(23);
    expect((await three.search([1, 2], { topK: 1 }))[0]!.id).toBe('c#0');
  });

  it('does not show a document that another tab has removed (B113)', async () => {
    const one = await open();
    const two = await open(one.name);
    await one.upsert(three);
    await two.upsert([record('z#0', [1, 0])]);
    expect((await two.search([1, 0], { topK: 9 })).map(({ id }) => id)).toEqual(['a#0', 'z#0', 'a#1', 'b#0']);
    await two.remove('a');
    expect((await one.search([1, 0], { topK: 9 })).map(({ id }) => id)).toEqual(['z#0', 'b#0']);
  });

  it('never puts the text of one state beside the score of another', async () => {
    const one = await open();
    await one.upsert(three);
    const two = await open(one.name);
    await two.upsert([record('b#0', [1, 0], { text: 'new' })]);
    expect(await one.search([0, 1], { topK: 9, filter: {} })).toEqual(await two.search([0, 1], { topK: 9 }));
    expect((await one.search([1, 0], { topK: 9 })).find(({ id }) => id === 'b#0')).toMatchObject({
      text: 'new',
      score: 1,
    });
    await two.upsert([record('b#0', [0, 1], { text: 'newer' })]);
    expect(await one.listChunks('b')).toMatchObject([{ text: 'newer' }]);
  });

  it('stores a row of a large matrix as that row, not the matrix (B109)', async () => {
    const store = await open();
    const matrix = new Float32Array(1_000 * 384).map((_, at) => at % 7);
    const rows = Array.from({ length: 1_000 }, (_, at) => matrix.subarray(at * 384, (at + 1) * 384));
    await store.upsert(rows.map((embedding, at) => ({ id: `d#${at}`, text: `t${at}`, embedding })));
    const { vectors } = await dump(database(store.name));
    const bytes = (vectors as ArrayBuffer[]).map(({ byteLength }) => byteLength);
    expect(bytes).toEqual([32 + SEGMENT_ROWS * 1_536, 32 + (1_000 - SEGMENT_ROWS) * 1_536]);
  });

  it('writes a handful of transactions for 5,000 records (B106)', async () => {
    const store = await open();
    let transactions = 0;
    undo.push(
      patch(IDBDatabase.prototype, 'transaction', (original) => {
        return function (this: IDBDatabase, ...args: Parameters<IDBDatabase['transaction']>) {
          if (args[1] === 'readwrite') transactions++;
          return original.apply(this, args);
        };
      }),
    );
    await store.upsert(Array.from({ length: 5_000 }, (_, at) => record(`d${at % 50}#${at}`, [1, at])));
    expect(transactions).toBe(1);
  });

  it('reads vectors and documents in batches (B107)', async () => {
    const store = await open();
    await store.upsert(
      Array.from({ length: SEGMENT_ROWS * 20 }, (_, at) =>
        record(`d${Math.floor(at / 8)}#${at % 8}`, [1, at]),
      ),
    );
    await store.close();
    const reads: { name: string; size: number }[] = [];
    undo.push(
      patch(IDBObjectStore.prototype, 'getAll', (original) => {
        return function (this: IDBObjectStore, ...args: unknown[]) {
          const request = original.apply(this, args as []);
          request.addEventListener('success', () => {
            reads.push({ name: this.name, size: request.result.length });
          });
          return request;
        };
      }),
    );
    // A segment is read by itself, and few are under way at once.
    let [underWay, most, segments] = [0, 0, 0];
    undo.push(
      patch(IDBObjectStore.prototype, 'get', (original) => {
        return function (this: IDBObjectStore, key: IDBValidKey | IDBKeyRange) {
          const request = original.call(this, key);
          if (this.name !== 'vectors') return request;
          segments++;
          most = Math.max(most, ++underWay);
          request.addEventListener('success', () => underWay--);
          return request;
        };
      }),
    );
    const again = await open(store.name);
    expect(await again.countChunks()).toBe(SEGMENT_ROWS * 20);
    const sizes = (wanted: string) => reads.filter(({ name }) => name === wanted).map(({ size }) => size);
    expect(sizes('vectors')).toEqual([]);
    expect(segments).toBe(20);
    expect(most).toBeLessThanOrEqual(16);
    expect(sizes('directory')).toEqual([4, 1]);
    expect(sizes('documents')).toEqual([]);
    expect((await again.search([0, 1], { topK: 1 }))[0]!.id).toBe(`d${SEGMENT_ROWS * 2.5 - 1}#7`);
    await again.close();
    await tamper(store.name, (tx) => void tx.objectStore('directory').clear());
    await open(store.name);
    expect(sizes('documents')).toEqual([500, 500, 280]);
  });

  it('reads no text to open, and only those of hits to search', async () => {
    const store = await open();
    await store.upsert(three);
    await store.close();
    const read: unknown[] = [];
    undo.push(
      patch(IDBObjectStore.prototype, 'get', (original) => {
        return function (this: IDBObjectStore, key: IDBValidKey | IDBKeyRange) {
          if (this.name === 'texts') read.push(key);
          return original.call(this, key);
        };
      }),
    );
    const again = await open(store.name);
    expect(read).toEqual([]);
    await again.search([0, 1], { topK: 1 });
    expect(read).toEqual(['b']);
  });

  it('refuses calls once closed', async () => {
    const store = await open();
    await store.upsert(three);
    const last = store.upsert([record('c#0', [2, 2])]);
    await store.close();
    await last;
    for (const call of [() => store.search([1, 0]), () => store.listDocuments(), () => store.remove('a')]) {
      await expect(call()).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    }
    await store.close();
    expect(await (await open(store.name)).listDocumentIds()).toEqual(['a', 'b', 'c']);
  });

  it('asks for the durability it is given', async () => {
    const asked: unknown[] = [];
    undo.push(
      patch(IDBDatabase.prototype, 'transaction', (original) => {
        return function (this: IDBDatabase, ...args: Parameters<IDBDatabase['transaction']>) {
          const tx = original.apply(this, args);
          if (args[1] === 'readwrite') asked.push(tx.durability);
          return tx;
        };
      }),
    );
    const name = freshName();
    const store = await IndexedDBVectorStore.open({ name, durability: 'strict' });
    await store.upsert(three);
    expect(asked).toEqual(['strict']);
  });
});
