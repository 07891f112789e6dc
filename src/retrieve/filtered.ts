import type { Filter, Passage, RetrieveOptions, Retriever } from '../types.ts';

/** Puts a fixed filter on every question. Where the question has the same key, the fixed one wins. */
export class FilteredRetriever implements Retriever {
  readonly #inner: Retriever;
  readonly #filter: Filter;

  constructor(inner: Retriever, filter: Filter) {
    this.#inner = inner;
    this.#filter = filter;
  }

  retrieve(query: string, options: RetrieveOptions = {}): Promise<Passage[]> {
    return this.#inner.retrieve(query, { ...options, filter: { ...options.filter, ...this.#filter } });
  }
}
