import { invalidOption } from '../errors.ts';
import * as BlockKind from '../kernel/block-kinds.ts';
import { atxHeadings } from '../kernel/js.ts';
import { scanBlocks } from '../kernel/load-blocks.ts';
import { defaults, oneOf, optionsObject, wholeNumber } from '../options.ts';
import type { Splitter } from '../types.ts';
import { withAtxHeadings } from './atx-blocks.ts';
import { unicodeVersion } from './breaks.ts';
import { overlappingPieces } from './compat/pieces.ts';
import { sectionSpans } from './compat/sections.ts';
import { defineSplitter } from './define.ts';
import { labelsOf, sluggerName, sluggerOption } from './labels.ts';
import { type Length, lengthName } from './length.ts';
import { pack } from './pack.ts';
import { pageFinder } from './pages.ts';
import { piecesOf } from './pieces.ts';
import { rulerFor } from './ruler.ts';
import { type Compat, compatOption, cutSizes, onlyWithoutCompat, pieceSizes } from './size-options.ts';
import type { Slugger, SluggerName } from './sluggers.ts';
import { unitsOf } from './units.ts';

/** Markdown's headings end here; 0 reads none. */
const deepestLevel = 6;
const readings = ['markdown', 'atx'] as const;
const blocks = ['fence', 'table'] as const;
const kindOf = { fence: BlockKind.Fence, table: BlockKind.Table };

export interface ByHeadingOptions {
  /** Longest section that stays whole, in UTF-16 code units or as `length` counts. Default 1000; `Infinity` for no limit. */
  maxChars?: number | undefined;
  /**
   * How far a piece may reach back into the one before it, in UTF-16 code units or as `length` counts, below
   * `maxChars`. It begins with a sentence, word or block, and never inside a heading, fence or table. Default 150, at
   * most half of `maxChars`.
   */
  overlapChars?: number | undefined;
  /** Deepest heading that opens a section, 0 to 6; deeper ones are text. Default 6. */
  maxLevel?: number | undefined;
  /**
   * A section with a shorter body merges with the one after it, in UTF-16 code units or as `length` counts, below
   * `maxChars`. Default `min(250, floor(maxChars / 4))`.
   */
  minChars?: number | undefined;
  /** `'markdown'` (default) reads headings as CommonMark does, `'atx'` as `atxHeadings`: every line with `#`. */
  headings?: (typeof readings)[number] | undefined;
  /**
   * Blocks that are never cut where they fit `maxChars`. One that doesn't is cut between its lines, and each piece of
   * it carries the fence's info string (its marks, where it has none) or the table's header row as `context`.
   * Default `['fence', 'table']`.
   */
  keepWhole?: readonly (typeof blocks)[number][] | undefined;
  /** Whose anchors `slug` is to be, as for `markdownHeadings`. Default `'github'`. */
  slugger?: SluggerName | Slugger | undefined;
  /**
   * Keeps a block of metadata at the very start from being read as Markdown. A short one goes with the first section, under
   * its heading. Default true.
   */
  frontMatter?: boolean | undefined;
  /** What sizes are counted in, in place of characters: tokens, say. Should not shrink where a text grows. */
  length?: Length | undefined;
  /** Names what `length` counts, and its version, in the splitter's id: `'words@1'`. Default: the function's own `id`, else `'custom'`. */
  lengthId?: string | undefined;
  /** `'agentfootprint'` follows that package to the letter. */
  compat?: Compat | undefined;
}

/**
 * Splits Markdown by its headings. A section that fits stays whole; a longer one is packed by block (paragraphs,
 * list items, fences, tables) and, failing that, cut between lines, sentences, words and characters. A section whose
 * body is under `minChars` merges with the one after it, the last one with the one before. A heading without a body is
 * never alone, and a document of nothing but headings gives no pieces; nothing else is left out.
 *
 * Body text never measures over `maxChars + minChars`, overlap and heading lines uncounted; a piece that is longer
 * with its headings is marked `oversize`. Cuts never fall inside what a reader sees as one character.
 *
 * @throws `INVALID_OPTION` naming the option, its value and the range.
 */
export function byHeading(options: ByHeadingOptions = {}): Splitter {
  const {
    maxLevel = defaults.byHeading.maxLevel,
    headings,
    keepWhole,
    slugger,
    frontMatter,
    length,
  } = optionsObject(options);
  wholeNumber('maxLevel', maxLevel, 0, deepestLevel);
  const compat = compatOption(options.compat);
  if (compat !== undefined) {
    onlyWithoutCompat({ headings, keepWhole, slugger, frontMatter, length });
    return followReference(options, maxLevel, compat);
  }

  const sizes = cutSizes(options, defaults.byHeading);
  const reading = oneOf<(typeof readings)[number]>('headings', headings ?? 'markdown', readings);
  const kept = keepWholeOption(keepWhole);
  const slugs = sluggerOption(slugger);
  if (frontMatter !== undefined && typeof frontMatter !== 'boolean') {
    throw invalidOption('frontMatter', frontMatter, 'true or false');
  }
  const hasMetadata = frontMatter ?? true;
  const spelled = {
    maxChars: sizes.max,
    overlapChars: sizes.overlap,
    maxLevel,
    minChars: sizes.min,
    headings: reading,
    keepWhole: kept.join('+'),
    slugger: sluggerName(slugs),
    frontMatter: String(hasMetadata),
    length: lengthName(length, options.lengthId),
    unicode: unicodeVersion,
  };
  const loose = blocks.filter((block) => !kept.includes(block)).map((block) => kindOf[block]);

  return defineSplitter('byHeading', 2, spelled, (text, document) => {
    const scanned = scanBlocks(document.text, { frontMatter: hasMetadata });
    const list = reading === 'atx' ? withAtxHeadings(text, scanned, atxHeadings(text)) : scanned;
    const units = unitsOf(text, list, { maxLevel, loose });
    const ruler = rulerFor(text, length);
    const cuts = pack(text, units, sizes, ruler);
    if (cuts.length === 0) return [];
    const labels = labelsOf(text, list, slugs);
    return piecesOf(text, cuts, {
      units,
      blocks: list,
      sizes,
      ruler,
      labels,
      pageOf: pageFinder(document.pages),
    });
  });
}

function keepWholeOption(value: unknown = blocks): (typeof blocks)[number][] {
  const wrong = Array.isArray(value) ? value.find((one) => !blocks.includes(one)) : value;
  if (wrong === undefined && Array.isArray(value) && !value.includes(undefined)) {
    return blocks.filter((block) => value.includes(block));
  }
  throw invalidOption('keepWhole', wrong, "an array of 'fence' and 'table', [] for none");
}

function followReference(options: ByHeadingOptions, maxLevel: number, compat: Compat): Splitter {
  const sizes = pieceSizes(options, defaults.byHeading);
  const { maxChars, overlapChars, minChars } = sizes;
  const spelled = { maxChars, overlapChars, maxLevel, minChars, compat };
  return defineSplitter('byHeading', 1, spelled, (text, document) => {
    const headings = atxHeadings(text).filter(({ level }) => level <= maxLevel);
    const spans = sectionSpans(text, headings, sizes);
    return overlappingPieces(text, spans, overlapChars, pageFinder(document.pages));
  });
}
