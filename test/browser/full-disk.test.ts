import { describe, expect, it } from 'vitest';
import { openIndex } from '../../src/open-index.ts';
import { IndexedDBVectorStore } from '../../src/store/idb.ts';
import { patch } from './faults.ts';
import { undo } from './idb-helpers.ts';
import { freshName, guide, notes, open } from './index-helpers.ts';
import { letters } from './letters.ts';

/** From now on a transaction that writes anything fails as on a full disk; one that only deletes does not. */
function fillDisk(from = 1): () => void {
  let left = from;
  const restore = patch(IDBObjectStore.prototype, 'put', (original) => {
    return function (this: IDBObjectStore, ...args: Parameters<IDBObjectStore['put']>) {
      const request = original.apply(this, args);
      const { transaction } = this;
      if (--left <= 0) {
        const error = new DOMException('The disk is full.', 'QuotaExceededError');
        Object.defineProperty(transaction, 'error', { get: () => error });
        request.addEventListener('success', () => transaction.abort());
      }
      return request;
    };
  });
  undo.push(restore);
  return restore;
}

type Opened = Awaited<ReturnType<typeof open>>;
const state = async (index: Opened) => {
  const documents = await index.documents();
  const texts = [];
  for (const { uri } of documents) texts.push(await index.text(uri), await index.chunks(uri));
  const ask = (mode: 'lexical' | 'semantic') => index.search('zebra quokkas', { mode, topK: 50 });
  const hits = [...(await ask('lexical')), ...(await ask('semantic'))];
  return { documents, texts, hits: hits.map(({ neighbours: _, ...hit }) => hit) };
};
const many = Array.from({ length: 30 }, (_, at) => ({ ...guide, uri: `d${at}`, text: `${guide.text}${at}` }));

describe('an index on a full disk', () => {
  it('is as it was before the call, wherever the space ran out, and goes on working', async () => {
    const { embedder } = letters();
    const index = await open({ embedder });
    await index.add([notes, guide]);
    const before = await state(index);
    const changed = { ...notes, text: `${notes.text} Quite so. ${'More of it. '.repeat(150)}` };
    // The words of all are one commit of some 65 writes, the vectors another of two.
    for (const writes of [1, 40, 60, 66, 67]) {
      const restore = fillDisk(writes);
      const failed = index.add([...many, changed]);
      await expect(failed).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED', estimate: expect.anything() });
      restore();
      const [first] = await index.documents();
      const left = first!.vectors === 'pending';
      expect(left).toBe(writes > 65);
      if (left) {
        // The document that was replaced could not be put back: it has its new text, found by words.
        expect((await index.documents()).map(({ uri, vectors }) => [uri, vectors])).toEqual([
          ['notes.md', 'pending'],
          ['guide.md', 'stored'],
        ]);
        await expect(failed).rejects.toThrow('too little to undo');
        await index.add([notes]);
      }
      expect(await state(index)).toEqual(before);
    }
    expect(await index.add([...many, changed])).toMatchObject({ documents: 31 });
  });

  it('puts back what was replaced where there is room for that', async () => {
    const index = await open({ embedder: letters().embedder });
    await index.add([notes, guide]);
    const before = await state(index);
    const changed = { ...notes, text: `${notes.text} Quite so.` };
    let commits = 0;
    const restore = patch(IDBObjectStore.prototype, 'put', (original) => {
      return function (this: IDBObjectStore, ...args: Parameters<IDBObjectStore['put']>) {
        const request = original.apply(this, args);
        const { transaction } = this;
        // The second commit of the call is that of the vectors.
        if (this.name === 'meta' && args[1] === 'index' && ++commits === 2) {
          const error = new DOMException('The disk is full.', 'QuotaExceededError');
          Object.defineProperty(transaction, 'error', { get: () => error });
          request.addEventListener('success', () => transaction.abort());
        }
        return request;
      };
    });
    undo.push(restore);
    await expect(index.add([many[0]!, changed])).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
      message: expect.stringContaining('nothing was written'),
    });
    expect(await state(index)).toEqual(before);
  });

  it('lets documents be removed, which other tabs see, and after which there is room again', async () => {
    const { embedder } = letters();
    const name = freshName();
    const [one, two] = [await open({ name, embedder }), await open({ name, embedder })];
    await one.add([notes, guide, ...many]);
    expect(await two.documents()).toHaveLength(32);
    const restore = fillDisk();
    await expect(one.add([{ uri: 'new.md', text: 'No room.' }])).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
    });
    expect(await one.remove(['guide.md', 'd0'])).toBe(2);
    expect(await two.documents()).toHaveLength(30);
    expect((await two.search('refunds', { topK: 100 })).some(({ docUri }) => docUri === 'guide.md')).toBe(
      false,
    );
    expect(await two.remove('d1')).toBe(1);
    const again = await open({ name, embedder });
    expect(await state(again)).toEqual(await state(one));
    restore();
    await one.add([{ uri: 'new.md', text: 'Room again.' }]);
    for (const index of [one, two, again]) {
      const uris = (await index.documents()).map(({ uri }) => uri);
      expect(uris).toHaveLength(30);
      expect(uris).not.toContain('d1');
      expect(uris).toContain('new.md');
    }
    expect(await state(two)).toEqual(await state(one));
  });

  it('takes the text of a document that another tab has removed so for stale, not for lost', async () => {
    const name = freshName();
    const store = async () => IndexedDBVectorStore.open({ name });
    const [one, two] = [await store(), await store()];
    const record = (id: string) => ({ id, text: `text of ${id}`, embedding: [1, 0] });
    await one.upsert([record('a#0'), record('b#0')]);
    await two.sync();
    // The other tab hears of nothing, as one that is busy does.
    undo.push(patch(BroadcastChannel.prototype, 'postMessage', () => () => {}));
    fillDisk();
    await one.remove('a');
    expect(await two.listChunks('a')).toEqual([]);
    expect((await two.search([1, 0])).map(({ id }) => id)).toEqual(['b#0']);
    for (const opened of [one, two]) await opened.close();
  });

  it('says so when not even that can be told from what was there', async () => {
    const index = await open();
    await index.add(many);
    fillDisk();
    for (let at = 0; at < 16; at++) expect(await index.remove(`d${at}`)).toBe(1);
    await expect(index.remove('d16')).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(await index.documents()).toHaveLength(14);
  });

  it('opens empty or not at all where there is no room for the first document', async () => {
    const name = freshName();
    const index = await open({ name });
    const restore = fillDisk();
    await expect(index.add([guide])).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    restore();
    const again = await openIndex({ name });
    expect(await again.documents()).toEqual([]);
    await again.close();
    await index.add([guide]);
    expect(await index.search('refunds')).not.toEqual([]);
  });
});
