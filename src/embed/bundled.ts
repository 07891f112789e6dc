import type { Pooling } from './pooling.ts';

/** The model that ships with the package, under `models/`. It is trained on English. */
export const defaultModel = 'glove-static';

/** What is known of it before it is loaded; a test holds this against its files. */
export const bundled: {
  dimensions: number;
  maxInputTokens: number;
  pooling: Pooling;
  revision: string;
} = {
  dimensions: 100,
  maxInputTokens: 2048,
  pooling: 'mean',
  /** First eight digits of the SHA-256 of its SHA256SUMS: other files, other vectors, another id. */
  revision: '2930f0d0',
};
