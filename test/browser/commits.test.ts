import { describe, expect, it } from 'vitest';
import type { Index } from '../../src/open-index.ts';
import { IndexedDBVectorStore } from '../../src/store/idb.ts';
import type { IndexReport } from '../../src/types.ts';
import { patch } from './faults.ts';
import {
  counting,
  doc,
  failWrite,
  found,
  freshName,
  freshState,
  gate,
  lines,
  open,
  stateOf,
  tamper,
  undo,
} from './watch.ts';

describe('the two commits of a document', () => {
  it('make it found by its words while its vectors are still being made, in every tab', async () => {
    const name = freshName();
    const { opened, open: release } = gate();
    const asked = gate();
    const { embedder } = counting({
      before: () => {
        asked.open();
        return opened;
      },
    });
    const [index, other] = [await open(name, { embedder }), await open(name)];
    const adding = index.add([doc('a', 'zebra at dawn', 'otter at dusk')]);
    await asked.opened;
    for (const tab of [index, other]) {
      expect((await found(tab, 'otter')).map(([id]) => id)).toEqual(['a#1']);
      expect(await tab.documents()).toEqual([{ uri: 'a', chunks: 2, vectors: 'pending' }]);
      expect(await tab.stats()).toMatchObject({ documents: 1, chunks: 2, pending: 2, dimensions: 0 });
    }
    expect(await found(index, 'otter', 'semantic')).toEqual([]);
    release();
    expect(await adding).toMatchObject({ documents: 1, chunks: 2, embedded: 2, failed: [] });
    expect((await found(index, 'otter', 'semantic')).map(([id]) => id)).toEqual(['a#1', 'a#0']);
    expect(await other.documents()).toEqual([{ uri: 'a', chunks: 2, vectors: 'stored' }]);
  });

  it('write its entry and its text once, and of several that get vectors at once no more than those', async () => {
    const name = freshName();
    const { embedder } = counting();
    const [index, other] = [await open(name, { embedder }), await open(name, { embedder })];
    await index.add([doc('first', 'an okapi')]);
    const put = new Map<string, number>();
    undo.push(
      patch(IDBObjectStore.prototype, 'put', (original) => {
        return function (this: IDBObjectStore, ...args: Parameters<IDBObjectStore['put']>) {
          put.set(this.name, (put.get(this.name) ?? 0) + 1);
          return original.apply(this, args);
        };
      }),
    );
    await index.add(Array.from({ length: 30 }, (_, at) => doc(`d${at}`, `zebra ${at}`, `otter ${at}`)));
    expect(Object.fromEntries(put)).toEqual({ documents: 30, texts: 30, lexical: 1, vectors: 1, meta: 2 });
    expect(await other.stats()).toMatchObject({ documents: 31, chunks: 61, pending: 0 });
    expect(await stateOf(other)).toEqual(await freshState(name, { embedder }));
  });

  it('show nothing of a document before each is complete', async () => {
    const store = await IndexedDBVectorStore.open({ name: freshName() });
    const index = await open('', { store, embedder: counting().embedder });
    const during: unknown[] = [];
    undo.push(
      patch(IDBObjectStore.prototype, 'put', (original) => {
        return function (this: IDBObjectStore, ...args: Parameters<IDBObjectStore['put']>) {
          const request = original.apply(this, args);
          // The last request of a commit.
          if (this.name === 'meta' && args[1] === 'index') {
            during.push(store.entries.get('a')?.pending ?? 'absent');
            request.addEventListener('success', () =>
              during.push([store.entries.get('a')?.pending ?? 'absent', store.vectorSize.count]),
            );
          }
          return request;
        };
      }),
    );
    await index.add([doc('a', 'zebra', 'otter')]);
    expect(during).toEqual(['absent', ['absent', 0], [0, 1], [[0, 1], 0]]);
    expect(store.entries.get('a')!.pending).toBeUndefined();
    expect(store.vectorSize.count).toBe(2);
  });
});

const base = [
  doc('kept', 'a zebra stays', 'gate2 stays'),
  doc('old', 'an otter', 'before'),
  doc('gone', 'ibex'),
];
const next = [
  base[0]!,
  doc('old', 'an otter', 'after it', 'badger'),
  doc('new', 'badger falcon', 'only every third', 'gate2'),
];

const calls: [string, (index: Index) => Promise<IndexReport>][] = [
  ['add', (index) => index.add(next)],
  ['sync', (index) => index.sync(next)],
];
const kinds: [string, (tx: IDBTransaction, request: IDBRequest) => void][] = [
  ['is aborted', (tx, request) => request.addEventListener('success', () => tx.abort())],
  [
    'finds the disk full',
    (tx) => {
      const error = new DOMException('The disk is full.', 'QuotaExceededError');
      Object.defineProperty(tx, 'error', { get: () => error });
      tx.abort();
    },
  ],
  [
    'throws',
    () => {
      throw new DOMException('disk trouble', 'UnknownError');
    },
  ],
];

/** Documents as they may be found: as before, or as given, and nothing between. */
async function expectWhole(index: Index): Promise<void> {
  const allowed = new Map<string, Set<unknown>>();
  for (const { uri, text } of [...base, ...next]) allowed.set(uri, (allowed.get(uri) ?? new Set()).add(text));
  const documents = await index.documents();
  for (const { uri, chunks } of documents) {
    const text = await index.text(uri);
    expect(allowed.get(uri)).toContain(text);
    const own = await index.chunks(uri);
    expect(own.map((chunk) => chunk.text)).toEqual(text!.split('\n'));
    expect(own).toHaveLength(chunks);
    for (const { id, text: words } of own) {
      expect((await found(index, words)).map(([hit]) => hit)).toContain(id);
    }
  }
  expect(documents.map(({ uri }) => uri)).toContain('kept');
}

describe.each(calls)('an index whose %s', (method, call) => {
  it.each(kinds)(
    '%s at any of its writes is as its disk is, and the same call completes it',
    async (kind, fail) => {
      const { embedder } = counting();
      let n = 0;
      for (let fired = true; fired; ) {
        n++;
        const name = freshName();
        const index = await open(name, { embedder });
        await index.add(base);
        const before = await index.documents();
        const fault = failWrite(n, fail);
        const outcome = await call(index).then(
          () => 'done',
          ({ code }) => code,
        );
        fault.undo();
        fired = fault.fired;
        // What only removes is done on a full disk, too.
        const removes = method === 'sync' && kind === 'finds the disk full' ? '|done' : '';
        const failed = new RegExp(`^(ABORTED|QUOTA_EXCEEDED|STORE_CORRUPT${removes})$`);
        expect(outcome).toMatch(fired ? failed : /^done$/);
        await expectWhole(index);
        const options = { embedder: { ...embedder, load: () => Promise.reject(new Error('not now')) } };
        // Whoever opens it now must not go on in the background, so that the states can be compared.
        expect(await stateOf(index)).toEqual(await freshState(name, options));
        if (n === 1) expect(await index.documents()).toEqual(before);

        await call(index);
        const uris = ['kept', 'old', ...(method === 'add' ? ['gone'] : []), 'new'];
        const documents = await index.documents();
        expect(documents.map(({ uri }) => uri).sort()).toEqual(uris.sort());
        expect(documents.every(({ vectors }) => vectors === 'stored')).toBe(true);
        expect(await index.text('old')).toBe(next[1]!.text);
        expect(await stateOf(index)).toEqual(await freshState(name, { embedder }));
        await index.close();
      }
      // Two documents and their texts, words and the description; then entries, vectors and the description.
      expect(n).toBeGreaterThan(9);
    },
  );

  it('is given up at the very end of any commit is as its disk is, and the same call completes it', async () => {
    const { embedder } = counting();
    for (let commit = 1, fired = true; fired; commit++) {
      const name = freshName();
      const index = await open(name, { embedder, splitter: lines });
      await index.add(base);
      fired = false;
      let left = commit;
      const restore = patch(IDBObjectStore.prototype, 'put', (original) => {
        return function (this: IDBObjectStore, ...args: Parameters<IDBObjectStore['put']>) {
          const request = original.apply(this, args);
          const { transaction } = this;
          if (this.name === 'meta' && args[1] === 'index' && --left === 0) {
            fired = true;
            request.addEventListener('success', () => transaction.abort());
          }
          return request;
        };
      });
      const outcome = await call(index).then(
        () => 'done',
        ({ code }) => code,
      );
      restore();
      expect(outcome).toBe(fired ? 'ABORTED' : 'done');
      await expectWhole(index);
      const options = { embedder: { ...embedder, load: () => Promise.reject(new Error('not now')) } };
      expect(await stateOf(index)).toEqual(await freshState(name, options));
      await call(index);
      expect((await index.documents()).every(({ vectors }) => vectors === 'stored')).toBe(true);
      await index.close();
      // What is stored belongs together: texts of documents there are, and no others.
      await tamper(name, async (tx) => {
        const keys = ['documents', 'texts'].map((store) => tx.objectStore(store).getAllKeys());
        tx.addEventListener('complete', () => expect(keys[0]!.result).toEqual(keys[1]!.result));
      });
    }
  });
});
