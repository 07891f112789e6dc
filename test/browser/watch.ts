import { afterEach } from 'vitest';
import { type Index, openIndex } from '../../src/open-index.ts';
import type { OpenIndexOptions } from '../../src/open-index-options.ts';
import type { Embedder, Splitter, SplitterDocument } from '../../src/types.ts';
import { patch } from './faults.ts';

/** What tests of a kept index have in common: documents, an embedder to count and hold, and what an index shows. */

let counter = 0;
const names: string[] = [];
const opened: Index[] = [];
/** Faults to take back after the test. */
export const undo: (() => void)[] = [];

/** A name that no test has used; what is kept under it is deleted after the test. */
export function freshName(): string {
  const name = `kept-${Date.now()}-${counter++}`;
  names.push(name);
  return name;
}

/** An index that is closed after the test; one chunk a line. */
export async function open(name: string, options: OpenIndexOptions = {}): Promise<Index> {
  const index = await openIndex({ name, splitter: lines, ...options });
  opened.push(index);
  return index;
}

afterEach(async () => {
  for (const one of undo.splice(0)) one();
  for (const index of opened.splice(0)) await index.close();
  for (const name of names.splice(0)) indexedDB.deleteDatabase(`shelfmark:${name}`);
});

/** A chunk a line, so that tests say which chunks there are. */
export const lines: Splitter = {
  id: 'lines',
  name: 'lines',
  split({ text }) {
    let at = 0;
    return (text as string).split('\n').map((line) => {
      const charStart = at;
      at += line.length + 1;
      return { text: line, charStart, charEnd: charStart + line.length };
    });
  },
};

export const doc = (uri: string, ...text: string[]): SplitterDocument => ({ uri, text: text.join('\n') });

const animals = ['zebra', 'quokka', 'lynx', 'otter', 'badger', 'falcon', 'gecko', 'ibex'];
/** A document of two or three chunks, another one for each number. */
export const numbered = (n: number, salt = ''): SplitterDocument =>
  doc(
    `d${n}`,
    `${animals[n % 8]} number${n} ${salt}`.trim(),
    `${animals[(n * 3 + 1) % 8]} and ${animals[(n * 5 + 2) % 8]} meet at gate${n % 5}`,
    ...(n % 3 === 0 ? [`only every third has a ${animals[(n + 3) % 8]}`] : []),
  );

/**
 * How often each letter stands in a text, modulo the length of the vectors. It counts what it was asked for;
 * `before` may hold it or throw.
 */
export function counting(
  options: { id?: string; dimensions?: number; before?: (texts: readonly string[]) => unknown } = {},
) {
  const asked: string[] = [];
  const { id = 'counting', dimensions = 26 } = options;
  const embedder: Embedder = {
    id,
    dimensions,
    async embed(texts, { kind } = {}) {
      if (kind !== 'query') {
        asked.push(...texts);
        await options.before?.(texts);
      }
      return texts.map((text) => {
        const counts = new Float32Array(dimensions);
        for (const letter of text.toLowerCase()) {
          const at = letter.charCodeAt(0) - 97;
          if (at >= 0 && at < 26) counts[at % dimensions]!++;
        }
        return counts;
      });
    },
  };
  return { embedder, asked };
}

/** A promise and what fulfils it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const questions = ['zebra', 'gate2 meets otter', 'only every third', 'badger falcon'];

/** Everything that an index shows of what it holds. */
export async function stateOf(index: Index): Promise<Record<string, unknown>> {
  const { lexicalBytes: _words, vectorBytes: _vectors, pendingError: _error, ...stats } = await index.stats();
  const documents = await index.documents();
  const texts: unknown[] = [];
  for (const { uri } of documents) texts.push([await index.text(uri), await index.chunks(uri)]);
  const hits: unknown[] = [];
  for (const mode of stats.embedder === undefined ? (['lexical'] as const) : modes) {
    for (const question of questions) hits.push(await found(index, question, mode));
  }
  return { stats, documents, texts, hits };
}
const modes = ['lexical', 'semantic', 'hybrid'] as const;

/** Ids and scores, of all that is found. */
export async function found(
  index: Index,
  question: string,
  mode: 'lexical' | 'semantic' | 'hybrid' = 'lexical',
): Promise<[string, number][]> {
  return (await index.search(question, { mode, topK: 1000 })).map(({ id, score }) => [id, score]);
}

/** The state as whoever opens the index now finds it. */
export async function freshState(name: string, options: OpenIndexOptions): Promise<Record<string, unknown>> {
  const index = await openIndex({ name, splitter: lines, ...options });
  const state = await stateOf(index);
  await index.close();
  return state;
}

/** Counts what is read of one object store, whichever way. */
export function reads(store: string): { count: number } {
  const counter = { count: 0 };
  for (const method of ['get', 'getAll', 'openCursor'] as const) {
    undo.push(
      patch(IDBObjectStore.prototype, method, (original) => {
        return function (this: IDBObjectStore, ...args: never[]) {
          if (this.name === store) counter.count++;
          return (original as (...all: never[]) => never).apply(this, args);
        } as never;
      }),
    );
  }
  return counter;
}

/** Counts the write transactions. */
export function writes(): { count: number } {
  const counter = { count: 0 };
  undo.push(
    patch(IDBDatabase.prototype, 'transaction', (original) => {
      return function (this: IDBDatabase, ...args: Parameters<IDBDatabase['transaction']>) {
        if (args[1] === 'readwrite') counter.count++;
        return original.apply(this, args);
      };
    }),
  );
  return counter;
}

/** The n-th request from now on that writes anything, of whatever kind, meets `fail`. `fired` says whether it came. */
export function failWrite(
  n: number,
  fail: (tx: IDBTransaction, request: IDBRequest) => void,
): { fired: boolean; undo: () => void } {
  const fault = { fired: false, undo: () => {} };
  let left = n;
  const all = (['put', 'delete', 'clear'] as const).map((method) =>
    patch(IDBObjectStore.prototype, method, (original) => {
      return function (this: IDBObjectStore, ...args: never[]) {
        const request = (original as (...all: never[]) => IDBRequest).apply(this, args);
        if (--left === 0) {
          fault.fired = true;
          fail(this.transaction, request);
        }
        return request;
      } as never;
    }),
  );
  fault.undo = () => {
    for (const one of all) one();
  };
  return fault;
}

/** Changes what is stored, as a fault of the disk might. */
export async function tamper(
  name: string,
  change: (tx: IDBTransaction) => void | Promise<void>,
  version?: number,
): Promise<void> {
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(`shelfmark:${name}`, version);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  await new Promise<void>((resolve, reject) => {
    const tx = db.transaction([...db.objectStoreNames], 'readwrite');
    tx.oncomplete = () => resolve();
    tx.onabort = () => reject(tx.error);
    void change(tx);
  });
  db.close();
}

/** The answer to one request. */
export const answer = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** The keys of an object store. */
export async function keysOf(name: string, store: string): Promise<IDBValidKey[]> {
  let keys: IDBValidKey[] = [];
  await tamper(name, async (tx) => {
    keys = await answer(tx.objectStore(store).getAllKeys());
  });
  return keys;
}

/** What nobody has caught while `work` ran. */
export async function unhandled(work: () => Promise<void>): Promise<unknown[]> {
  const all: unknown[] = [];
  const note = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    all.push(event.reason);
  };
  addEventListener('unhandledrejection', note);
  await work();
  // They are told in a task of their own.
  await new Promise((resolve) => setTimeout(resolve, 20));
  removeEventListener('unhandledrejection', note);
  return all;
}
