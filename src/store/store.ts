import { fetchPart, invalidOption } from '../errors.ts';
import type { LexiconOptions } from '../lexicon/analyzer.ts';
import type { LexicalVectorStore, VectorStore } from '../types.ts';
import { RecordStore } from './record-store.ts';
import { Words } from './words.ts';

/** Whether a store answers words as well as vectors. */
export function isLexicalVectorStore(store: VectorStore): store is LexicalVectorStore {
  const { capabilities, searchText } = (store ?? {}) as Partial<LexicalVectorStore>;
  return capabilities?.lexical === true && typeof searchText === 'function';
}

/** What an index asks of its store beside a `VectorStore`'s part: to keep documents whole. */
export type DocumentStore = Pick<
  RecordStore,
  | 'capabilities'
  | 'copyDocuments'
  | 'countChunks'
  | 'damages'
  | 'entries'
  | 'exchangeVectors'
  | 'isReadOnly'
  | 'keepsPending'
  | 'listChunks'
  | 'meta'
  | 'putDocuments'
  | 'putVectors'
  | 'readReadings'
  | 'readText'
  | 'removeTextless'
  | 'rewrite'
  | 'search'
  | 'searchLegs'
  | 'snapshot'
  | 'stage'
  | 'staged'
  | 'sync'
  | 'vectorAt'
  | 'vectorSize'
> & {
  readonly wordBytes?: number;
  /** The words of all records; absent where the store does not show them. */
  words?: RecordStore['words'];
  lexicon?: LexiconOptions;
  close?(): Promise<void>;
  destroy?(): Promise<void>;
};

/**
 * A store as an index uses it: one of this library as it is, any other by way of an adapter, fetched when needed.
 *
 * @param lexicon How words are read, where the store does not answer them
 */
export async function asDocumentStore(store: VectorStore, lexicon?: LexiconOptions): Promise<DocumentStore> {
  if (store instanceof RecordStore) return store;
  if (typeof store?.upsert !== 'function' || typeof store.listDocuments !== 'function') {
    throw invalidOption('store', store, 'a vector store');
  }
  const { ForeignStore } = await fetchPart(
    'part of the library for stores of others',
    () => import('./foreign.ts'),
  );
  return ForeignStore.over(store, isLexicalVectorStore(store) ? undefined : await Words.open(lexicon));
}
