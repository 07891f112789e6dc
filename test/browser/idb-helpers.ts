import { afterEach } from 'vitest';
import { IndexedDBVectorStore } from '../../src/store/idb.ts';
import type { VectorRecord } from '../../src/types.ts';
import { dump } from './faults.ts';

let counter = 0;
const names: string[] = [];
/** Faults to take back after the test. */
export const undo: (() => void)[] = [];

afterEach(() => {
  for (const one of undo.splice(0)) one();
  for (const name of names.splice(0)) indexedDB.deleteDatabase(database(name));
});

/** A name no test has used; what is kept under it is deleted after the test. */
export function freshName(): string {
  const name = `idb-${Date.now()}-${counter++}`;
  names.push(name);
  return name;
}

export const database = (name: string) => `shelfmark:${name}`;

export const record = (id: string, embedding: number[], rest: Partial<VectorRecord> = {}): VectorRecord => ({
  id,
  text: `text of ${id}`,
  embedding,
  ...rest,
});

export const three = [
  record('a#0', [1, 0]),
  record('a#1', [1, 1], { metadata: { k: 1 } }),
  record('b#0', [0, 1]),
];

export const open = (name = freshName()): Promise<IndexedDBVectorStore> =>
  IndexedDBVectorStore.open({ name });

/** Everything a store says and everything it keeps. */
export async function stateOf(store: IndexedDBVectorStore): Promise<unknown> {
  return [
    await store.listDocuments(),
    await store.listChunks('a'),
    await store.search([1, 0], { topK: 100 }),
    await dump(database(store.name)),
  ];
}
