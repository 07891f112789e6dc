export { type ChromaStoreOptions, ChromaVectorStore } from './store.ts';
