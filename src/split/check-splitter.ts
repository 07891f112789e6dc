import { invalidOption } from '../errors.ts';
import type { Splitter } from '../types.ts';

/** Throws `INVALID_OPTION` for what cannot cut documents. */
export function checkSplitter(splitter: Splitter): void {
  const { id, name, split } = splitter ?? {};
  if (typeof id === 'string' && typeof name === 'string' && typeof split === 'function') return;
  throw invalidOption('splitter', splitter, 'a splitter: { id, name, split(document) }');
}
