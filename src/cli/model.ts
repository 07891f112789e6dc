import { createRequire } from 'node:module';
import { type TransformersEmbedderOptions, transformersEmbedder } from '../embed/transformers.ts';
import type { Embedder } from '../types.ts';

/** The two names of transformers.js; the vectors of the bundled model are the same with both. */
const usual = '@xenova/transformers';
const successor = '@huggingface/transformers';

/** The bundled model, run by whichever transformers.js is installed. Nothing is loaded before it is needed. */
export function bundledEmbedder(): Embedder {
  if (isInstalled(usual) || !isInstalled(successor)) return transformersEmbedder();
  const transformers = () => import(/* @vite-ignore */ successor);
  return transformersEmbedder({ transformers } as TransformersEmbedderOptions);
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}
