import type { SearchIndexOptions } from '../open-index-options.ts';
import type { Hit, Hits } from '../types.ts';
import type { SearchableIndex } from './source.ts';

/** What is known of a question so far. */
export interface Answer {
  query: string;
  hits: readonly Hit[];
  /** Whether passages found by meaning are still to come. */
  more: boolean;
  /** Whether the model failed, so that these were found by words alone. */
  wordsOnly: boolean;
}

/** Passages asked for. */
const TOP = 20;
/** Milliseconds within which an answer by both legs is worth waiting for, since the list then changes once only. */
const GRACE = 80;
const QUICK = 40;
/** Milliseconds of rest before a slow model is asked, so that it is not asked for each letter. */
const REST = 120;

const sleep = (ms: number): Promise<undefined> => new Promise((turn) => setTimeout(turn, ms, undefined));
const isUnsupported = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'UNSUPPORTED';

/** Asks an index: by words at once, by meaning when the model is there, and only ever the question asked last. */
export class Asking {
  #run = new AbortController();
  /** Milliseconds the last answer by meaning took. */
  #cost = Number.POSITIVE_INFINITY;
  #hasMeaning = true;
  #modelFailed = false;

  /** Drops the question being asked: nothing more is told of it. */
  stop(): void {
    this.#run.abort();
  }

  /** Forgets that there was nothing to search by meaning, or that the model failed. */
  refresh(): void {
    this.#hasMeaning = true;
    this.#modelFailed = false;
  }

  /**
   * Asks, dropping what was asked before.
   *
   * @param show Called with what is found by words, then with what is found by meaning as well; or once with both
   * @throws What the index failed with, unless another question was asked meanwhile
   */
  async ask(index: SearchableIndex, query: string, show: (answer: Answer) => void): Promise<void> {
    this.#run.abort();
    const run = new AbortController();
    this.#run = run;
    const tell = (hits: readonly Hit[], more: boolean): void => {
      if (!run.signal.aborted) show({ query, hits, more, wordsOnly: this.#modelFailed });
    };
    try {
      // The last word may still be being typed.
      const options: SearchIndexOptions = { topK: TOP, prefix: !/\s$/.test(query), signal: run.signal };
      const words = await this.#byWords(index, query, options);
      if (!this.#hasMeaning || this.#modelFailed) return tell(words, false);
      const isQuick = this.#cost < QUICK;
      const both = isQuick ? this.#byBoth(index, query, options) : undefined;
      both?.catch(() => {});
      const early = await Promise.race([both, isQuick ? sleep(GRACE) : undefined]);
      if (early !== undefined) return tell(early, false);
      tell(words, true);
      if (!isQuick) await sleep(REST);
      if (run.signal.aborted) return;
      tell((await (both ?? this.#byBoth(index, query, options))) ?? words, false);
    } catch (error) {
      if (!run.signal.aborted) throw error;
    }
  }

  /** Sets `options.typos` where nothing is found without. */
  async #byWords(
    index: SearchableIndex,
    query: string,
    options: SearchIndexOptions,
  ): Promise<readonly Hit[]> {
    try {
      const exact = await index.search(query, { ...options, mode: 'lexical' });
      if (exact.length > 0) return exact;
      options.typos = true;
      return await index.search(query, { ...options, mode: 'lexical' });
    } catch (error) {
      // A store of one's own may know no words.
      if (isUnsupported(error)) return [];
      throw error;
    }
  }

  /** Undefined where there is no meaning to search by, or the model failed. */
  async #byBoth(
    index: SearchableIndex,
    query: string,
    options: SearchIndexOptions,
  ): Promise<Hits | undefined> {
    const started = performance.now();
    try {
      const hits = await index.search(query, { ...options, mode: 'hybrid' });
      const { lexical, semantic } = hits.legStates;
      if (semantic === 'unused' && lexical === 'used') this.#hasMeaning = false;
      this.#modelFailed = semantic === 'failed';
      if (semantic === 'used') this.#cost = performance.now() - started;
      return semantic === 'failed' ? undefined : hits;
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      this.#hasMeaning = false;
      return undefined;
    }
  }
}
