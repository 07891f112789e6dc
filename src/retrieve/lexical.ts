import { ShelfmarkError, throwIfAborted } from '../errors.ts';
import { defaults, numberIn, optionsObject } from '../options.ts';
import { isLexicalVectorStore } from '../store/store.ts';
import type { LexicalVectorStore, Passage, RetrieveOptions, Retriever, VectorStore } from '../types.ts';
import { checkQuestion, checkStore } from './checks.ts';

export interface LexicalRetrieverOptions {
  /** Passages that score lower are left out, after the best `topK` were chosen. Default: none are. */
  minScore?: number | undefined;
}

/** Finds passages by their words, in a store that keeps them: BM25 over what the store holds. */
export class LexicalRetriever implements Retriever {
  readonly #store: LexicalVectorStore;
  readonly #minScore: number | undefined;

  /** @throws ShelfmarkError `UNSUPPORTED` where the store answers vectors only. */
  constructor(store: VectorStore, options: LexicalRetrieverOptions = {}) {
    checkStore(store);
    const { minScore } = optionsObject(options);
    if (minScore !== undefined) numberIn('minScore', minScore, 0);
    if (!isLexicalVectorStore(store)) {
      throw new ShelfmarkError(
        'UNSUPPORTED',
        'This store cannot search by words; use a LexicalVectorStore, or a KeywordRetriever beside this one.',
      );
    }
    this.#store = store;
    this.#minScore = minScore;
  }

  async retrieve(query: string, options: RetrieveOptions = {}): Promise<Passage[]> {
    checkQuestion(query, options);
    const { topK = defaults.topK, filter, signal } = options;
    throwIfAborted(signal);
    const passages = await this.#store.searchText(query, { topK, filter });
    throwIfAborted(signal);
    const floor = this.#minScore;
    return floor === undefined ? passages : passages.filter(({ score }) => score >= floor);
  }
}
