import { inject } from 'vitest';
import { ChromaVectorStore } from '../../src/chroma/index.ts';

let counter = 0;
const collections = new WeakMap<ChromaVectorStore, string>();

const open = async (collection: string) => {
  const store = await ChromaVectorStore.open({
    url: inject('chroma'),
    collection,
    chromadb: () => import('chromadb'),
  });
  collections.set(store, collection);
  return store;
};

/** In place of the contract's own: a store on a real server. */
export const storeKinds = async () => [
  {
    name: 'ChromaVectorStore',
    open: () => open(`contract-${Date.now()}-${Math.random().toString(36).slice(2)}-${counter++}`),
    reopen: (store: ChromaVectorStore) => open(collections.get(store)!),
    dispose: async () => {},
  },
];
