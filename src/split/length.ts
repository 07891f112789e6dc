import { invalidOption } from '../errors.ts';

/** Length of a text in a unit of one's own: tokens, say. Taken to grow with the text. */
export interface Length {
  (text: string): number;
  /** Names what is counted, and its version; see `lengthId`. An embedder's `countTokens` has one. */
  readonly id?: string;
}

/** Length of a stretch of one text, half-open, in UTF-16 code units or in whatever `length` counts. */
export type Measure = (from: number, to: number) => number;

/** A function or none, or `INVALID_OPTION`. */
export function lengthOption(value: unknown): Length | undefined {
  if (value === undefined || typeof value === 'function') return value as Length | undefined;
  throw invalidOption('length', value, 'a function of a text that answers a number');
}

/** Counts as an option says, code units where it says nothing. An answer that is no length is refused, since no limit holds against it. */
export function measureOf(text: string, length: Length | undefined): Measure {
  if (length === undefined) return (from, to) => to - from;
  return (from, to) => {
    const measured: unknown = length(text.slice(from, to));
    if (typeof measured === 'number' && measured >= 0 && measured < Number.POSITIVE_INFINITY) return measured;
    throw invalidOption('The answer of length', measured, 'a finite number, 0 or more');
  };
}

/**
 * How a splitter's id spells a length; undefined for none. Not by the function's name, which a minifier changes from one
 * build of an app to the next: every document would be cut anew.
 */
export function lengthName(length: Length | undefined, id: unknown): string | undefined {
  if (length === undefined) return undefined;
  const name = id ?? length.id ?? 'custom';
  if (typeof name === 'string' && name !== '') return name;
  throw invalidOption('lengthId', name, 'a string that is not empty');
}
