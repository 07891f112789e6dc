/**
 * Extended grapheme clusters as Unicode's annex 29 defines them (rules GB3 to GB13), from tables of our own: `Intl`
 * and `\p{…}` differ between engines, and a cut must not.
 */
import { rangesOf } from '../kernel/ranges.ts';
import { clusterRanges } from './breaks-table.ts';

const CONTROL = 1;
const EXTEND = 2;
const SPACING = 3;
const PREPEND = 4;
const PICTOGRAPH = 5;
const CONSONANT = 6;
const LINKER = 7;
const JOINER = 8;
const FLAG = 9;
const L = 10;
const V = 11;
const T = 12;
const LV = 13;
const LVT = 14;

/** Classes of planes 0 and 1, then those of U+E0000 to U+E0FFF. No other character has one. */
const planes = 0x20000;
let table: Uint8Array | undefined;

/** Ranges too regular for the generated table; half-open. */
const hangulAndFlags = [
  [L, 0x1100, 0x1160],
  [V, 0x1160, 0x11a8],
  [T, 0x11a8, 0x1200],
  [L, 0xa960, 0xa97d],
  [LVT, 0xac00, 0xd7a4],
  [V, 0xd7b0, 0xd7c7],
  [T, 0xd7cb, 0xd7fc],
  [V, 0x16d63, 0x16d64],
  [V, 0x16d67, 0x16d6b],
  [JOINER, 0x200d, 0x200e],
  [FLAG, 0x1f1e6, 0x1f200],
] as const;

function makeTable(): Uint8Array {
  const made = new Uint8Array(planes + 0x1000);
  const { control, extend, spacing, prepend, pictograph, consonant, linker } = clusterRanges;
  [control, extend, spacing, prepend, pictograph, consonant, linker].forEach((ranges, at) => {
    for (const [from, to] of rangesOf(ranges)) made.fill(CONTROL + at, indexOf(from), indexOf(to - 1) + 1);
  });
  for (const [kind, from, to] of hangulAndFlags) made.fill(kind, from, to);
  for (let point = 0xac00; point < 0xd7a4; point += 28) made[point] = LV;
  made[0x0a] = made[0x0d] = CONTROL;
  return made;
}

const indexOf = (point: number): number =>
  point < planes ? point : point >>> 12 === 0xe0 ? planes | (point & 0xfff) : 0x61;

const classOf = (point: number): number => {
  table ??= makeTable();
  return table[indexOf(point)]!;
};

/** The code point that ends at `at`; a lone surrogate is one. */
function pointBefore(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  if ((code & 0xfc00) !== 0xdc00 || at < 2) return code;
  const high = text.charCodeAt(at - 2);
  return (high & 0xfc00) === 0xd800 ? ((high - 0xd800) << 10) + code - 0xdc00 + 0x10000 : code;
}

const widthOf = (point: number): number => (point > 0xffff ? 2 : 1);

/**
 * True where a cut at `at` falls inside no grapheme cluster; so it does at both ends of the text. `floor` is a known
 * border of clusters at or before `at`, such as the place of the last cut or the start of a line: nothing before it is
 * read. That costs at most what lies between the two, and only in flags, marks before an emoji and Indic conjuncts.
 */
export function clusterStart(text: string, at: number, floor = 0): boolean {
  if (at <= floor || at >= text.length) return true;
  const before = text.charCodeAt(at - 1);
  const code = text.charCodeAt(at);
  if (before < 0x300 && code < 0x300) return before !== 0x0d || code !== 0x0a;
  if ((code & 0xfc00) === 0xdc00 && (before & 0xfc00) === 0xd800) return false;
  const point = pointBefore(text, at);
  const left = classOf(point);
  const right = classOf(text.codePointAt(at)!);
  if (left === CONTROL || right === CONTROL) return true;
  if (right === EXTEND || right === SPACING || right === LINKER || right === JOINER) return false;
  if (left === PREPEND) return false;
  if (right >= L || left >= L) return !hangulJoins(left, right);
  if (right === PICTOGRAPH) return left !== JOINER || !follows(text, at - 1, floor, PICTOGRAPH);
  if (right === CONSONANT) return !follows(text, at, floor, CONSONANT);
  return right !== FLAG || left !== FLAG || flagsBefore(text, at, floor) % 2 === 0;
}

const hangulJoins = (left: number, right: number): boolean =>
  left === L
    ? right === L || right === V || right === LV || right === LVT
    : left === V || left === LV
      ? right === V || right === T
      : (left === T || left === LVT) && right === T;

/**
 * Behind an emoji and what extends it, or behind a consonant and what extends it, with something among that which
 * links it to the next one.
 */
function follows(text: string, end: number, floor: number, wanted: number): boolean {
  let linked = wanted === PICTOGRAPH;
  for (let at = end; at > floor; ) {
    const point = pointBefore(text, at);
    const kind = classOf(point);
    if (kind === wanted) return linked;
    if (wanted === CONSONANT) {
      if (kind === LINKER) linked = true;
      // A ZWNJ, which extends, keeps consonants apart.
      else if ((kind !== EXTEND && kind !== JOINER) || point === 0x200c) return false;
    } else if (kind !== EXTEND && kind !== LINKER) {
      return false;
    }
    at -= widthOf(point);
  }
  return false;
}

function flagsBefore(text: string, end: number, floor: number): number {
  let count = 0;
  for (let at = end; at > floor && classOf(pointBefore(text, at)) === FLAG; at -= 2) count++;
  return count;
}
