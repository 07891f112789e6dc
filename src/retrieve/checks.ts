import { invalidOption } from '../errors.ts';
import { optionsObject } from '../options.ts';
import { checkFilter } from '../store/metadata.ts';
import type { RetrieveOptions, Retriever, VectorStore } from '../types.ts';

/** Refuses what no retriever can be asked, before any leg or store that would let it pass is. */
export function checkQuestion(query: string, options: RetrieveOptions): void {
  if (typeof query !== 'string') throw invalidOption('query', query, 'a string');
  checkFilter(optionsObject(options).filter);
}

export function checkRetriever(option: string, value: Retriever): void {
  if (typeof value?.retrieve === 'function') return;
  const isIndex = typeof (value as { retriever?: unknown } | undefined)?.retriever === 'function';
  throw invalidOption(
    option,
    value,
    isIndex ? "a retriever: an index's is index.retriever()" : 'a retriever',
  );
}

export function checkStore(store: VectorStore): void {
  if (typeof store?.search !== 'function') throw invalidOption('store', store, 'a vector store');
}
