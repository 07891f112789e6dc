import { Lexicon, type LexiconOptions } from '../../src/lexicon/lexicon.ts';
import { cosine } from './embedding.ts';

/** What the two legs say of every row for one query: BM25, 0 where no word is shared, and the cosine. */
export interface LegScores {
  bm25: Float64Array;
  cosine: Float64Array;
}

export async function lexicalScores(
  texts: readonly string[],
  queries: readonly string[],
  options: LexiconOptions,
): Promise<Float64Array[]> {
  const lexicon = await Lexicon.open(options);
  for (const [row, text] of texts.entries()) lexicon.add(row, text);
  return queries.map((query) => {
    lexicon.search(query, { topK: 1 });
    return Float64Array.from(texts, (_, row) => lexicon.scoreOf(row));
  });
}

export const semanticScores = (
  passages: readonly Float32Array[],
  queries: readonly Float32Array[],
): Float64Array[] => queries.map((query) => Float64Array.from(passages, (one) => cosine(query, one)));

/** Rows with a score above 0, best first; equal ones in order. */
export function ranked(scores: Float64Array): number[] {
  const rows: number[] = [];
  for (let row = 0; row < scores.length; row++) if (scores[row]! > 0) rows.push(row);
  return rows.sort((a, b) => scores[b]! - scores[a]! || a - b);
}

export interface ConvexOptions {
  weight: number;
  /** Rows below are no candidates of the semantic leg. */
  floor?: number;
}

/**
 * The facade's fusion: `(1 − w) · bm25 / max(bm25; 0 if none) + w · max(0, cosine)`, for every candidate of either
 * leg; here each leg brings in all it has.
 */
export function convex(legs: LegScores, { weight, floor = 0 }: ConvexOptions): number[] {
  const best = legs.bm25.reduce((a, b) => Math.max(a, b), 0);
  return ranked(
    legs.bm25.map((bm25, row) => {
      const cosine = legs.cosine[row]!;
      if (bm25 === 0 && cosine < floor) return 0;
      return (best === 0 ? 0 : ((1 - weight) * bm25) / best) + weight * Math.max(0, cosine);
    }),
  );
}

/** Reciprocal rank fusion of the two legs, `fetch` of each. */
export function reciprocal(legs: LegScores, weight: number, k = 60, fetch = 100): number[] {
  const fused = new Float64Array(legs.bm25.length);
  const add = (rows: readonly number[], share: number): void => {
    for (const [at, row] of rows.slice(0, fetch).entries()) fused[row]! += share / (k + at + 1);
  };
  add(ranked(legs.bm25), 1);
  add(ranked(legs.cosine), weight);
  return ranked(fused);
}
