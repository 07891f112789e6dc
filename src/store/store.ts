import type { LexicalVectorStore, VectorStore } from '../types.ts';

/** Whether a store answers words as well as vectors. */
export function isLexicalVectorStore(store: VectorStore): store is LexicalVectorStore {
  return (
    store.capabilities.lexical && typeof (store as Partial<LexicalVectorStore>).searchText === 'function'
  );
}
