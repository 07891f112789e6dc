import { fetchPart } from '../errors.ts';
import type { Splitter } from '../types.ts';

/** `autoSplitter()`, fetched when it is asked for: it carries a parser of tables. `UNSUPPORTED` where its file is not there. */
export async function fetchAutoSplitter(): Promise<Splitter> {
  const { autoSplitter } = await fetchPart('splitter that chooses by kind', () => import('./auto.ts'));
  return autoSplitter();
}
