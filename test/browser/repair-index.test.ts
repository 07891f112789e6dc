import { describe, expect, it } from 'vitest';
import { openIndex, repairIndex } from '../../src/open-index.ts';
import { stores } from '../../src/store/idb-schema.ts';
import { openRaw } from './faults.ts';
import { freshName, guide, notes, open } from './index-helpers.ts';
import { letters } from './letters.ts';
import { answer } from './watch.ts';

async function damaged(name: string, change: (tx: IDBTransaction) => void): Promise<void> {
  const db = await openRaw(`shelfmark:${name}`);
  await new Promise<void>((resolve, reject) => {
    const tx = db.transaction([...db.objectStoreNames], 'readwrite');
    change(tx);
    tx.oncomplete = () => resolve();
    tx.onabort = () => reject(tx.error);
  });
  db.close();
}

async function filled(name: string) {
  const index = await openIndex({ name, embedder: letters().embedder });
  await index.add([notes, guide, { uri: 'last.md', text: 'The last one.' }]);
  await index.close();
}

describe('repairIndex', () => {
  it('saves every document of an index whose description is unreadable, its vectors to be made again', async () => {
    for (const change of [
      (tx: IDBTransaction) => tx.objectStore('meta').put({ schema: 'x' }, 'index'),
      (tx: IDBTransaction) => tx.objectStore('meta').clear(),
    ]) {
      const name = freshName();
      await filled(name);
      await damaged(name, change);
      const report = await repairIndex(name);
      expect(report).toEqual({ documents: 3, chunks: 4, pending: 4, lost: [] });
      const { embedder, asked } = letters();
      const index = await open({ name, embedder });
      expect((await index.documents()).map(({ uri }) => uri)).toEqual(['notes.md', 'guide.md', 'last.md']);
      expect((await index.search('quokkas', { mode: 'lexical' }))[0]?.docUri).toBe('notes.md');
      await index.sync([notes, guide, { uri: 'last.md', text: 'The last one.' }]);
      expect((await index.stats()).pending).toBe(0);
      expect(asked.filter((text) => text.includes('last one'))).toHaveLength(1);
    }
  });

  it('keeps what makes sense of documents that lay claim to the same place, and says what is lost', async () => {
    const name = freshName();
    await filled(name);
    await damaged(name, (tx) => {
      const documents = tx.objectStore('documents');
      documents.get('guide.md').onsuccess = ({ target }) => {
        const entry = (target as IDBRequest).result;
        documents.put({ ...entry, rows: new Uint32Array([0, 1]) });
      };
      tx.objectStore('texts').delete('last.md');
    });
    await expect(openIndex({ name })).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining('repairIndex'),
    });
    const report = await repairIndex(name);
    expect(report).toEqual({ documents: 2, chunks: 3, pending: 1, lost: ['last.md'] });
    const index = await open({ name, embedder: letters().embedder });
    expect((await index.documents()).map(({ uri }) => uri).sort()).toEqual(['guide.md', 'notes.md']);
    expect(await index.text('guide.md')).toBe(guide.text);
    expect((await index.search('refunds', { mode: 'lexical' }))[0]?.docUri).toBe('guide.md');
  });

  it('changes nothing of an index that is well', async () => {
    const name = freshName();
    await filled(name);
    const before = await openIndex({ name, embedder: letters().embedder });
    const hits = (await before.search('zebra quokkas', { mode: 'hybrid' })).map(({ id, score }) => [
      id,
      score,
    ]);
    await before.close();
    expect(await repairIndex(name)).toEqual({ documents: 3, chunks: 4, pending: 0, lost: [] });
    const { embedder, asked } = letters();
    const index = await open({ name, embedder });
    const after = (await index.search('zebra quokkas', { mode: 'hybrid' })).map(({ id, score }) => [
      id,
      score,
    ]);
    expect(after).toEqual(hits);
    expect(await index.sync([notes, guide, { uri: 'last.md', text: 'The last one.' }])).toMatchObject({
      unchanged: 3,
    });
    expect(asked).toEqual(['zebra quokkas']);
  });

  it.each<[string[], object]>([
    [['lexical', 'staged'], { documents: 3, chunks: 4, pending: 0, lost: [] }],
    [['vectors', 'meta'], { documents: 3, chunks: 4, pending: 4, lost: [] }],
    [['texts'], { documents: 0, chunks: 0, pending: 0, lost: ['guide.md', 'last.md', 'notes.md'] }],
    [['documents'], { documents: 0, chunks: 0, pending: 0, lost: ['guide.md', 'last.md', 'notes.md'] }],
    [[...stores], { documents: 0, chunks: 0, pending: 0, lost: [] }],
  ])('saves what there is of a database that lacks %j', async (lacking, expected) => {
    const [source, name] = [freshName(), freshName()];
    await filled(source);
    const from = await openRaw(`shelfmark:${source}`);
    await new Promise<void>((resolve) => {
      const request = indexedDB.open(`shelfmark:${name}`, from.version);
      const kept = stores.filter((store) => !lacking.includes(store));
      request.onupgradeneeded = () => {
        for (const store of kept) {
          const { keyPath } = from.transaction(store).objectStore(store);
          request.result.createObjectStore(store, { keyPath });
        }
      };
      request.onsuccess = async () => {
        for (const store of kept) {
          const own = from.transaction(store).objectStore(store);
          const [keys, values] = await Promise.all([answer(own.getAllKeys()), answer(own.getAll())]);
          const to = request.result.transaction(store, 'readwrite').objectStore(store);
          for (const [at, value] of values.entries()) {
            await answer(to.keyPath === null ? to.put(value, keys[at]) : to.put(value));
          }
        }
        request.result.close();
        from.close();
        resolve();
      };
    });
    await expect(openIndex({ name })).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining(`repairIndex("${name}")`),
    });
    const report = await repairIndex(name);
    expect({ ...report, lost: report.lost.sort() }).toEqual(expected);
    const index = await open({ name, embedder: letters().embedder });
    await index.sync([notes, guide, { uri: 'last.md', text: 'The last one.' }]);
    expect(await index.stats()).toMatchObject({ documents: 3, pending: 0 });
    expect((await index.search('quokkas', { mode: 'lexical' }))[0]?.docUri).toBe('notes.md');
  });

  it('leaves alone what a newer version wrote', async () => {
    const name = freshName();
    await filled(name);
    await damaged(name, (tx) => {
      tx.objectStore('meta').put({ schema: 99, generation: 1, dimensions: 2, rowCount: 3 }, 'index');
    });
    await expect(repairIndex(name)).rejects.toMatchObject({ code: 'FORMAT' });
    const db = await openRaw(`shelfmark:${name}`);
    const count = await new Promise((resolve) => {
      db.transaction('documents').objectStore('documents').count().onsuccess = ({ target }) =>
        resolve((target as IDBRequest).result);
    });
    db.close();
    expect(count).toBe(3);
    indexedDB.deleteDatabase(`shelfmark:${name}`);
  });
});
