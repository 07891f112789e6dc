import type { Choose, Judged } from '../store/legs.ts';

/** Damps the ranks of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009). */
export const rrfDamping = 60;

const byScore = <C extends Judged>(candidates: readonly C[], score: (candidate: C) => number) =>
  candidates
    .map((candidate) => ({ ...candidate, score: score(candidate) }))
    // Nothing speaks for what scores nothing. Equal scores keep the order in which they were proposed.
    .filter((candidate) => candidate.score > 0)
    .sort((a, b) => b.score - a.score);

/** What each leg adds to a score. */
export type Shares = (judged: Judged, best: number) => [lexical: number, semantic: number];

/**
 * `(1 − w) · bm25 / best bm25 + w · max(0, cosine)`: a convex combination, after Bruch, Gai and Ingber, "An
 * Analysis of Fusion Functions for Hybrid Retrieval" (2023).
 */
export const convex =
  (weight: number): Shares =>
  ({ legs: { lexical, semantic } }, best) => {
    const words = best > 0 ? (lexical?.score ?? 0) / best : 0;
    return [(1 - weight) * words, weight * Math.max(0, semantic?.score ?? 0)];
  };

/** Reciprocal rank fusion: `(1 − w) / (60 + rank)` by words and `w / (60 + rank)` by meaning, summed. */
export const reciprocalRank =
  (weight: number): Shares =>
  ({ legs: { lexical, semantic } }) => [
    lexical === undefined ? 0 : (1 - weight) / (rrfDamping + lexical.rank),
    semantic === undefined ? 0 : weight / (rrfDamping + semantic.rank),
  ];

/** Both legs, each with its share. */
export const fused =
  (shares: Shares): Choose =>
  (candidates, best) =>
    byScore(candidates, (candidate) => {
      const [lexical, semantic] = shares(candidate, best);
      return lexical + semantic;
    });

/** One leg alone, by its own scores. */
export const only =
  (leg: 'lexical' | 'semantic'): Choose =>
  (candidates) =>
    candidates
      .filter(({ legs }) => legs[leg] !== undefined)
      .map((candidate) => ({ ...candidate, score: candidate.legs[leg]!.score }))
      .sort((a, b) => b.score - a.score);
