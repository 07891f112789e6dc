import { type TransformersEmbedderOptions, transformersEmbedder } from '../embed/transformers.ts';
import type { OpenIndexOptions } from '../open-index-options.ts';
import { serveIndex } from './host.ts';

/**
 * What a page sends to `shelfmark/worker/entry`: `connectIndex(worker, { send })`. Addresses are read from the worker's own,
 * so give whole ones.
 */
export interface EntryOptions
  extends Omit<OpenIndexOptions, 'embedder' | 'splitter' | 'store' | 'onBlocked'> {
  splitter?: 'auto' | undefined;
  /** Gives the index its meaning leg. `transformers` is the address of transformers.js, as a module. */
  embedder?:
    | (Omit<TransformersEmbedderOptions, 'transformers' | 'onNote'> & { transformers: string })
    | undefined;
}

function embedderOf({ embedder }: EntryOptions): OpenIndexOptions['embedder'] {
  if (embedder === undefined) return undefined;
  const { transformers, ...rest } = embedder;
  return transformersEmbedder({
    ...rest,
    transformers: () => import(/* @vite-ignore */ /* webpackIgnore: true */ transformers),
  });
}

// The worker itself: this file is the one of the package, with the element, that does something when it is loaded.
serveIndex<EntryOptions | undefined>((sent = {}) => ({ ...sent, embedder: embedderOf(sent) }));
