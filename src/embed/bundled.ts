import type { Pooling } from './pooling.ts';

/** The model that ships with the package, under `models/`. It is trained on English. */
export const defaultModel = 'glove-static';

/** What is known of it before it is loaded; a test holds this against its files. */
export const bundled: {
  dimensions: number;
  maxInputTokens: number;
  pooling: Pooling;
  semanticWeight: number;
  minScore: number;
  revision: string;
} = {
  dimensions: 100,
  maxInputTokens: 2048,
  pooling: 'mean',
  /** A weak model beside good words; chosen by `npm run eval` (docs/evaluation.md). */
  semanticWeight: 0.1,
  /** Chosen by `npm run eval -- unanswerable`; it separates poorly. */
  minScore: 0.62,
  /** First eight digits of the SHA-256 of its SHA256SUMS: other files, other vectors, another id. */
  revision: '2930f0d0',
};
