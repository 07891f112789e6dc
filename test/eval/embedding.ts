import { embedTexts } from '../../src/embed/embedder.ts';
import { transformersEmbedder } from '../../src/embed/transformers.ts';

/** The bundled model, as it is in Node without any option. */
export const embedder = transformersEmbedder();

/** The model knows only its words; queries and passages are embedded alike. */
export const embedAll = (texts: readonly string[], kind: 'query' | 'passage'): Promise<Float32Array[]> =>
  embedTexts(embedder, texts, { kind });

/** Cosine of two vectors of length 1, or 0 where one of them is zero. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += a[d]! * b[d]!;
  return sum;
}
