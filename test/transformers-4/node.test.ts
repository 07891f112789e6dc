import { expect, it } from 'vitest';
import { transformersEmbedder } from '../../src/embed/transformers.ts';
import { referenceSentence } from '../reference-vector.ts';
import { type TransformersLike, transformersSuite } from '../transformers-suite.ts';

const load = () => import('@huggingface/transformers') as unknown as Promise<TransformersLike>;
const transformers = load as never;

transformersSuite({ transformers }, load);

it('gives the vectors of @xenova/transformers to the last bit, under the same id', async () => {
  const texts = [referenceSentence, 'cat', '', 'How do I get my money back?'];
  const [older, newer] = [transformersEmbedder(), transformersEmbedder({ transformers })];
  expect(newer.id).toBe(older.id);
  expect(await newer.embed(texts)).toEqual(await older.embed(texts));
  expect(newer.runtime).toEqual({ device: 'cpu', threads: undefined, notes: [] });
});
