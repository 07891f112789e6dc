import { describe, expect, it } from 'vitest';
import { IndexedDBVectorStore } from '../../src/store/idb.ts';
import { pendingIn } from '../../src/store/pending.ts';
import type { Entry } from '../../src/store/table.ts';
import { openRaw } from './faults.ts';
import {
  answer,
  counting,
  doc,
  found,
  freshName,
  freshState,
  numbered,
  open,
  stateOf,
  tamper,
} from './watch.ts';

const five = Array.from({ length: 5 }, (_, at) => numbered(at));

/**
 * A database as an older version of the layout wrote it. In both, entries say what is pending of them, and the
 * description does not. Version 2 had no object store for vectors put aside, no index by generation, entries that do not
 * say when they were written, no words, and a description that knows nothing of segments and removals. The rest is as
 * it is now, so that it is taken from an index of today.
 */
async function older(version: 2 | 3, vectors: 'f32' | 'int8' = 'f32', embedded = true): Promise<string> {
  const source = freshName();
  const index = await open(source, { vectors, ...(embedded && { embedder: counting().embedder }) });
  await index.add([...five, numbered(9)]);
  // A row that belongs to nobody any more.
  await index.remove('d9');
  await index.add([numbered(3, 'anew')]);
  await index.close();
  const all: Record<string, [IDBValidKey, unknown][]> = {};
  await tamper(source, async (tx) => {
    for (const store of ['documents', 'texts', 'vectors', 'lexical', 'meta']) {
      const keys = await answer(tx.objectStore(store).getAllKeys());
      const values = await answer(tx.objectStore(store).getAll());
      all[store] = keys.map((key, at) => [key, values[at]]);
    }
  });

  const name = freshName();
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(`shelfmark:${name}`, version);
    request.onupgradeneeded = () => {
      const documents = request.result.createObjectStore('documents', { keyPath: 'id' });
      request.result.createObjectStore('texts', { keyPath: 'id' });
      if (version === 3) {
        documents.createIndex('generation', 'generation');
        request.result.createObjectStore('staged', { keyPath: 'id' });
      }
      for (const store of ['vectors', 'lexical', 'meta']) request.result.createObjectStore(store);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const tx = db.transaction([...db.objectStoreNames], 'readwrite');
  const now = all['meta']!.find(([key]) => key === 'index')![1] as Record<string, unknown>;
  for (const [, entry] of all['documents']!) {
    const { generation, ...old } = entry as Entry;
    const pending = pendingIn(entry as Entry, now['pending'] as Uint32Array);
    tx.objectStore('documents').put({
      ...old,
      ...(version === 3 && { generation }),
      ...(pending && { pending }),
    });
  }
  for (const [, texts] of all['texts']!) tx.objectStore('texts').put(texts);
  for (const [key, bytes] of all['vectors']!) tx.objectStore('vectors').put(bytes, key);
  if (version === 3) {
    for (const [key, words] of all['lexical']!) tx.objectStore('lexical').put(words, key);
    for (const [key, value] of all['meta']!) tx.objectStore('meta').put(value, key);
  }
  const kept = ['lineage', 'generation', 'dimensions', 'rowCount', 'documents', 'chunks'];
  const about = [...kept, 'embedder', 'analyzer', 'splitter', 'vectors'].map((key) => [key, now[key]]);
  const { pending: _, ...known } = now;
  tx.objectStore('meta').put(
    version === 3 ? { ...known, schema: 3 } : { schema: 2, ...Object.fromEntries(about) },
    'index',
  );
  await new Promise((resolve) => (tx.oncomplete = resolve));
  db.close();
  return name;
}

async function schemaOf(name: string): Promise<unknown> {
  let schema: unknown;
  await tamper(name, async (tx) => {
    schema = (await answer(tx.objectStore('meta').get('index'))).schema;
  });
  return schema;
}

const now = [numbered(0), numbered(1), numbered(2), numbered(3, 'anew'), numbered(4)];
const scores = async (...args: Parameters<typeof found>) =>
  (await found(...args)).sort(([a], [b]) => (a < b ? -1 : 1));

describe.each([2, 3] as const)('an index of version %i of the layout', (version) => {
  it.each(['f32', 'int8'] as const)(
    'opens with everything in it and finds as before, %s',
    async (vectors) => {
      const { embedder, asked } = counting();
      const name = await older(version, vectors);
      const index = await open(name, { embedder });
      expect(await index.stats()).toMatchObject({ documents: 5, chunks: 12, pending: 0, dimensions: 26 });
      expect((await index.stats()).damaged).toBeUndefined();
      for (const { uri, text } of now) expect(await index.text(uri)).toBe(text);
      const fresh = await open(freshName(), { embedder, vectors });
      await fresh.add(now);
      asked.length = 0;
      for (const mode of ['lexical', 'semantic', 'hybrid'] as const) {
        expect(await scores(index, 'zebra number3', mode)).toEqual(
          await scores(fresh, 'zebra number3', mode),
        );
      }
      expect(await index.sync(now)).toMatchObject({ added: 0, changed: 0, unchanged: 5, removed: 0 });
      expect(asked).toEqual([]);
      expect(await stateOf(index)).toEqual(await freshState(name, { embedder }));
    },
  );

  it('is only of version 4 once something was written to it, and then keeps its words', async () => {
    const { embedder } = counting();
    const name = await older(version);
    const index = await open(name, { embedder });
    expect(await schemaOf(name)).toBe(version);
    expect(await index.add([numbered(6)])).toMatchObject({ documents: 1 });
    expect(await schemaOf(name)).toBe(4);
    const db = await openRaw(`shelfmark:${name}`);
    expect(db.version).toBe(4);
    expect([...db.transaction('documents').objectStore('documents').indexNames]).toEqual(['generation']);
    expect([...db.objectStoreNames]).toEqual(['documents', 'lexical', 'meta', 'staged', 'texts', 'vectors']);
    db.close();
    const before = await stateOf(index);
    await index.close();
    const store = await IndexedDBVectorStore.open({ name });
    const again = await open('', { store, embedder });
    expect(await stateOf(again)).toEqual(before);
    expect((await found(again, 'number3')).map(([id]) => id)).toEqual(['d3#0']);
  });

  it('is read and written by two tabs', async () => {
    const { embedder } = counting();
    const name = await older(version);
    const [one, two] = [await open(name, { embedder }), await open(name, { embedder })];
    expect(await stateOf(two)).toEqual(await stateOf(one));
    await one.add([numbered(1, 'by one'), numbered(6)]);
    expect(await stateOf(two)).toEqual(await freshState(name, { embedder }));
    await two.remove('d0');
    await two.add([numbered(7)]);
    expect(await stateOf(one)).toEqual(await freshState(name, { embedder }));
    await Promise.all([one.remove('d2'), two.add([doc('last', 'the last one')])]);
    expect((await one.documents()).map(({ uri }) => uri).sort()).toEqual([
      'd1',
      'd3',
      'd4',
      'd6',
      'd7',
      'last',
    ]);
    expect(await stateOf(two)).toEqual(await freshState(name, { embedder }));
  });

  it('says of the same documents that their vectors are still to come, before and after it is written to', async () => {
    const name = await older(version, 'f32', false);
    const index = await open(name);
    const before = await index.documents();
    await index.remove('d0');
    await index.add([numbered(6)]);
    await index.close();
    const { embedder, asked } = counting();
    const again = await IndexedDBVectorStore.open({ name });
    const pending = [...again.entries].map(([id, entry]) => [
      id,
      entry.pending?.length === entry.rows.length,
    ]);
    const left = [...before.map(({ uri }) => uri).filter((uri) => uri !== 'd0'), 'd6'].sort();
    expect(pending).toEqual(left.map((id) => [id, true]));
    await again.close();
    await (await open(name, { embedder })).sync([...now.slice(1), numbered(6)]);
    const chunks = (await (await open(name)).stats()).chunks;
    expect(asked).toHaveLength(chunks);
    expect((await (await open(name)).stats()).pending).toBe(0);
  });

  it('gets the vectors that were still to come', async () => {
    const name = await older(version, 'f32', false);
    const { embedder, asked } = counting();
    const index = await open(name, { embedder });
    await expect.poll(async () => (await index.stats()).pending).toBe(0);
    expect(asked).toHaveLength(12);
    expect(await stateOf(index)).toEqual(await freshState(name, { embedder }));
  });

  it('moves to another embedder', async () => {
    const name = await older(version);
    const { embedder } = counting({ id: 'other', dimensions: 7 });
    const index = await open(name, { embedder });
    expect(await index.reembed()).toMatchObject({ documents: 5, embedded: 12 });
    expect(await index.stats()).toMatchObject({ embedder: 'other', dimensions: 7 });
    expect(await stateOf(index)).toEqual(await freshState(name, { embedder }));
  });

  it('is repaired where its vectors are damaged', async () => {
    const name = await older(version);
    await tamper(name, async (tx) => {
      const bytes: ArrayBuffer = await answer(tx.objectStore('vectors').get(0));
      new Uint8Array(bytes)[60]! ^= 1;
      tx.objectStore('vectors').put(bytes, 0);
    });
    const words = await open(name);
    expect(await words.stats()).toMatchObject({ documents: 5, pending: 12, damaged: [{ segment: 0 }] });
    await words.close();
    const { embedder, asked } = counting();
    const index = await open(name, { embedder });
    expect(await index.sync(now)).toMatchObject({ unchanged: 5, failed: [] });
    expect(asked).toHaveLength(12);
    expect(await index.stats()).toMatchObject({ pending: 0 });
    expect((await index.stats()).damaged).toBeUndefined();
  });

  it('is a closed one to a tab of the older library, which is told so', async () => {
    const name = await older(version);
    const old = await openRaw(`shelfmark:${name}`, version);
    let told = 0;
    // As the older library does, so that the newer one is not kept waiting.
    old.onversionchange = () => {
      told++;
      old.close();
    };
    const index = await open(name);
    expect(told).toBe(1);
    expect((await index.stats()).documents).toBe(5);
    await expect(openRaw(`shelfmark:${name}`, version)).rejects.toMatchObject({ name: 'VersionError' });
  });
});
