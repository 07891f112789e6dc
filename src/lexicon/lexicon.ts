import { characterTables, PAIRED } from '../kernel/characters.ts';
import type { LexicalKernel, QueryToken, Scored } from '../kernel/lexical.ts';
import { lexicalKernel } from '../kernel/load-index.ts';
import { naturalLog } from '../kernel/logarithm.ts';
import { defaults, numberIn } from '../options.ts';
import { analyzerOf, type LexiconOptions } from './analyzer.ts';
import { checkWords, corruptWords, encodeWords } from './format.ts';
import { editsFor } from './highlight.ts';

export type { LexiconOptions } from './analyzer.ts';

export interface LexiconQuery {
  topK: number;
  /** Least score. Default 0. */
  floor?: number | undefined;
  /** A bit a row: which may be found. */
  allowed?: Uint32Array | undefined;
  /** Also finds words that begin with the last one of the query, which may still be being typed. Default false. */
  prefix?: boolean | undefined;
  /** Also finds words with typing errors: one edit from 4 letters, two from 8. Default false. */
  typos?: boolean | undefined;
}

/** One term that a query stands for. */
export interface QueryPart {
  term: number;
  /** The query's token that it stands for. */
  token: string;
  /** What a match of its kind counts, 1 at most. */
  weight: number;
  /** Its inverse document frequency. */
  rarity: number;
  /** Adds what it counts to every row that holds it, in the present query. */
  score(): void;
  /** What it adds to a row. Ends the present query. */
  alone(row: number): number;
}

/** A found longer word counts by the share of it that was typed; one with errors by this, for each edit. */
const typoWeight = 0.4;
/** Removed texts are compacted away once they outnumber the live ones, but not for a handful. */
const deadWorthCompacting = 256;

/** The words of an index: BM25 over rows the caller names. */
export class Lexicon {
  /** Spells the analyser; texts and queries must have been read by the same. */
  readonly analyzer: string;
  readonly #kernel: LexicalKernel;
  readonly #k1: number;
  readonly #b: number;
  readonly #unicode: boolean;

  /** A lexicon in the kernel that suits the analyser and the engine. */
  static async open(options: LexiconOptions = {}): Promise<Lexicon> {
    return new Lexicon(options, await lexicalKernel(analyzerOf(options).options));
  }

  /** @param kernel An empty one, for the same analyser. */
  constructor(options: LexiconOptions, kernel: LexicalKernel) {
    const { id, options: analysis } = analyzerOf(options);
    this.analyzer = id;
    this.#k1 = numberIn('k1', options.k1 ?? defaults.bm25.k1, 0);
    this.#b = numberIn('b', options.b ?? defaults.bm25.b, 0, 1);
    this.#unicode = analysis.kind === 'unicode';
    this.#kernel = kernel;
  }

  /** Rows that hold a text. */
  get size(): number {
    return this.#kernel.documents;
  }

  get terms(): number {
    return this.#kernel.terms;
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#kernel.bytes;
  }

  /** Adds a row's text, in place of the one it had. */
  add(row: number, text: string): void {
    this.#kernel.remove(row);
    this.#kernel.add(row, text);
  }

  remove(row: number): boolean {
    const removed = this.#kernel.remove(row);
    const { dead, documents } = this.#kernel;
    if (dead > deadWorthCompacting && dead > documents) this.#kernel.compact();
    return removed;
  }

  /** The words of all rows for a store, their texts in the order of adding. */
  pack(): ArrayBuffer {
    return encodeWords(this.#kernel.pack(), this.#kernel.documents);
  }

  /**
   * Adds stored words that the same analyser read.
   * Throws `STORE_CORRUPT` or `FORMAT` for bytes that cannot be used; after that, drop this lexicon.
   * @param rows the row of each text, which holds none, or `LEFT_OUT`
   * @param name what the bytes are called in a message
   */
  unpack(bytes: ArrayBuffer, rows: Uint32Array, name: string): void {
    const { stream } = checkWords(bytes, name);
    if (!this.#kernel.unpack(stream, rows)) throw corruptWords(name, 'holds other words than its rows need');
  }

  /** The tokens of a query, in order. */
  tokenize(query: string): QueryToken[] {
    return this.#kernel.tokenize(query);
  }

  /**
   * The best rows, best first, equal ones by the lower row. Score: BM25 with the inverse document frequency
   * `ln(1 + (N − n + 0.5) / (n + 0.5))`, which is never negative; a word of the query counts once.
   */
  search(query: string, { topK, floor = 0, allowed, prefix = false, typos = false }: LexiconQuery): Scored {
    this.#kernel.begin();
    for (const part of this.parts(query, prefix, typos)) part.score();
    return this.#kernel.select(topK, floor, allowed);
  }

  /** The terms a query stands for, in a settled order, each with what it counts; `score` adds it to every row. */
  parts(query: string, prefix: boolean, typos: boolean): QueryPart[] {
    const kernel = this.#kernel;
    const average = kernel.tokens / Math.max(1, kernel.documents);
    const base = this.#k1 * (1 - this.#b);
    // Where all texts are empty there is no average and no posting that would want one.
    const slope = average > 0 ? (this.#k1 * this.#b) / average : 0;
    return Array.from(this.#weights(kernel.tokenize(query), prefix, typos), ([term, { weight, token }]) => {
      const rarity = this.#rarity(term);
      const score = (): void => kernel.score(term, weight * rarity * (this.#k1 + 1), base, slope);
      const alone = (row: number): number => {
        kernel.begin();
        score();
        return kernel.scoreOf(row);
      };
      return { term, token, weight, rarity, score, alone };
    });
  }

  /** What the last search made of a row; 0 where it has no word of the query. */
  scoreOf(row: number): number {
    return this.#kernel.scoreOf(row);
  }

  /** Rows that hold a term. */
  frequency(term: number): number {
    return this.#kernel.frequency(term);
  }

  #rarity(term: number): number {
    const n = this.#kernel.frequency(term);
    return naturalLog(1 + (this.#kernel.documents - n + 0.5) / (n + 0.5));
  }

  /** The terms a query stands for, in a settled order, each with its weight and the token it stands for. */
  #weights(
    tokens: readonly QueryToken[],
    prefix: boolean,
    typos: boolean,
  ): Map<number, { weight: number; token: string }> {
    const weights = new Map<number, { weight: number; token: string }>();
    const offer = (term: number, token: string, weight: number): void => {
      if (weight > (weights.get(term)?.weight ?? 0)) weights.set(term, { weight, token });
    };
    for (const { term, token } of tokens) if (term > 0) offer(term, token, 1);
    const last = tokens.at(-1);
    for (const { token } of new Map(tokens.map((entry) => [entry.token, entry])).values()) {
      // A character of a script in pairs is found in the pairs that hold it, wherever the run was cut.
      const alone = this.#unicode && isLonePairCharacter(token);
      if (alone || (prefix && token === last?.token)) {
        for (const { term, distance } of this.#kernel.affixed(token, alone)) {
          const typed = byteLength(token);
          offer(term, token, alone ? 1 : typed / (typed + distance));
        }
      }
      const most = typos ? editsFor(token) : 0;
      if (most > 0) {
        for (const { term, distance } of this.#kernel.similar(token, most))
          offer(term, token, distance === 1 ? typoWeight : typoWeight * typoWeight);
      }
    }
    return weights;
  }
}

const byteLength = (token: string): number => new TextEncoder().encode(token).length;

/** One character of a script that is indexed in pairs. */
function isLonePairCharacter(token: string): boolean {
  const point = token.codePointAt(0) ?? 0;
  if (token.length !== (point > 0xffff ? 2 : 1)) return false;
  if (point > 0xffff) return point >= 0x20000 && point < 0x40000;
  return characterTables(true).classes[point] === PAIRED;
}
