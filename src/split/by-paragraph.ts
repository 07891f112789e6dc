import { defaults } from '../options.ts';
import type { Splitter } from '../types.ts';
import { paragraphSpans } from './compat/paragraphs.ts';
import { overlappingPieces } from './compat/pieces.ts';
import { defineSplitter } from './define.ts';
import { pageFinder } from './pages.ts';
import { type Compat, compatOption, pieceSizes } from './size-options.ts';

const version = 1;

export interface ByParagraphOptions {
  /** Longest run of paragraphs in a piece, in UTF-16 code units. Default 1000; `Infinity` for no limit. */
  maxChars?: number | undefined;
  /** How far a piece reaches back into the one before it, in UTF-16 code units. Default 150. */
  overlapChars?: number | undefined;
  /**
   * A shorter piece merges with the one after it, in UTF-16 code units below `maxChars`.
   * Default `min(250, floor(maxChars / 4))`.
   */
  minChars?: number | undefined;
  /** `'agentfootprint'` follows that package to the letter. */
  compat?: Compat | undefined;
}

/**
 * Splits plain text by blank lines: paragraphs are packed while they fit, and a longer one is cut.
 *
 * @throws `INVALID_OPTION` naming the option, its value and the range.
 */
export function byParagraph(options: ByParagraphOptions = {}): Splitter {
  const compat = compatOption(options.compat);
  const sizes = pieceSizes(options, defaults.byParagraph);
  const { maxChars, overlapChars, minChars } = sizes;
  const spelled = { maxChars, overlapChars, minChars, compat };
  return defineSplitter('byParagraph', version, spelled, (text, document) =>
    overlappingPieces(text, paragraphSpans(text, sizes), overlapChars, pageFinder(document.pages)),
  );
}
