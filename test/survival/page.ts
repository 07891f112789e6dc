/** What the page of the suite gives to the tests: the library from its sources, and ways to look at a store. */
import { openIndex } from '../../src/index.ts';
import type { IndexedChunk, IndexedDocument, IndexStats } from '../../src/types.ts';
import {
  bigDocument,
  questions,
  type TestDocument,
  testDocument,
  testDocuments,
  uniqueWord,
} from './documents.ts';
import { wordsEmbedder } from './words-embedder.ts';

type Index = Awaited<ReturnType<typeof openIndex>>;

export interface OpenOptions {
  /** Milliseconds a batch of the embedder takes. */
  delay?: number;
  dimensions?: number;
  /** Without one nothing that is pending is resumed, so that a state can be looked at as it was left. */
  embedder?: boolean;
  durability?: IDBTransactionDurability;
}

/** All that an index says of its documents. */
export interface Snapshot {
  stats: IndexStats;
  documents: (IndexedDocument & { text: string | undefined; passages: IndexedChunk[] })[];
}

/** Scores by passage, a question each. */
export type Scores = Record<string, Record<string, number>>;

/** How a call ended, in a form that can be sent. */
export type Outcome<T> = { value: T } | { code: string; message: string };

async function open(name: string, options: OpenOptions = {}): Promise<void> {
  const { embedder = true, durability, ...rest } = options;
  window.embedder = wordsEmbedder(rest);
  window.index = await openIndex({
    name,
    ...(embedder && { embedder: window.embedder }),
    durability,
  });
}

async function snapshot(index: Index): Promise<Snapshot> {
  const documents = (await index.documents()).map(async (document) => ({
    ...document,
    text: await index.text(document.uri),
    passages: await index.chunks(document.uri),
  }));
  return { stats: await index.stats(), documents: await Promise.all(documents) };
}

async function scores(index: Index, mode: 'lexical' | 'semantic'): Promise<Scores> {
  const all: Scores = {};
  for (const question of questions) {
    const hits = await index.search(question, { mode, topK: 10_000 });
    all[question] = Object.fromEntries(hits.map(({ id, score }) => [id, score]));
  }
  return all;
}

/** The document that is found first by each of these documents' own word. */
async function found(index: Index, numbers: number[], mode: 'lexical' | 'semantic', edition = 0) {
  const first: (string | undefined)[] = [];
  for (const at of numbers) {
    first.push((await index.search(uniqueWord(at, edition), { mode, topK: 1 }))[0]?.docUri);
  }
  return first;
}

/** An index in memory that was given these documents in one quiet call: what a store is held against. */
async function reference(documents: readonly TestDocument[]): Promise<Index> {
  const index = await openIndex({ persist: false, embedder: wordsEmbedder() });
  await index.add(documents);
  return index;
}

async function outcome<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await call };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return { code: code ?? 'none', message };
  }
}

/** Opens a database without the library. The connection stays open, and deaf to `versionchange`. */
function openRaw(name: string, version?: number): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function deleteRaw(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });
}

/** Everything a database holds, keys and values, as one string; of long blocks of bytes a hash. */
async function dump(name: string): Promise<string> {
  const db = await openRaw(`shelfmark:${name}`);
  const read = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const all: unknown[] = [db.version];
  for (const name of db.objectStoreNames) {
    const store = db.transaction(name).objectStore(name);
    const [keys, values] = await Promise.all([read(store.getAllKeys()), read(store.getAll())]);
    all.push(name, keys, values);
  }
  db.close();
  return JSON.stringify(all, (_, value: unknown) => {
    if (value instanceof ArrayBuffer) return hash(value);
    if (ArrayBuffer.isView(value)) return Array.from(value as Uint8Array);
    if (value instanceof Map || value instanceof Set) return [...value];
    return value;
  });
}

/** All that can be seen of the open index, what it says and what its database holds; the bulk of it as hashes. */
async function state(name: string) {
  const { stats, documents } = await snapshot(window.index);
  // Memory that was reserved for a change stays reserved when the change is refused.
  const { vectorBytes: _, lexicalBytes: __, ...counts } = stats;
  const digest = (value: unknown) => hash(new TextEncoder().encode(JSON.stringify(value)).buffer);
  return {
    counts,
    documents: documents.map(({ text, passages, ...rest }) => ({ ...rest, text: digest([text, passages]) })),
    lexical: digest(await scores(window.index, 'lexical')),
    semantic: digest(await scores(window.index, 'semantic')),
    database: digest(await dump(name)),
  };
}

/** Adds large documents until one is refused: how many went in, the refusal, and the state before and after it. */
async function fill(name: string, chars: number) {
  for (let added = 0; added < 100; added++) {
    const before = await state(name);
    const ended = await outcome(window.index.add([bigDocument(added, chars)]));
    if ('code' in ended) return { added, refusal: ended, before, after: await state(name) };
  }
  throw new Error('The quota was never reached.');
}

/** Length and a hash of bytes: enough to tell two states apart. */
function hash(bytes: ArrayBuffer): string {
  let sum = 0x811c9dc5;
  for (const byte of new Uint8Array(bytes)) sum = Math.imul(sum ^ byte, 0x01000193) >>> 0;
  return `${bytes.byteLength} bytes ${sum.toString(16)}`;
}

/** How an ingest hands its documents over, and in steps of how many. */
export const ways = { 'one by one': 1, 'in batches': 10, 'by sync': 20 } as const;
export type Way = keyof typeof ways;

/** Fills the open index in steps. `confirmed` of the test is told what has resolved so far. */
async function ingest(from: number, to: number, way: Way): Promise<void> {
  for (let at = from; at < to; at += ways[way]) {
    const end = Math.min(at + ways[way], to);
    // A sync is told of all that is to be there, so its sets grow.
    if (way === 'by sync') await window.index.sync(testDocuments(from, end));
    else await window.index.add(testDocuments(at, end));
    // Not awaited: the next step begins at once, as in a page that nobody watches.
    void window.confirmed?.(end);
  }
}

export const tools = {
  openIndex,
  wordsEmbedder,
  testDocument,
  testDocuments,
  big: bigDocument,
  uniqueWord,
  open,
  snapshot,
  scores,
  found,
  reference,
  outcome,
  openRaw,
  deleteRaw,
  dump,
  fill,
  ingest,
};

declare global {
  interface Window {
    tools: typeof tools;
    /** The index that `open` opened last, and its embedder. */
    index: Index;
    embedder: ReturnType<typeof wordsEmbedder>;
    confirmed?: (end: number) => Promise<void>;
  }
}

window.tools = tools;
