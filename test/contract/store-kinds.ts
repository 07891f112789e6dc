import type { IndexedDBVectorStore } from '../../src/store/idb.ts';
import { MemoryVectorStore } from '../../src/store/memory.ts';
import type { RecordStore } from '../../src/store/record-store.ts';

/** A kind of store, and how to get an empty one. */
export interface StoreKind {
  name: string;
  open(): Promise<RecordStore>;
  /** The same store after a reload, where it has one. */
  reopen(store: RecordStore): Promise<RecordStore>;
  dispose(store: RecordStore): Promise<void>;
}

let counter = 0;

/** Every store that can run here: IndexedDB only where the platform has it. */
export async function storeKinds(): Promise<StoreKind[]> {
  const memory: StoreKind = {
    name: 'MemoryVectorStore',
    open: async () => new MemoryVectorStore(),
    reopen: async (store) => store,
    dispose: async () => {},
  };
  if (typeof indexedDB === 'undefined') return [memory];
  const idb = await import('../../src/store/idb.ts');
  const names = new WeakMap<RecordStore, string>();
  const open = async (name: string) => {
    const store = await idb.IndexedDBVectorStore.open({ name });
    names.set(store, name);
    return store;
  };
  return [
    memory,
    {
      name: 'IndexedDBVectorStore',
      open: () => open(`contract-${Date.now()}-${counter++}`),
      reopen: async (store) => {
        await (store as IndexedDBVectorStore).close();
        return open(names.get(store)!);
      },
      dispose: (store) => (store as IndexedDBVectorStore).destroy(),
    },
  ];
}
