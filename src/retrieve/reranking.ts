import { untilAborted } from '../embed/abort.ts';
import { invalidOption, throwIfAborted } from '../errors.ts';
import { defaults, optionsObject, wholeNumber } from '../options.ts';
import type { Passage, RetrieveOptions, Retriever } from '../types.ts';
import { checkQuestion, checkRetriever } from './checks.ts';

/** Scores passages against a query: one finite number a passage, in their order, the higher the better. */
export type Rerank = (
  query: string,
  passages: readonly Passage[],
  options: { signal?: AbortSignal | undefined },
) => Promise<ArrayLike<number>> | ArrayLike<number>;

export interface RerankingRetrieverOptions {
  /** Passages the reranker gets to see; never fewer than `topK`. Default 20. */
  fetchTopK?: number | undefined;
}

/**
 * Lets a better, slower judge put a retriever's passages in order: a cross-encoder, a model, a rule of one's own.
 * A passage's `score` is the reranker's; what the retriever said of it stands in `legs.retrieved`. Equal scores
 * keep the retriever's order. A failure of the reranker rejects the call.
 */
export class RerankingRetriever implements Retriever {
  readonly #retriever: Retriever;
  readonly #rerank: Rerank;
  readonly #fetchTopK: number;

  constructor(retriever: Retriever, rerank: Rerank, options: RerankingRetrieverOptions = {}) {
    checkRetriever('retriever', retriever);
    if (typeof rerank !== 'function') {
      throw invalidOption('rerank', rerank, 'a function (query, passages, { signal }) => scores');
    }
    this.#retriever = retriever;
    this.#rerank = rerank;
    this.#fetchTopK = wholeNumber(
      'fetchTopK',
      optionsObject(options).fetchTopK ?? defaults.reranking.fetchTopK,
      1,
    );
  }

  async retrieve(query: string, options: RetrieveOptions = {}): Promise<Passage[]> {
    checkQuestion(query, options);
    const { signal } = options;
    const topK = wholeNumber('topK', options.topK ?? defaults.topK, 0);
    throwIfAborted(signal);
    const asked = { ...options, topK: Math.max(topK, this.#fetchTopK) };
    const passages = await this.#retriever.retrieve(query, asked);
    throwIfAborted(signal);
    if (passages.length === 0) return [];
    // A copy, so that a reranker that sorts its list in place changes no rank.
    const answer = Promise.resolve().then(() => this.#rerank(query, [...passages], { signal }));
    const scores = checkedScores(await untilAborted(answer, signal), passages.length);
    return passages
      .map((passage, at): Passage => {
        const retrieved = { rank: at + 1, score: passage.score };
        return { ...passage, score: scores[at]!, legs: { ...passage.legs, retrieved } };
      })
      .sort((a, b) => b.score - a.score)
      .slice(0, topK);
  }
}

function checkedScores(answer: unknown, count: number): number[] {
  const listed = Array.isArray(answer) || (ArrayBuffer.isView(answer) && !(answer instanceof DataView));
  const scores: unknown[] = listed ? Array.from(answer as ArrayLike<unknown>) : [];
  if (!listed || scores.length !== count) {
    const wanted = `${count} scores for ${count} passages`;
    throw invalidOption('The answer of rerank', listed ? `${scores.length} scores` : answer, wanted);
  }
  const odd = scores.findIndex((score) => typeof score !== 'number' || !Number.isFinite(score));
  if (odd >= 0) throw invalidOption(`Score ${odd} of rerank`, scores[odd], 'a finite number');
  return scores as number[];
}
