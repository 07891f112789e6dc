import { isSpace } from '../kernel/js.ts';
import { defaults, optionsObject } from '../options.ts';
import type { Splitter } from '../types.ts';
import { afterSpace, beforeSpace, clusterStart, unicodeVersion } from './breaks.ts';
import { overlappingPieces } from './compat/pieces.ts';
import { windowSpans } from './compat/windows.ts';
import { defineSplitter } from './define.ts';
import { type Length, lengthName, lengthOption } from './length.ts';
import type { Cut } from './pack.ts';
import { pageFinder } from './pages.ts';
import { piecesOf } from './pieces.ts';
import { type Ruler, rulerFor } from './ruler.ts';
import { type Compat, compatOption, onlyWithoutCompat, overlapOption, sizeOption } from './size-options.ts';
import { Prose } from './units.ts';

export interface FixedWithOverlapOptions {
  /** Longest piece before its overlap, in UTF-16 code units or as `length` counts. Default 1000; `Infinity` for no limit. */
  chars?: number | undefined;
  /**
   * How far a piece may reach back into the one before it, to where a sentence or word begins, in UTF-16 code units or
   * as `length` counts, below `chars`. Default 150, at most half of `chars`.
   */
  overlapChars?: number | undefined;
  /** How far before its end a piece looks for white space to end at, in UTF-16 code units. Default 40. */
  wordWindow?: number | undefined;
  /** What sizes are counted in, in place of characters: tokens, say. Should not shrink where a text grows. */
  length?: Length | undefined;
  /** Names what `length` counts, and its version, in the splitter's id: `'words@1'`. Default: the function's own `id`, else `'custom'`. */
  lengthId?: string | undefined;
  /** `'agentfootprint'` follows that package to the letter. */
  compat?: Compat | undefined;
}

/**
 * Splits any text into pieces of at most `chars`, whatever it says, but never inside what a reader sees as one
 * character; one such that is longer is a piece of its own, marked `oversize`.
 *
 * @throws `INVALID_OPTION` naming the option, its value and the range.
 */
export function fixedWithOverlap(options: FixedWithOverlapOptions = {}): Splitter {
  const {
    chars = defaults.fixedWithOverlap.chars,
    overlapChars,
    wordWindow = defaults.fixedWithOverlap.wordWindow,
    length,
  } = optionsObject(options);
  sizeOption('chars', chars, 1);
  sizeOption('wordWindow', wordWindow, 0);
  const compat = compatOption(options.compat);
  if (compat !== undefined) {
    onlyWithoutCompat({ length });
    const { overlapChars = defaults.fixedWithOverlap.overlapChars } = options;
    sizeOption('overlapChars', overlapChars, 0);
    const spelled = { chars, overlapChars, wordWindow, compat };
    return defineSplitter('fixedWithOverlap', 1, spelled, (text, { pages }) =>
      overlappingPieces(text, windowSpans(text, chars, wordWindow), overlapChars, pageFinder(pages)),
    );
  }

  const overlap = overlapOption(overlapChars, defaults.fixedWithOverlap.overlapChars, 'chars', chars);
  const sizes = { max: chars, min: 0, overlap, length: lengthOption(length) };
  const spelled = {
    chars,
    overlapChars: overlap,
    wordWindow,
    length: lengthName(length, options.lengthId),
    unicode: unicodeVersion,
  };
  return defineSplitter('fixedWithOverlap', 2, spelled, (text, { pages }) => {
    const ruler = rulerFor(text, length);
    const units = { words: Int32Array.of(0, text.length, Prose, 0, 1, -1), count: 1 };
    const blocks = { words: new Uint32Array(0), count: 0 };
    const cuts = windows(text, chars, wordWindow, ruler);
    return piecesOf(text, cuts, { units, blocks, sizes, ruler, pageOf: pageFinder(pages) });
  });
}

function windows(text: string, chars: number, wordWindow: number, ruler: Ruler): Cut[] {
  const cuts: Cut[] = [];
  const last = beforeSpace(text, 0, text.length);
  for (let start = afterSpace(text, 0, last); start < last; ) {
    const limit = ruler.reach(start, last, chars);
    const cut = limit < last ? windowEnd(text, start, limit, wordWindow) : last;
    cuts.push({ start, end: beforeSpace(text, start, cut), unit: 0, section: -1, parts: [] });
    start = afterSpace(text, cut, last);
  }
  return cuts;
}

/** Before the last white space that a window's end holds, else at a character's end: the last one in it, or the first behind. */
function windowEnd(text: string, start: number, limit: number, wordWindow: number): number {
  const low = Math.max(start, limit - wordWindow);
  for (let at = limit; at > low; at--) {
    if (isSpace(text.charCodeAt(at)) && clusterStart(text, at, start)) return at;
  }
  let at = limit;
  while (at > start && !clusterStart(text, at, start)) at--;
  if (at > start) return at;
  at = limit + 1;
  while (!clusterStart(text, at, start)) at++;
  return at;
}
