import { defaults, optionsObject } from '../options.ts';
import type { Splitter } from '../types.ts';
import { unicodeVersion } from './breaks.ts';
import { paragraphSpans } from './compat/paragraphs.ts';
import { overlappingPieces } from './compat/pieces.ts';
import { defineSplitter } from './define.ts';
import { type Length, lengthName } from './length.ts';
import { pack } from './pack.ts';
import { pageFinder } from './pages.ts';
import { paragraphBlocks } from './paragraph-blocks.ts';
import { piecesOf } from './pieces.ts';
import { rulerFor } from './ruler.ts';
import { type Compat, compatOption, cutSizes, onlyWithoutCompat, pieceSizes } from './size-options.ts';
import { unitsOf } from './units.ts';

export interface ByParagraphOptions {
  /** Longest run of paragraphs in a piece, in UTF-16 code units or as `length` counts. Default 1000; `Infinity` for no limit. */
  maxChars?: number | undefined;
  /**
   * How far a piece may reach back into the one before it, to where a sentence, word or paragraph begins, in UTF-16
   * code units or as `length` counts, below `maxChars`. Default 150, at most half of `maxChars`.
   */
  overlapChars?: number | undefined;
  /**
   * A shorter piece merges with the one after it, the last one with the one before, in UTF-16 code units or as
   * `length` counts, below `maxChars`. Default `min(250, floor(maxChars / 4))`.
   */
  minChars?: number | undefined;
  /** What sizes are counted in, in place of characters: tokens, say. Should not shrink where a text grows. */
  length?: Length | undefined;
  /** Names what `length` counts, and its version, in the splitter's id: `'words@1'`. Default: the function's own `id`, else `'custom'`. */
  lengthId?: string | undefined;
  /** `'agentfootprint'` follows that package to the letter. */
  compat?: Compat | undefined;
}

/**
 * Splits plain text by blank lines, whatever ends a line: paragraphs are packed while they fit, and a longer one is
 * cut between sentences, words and characters. No piece measures over `maxChars + minChars`, its overlap uncounted.
 *
 * @throws `INVALID_OPTION` naming the option, its value and the range.
 */
export function byParagraph(options: ByParagraphOptions = {}): Splitter {
  const { length } = optionsObject(options);
  const compat = compatOption(options.compat);
  if (compat !== undefined) {
    onlyWithoutCompat({ length });
    const sizes = pieceSizes(options, defaults.byParagraph);
    const { maxChars, overlapChars, minChars } = sizes;
    const spelled = { maxChars, overlapChars, minChars, compat };
    return defineSplitter('byParagraph', 1, spelled, (text, { pages }) =>
      overlappingPieces(text, paragraphSpans(text, sizes), overlapChars, pageFinder(pages)),
    );
  }

  const sizes = cutSizes(options, defaults.byParagraph);
  const spelled = {
    maxChars: sizes.max,
    overlapChars: sizes.overlap,
    minChars: sizes.min,
    length: lengthName(length, options.lengthId),
    unicode: unicodeVersion,
  };
  return defineSplitter('byParagraph', 2, spelled, (text, { pages }) => {
    const blocks = paragraphBlocks(text);
    const units = unitsOf(text, blocks, { maxLevel: 0, loose: [] });
    const ruler = rulerFor(text, length);
    const drafts = pack(text, units, sizes, ruler);
    return piecesOf(text, drafts, { units, blocks, sizes, ruler, pageOf: pageFinder(pages) });
  });
}
