import * as BlockKind from '../kernel/block-kinds.ts';
import type { BlockList } from '../kernel/block-list.ts';
import { isSpace } from '../kernel/js.ts';
import type { SplitPiece } from '../types.ts';
import { lastBreak, wordStart } from './breaks.ts';
import type { Label } from './labels.ts';
import { containerMarks, lineFinder } from './lines.ts';
import { behindIndent, type Cut } from './pack.ts';
import type { Ruler, Sizes } from './ruler.ts';
import { Heading, Section, UNIT_WORDS, type Units, Whole } from './units.ts';

export interface PieceData {
  units: Units;
  blocks: BlockList;
  sizes: Sizes;
  ruler: Ruler;
  /** By the word of a heading's record. */
  labels?: ReadonlyMap<number, Label>;
  pageOf: (offset: number) => number | undefined;
}

/** The pieces of packed cuts: each but the first reaches back into the one in front of it. */
export function piecesOf(text: string, cuts: readonly Cut[], data: PieceData): SplitPiece[] {
  const { sizes, ruler, labels, pageOf } = data;
  const { words } = data.units;
  const lineOf = lineFinder(text);
  const limit = sizes.max + sizes.min;
  let before: Cut | undefined;
  let lastStart = -1;
  let unit = 0;

  /** Where a piece starts with its overlap, `unit` being left where that is. */
  const reachBack = (cut: Cut): number => {
    unit = cut.unit;
    if (before === undefined || sizes.overlap === 0) return cut.start;
    const low = ruler.back(Math.max(before.start, lastStart + 1), cut.start, sizes.overlap);
    while (words[unit]! > low) unit -= UNIT_WORDS;
    const end = Math.min(words[unit + 1]!, cut.start);
    if (words[unit]! === low) return low;
    const role = words[unit + 2]!;
    if (low < end && role > Heading && role < Whole) {
      const start = overlapStart(text, low, end, before.start);
      if (start < end) return start;
    }
    // Else the next block does, where one begins in front of the piece.
    unit += UNIT_WORDS;
    if (unit <= cut.unit) return words[unit]!;
    unit = cut.unit;
    return cut.start;
  };

  return cuts.map((cut) => {
    const charStart = reachBack(cut);
    const charEnd = cut.end;
    const piece: SplitPiece = { text: text.slice(charStart, charEnd), charStart, charEnd };
    const section = cut.section < 0 ? behindMetadata(cut, data) : cut.section;
    const label = section < 0 ? undefined : labels?.get(words[section + 5]!);
    if (label !== undefined) {
      piece.heading = label.title;
      piece.headingPath = label.path;
      piece.slug = label.slug;
    }
    const page = pageOf(cut.start);
    if (page !== undefined) piece.page = page;
    piece.line = lineOf(charStart, words[unit]!, words[unit + 4]!);
    if (cut.parts.length > 0) {
      const context = contextOf(text, cut, data);
      if (context !== '') piece.context = context;
    }
    if (!ruler.fits(behindIndent(text, cut.start), charEnd, limit)) piece.oversize = true;
    before = cut;
    lastStart = charStart;
    return piece;
  });
}

/** The heading that a piece of metadata and what follows it stands under, -1 for none: metadata is no text before it. */
function behindMetadata({ unit, end }: Cut, { units, blocks }: PieceData): number {
  const block = units.words[unit + 5]!;
  if (block < 0 || blocks.words[block] !== BlockKind.FrontMatter) return -1;
  const next = unit + UNIT_WORDS;
  const isHeading = next < units.count * UNIT_WORDS && units.words[next + 2] === Section;
  return isHeading && units.words[next]! < end ? next : -1;
}

/** A sentence in the first half of what may be repeated, else a word in it. */
function overlapStart(text: string, from: number, to: number, floor: number): number {
  const half = from + Math.ceil((to - from) / 2);
  const start = wordStart(text, from, half, true, floor);
  const isBorder = start < half && (!isLetter(text, start - 1) || !isLetter(text, start));
  return isBorder ? start : wordStart(text, from, to, false, floor);
}

/** Of a word that white space divides from others. */
const isLetter = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code < 0x2e80 && !isSpace(code);
};

/** What names the fences and tables that a piece holds a part of, as far as a piece may be long. */
function contextOf(text: string, cut: Cut, { units, blocks, sizes, ruler }: PieceData): string {
  const contexts: string[] = [];
  for (const unit of cut.parts) {
    const start = units.words[unit]!;
    if (units.words[unit + 2] !== Whole || (cut.start <= start && cut.end >= units.words[unit + 1]!))
      continue;
    const block = units.words[unit + 5]!;
    const kind = blocks.words[block]!;
    const from = blocks.words[block + 2]!;
    const a = blocks.words[block + 4]!;
    const b = blocks.words[block + 5]!;
    if (kind === BlockKind.FrontMatter) continue;
    // A fence without a name is told by its marks.
    const isNamed = kind === BlockKind.Fence && a < b;
    const first = isNamed ? a : from;
    const last = isNamed ? b : kind === BlockKind.Fence ? blocks.words[block + 6]! : a;
    const reach = ruler.reach(first, last, sizes.max);
    const context = text.slice(first, reach < last ? lastBreak(text, first, reach) : last);
    contexts.push(context.replace(blocks.words[block + 1] === 0 ? /^\s+/ : containerMarks, '').trimEnd());
  }
  return contexts.length > 1 ? [...new Set(contexts)].join('\n') : (contexts[0] ?? '');
}
