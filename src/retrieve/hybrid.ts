import { untilAborted } from '../embed/abort.ts';
import { invalidOption, show, throwIfAborted } from '../errors.ts';
import { defaults, numberIn, optionsObject, wholeNumber } from '../options.ts';
import type { LegScore, Passage, RetrieveOptions, Retriever } from '../types.ts';
import { checkQuestion, checkRetriever } from './checks.ts';

export interface HybridRetrieverOptions {
  /**
   * How little the first ranks stand out: a passage at rank r (from 1) of a leg gets `weight / (k + r)`. Default
   * 60. Any finite number from -1 up, as the reference takes it; -1 makes a first rank worth infinity.
   */
  k?: number | undefined;
  /** Passages each leg is asked for, whatever `topK` is. Default 20. */
  fetchTopK?: number | undefined;
  /**
   * What each leg counts, 0 or more: in the order of the legs, or by name. A leg without one counts 1. A leg of
   * weight 0 is still asked, and its passages come last.
   */
  weights?: readonly (number | undefined)[] | Readonly<Record<string, number | undefined>> | undefined;
  /**
   * Called with the error of a leg that fails, which then counts as empty. Without it, and where every leg fails,
   * the error rejects the call.
   */
  onLegError?: ((error: unknown, leg: string) => void) | undefined;
}

interface Leg {
  name: string;
  retriever: Retriever;
  weight: number;
}

interface Fused {
  passage: Passage;
  score: number;
  legs: [string, LegScore][];
}

/**
 * Reciprocal rank fusion: puts ranks together, never scores, so that legs on different scales can be joined.
 * A passage's text and fields are those of the first leg that has it. Equal scores keep the order of the legs
 * and, within a leg, its ranks. `legs` says which rank and score a passage had in each leg, under the leg's name:
 * its key where the retrievers are given as a record, else its position.
 */
export class HybridRetriever implements Retriever {
  readonly #legs: readonly Leg[];
  readonly #k: number;
  readonly #fetchTopK: number;
  readonly #onLegError: HybridRetrieverOptions['onLegError'];

  constructor(
    retrievers: readonly Retriever[] | Readonly<Record<string, Retriever>>,
    options: HybridRetrieverOptions = {},
  ) {
    const { weights = [], onLegError } = optionsObject(options);
    if (weights === null || typeof weights !== 'object') {
      throw invalidOption('weights', weights, 'an array of numbers, or a record of them by name');
    }
    this.#k = numberIn('k', options.k ?? defaults.hybrid.k, -1);
    this.#fetchTopK = wholeNumber('fetchTopK', options.fetchTopK ?? defaults.hybrid.fetchTopK, 0);
    this.#onLegError = onLegError;
    if (retrievers === null || typeof retrievers !== 'object') {
      throw invalidOption('retrievers', retrievers, 'an array of retrievers, or a record of them by name');
    }
    this.#legs = Object.entries(retrievers).map(([name, retriever], at) => {
      checkRetriever(`retrievers.${name}`, retriever);
      // A list may be longer than the legs, as the reference takes it. A leg may be named like a member of Object.
      const weight = isList(weights) ? weights[at] : Object.hasOwn(weights, name) ? weights[name] : undefined;
      return { name, retriever, weight: numberIn(`weights.${name}`, weight ?? 1, 0) };
    });
    const named = new Set(this.#legs.map(({ name }) => name));
    const stray = isList(weights) ? undefined : Object.keys(weights).find((name) => !named.has(name));
    if (stray !== undefined)
      throw invalidOption('weights', stray, `names of legs (${[...named].join(', ')})`);
  }

  async retrieve(query: string, options: RetrieveOptions = {}): Promise<Passage[]> {
    checkQuestion(query, options);
    const { topK = defaults.topK, filter, signal } = options;
    if (!Number.isInteger(topK) && topK !== Infinity) throw invalidOption('topK', topK, 'a whole number');
    throwIfAborted(signal);
    const asked: RetrieveOptions = {
      topK: this.#fetchTopK,
      ...(filter !== undefined && { filter }),
      ...(signal !== undefined && { signal }),
    };
    const lists = await untilAborted(this.#ask(query, asked), signal);
    // The reference cuts its list as Array.slice does, so that a negative topK leaves the last ones out.
    return this.#fuse(lists).slice(0, topK);
  }

  async #ask(query: string, asked: RetrieveOptions): Promise<(readonly Passage[])[]> {
    const onLegError = this.#onLegError;
    // Each leg gets options of its own, and a synchronous throw is a rejection like any other.
    const answers = this.#legs.map(async ({ retriever }) => retriever.retrieve(query, { ...asked }));
    if (onLegError === undefined) return Promise.all(answers);
    const settled = await Promise.allSettled(answers);
    throwIfAborted(asked.signal);
    let failed = 0;
    const lists = settled.map((one, at) => {
      if (one.status === 'fulfilled') return one.value;
      failed++;
      onLegError(one.reason, this.#legs[at]!.name);
      return [];
    });
    const first = settled.find((one) => one.status === 'rejected');
    if (first !== undefined && failed === settled.length) throw first.reason;
    return lists;
  }

  #fuse(lists: readonly (readonly Passage[])[]): Passage[] {
    const fused = new Map<string, Fused>();
    for (const [leg, list] of lists.entries()) {
      const { name, weight } = this.#legs[leg]!;
      if (!Array.isArray(list)) throw invalidOption(`The answer of leg ${show(name)}`, list, 'a list');
      for (const [at, passage] of list.entries()) {
        const rank = at + 1;
        const entry: Fused = fused.get(passage.id) ?? { passage, score: 0, legs: [] };
        fused.set(passage.id, entry);
        // A leg that names a passage twice has still found it once, where it named it first.
        if (entry.legs.at(-1)?.[0] === name) continue;
        entry.legs.push([name, { rank, score: passage.score }]);
        // With k = -1 a first rank of weight 0 would be 0 / 0.
        entry.score += weight === 0 ? 0 : weight / (this.#k + rank);
      }
    }
    return [...fused.values()]
      .sort((a, b) => (a.score === b.score ? 0 : b.score - a.score))
      .map(({ passage, score, legs }) => ({ ...passage, score, legs: Object.fromEntries(legs) }));
  }
}

const isList = (
  weights: NonNullable<HybridRetrieverOptions['weights']>,
): weights is readonly (number | undefined)[] => Array.isArray(weights);
