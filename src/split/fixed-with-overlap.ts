import { defaults } from '../options.ts';
import type { Splitter } from '../types.ts';
import { overlappingPieces } from './compat/pieces.ts';
import { windowSpans } from './compat/windows.ts';
import { defineSplitter } from './define.ts';
import { pageFinder } from './pages.ts';
import { type Compat, compatOption, sizeOption } from './size-options.ts';

const version = 1;

export interface FixedWithOverlapOptions {
  /** Length of a piece before its overlap, in UTF-16 code units. Default 1000; `Infinity` for no limit. */
  chars?: number | undefined;
  /** How far a piece reaches back into the one before it, in UTF-16 code units. Default 150. */
  overlapChars?: number | undefined;
  /** How far before its end a piece looks for white space to end at, in UTF-16 code units. Default 40. */
  wordWindow?: number | undefined;
  /** `'agentfootprint'` follows that package to the letter. */
  compat?: Compat | undefined;
}

/**
 * Splits any text into pieces of about `chars`, whatever it says.
 *
 * @throws `INVALID_OPTION` naming the option, its value and the range.
 */
export function fixedWithOverlap(options: FixedWithOverlapOptions = {}): Splitter {
  const {
    chars = defaults.fixedWithOverlap.chars,
    overlapChars = defaults.fixedWithOverlap.overlapChars,
    wordWindow = defaults.fixedWithOverlap.wordWindow,
  } = options;
  sizeOption('chars', chars, 1);
  sizeOption('overlapChars', overlapChars, 0);
  sizeOption('wordWindow', wordWindow, 0);
  const compat = compatOption(options.compat);
  const spelled = { chars, overlapChars, wordWindow, compat };
  return defineSplitter('fixedWithOverlap', version, spelled, (text, document) =>
    overlappingPieces(text, windowSpans(text, chars, wordWindow), overlapChars, pageFinder(document.pages)),
  );
}
