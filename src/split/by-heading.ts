import { atxHeadings } from '../kernel/load.ts';
import { defaults, wholeNumber } from '../options.ts';
import type { Splitter } from '../types.ts';
import { overlappingPieces } from './compat/pieces.ts';
import { sectionSpans } from './compat/sections.ts';
import { defineSplitter } from './define.ts';
import { pageFinder } from './pages.ts';
import { type Compat, compatOption, pieceSizes } from './size-options.ts';

const version = 1;
/** Markdown's headings end here; 0 reads none. */
const deepestLevel = 6;

export interface ByHeadingOptions {
  /** Longest section that stays whole, in UTF-16 code units. Default 1000; `Infinity` for no limit. */
  maxChars?: number | undefined;
  /** How far a piece reaches back into the one before it, in UTF-16 code units. Default 150. */
  overlapChars?: number | undefined;
  /** Deepest heading that opens a section, 0 to 6; deeper ones are text. Default 6. */
  maxLevel?: number | undefined;
  /**
   * A section with a shorter body merges with the one after it, in UTF-16 code units below `maxChars`.
   * Default `min(250, floor(maxChars / 4))`.
   */
  minChars?: number | undefined;
  /** `'agentfootprint'` follows that package to the letter. */
  compat?: Compat | undefined;
}

/**
 * Splits Markdown by its headings. A section that fits stays whole, a longer one is packed by paragraph and,
 * failing that, cut; a heading without a body is never alone, and a document of nothing but headings gives no
 * pieces.
 *
 * @throws `INVALID_OPTION` naming the option, its value and the range.
 */
export function byHeading(options: ByHeadingOptions = {}): Splitter {
  const { maxLevel = defaults.byHeading.maxLevel } = options;
  wholeNumber('maxLevel', maxLevel, 0, deepestLevel);
  const sizes = pieceSizes(options, defaults.byHeading);
  const compat = compatOption(options.compat);
  const { maxChars, overlapChars, minChars } = sizes;
  const spelled = { maxChars, overlapChars, maxLevel, minChars, compat };
  return defineSplitter('byHeading', version, spelled, (text, document) => {
    const headings = atxHeadings(document.text).filter(({ level }) => level <= maxLevel);
    const spans = sectionSpans(text, headings, sizes);
    return overlappingPieces(text, spans, overlapChars, pageFinder(document.pages));
  });
}
