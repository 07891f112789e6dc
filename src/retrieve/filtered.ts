import { invalidOption } from '../errors.ts';
import { checkFilter } from '../store/metadata.ts';
import type { Filter, Passage, RetrieveOptions, Retriever } from '../types.ts';
import { checkQuestion, checkRetriever } from './checks.ts';

/** Puts a fixed filter on every question. Where the question has the same key, the fixed one wins. */
export class FilteredRetriever implements Retriever {
  readonly #inner: Retriever;
  readonly #filter: Filter;

  constructor(inner: Retriever, filter: Filter) {
    checkRetriever('inner', inner);
    if (filter === undefined) throw invalidOption('filter', filter, 'a plain object of keys and values');
    checkFilter(filter);
    this.#inner = inner;
    // A copy, so that it stays fixed.
    this.#filter = { ...filter };
  }

  async retrieve(query: string, options: RetrieveOptions = {}): Promise<Passage[]> {
    checkQuestion(query, options);
    return this.#inner.retrieve(query, { ...options, filter: { ...options.filter, ...this.#filter } });
  }
}
