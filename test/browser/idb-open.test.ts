import { describe, expect, it, vi } from 'vitest';
import type { ShelfmarkError } from '../../src/errors.ts';
import { openIndex } from '../../src/open-index.ts';
import { IndexedDBVectorStore } from '../../src/store/idb.ts';
import { closeByBrowser, connections, dump, openRaw, patch } from './faults.ts';
import { database, freshName, open, record, three, undo } from './idb-helpers.ts';
import { letters } from './letters.ts';

describe('opening an IndexedDBVectorStore', () => {
  it('waits for another tab, says so, and goes on when that tab goes (B099)', async () => {
    const name = freshName();
    const other = await openRaw(database(name), 1);
    const told: ShelfmarkError[] = [];
    const opening = IndexedDBVectorStore.open({
      name,
      onBlocked: (error) => {
        told.push(error);
        setTimeout(() => other.close(), 50);
      },
    });
    const store = await opening;
    expect(told).toMatchObject([
      { code: 'STORE_BLOCKED', message: expect.stringContaining('close or reload') },
    ]);
    await store.upsert(three);
    await store.destroy();
  });

  it('gives up on a tab that never goes, and does not leave a connection behind (B099)', async () => {
    const name = freshName();
    const other = await openRaw(database(name), 1);
    const { opened, undo: restore } = connections();
    undo.push(restore);
    const started = performance.now();
    await expect(IndexedDBVectorStore.open({ name, blockedTimeout: 80 })).rejects.toMatchObject({
      code: 'STORE_BLOCKED',
    });
    expect(performance.now() - started).toBeLessThan(3_000);
    other.close();
    await expect.poll(() => opened.length).toBe(1);
    // Deleting is blocked by any connection left open.
    const third = await open(name);
    await third.destroy();
  });

  it('closes when another tab wants a newer version, and says so to later calls (B099)', async () => {
    const store = await open();
    await store.upsert(three);
    const newer = await openRaw(database(store.name), 99);
    newer.close();
    await expect(store.search([1, 0])).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    await expect(store.upsert(three)).rejects.toThrow('another tab');
  });

  it('leaves a store of a newer version as it is, and says so (B101)', async () => {
    const store = await open();
    await store.upsert(three);
    await store.close();
    (await openRaw(database(store.name), 99)).close();
    const before = await dump(database(store.name));
    await expect(IndexedDBVectorStore.open({ name: store.name })).rejects.toMatchObject({
      code: 'FORMAT',
      message: expect.stringContaining('newer version'),
    });
    await expect(openIndex({ name: store.name, persist: 'auto' })).rejects.toMatchObject({ code: 'FORMAT' });
    expect(await dump(database(store.name))).toEqual(before);
  });

  it('opens a connection again, once, when the browser closed it (B102)', async () => {
    const { opened, undo: restore } = connections();
    undo.push(restore);
    const store = await open();
    await store.upsert(three);
    closeByBrowser(opened[0]!);
    expect((await store.search([1, 0])).map(({ text }) => text)).toContain('text of a#0');
    expect(opened).toHaveLength(2);
    // And where it is gone without a word.
    opened[1]!.close();
    await store.upsert([record('c#0', [2, 2])]);
    expect(opened).toHaveLength(3);
    expect(await store.listDocumentIds()).toEqual(['a', 'b', 'c']);
  });

  it('finds itself empty, without a crash, when the browser deleted what it kept (B111)', async () => {
    const { opened, undo: restore } = connections();
    undo.push(restore);
    const store = await open();
    await store.upsert(three);
    closeByBrowser(opened[0]!);
    await new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase(database(store.name));
      request.onsuccess = resolve;
      request.onerror = reject;
    });
    expect(await store.search([1, 0])).toEqual([]);
    expect(await store.listDocumentIds()).toEqual([]);
    await store.upsert([record('c#0', [2, 2])]);
    expect(await store.listDocumentIds()).toEqual(['c']);
  });

  it('refuses a name that is none', async () => {
    for (const name of ['', undefined, 5]) {
      await expect(IndexedDBVectorStore.open({ name: name as string })).rejects.toMatchObject({
        code: 'INVALID_OPTION',
      });
    }
  });
});

describe('a damaged store', () => {
  async function damaged(change: (stores: IDBTransaction) => void): Promise<string> {
    const store = await open();
    await store.upsert(three);
    await store.close();
    const db = await openRaw(database(store.name));
    await new Promise<void>((resolve) => {
      const tx = db.transaction([...db.objectStoreNames], 'readwrite');
      change(tx);
      tx.oncomplete = () => resolve();
    });
    db.close();
    return store.name;
  }
  const segment = () => {
    const bytes = new ArrayBuffer(32 + 24);
    return { bytes, view: new DataView(bytes) };
  };

  it.each<[string, RegExp, (tx: IDBTransaction) => void]>([
    ['a lost segment', /is not there/, (tx) => tx.objectStore('vectors').clear()],
    ['a segment that is no bytes', /not a block of bytes/, (tx) => tx.objectStore('vectors').put('x', 0)],
    [
      'a segment of zeros',
      /mark of a vector segment/,
      (tx) => tx.objectStore('vectors').put(segment().bytes, 0),
    ],
  ])('opens with %s, says so, and finds by words', async (_, message, change) => {
    const name = await damaged(change);
    const store = await open(name);
    expect(store.damages).toEqual([
      { part: 'vectors', segment: 0, reason: expect.stringMatching(message), documents: ['a', 'b'] },
    ]);
    expect(await store.search([1, 0])).toEqual([]);
    expect((await store.searchText('text a')).map(({ id }) => id)).toEqual(['a#0', 'a#1', 'b#0']);
    // One change makes it durable what is lost, so that nothing is damaged any more.
    await store.upsert([record('c#0', [1, 1])]);
    await store.close();
    const again = await open(name);
    expect(again.damages).toEqual([]);
    expect([...again.entries.values()].map(({ id, pending }) => [id, pending])).toEqual([
      ['a', [0, 1]],
      ['b', [0]],
      ['c', undefined],
    ]);
    expect((await again.search([1, 0])).map(({ id }) => id)).toEqual(['c#0']);
  });

  it('is refused for a description that is none', async () => {
    const message = /makes no sense; call repairIndex/;
    const name = await damaged((tx) => tx.objectStore('meta').put({}, 'index'));
    await expect(IndexedDBVectorStore.open({ name })).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringMatching(message),
    });
    // And the failed open holds nothing: the database can be deleted.
    await new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase(database(name));
      request.onsuccess = resolve;
      request.onerror = reject;
    });
  });

  it('tells a lost text from a stale one', async () => {
    const name = await damaged((tx) => tx.objectStore('texts').clear());
    const store = await open(name);
    await expect(store.search([1, 0])).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining('texts of document "a"'),
    });
    expect(await store.listDocumentIds()).toEqual(['a', 'b']);
  });

  it('is refused as of another format where its layout is newer', async () => {
    const name = await damaged((tx) => {
      const meta = { schema: 6, generation: 1, dimensions: 2, rowCount: 3 };
      tx.objectStore('meta').put(meta, 'index');
    });
    await expect(IndexedDBVectorStore.open({ name })).rejects.toMatchObject({ code: 'FORMAT' });
  });
});

describe('a page without IndexedDB (B110)', () => {
  const hide = (get: () => unknown) => {
    const own = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB')!;
    Object.defineProperty(globalThis, 'indexedDB', { configurable: true, get });
    undo.push(() => Object.defineProperty(globalThis, 'indexedDB', own));
  };
  /** A real factory whose requests fail as in a private window. */
  const failing = () => {
    const real = indexedDB;
    return () => ({
      open() {
        const request = real.open('shelfmark-private-window');
        const error = new DOMException('private window', 'InvalidStateError');
        Object.defineProperty(request, 'error', { get: () => error });
        request.addEventListener('success', () => request.result.close());
        queueMicrotask(() => request.dispatchEvent(new Event('error')));
        return request;
      },
    });
  };

  it.each<[string, () => unknown]>([
    ['has none', () => undefined],
    [
      'denies it',
      () => {
        throw new DOMException('denied', 'SecurityError');
      },
    ],
    [
      'throws on open',
      () => ({
        open() {
          throw new DOMException('no', 'SecurityError');
        },
      }),
    ],
    ['fails to open', failing()],
  ])('that %s is told so, and goes on in memory where that will do', async (_, get) => {
    hide(get);
    await expect(IndexedDBVectorStore.open({ name: 'x' })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    await expect(openIndex({ name: 'x' })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    await expect(openIndex({ name: 'x' })).rejects.toThrow("persist: 'auto'");
    const index = await openIndex({ name: 'x', persist: 'auto', embedder: letters().embedder });
    await index.add([{ uri: 'a.md', text: 'Zebras in the zoo.' }]);
    expect((await index.search('zebra'))[0]!.docUri).toBe('a.md');
    expect(await index.stats()).toMatchObject({
      persistent: false,
      unkept: expect.stringMatching(/the index is in memory and goes with the page\.$/),
    });
  });

  it('that gets no answer goes on in memory where that will do, and closes what is opened too late', async () => {
    const name = freshName();
    let answer: () => void = () => {};
    undo.push(
      patch(IDBFactory.prototype, 'open', (original) => {
        return function (this: IDBFactory, ...args: Parameters<IDBFactory['open']>) {
          const request = original.apply(this, args);
          const hold = (event: Event) => {
            event.stopImmediatePropagation();
            answer = () => request.dispatchEvent(new Event('success'));
          };
          request.addEventListener('success', hold, { once: true });
          request.addEventListener('upgradeneeded', (event) => event.stopImmediatePropagation());
          return request;
        };
      }),
    );
    const index = await openIndex({ name, persist: 'auto', blockedTimeout: 50 });
    await index.add([{ uri: 'a.md', text: 'Zebras in the zoo.' }]);
    expect((await index.search('zebras'))[0]!.docUri).toBe('a.md');
    expect(await index.stats()).toMatchObject({
      persistent: false,
      unkept: expect.stringContaining('IndexedDB has not answered for 50 ms'),
    });
    const close = vi.spyOn(IDBDatabase.prototype, 'close');
    undo.push(() => close.mockRestore());
    answer();
    await expect.poll(() => close.mock.calls.length).toBe(1);
  });

  it('that opens and then does not answer goes on in memory where that will do', async () => {
    const name = freshName();
    const close = vi.spyOn(IDBDatabase.prototype, 'close');
    undo.push(() => close.mockRestore());
    undo.push(
      patch(IDBObjectStore.prototype, 'get', (original) => {
        return function (this: IDBObjectStore, ...args: Parameters<IDBObjectStore['get']>) {
          const request = original.apply(this, args);
          request.addEventListener('success', (event) => event.stopImmediatePropagation());
          return request;
        };
      }),
    );
    const index = await openIndex({ name, persist: 'auto', blockedTimeout: 50 });
    await index.add([{ uri: 'a.md', text: 'Zebras in the zoo.' }]);
    expect((await index.search('zebras'))[0]!.docUri).toBe('a.md');
    expect((await index.stats()).unkept).toBe(
      'IndexedDB has not answered for 50 ms; the index is in memory and goes with the page.',
    );
    expect(close).toHaveBeenCalled();
  });

  it('that finds no room to open is told how much there is', async () => {
    undo.push(
      patch(IDBFactory.prototype, 'open', (original) => {
        return function (this: IDBFactory, ...args: Parameters<IDBFactory['open']>) {
          const request = original.apply(this, args);
          const error = new DOMException('full', 'QuotaExceededError');
          Object.defineProperty(request, 'error', { get: () => error });
          request.addEventListener('upgradeneeded', (event) => event.stopImmediatePropagation());
          request.addEventListener(
            'success',
            (event) => {
              event.stopImmediatePropagation();
              request.result.close();
              request.dispatchEvent(new Event('error'));
            },
            { once: true },
          );
          return request;
        };
      }),
    );
    await expect(openIndex({ name: freshName() })).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
      message: expect.stringMatching(/MB in use\) to open index/),
      estimate: { usage: expect.any(Number), quota: expect.any(Number) },
    });
  });
});
