import { untilAborted } from '../embed/abort.ts';
import { invalidOption, ShelfmarkError, throwIfAborted } from '../errors.ts';
import { defaults, optionsObject } from '../options.ts';
import { COSINE_SLACK } from '../store/legs.ts';
import type { EmbedderLike, Passage, RetrieveOptions, Retriever, VectorStore } from '../types.ts';
import { checkQuestion, checkStore } from './checks.ts';

export interface EmbeddingRetrieverOptions {
  /** Passages that score lower are left out, after the best `topK` were chosen. Default: none are. */
  minScore?: number | undefined;
}

/**
 * Finds passages by meaning: embeds the query and asks the store for its neighbours.
 * A query of another length than the store's vectors is compared over the values both have.
 */
export class EmbeddingRetriever implements Retriever {
  readonly #embedder: EmbedderLike;
  readonly #store: VectorStore;
  readonly #minScore: number | undefined;

  constructor(embedder: EmbedderLike, store: VectorStore, options: EmbeddingRetrieverOptions = {}) {
    if (typeof embedder?.embed !== 'function') {
      throw invalidOption('embedder', embedder, 'an object with embed(texts): Promise<number[][]>');
    }
    checkStore(store);
    const { minScore } = optionsObject(options);
    // NaN, which no score reaches, is a number to the reference.
    if (minScore !== undefined && typeof minScore !== 'number') {
      throw invalidOption('minScore', minScore, 'a number');
    }
    this.#embedder = embedder;
    this.#store = store;
    this.#minScore = minScore;
  }

  async retrieve(query: string, options: RetrieveOptions = {}): Promise<Passage[]> {
    checkQuestion(query, options);
    const { topK = defaults.topK, filter, signal } = options;
    throwIfAborted(signal);
    // A model has a vector for nothing, too, which is near to whatever it is near to.
    if (query.trim() === '') return [];
    const vectors = await untilAborted(this.#embedder.embed([query], { kind: 'query', signal }), signal);
    // Not read by `asEmbedder`, which refuses an empty vector; here it is as near to everything.
    const vector = vectors?.[0];
    if (vector === undefined) {
      throw new ShelfmarkError(
        'EMBEDDER_FAILED',
        'The embedder gave no vector for the query; it must give one a text.',
      );
    }
    const passages = await this.#store.search(vector, { topK, filter, lengths: 'shared' });
    const floor = this.#minScore;
    return floor === undefined ? passages : passages.filter(({ score }) => score >= floor - COSINE_SLACK);
  }
}
