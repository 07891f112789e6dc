import { describe, expect, it } from 'vitest';
import { IndexedDBVectorStore } from '../../src/store/idb.ts';
import type { Splitter } from '../../src/types.ts';
import { abortForQuota } from './faults.ts';
import { counting, doc, freshName, freshState, lines, numbered, open, stateOf, undo } from './watch.ts';

/** Documents of 300 chunks, so that four are a commit. */
const large = (count: number, salt = '') =>
  Array.from({ length: count }, (_, at) =>
    doc(`large${at}`, ...Array.from({ length: 300 }, (__, line) => `zebra ${salt} ${at} line${line}`)),
  );

/** Tells each document that is being cut. */
const watching = (cut: (uri: string) => void): Splitter => ({
  ...lines,
  split(document) {
    cut(document.uri);
    return lines.split(document);
  },
});

describe('documents that are added', () => {
  it('are committed while later ones are cut', async () => {
    const name = freshName();
    const store = await IndexedDBVectorStore.open({ name });
    let [seen, stored] = ['', 0];
    const splitter = watching((uri) => {
      seen = uri;
      stored = store.entries.size;
    });
    const index = await open('', { store, splitter });
    const stages: string[] = [];
    const report = await index.add(large(13), {
      onProgress: ({ stage, done, total }) => stages.push(`${stage} ${done}/${total}`),
    });
    // Before the third commit is begun, the first is complete.
    expect([seen, stored]).toEqual(['large12', 8]);
    expect(report).toMatchObject({ documents: 13, chunks: 3900, unembedded: 3900, failed: [] });
    expect(stages.filter((stage) => stage.startsWith('store'))).toEqual(['store 13/13']);
    expect(await freshState(name, {})).toEqual(await stateOf(index));
  });

  it('are all taken back where the disk is full while others are being cut', async () => {
    const { embedder } = counting();
    const name = freshName();
    let cut = 0;
    const splitter = watching(() => {
      cut++;
    });
    const index = await open(name, { embedder, splitter });
    await index.add([numbered(1), ...large(2, 'before')]);
    const before = await stateOf(index);
    for (const writes of [1, 14, 25]) {
      cut = 0;
      const restore = abortForQuota(writes);
      undo.push(restore);
      await expect(index.add([...large(13), numbered(2)])).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
      restore();
      expect(cut).toBeLessThanOrEqual(14);
      const { stats, ...after } = await stateOf(index);
      expect(after).toEqual({ documents: before['documents'], texts: before['texts'], hits: before['hits'] });
      expect(stats).toMatchObject({ documents: 3, pending: 0 });
      expect(await freshState(name, { embedder })).toEqual({ ...after, stats });
    }
  });

  it('stay as far as they are whole where the call is aborted, and the same call goes on', async () => {
    const { embedder, asked } = counting();
    const name = freshName();
    const stop = new AbortController();
    const splitter = watching((uri) => {
      if (uri === 'large11') stop.abort(new Error('enough'));
    });
    const index = await open(name, { embedder, splitter });
    await expect(index.add(large(13), { signal: stop.signal })).rejects.toThrow('enough');
    const documents = await index.documents();
    expect(documents.length).toBeGreaterThanOrEqual(4);
    expect(documents.length).toBeLessThanOrEqual(8);
    expect(documents.every(({ chunks, vectors }) => chunks === 300 && vectors === 'pending')).toBe(true);
    expect(asked).toEqual([]);
    await index.close();
    const again = await open(name, { embedder });
    const report = await again.sync(large(13));
    expect(report).toMatchObject({ added: 13 - documents.length, unchanged: documents.length, failed: [] });
    expect(await again.stats()).toMatchObject({ documents: 13, chunks: 3900, pending: 0 });
    expect(new Set(asked).size).toBe(3900);
  });

  it('end the call where a commit fails, whatever is being cut', async () => {
    const name = freshName();
    let cut = 0;
    const splitter = watching(() => {
      cut++;
    });
    const index = await open(name, { splitter });
    const { transaction } = IDBDatabase.prototype;
    const restore = () => {
      IDBDatabase.prototype.transaction = transaction;
    };
    undo.push(restore);
    IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...args) {
      if (args[1] === 'readwrite') throw new DOMException('a fault', 'UnknownError');
      return transaction.apply(this, args);
    };
    await expect(index.add(large(20))).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
    restore();
    expect(cut).toBe(8);
    expect(await index.documents()).toEqual([]);
    expect(await index.add(large(5))).toMatchObject({ documents: 5 });
  });
});
