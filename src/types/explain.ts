/** Public types of `index.explain`: why a search finds a passage. */
import type { LegScore } from '../types.ts';

/** A word of the index that stands in the passage and counts for the question. */
export interface ExplainedTerm {
  /** As the index reads it: folded, stemmed where there is a stemmer, a pair of characters in scripts without spaces. */
  term: string;
  /** The question's word that it stands for: itself, or one it begins with (`prefix`) or is near to (`typos`). */
  query: string;
  /** What a match of this kind counts: 1 for the word itself, less for a longer or a misspelt one. */
  weight: number;
  /** Inverse document frequency: `ln(1 + (N − n + 0.5) / (n + 0.5))` for a word in `n` of `N` chunks. */
  rarity: number;
  /** Chunks of the whole index that hold it. */
  chunks: number;
  /** Times it stands in what is read of the passage: title, heading path, context and text. */
  times: number;
  /** What it adds to the passage's score by words. */
  score: number;
}

/** How the legs' scores became one. `lexical + semantic` is the score. */
export interface ExplainedFusion {
  /** The index's `fusion`, or the one leg that was asked. */
  kind: 'convex' | 'rrf' | 'lexical' | 'semantic';
  /** Weight of the semantic leg; that of the words is what is left of 1. Absent where one leg was asked. */
  semanticWeight?: number;
  /** `'convex'`: the best score by words of all chunks the filter allows, by which words are divided. */
  best?: number;
  /** `'rrf'`: what is added to a rank. */
  damping?: number;
  /** What the words add to the score. */
  lexical: number;
  /** What the meaning adds to the score. */
  semantic: number;
}

/** Why a search finds a passage. */
export interface Explanation {
  id: string;
  /** What the search gives it. */
  score: number;
  /** Its place among the candidates, from 1. */
  rank: number;
  /** Passages that the legs proposed. */
  candidates: number;
  /**
   * By words: BM25, the sum of what its terms add, the most first. `terms` is absent where the store is not this
   * library's. Absent where it holds no word of the question, or words were not asked.
   */
  lexical?: LegScore & { terms?: ExplainedTerm[] };
  /** By meaning: a cosine. Absent where it has no vector, or the meaning was not asked. */
  semantic?: LegScore;
  fusion: ExplainedFusion;
  /** What the filter kept out: chunks of the index, and how many that would have come before this one. */
  filtered: { chunks: number; better: number };
}
