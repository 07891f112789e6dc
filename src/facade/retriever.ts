import type { SearchIndexOptions } from '../open-index-options.ts';
import { optionsObject } from '../options.ts';
import type { Hits, Retriever } from '../types.ts';

/** How a retriever made of an index searches, where a call says nothing else. */
export type IndexRetrieverOptions = Omit<SearchIndexOptions, 'signal'>;

/** What of an index a retriever asks. */
interface Searchable {
  search(query: string, options: SearchIndexOptions): Promise<Hits>;
}

/**
 * The search of an index, here or in a worker, as a retriever.
 *
 * @throws ShelfmarkError `INVALID_OPTION` for options that are no object
 */
export function retrieverOf(index: Searchable, standard: IndexRetrieverOptions): Retriever {
  optionsObject(standard);
  return {
    retrieve: async (query, options = {}) => {
      const { topK = standard.topK, filter = standard.filter, signal } = optionsObject(options);
      // Floors of one's own stand in for the one that was chosen from data.
      const { floor = standard.minScore === undefined ? options.floor : undefined } = standard;
      return index.search(query, { ...standard, topK, filter, floor, signal });
    },
  };
}
