import { pendingIn } from '../../src/store/pending.ts';
import type { Entry } from '../../src/store/table.ts';
import type { Embedder, VectorFormat } from '../../src/types.ts';
import { answer, counting, freshName, numbered, open, tamper } from './watch.ts';

export const five = Array.from({ length: 5 }, (_, at) => numbered(at));
/** What `older` holds. */
export const now = [numbered(0), numbered(1), numbered(2), numbered(3, 'anew'), numbered(4)];

/**
 * A database as an older version of the layout wrote it. 4 had no directory. In the others, entries say what is pending of
 * them, and the description does not. Version 2 had no object store for vectors put aside, no index by generation, entries that do not
 * say when they were written, no words, and a description that knows nothing of segments and removals. The rest is as
 * it is now, so that it is taken from an index of today.
 */
export async function older(
  version: 2 | 3 | 4,
  vectors: VectorFormat = 'f32',
  embedder: Embedder | 'none' = counting().embedder,
): Promise<string> {
  const source = freshName();
  const index = await open(source, { vectors, ...(embedder !== 'none' && { embedder }) });
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
      if (version > 2) {
        documents.createIndex('generation', 'generation');
        request.result.createObjectStore('staged', { keyPath: 'id' });
      }
      for (const store of ['vectors', 'lexical', 'meta']) request.result.createObjectStore(store);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const tx = db.transaction([...db.objectStoreNames], 'readwrite');
  const about = all['meta']!.find(([key]) => key === 'index')![1] as Record<string, unknown>;
  for (const [, entry] of all['documents']!) {
    const { generation, ...old } = entry as Entry;
    const pending = pendingIn(entry as Entry, about['pending'] as Uint32Array);
    tx.objectStore('documents').put({
      ...old,
      ...(version > 2 && { generation }),
      ...(version < 4 && pending && { pending }),
    });
  }
  for (const [, texts] of all['texts']!) tx.objectStore('texts').put(texts);
  for (const [key, bytes] of all['vectors']!) tx.objectStore('vectors').put(bytes, key);
  if (version > 2) {
    for (const [key, words] of all['lexical']!) tx.objectStore('lexical').put(words, key);
    for (const [key, value] of all['meta']!) tx.objectStore('meta').put(value, key);
  }
  const kept = ['lineage', 'generation', 'dimensions', 'rowCount', 'documents', 'chunks'];
  const described = [...kept, 'embedder', 'analyzer', 'splitter', 'vectors'].map((key) => [key, about[key]]);
  const { pending, ...known } = about;
  const descriptions = {
    2: { schema: 2, ...Object.fromEntries(described) },
    3: { ...known, schema: 3 },
    4: { ...known, pending, schema: 4 },
  };
  tx.objectStore('meta').put(descriptions[version], 'index');
  await new Promise((resolve) => (tx.oncomplete = resolve));
  db.close();
  return name;
}

/** The version of the layout that the description says. */
export async function schemaOf(name: string): Promise<unknown> {
  let schema: unknown;
  await tamper(name, async (tx) => {
    schema = (await answer(tx.objectStore('meta').get('index'))).schema;
  });
  return schema;
}
