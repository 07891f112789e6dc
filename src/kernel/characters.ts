/** What a character is and what it folds to, for both tokenisers. */
import { rangesOf } from './ranges.ts';
import { unicodeVersion, wordRanges } from './unicode-table.ts';

/** Bits of a character's class; the AssemblyScript tokeniser has the same. */
export const WORD = 1;
export const UPPER = 2;
export const LOWER = 4;
/** Written without spaces between words: indexed as overlapping pairs. */
export const PAIRED = 8;
/** Part of the letter before it, left out of tokens. */
export const DROPPED = 16;
/** Joins the parts of an identifier: `_` and `.`. */
export const JOINER = 32;

/**
 * Scripts without spaces between words: Thai, Lao, Tibetan, Myanmar, Hangul, Khmer, kana, Han, with their
 * extensions. Hangul has spaces, but also endings that pairs get past.
 */
const pairedRanges = [
  [0x0e00, 0x0eff],
  [0x0f00, 0x0fff],
  [0x1000, 0x109f],
  [0x1100, 0x11ff],
  [0x1780, 0x17ff],
  [0x2e80, 0x2fdf],
  [0x3005, 0x3007],
  [0x3040, 0x30ff],
  [0x3100, 0x312f],
  [0x3130, 0x318f],
  [0x31a0, 0x31bf],
  [0x31f0, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa960, 0xa97f],
  [0xac00, 0xd7ff],
  [0xf900, 0xfaff],
  [0xff66, 0xffdc],
] as const;

/** Combining marks of alphabets, joiners, soft hyphens, variation selectors. */
const droppedRanges = [
  [0xad, 0xad],
  [0x300, 0x36f],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x200c, 0x200d],
  [0x2060, 0x2060],
  [0x20d0, 0x20ff],
  [0xfe00, 0xfe0f],
  [0xfe20, 0xfe2f],
] as const;

export interface CharacterTables {
  /** Names what the tables were made from; part of an analyser's id. */
  id: string;
  /** Class by code point, to U+FFFF. */
  classes: Uint8Array;
  /** What a code point folds to, to U+FFFF. */
  folds: Uint16Array;
  /** First and last code points of the ranges of letters, numbers and marks above U+FFFF. */
  ranges: Uint32Array;
}

/**
 * Lower case and, where wished, the letter without its diacritics. Case pairs and decompositions never change
 * for a character once it is assigned (Unicode's stability policies), so that every engine answers alike.
 */
function fold(point: number, diacritics: boolean): number {
  let letter = String.fromCharCode(point).toLowerCase();
  if (
    diacritics &&
    (point < 0x250 || (point >= 0x370 && point < 0x600) || (point >= 0x1e00 && point < 0x2000))
  ) {
    letter = letter.normalize('NFD');
  }
  const folded = letter.charCodeAt(0);
  // Full-width letters and digits are the ASCII ones.
  const wide = (folded >= 0xff10 && folded <= 0xff19) || (folded >= 0xff41 && folded <= 0xff5a);
  return wide ? folded - 0xfee0 : folded;
}

function classOf(point: number): number {
  const letter = String.fromCharCode(point);
  const lower = letter.toLowerCase();
  if (lower !== letter) return WORD | UPPER;
  return letter.toUpperCase() === letter ? WORD : WORD | LOWER;
}

const built = new Map<boolean, CharacterTables>();

/** The tables, made on first use. `diacritics` true folds é to e. */
export function characterTables(diacritics: boolean): CharacterTables {
  const known = built.get(diacritics);
  if (known !== undefined) return known;
  const classes = new Uint8Array(0x10000);
  const folds = new Uint16Array(0x10000);
  const ranges: number[] = [];
  for (const [from, to] of rangesOf(wordRanges)) {
    for (let point = from; point < Math.min(to, 0x10000); point++) {
      classes[point] = classOf(point);
      folds[point] = fold(point, diacritics);
    }
    if (to > 0x10000) ranges.push(Math.max(from, 0x10000), to - 1);
  }
  for (const [from, to] of pairedRanges) {
    for (let point = from; point <= to; point++) if (classes[point]) classes[point] = PAIRED;
  }
  for (const [from, to] of droppedRanges) {
    for (let point = from; point <= to; point++)
      classes[point] = diacritics || !classes[point] ? DROPPED : WORD;
  }
  classes[0x5f] = classes[0x2e] = JOINER;
  const id = `unicode${unicodeVersion}`;
  const tables = { id, classes, folds, ranges: Uint32Array.from(ranges) };
  built.set(diacritics, tables);
  return tables;
}
