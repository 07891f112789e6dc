import { embedTexts } from '../embed/embedder.ts';
import { fetchPart, invalidOption, ShelfmarkError, throwIfAborted } from '../errors.ts';
import { checkUnnamed } from '../ingest/unnamed.ts';
import type { Analyzer } from '../lexicon/analyzer.ts';
import { hasWord, highlight, type MatchOptions } from '../lexicon/highlight.ts';
import type { SearchIndexOptions } from '../open-index-options.ts';
import {
  defaults,
  knownOptions,
  maxTopK,
  maybeBoolean,
  maybeSignal,
  numberIn,
  oneOf,
  wholeNumber,
} from '../options.ts';
import { fused, only } from '../retrieve/fuse.ts';
import { documentIdOf } from '../store/ids.ts';
import type { Choose, Judged, LegsRequest } from '../store/legs.ts';
import { checkFilter } from '../store/metadata.ts';
import type { DocumentStore } from '../store/store.ts';
import type { Embedder, Explanation, Hit, Hits, IndexedChunk, Passage } from '../types.ts';
import { checkLength } from '../vectors/check.ts';
import type { IndexParts } from './parts.ts';

/** Candidates a leg proposes for each hit that is wanted, and at the least, so that fusion sees past the first few. */
const FETCH_FACTOR = 4;
const FETCH_LEAST = 100;

const optionNames: Readonly<Record<keyof SearchIndexOptions, true>> = {
  topK: true,
  mode: true,
  prefix: true,
  typos: true,
  filter: true,
  minScore: true,
  floor: true,
  signal: true,
};

/** A search that is ready to be run. */
export interface Asked {
  topK: number;
  request: LegsRequest;
  choose: Choose;
  /** The one leg that is asked; absent where both are. */
  alone: 'lexical' | 'semantic' | undefined;
  states: Hits['legStates'];
  /** Why a leg failed. */
  error: unknown;
}

/** The search of an index: its two legs, and the model of one of them. */
export class Searcher {
  readonly #store: DocumentStore;
  readonly #embedder: Embedder | undefined;
  readonly #fusion: IndexParts['fusion'];
  readonly #analyzer: Analyzer;
  readonly #chunks: (uri: string) => Promise<IndexedChunk[]>;
  readonly #check: () => void;
  readonly #pendingError: () => unknown;
  /** Settles when the model is loaded; dropped where that failed, so that the next search tries again. */
  #loading: Promise<void> | undefined;
  #ready: boolean;
  #loadError: unknown;

  /**
   * @param chunks Lists a document's chunks
   * @param check Throws where the vectors are another embedder's
   * @param pendingError Why vectors that are to come are not there
   */
  constructor(
    { store, embedder, fusion, analyzer, ready }: IndexParts,
    chunks: (uri: string) => Promise<IndexedChunk[]>,
    check: () => void,
    pendingError: () => unknown,
  ) {
    this.#store = store;
    this.#embedder = embedder;
    this.#fusion = fusion;
    this.#analyzer = analyzer;
    this.#ready = ready;
    this.#chunks = chunks;
    this.#check = check;
    this.#pendingError = pendingError;
  }

  /** Called when the embedder has just answered. */
  markReady(): void {
    this.#ready = true;
  }

  /** See `Index.search`. */
  async search(query: string, options: SearchIndexOptions = {}): Promise<Hits> {
    const asked = await this.#ask(query, options);
    if (asked === undefined) return this.#hits([], { lexical: 'unused', semantic: 'unused' });
    const { topK, request, choose, states } = asked;
    const passages = await this.#store.searchLegs(request, (candidates, best) =>
      choose(candidates, best).slice(0, topK),
    );
    throwIfAborted(options.signal);
    const hits = passages.map((passage) => this.#hit(passage, query, options));
    return this.#hits(hits, states, asked.error);
  }

  /** See `Index.explain`. */
  async explain(id: string, query: string, options: SearchIndexOptions): Promise<Explanation | undefined> {
    const asked = await this.#ask(query, options);
    if (asked === undefined) return undefined;
    const { explain } = await fetchPart('part of the library that explains', () => import('./explain.ts'));
    const explained = await explain(id, asked, this.#store, this.#fusion);
    throwIfAborted(options.signal);
    return explained;
  }

  /** Checks what is asked, and makes the question's vector; undefined for a question without a word. */
  async #ask(query: string, options: SearchIndexOptions): Promise<Asked | undefined> {
    knownOptions(options, optionNames);
    const {
      topK: most = defaults.topK,
      mode: how = 'auto',
      filter,
      minScore,
      floor = 0,
      prefix,
      typos,
      signal,
    } = options;
    maybeBoolean('prefix', prefix);
    maybeBoolean('typos', typos);
    maybeSignal(signal);
    if (minScore !== undefined) knownOptions(minScore, { lexical: true, semantic: true }, 'minScore');
    const topK = wholeNumber('topK', most, 1, maxTopK);
    const mode = oneOf('mode', how, ['auto', 'hybrid', 'lexical', 'semantic']);
    if (minScore?.semantic !== undefined) numberIn('minScore.semantic', minScore.semantic, -1, 1);
    if (minScore?.lexical !== undefined) numberIn('minScore.lexical', minScore.lexical, 0);
    numberIn('floor', floor, 0);
    if (typeof query !== 'string') throw invalidOption('query', query, 'a string');
    checkFilter(filter);
    throwIfAborted(signal);
    this.#checkLegs(mode);
    if (!hasWord(query, this.#analyzer.options)) return undefined;
    await this.#store.sync();
    this.#check();

    const states: Hits['legStates'] = { lexical: 'unused', semantic: 'unused' };
    const lexical = mode !== 'semantic' && this.#store.capabilities.lexical;
    if (lexical) states.lexical = 'used';
    const found = mode === 'lexical' ? undefined : await this.#vectorOf(query, mode, lexical, states, signal);
    throwIfAborted(signal);
    const { vector } = found ?? {};
    const alone = vector === undefined ? 'lexical' : lexical ? undefined : 'semantic';
    const asked: Asked = {
      topK,
      alone,
      states,
      error: found?.error,
      choose: alone === undefined ? fused(this.#fusion.shares) : only(alone),
      request: {
        ...(lexical && { query, prefix, typos }),
        vector,
        fetch: Math.max(topK * FETCH_FACTOR, FETCH_LEAST),
        filter,
        floors: minScore,
        onLegError: (leg, error) => {
          states[leg] = 'failed';
          asked.error = error;
        },
      },
    };
    if (floor > 0) asked.choose = await this.#floored(asked, floor);
    return asked;
  }

  /** Chooses as is asked, and nothing where nothing reaches the floor. */
  async #floored({ request, choose, alone }: Asked, floor: number): Promise<Choose> {
    const { floored } = await fetchPart('part of the library that holds floors', () => import('./floor.ts'));
    const lexicon = request.query === undefined ? undefined : (await this.#store.words?.())?.lexicon;
    const weight = alone === undefined ? this.#fusion.weight : alone === 'semantic' ? 1 : 0;
    return floored(choose, { floor, request, lexicon, weight, minScore: this.#embedder?.minScore });
  }

  /** The question's vector, or why there is none; in mode `'semantic'` a failure rejects. */
  async #vectorOf(
    query: string,
    mode: string,
    lexical: boolean,
    states: Hits['legStates'],
    signal: AbortSignal | undefined,
  ): Promise<{ vector?: Float32Array; error?: unknown }> {
    const embedder = this.#embedder;
    if (embedder === undefined) return {};
    if (this.#store.vectorSize.count === 0) {
      const error = this.#store.entries.size === 0 ? undefined : this.#pendingError();
      if (error === undefined) return {};
      if (!lexical) throw error;
      states.semantic = 'failed';
      return { error };
    }
    if (mode === 'auto' && lexical && !this.#ready) {
      const error = this.#loadError;
      this.#loadError = undefined;
      // A model that is there already says so at once.
      await Promise.race([this.#load(), new Promise((turn) => setTimeout(turn))]);
      if (!this.#ready) {
        states.semantic = error === undefined ? 'loading' : 'failed';
        return { error };
      }
    }
    try {
      await checkUnnamed(this.#store, embedder, signal);
      const [vector] = await embedTexts(embedder, [query], { kind: 'query', signal });
      this.#ready = true;
      const { dimensions } = this.#store.vectorSize;
      if (vector !== undefined && dimensions > 0) checkLength(vector.length, dimensions, 'the query');
      states.semantic = 'used';
      // The model knows none of its words, so every passage would be as near as any other.
      return vector === undefined || vector.every((value) => value === 0) ? {} : { vector };
    } catch (error) {
      throwIfAborted(signal);
      if (!lexical) throw error;
      states.semantic = 'failed';
      return { error };
    }
  }

  /** Loads the model once, in the background; what goes wrong is told with the next search. */
  #load(): Promise<void> {
    this.#loading ??= Promise.resolve(this.#embedder?.load?.())
      .then(() => {
        this.#ready = true;
      })
      .catch((error: unknown) => {
        this.#loadError = error;
        this.#loading = undefined;
      });
    return this.#loading;
  }

  #hit(passage: Passage & Judged, query: string, how: MatchOptions): Hit {
    const docUri = documentIdOf(passage.id);
    return {
      ...passage,
      docUri,
      highlights: highlight(query, passage.text, this.#analyzer.options, how),
      neighbours: async () => neighboursOf(await this.#chunks(docUri), passage.id),
    };
  }

  /** The legs' states are told beside the hits: a list of hits is compared, copied and sent as a list of hits. */
  #hits(hits: Hit[], legStates: Hits['legStates'], legError?: unknown): Hits {
    return Object.defineProperties(hits, {
      legStates: { value: legStates },
      legError: { value: legError },
    }) as Hits;
  }

  /** Refuses a leg that was asked for by name and is not there. */
  #checkLegs(mode: string): void {
    if ((mode === 'semantic' || mode === 'hybrid') && this.#embedder === undefined) {
      throw new ShelfmarkError(
        'UNSUPPORTED',
        `Mode '${mode}' searches by meaning, which needs an embedder; give one to openIndex({ embedder }).`,
      );
    }
    if (this.#store.capabilities.lexical || (mode !== 'lexical' && this.#embedder !== undefined)) return;
    throw new ShelfmarkError(
      'UNSUPPORTED',
      'This store does not search words, and there is no embedder to search by meaning; give one of them.',
    );
  }
}

/** The chunks before and after one in its document. */
export function neighboursOf(
  chunks: readonly IndexedChunk[],
  id: string,
): Awaited<ReturnType<Hit['neighbours']>> {
  const at = chunks.findIndex((chunk) => chunk.id === id);
  const [previous, next] = at < 0 ? [] : [chunks[at - 1], chunks[at + 1]];
  return { ...(previous !== undefined && { previous }), ...(next !== undefined && { next }) };
}
