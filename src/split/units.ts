import * as BlockKind from '../kernel/block-kinds.ts';
import { BLOCK_WORDS, type BlockList } from '../kernel/block-list.ts';
import { isSpace } from '../kernel/js.ts';
import { isBlankCode } from '../kernel/lines.ts';
import { afterSpace, beforeSpace } from './breaks.ts';

/**
 * What pieces are packed from, in order: blocks without the white space around them, and what stands between blocks
 * (marks of lists and quotes that hold nothing). `count` units of `UNIT_WORDS` words, one behind the other.
 */
export interface Units {
  words: Int32Array;
  count: number;
}

/**
 * Words of a unit, offsets in UTF-16 code units:
 *
 *   0 start   of its first line, indentation kept, so that a piece never loses what its first line means
 *   1 end
 *   2 role    one of the below
 *   3 rank    containers around it: a cut before a lower one is the better
 *   4 line    of start, 1-based; 0 where it isn't known
 *   5 block   word of its record in the block list; -1 for what stands between blocks
 */
export const UNIT_WORDS = 6;

/** A heading that opens a section. */
export const Section = 0;
/** A deeper heading. */
export const Heading = 1;
/** Running text, cut between sentences. */
export const Prose = 2;
/** Text whose lines mean something, cut between them. */
export const Lines = 3;
/** Lines that no overlap begins in the middle of, and whose pieces say what they are cut from. */
export const Whole = 4;

/** Below any container, so that no better place is left for it. */
const betweenBlocks = 0x7fffffff;

const roles = [Prose, Section, Section, Prose, Whole, Lines, Lines, Whole, Prose, Prose, Whole];

export interface UnitOptions {
  /** Deeper headings open no section. */
  maxLevel: number;
  /** Kinds whose blocks are running text like any other. */
  loose: readonly number[];
}

export function unitsOf(text: string, { words, count }: BlockList, { maxLevel, loose }: UnitOptions): Units {
  const units = new Int32Array((2 * count + 1) * UNIT_WORDS);
  const roleOf = roles.map((role, kind) => (loose.includes(kind) ? Prose : role));
  let size = 0;
  let covered = 0;
  let item = -1;

  /** Adds what isn't blank of a stretch. */
  const add = (from: number, to: number, role: number, rank: number, line: number, block: number): void => {
    let end = to;
    if (isSpace(text.charCodeAt(end - 1))) end = beforeSpace(text, from, end);
    let start = from;
    if (isSpace(text.charCodeAt(start))) {
      start = afterSpace(text, from, end);
      while (start > from && isBlankCode(text.charCodeAt(start - 1))) start--;
    }
    if (start >= end) return;
    units[size] = start;
    units[size + 1] = end;
    units[size + 2] = role;
    units[size + 3] = rank;
    units[size + 4] = start === from ? line : 0;
    units[size + 5] = block;
    size += UNIT_WORDS;
  };

  const between = (to: number): void => {
    let from = covered;
    while (from < to && isSpace(text.charCodeAt(from))) from++;
    if (from < to) add(covered, to, Prose, betweenBlocks, 0, -1);
  };

  for (let block = 0; block < count * BLOCK_WORDS; block += BLOCK_WORDS) {
    const kind = words[block]!;
    if (kind === BlockKind.Item) {
      item = block;
      continue;
    }
    // What an item begins with begins where the item's mark does, which may be alone on the line before.
    const isNear = item >= 0 && words[block + 7]! - words[item + 7]! <= 1;
    const within = isNear && words[item + 1]! < words[block + 1]!;
    const first = within ? item : block;
    item = -1;
    const start = words[first + 2]!;
    between(start);
    const deep = kind <= BlockKind.Setext && words[block + 4]! > maxLevel;
    add(
      start,
      words[block + 3]!,
      deep ? Heading : roleOf[kind]!,
      words[first + 1]!,
      words[first + 7]!,
      block,
    );
    covered = words[block + 3]!;
  }
  between(text.length);
  return { words: units, count: size / UNIT_WORDS };
}
