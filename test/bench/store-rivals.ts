import { deleteDB, type IDBPDatabase, openDB } from 'idb';
import { openIndex } from '../../src/index.ts';
import type { VectorFormat } from '../../src/types.ts';
import { type Chunk, type Data, dimensions, embedderOf, k } from './store-data.ts';

/** What is kept under a name, and how it comes back. */
export interface Kept {
  what: string;
  name: string;
  note: string;
  /** Opens it and asks; answers the texts that are shown. The connection is closed afterwards, by `close`. */
  open(): Promise<{ texts: string[]; close(): unknown }>;
  /** Whether the chunk that is nearest must be among the hits: not where vectors are not looked at. */
  nearest: boolean;
  remove(): Promise<void>;
}

export async function ours(name: string, data: Data, vectors: VectorFormat): Promise<Kept> {
  const index = await openIndex({ name, vectors, embedder: data.embedder });
  await index.add(data.documents);
  const { chunks, pending } = await index.stats();
  if (chunks !== data.chunks.length || pending > 0) throw new Error(`${chunks} chunks, ${pending} pending`);
  await index.close();
  const embedder = embedderOf(() => data.vector as Float32Array);
  return {
    what: `shelfmark, ${vectors}`,
    name: `shelfmark:${name}`,
    note: '',
    nearest: true,
    async open() {
      // Else eleven copies of the page that the words find best would be the ten hits, by words alone.
      const opened = await openIndex({ name, embedder, semanticWeight: 0.7 });
      const hits = await opened.search(data.question, { topK: k, mode: 'hybrid' });
      return { texts: hits.map(({ text }) => text), close: () => opened.close() };
    },
    remove: () => deleteDB(`shelfmark:${name}`),
  };
}

/** A database with one object store. */
const database = (name: string): Promise<IDBPDatabase> =>
  openDB(name, 1, {
    upgrade(db) {
      db.createObjectStore('rows');
    },
  });

export interface StoredRow {
  id: string;
  text: string;
  metadata: { uri: string };
  embedding: number[] | Float32Array;
}

export const toRow = ({ id, uri, text, vector }: Chunk, typed: boolean): StoredRow => ({
  id,
  text,
  metadata: { uri },
  embedding: typed ? vector : Array.from(vector),
});

/** Puts rows, in a transaction for each group; resolves when all are complete. */
export async function putRows(db: IDBPDatabase, groups: readonly StoredRow[][]): Promise<void> {
  for (const rows of groups) {
    const tx = db.transaction('rows', 'readwrite');
    for (const row of rows) tx.store.put(row, row.id).catch(() => {});
    await tx.done;
  }
}

export const openRows = database;

/** As client-vector-search and EntityDB do it: every record is read, compared and sorted. */
export async function rowStore(name: string, { chunks, vector }: Data, typed: boolean): Promise<Kept> {
  const db = await database(name);
  await putRows(db, [chunks.map((chunk) => toRow(chunk, typed))]);
  db.close();
  const query = typed ? vector : Array.from(vector);
  return {
    what: `row store, ${typed ? 'Float32Array' : 'plain array'} a row`,
    name,
    note: 'no words',
    nearest: true,
    async open() {
      const opened = await database(name);
      const rows: StoredRow[] = await opened.getAll('rows');
      const found = rows
        .map((row) => ({ row, score: cosine(query, row.embedding) }))
        .sort((a, b) => b.score - a.score)
        .slice(0, k);
      return { texts: found.map(({ row }) => row.text), close: () => opened.close() };
    },
    remove: () => deleteDB(name),
  };
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, squaresA, squaresB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i]!, b[i]!];
    dot += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  return dot / (Math.sqrt(squaresA) * Math.sqrt(squaresB));
}

const schema = { id: 'string', text: 'string', v: `vector[${dimensions}]` };

/**
 * Keeps what `save()` gives, by the browser's structured clone, or the JSON that the persistence plugin makes of it. Of the
 * plugin's other formats, `dpack` needs Node, `seqproto` fails beyond 16 MB, and `binary` is JSON's size twice in
 * hexadecimal.
 */
export async function orama(
  name: string,
  { chunks, question: term, vector: value }: Data,
  how: 'save' | 'json',
): Promise<Kept> {
  const { create, insertMultiple, load, save, search } = await import('@orama/orama');
  const { persist, restore } = await import('@orama/plugin-data-persistence');
  const index = create({ schema });
  await insertMultiple(
    index,
    chunks.map(({ id, text, vector }) => ({ id, text, v: Array.from(vector) })),
    1000,
  );
  const db = await database(name);
  const saved = how === 'save' ? save(index) : await persist(index, how);
  await db.put('rows', saved, 'index');
  db.close();
  return {
    what: how === 'save' ? 'Orama, save and load' : 'Orama, persist and restore, JSON',
    name,
    note: '',
    nearest: true,
    async open() {
      const opened = await database(name);
      const stored = await opened.get('rows', 'index');
      let restored = create({ schema });
      if (how === 'save') load(restored, stored);
      else restored = await restore(how, stored);
      // Its default similarity, at which its vector leg proposes least.
      const { hits } = await search(restored, {
        mode: 'hybrid',
        term,
        vector: { value, property: 'v' },
        similarity: 0.8,
        limit: k,
      });
      return { texts: hits.map(({ document }) => document.text), close: () => opened.close() };
    },
    remove: () => deleteDB(name),
  };
}

export async function miniSearch(name: string, { chunks, question }: Data): Promise<Kept> {
  const { default: MiniSearch } = await import('minisearch');
  const options = { fields: ['text'], storeFields: ['text'] };
  const index = new MiniSearch<{ id: string; text: string }>(options);
  index.addAll(chunks);
  const db = await database(name);
  await db.put('rows', JSON.stringify(index), 'index');
  db.close();
  return {
    what: 'MiniSearch, loadJSON',
    name,
    note: 'words alone',
    nearest: false,
    async open() {
      const opened = await database(name);
      const restored = MiniSearch.loadJSON(await opened.get('rows', 'index'), options);
      const hits = restored.search(question).slice(0, k);
      return { texts: hits.map(({ text }) => text!), close: () => opened.close() };
    },
    remove: () => deleteDB(name),
  };
}
