import { afterSpace, beforeSpace, lastBreak } from './breaks.ts';

const isHigh = (code: number): boolean => (code & 0xfc00) === 0xd800;
const isLow = (code: number): boolean => (code & 0xfc00) === 0xdc00;

/** True where a cut at `at` would fall inside a surrogate pair. */
export const splitsPair = (text: string, at: number): boolean =>
  at > 0 && at < text.length && isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1));

/**
 * Where to cut instead of at `at`, so that no surrogate pair is split: beside the pair, before it if that is
 * still after `from`, else behind it.
 */
export const besidePair = (text: string, at: number, from: number): number =>
  !splitsPair(text, at) ? at : at - 1 > from ? at - 1 : at + 1;

/** True where a surrogate stands alone somewhere: such a text is damaged already, and cuts follow the reference. */
export const hasLoneSurrogate = (text: string): boolean =>
  // Many times faster, where the engine has it.
  !((text as { isWellFormed?(): boolean }).isWellFormed?.() ?? !loneSurrogate.test(text));

/** Not by code points: WebKit takes a first half before U+FC00 and above for a pair. */
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?:[^\ud800-\udbff]|^)[\udc00-\udfff]/;

/** How long a stretch of a text is, in whatever `size` counts, such as tokens. It should grow with the stretch. */
export type Measure = (from: number, to: number) => number;

export interface CutOptions {
  /** A line's end is a better place than a sentence's: for records and code. Default false. */
  lines?: boolean;
  /** Counts sizes in place of UTF-16 code units. */
  measure?: Measure | undefined;
}

/**
 * Cuts [from, to) of a text into spans of at most `size`: behind a block, a sentence or a line in the second half of
 * the window, else behind a word, else between what a reader sees as characters. White space at a cut belongs to
 * neither side. A span is longer only where one cluster is.
 */
export function cutSpan(
  text: string,
  from: number,
  to: number,
  size: number,
  { lines = false, measure }: CutOptions = {},
): [from: number, to: number][] {
  const spans: [number, number][] = [];
  const last = beforeSpace(text, from, to);
  let start = afterSpace(text, from, last);
  let guess = size;
  while (start < last) {
    const limit =
      measure === undefined ? Math.min(last, start + size) : lastFit(start, last, size, measure, guess);
    guess = limit - start;
    let end = limit === last ? last : Math.min(last, lastBreak(text, start, limit, lines));
    let stop = beforeSpace(text, start, end);
    // A tokenizer may make more of a word's beginning than of the whole word.
    while (measure !== undefined && stop > start + 1 && measure(start, stop) > size) {
      const shorter = lastBreak(text, start, stop - 1, lines);
      if (shorter >= stop) break;
      end = shorter;
      stop = beforeSpace(text, start, end);
    }
    spans.push([start, stop]);
    start = afterSpace(text, end, last);
  }
  return spans;
}

/** All of a text in spans as `cutSpan` makes them, lines first. */
export const cutProse = (text: string, size: number): [from: number, to: number][] =>
  cutSpan(text, 0, text.length, size, { lines: true });

/**
 * The end in (from, to] up to which a stretch measures `size` at most, close to the furthest one: what it measures is
 * taken to grow with it. `from + 1` where nothing fits. `guess` is the length to try first, in UTF-16 code units; a
 * good one saves calls, of which there are some ten.
 */
export function lastFit(from: number, to: number, size: number, measure: Measure, guess = size): number {
  let fits = from + 1;
  let over = to + 1;
  let next = Math.min(to, from + Math.max(1, Math.floor(guess)));
  // Doubling finds a stretch that is too long, halving then where it became so, to about a fiftieth.
  while (fits < to && (over > to || over - fits > 1 + Math.floor((fits - from) / 50))) {
    if (measure(from, next) <= size) fits = next;
    else over = next;
    next = over > to ? Math.min(to, from + 2 * (fits - from)) : (fits + over) >> 1;
    if (next <= fits) break;
  }
  return fits;
}
