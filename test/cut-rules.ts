import { clusterStart } from '../src/split/breaks.ts';
import type { SplitPiece } from '../src/types.ts';
import { ensure, expectRules } from './rules.ts';

export type Stretch = readonly [from: number, to: number];

/** What is known of a text and of the sizes it is cut to. */
export interface Cutting {
  max: number;
  min: number;
  overlap: number;
  length?: ((text: string) => number) | undefined;
  /** Heading lines, rising. */
  headings?: readonly Stretch[];
  /** Those of them that open sections. */
  sections?: readonly Stretch[];
  /** Fences and tables that are kept whole. */
  kept?: readonly Stretch[];
}

/** A piece without what it repeats of the one in front, white space at its start left out. */
export interface Own {
  piece: SplitPiece;
  from: number;
  to: number;
}

export function ownParts(text: string, pieces: readonly SplitPiece[]): Own[] {
  let covered = 0;
  return pieces.map((piece) => {
    let from = Math.max(piece.charStart, covered);
    while (from < piece.charEnd && text[from]!.trim() === '') from++;
    covered = piece.charEnd;
    return { piece, from, to: piece.charEnd };
  });
}

/** The text from one offset to another without the heading lines in it, trimmed. */
export function bodyOf(text: string, from: number, to: number, headings: readonly Stretch[]): string {
  let body = '';
  let at = from;
  for (const [start, end] of headings) {
    if (start < from) continue;
    if (end > to) break;
    body += text.slice(at, start);
    at = end;
  }
  return (body + text.slice(at, to)).trim();
}

/** 1-based line of each offset of a text. */
function lineNumbers(text: string): Uint32Array {
  const lines = new Uint32Array(text.length + 1).fill(1);
  for (const { index } of text.matchAll(/\n|\r(?!\n)/g)) lines.subarray(index + 1).fill(lines[index]! + 1);
  return lines;
}

/** Everything that the default cuts promise of every text and all sizes, checked without knowing how they are made. */
export function expectCuts(text: string, pieces: readonly SplitPiece[], cutting: Cutting): void {
  const { max, min, headings = [], kept = [] } = cutting;
  const length = cutting.length ?? ((one: string) => one.length);
  if (bodyOf(text, 0, text.length, headings) === '') {
    ensure(pieces.length === 0, 'nothing but headings', pieces);
    return;
  }
  expectRules(text, pieces, {});
  const own = ownParts(text, pieces);
  const bodies = own.map(({ from, to }) => bodyOf(text, from, to, headings));
  const lines = lineNumbers(text);

  own.forEach(({ piece, from, to }, index) => {
    const { charStart, charEnd } = piece;
    const floor = pieces[index - 1]?.charStart ?? 0;
    ensure(bodies[index] !== '', 'a heading alone', piece);
    if (piece.oversize === undefined) {
      ensure(length(bodies[index]!) <= max + min, 'over the limit', piece);
    } else if (cutting.length === undefined) {
      // White space that a mark hangs on counts.
      const whole = text.slice(Math.max(charStart, own[index - 1]?.to ?? 0), to).replace(/^[ \t\r\n]+/, '');
      ensure(Math.max(whole.length, to - from) > max + min, 'called oversize', piece);
    }
    ensure(clusterStart(text, charStart, floor), 'begins inside a character', piece);
    ensure(clusterStart(text, charEnd, charStart), 'ends inside a character', piece);
    ensure(piece.line === lines[charStart], 'not its line', piece);
  });
  expectOverlaps(text, own, cutting);
  expectWhole(text, pieces, kept, (one) => length(one) <= max);
  expectFloor(text, own, bodies, cutting);
}

/** Overlaps are short enough, and begin neither before the piece in front nor inside what they mustn't. */
function expectOverlaps(text: string, own: readonly Own[], cutting: Cutting): void {
  const { overlap, headings = [], kept = [], length = (one: string) => one.length } = cutting;
  const closed = [...headings, ...kept];
  for (let index = 1; index < own.length; index++) {
    const { piece, from } = own[index]!;
    const before = own[index - 1]!;
    if (piece.charStart >= before.to) continue;
    ensure(length(text.slice(piece.charStart, from).trim()) <= overlap, 'a long overlap', piece);
    ensure(piece.charStart >= before.piece.charStart, 'before the piece in front', piece);
    // A no-break space is white space that Markdown has for a heading's first character.
    const inside = closed.some(
      ([start, end]) => piece.charStart < end && text.slice(start, piece.charStart).trim() !== '',
    );
    ensure(!inside, 'an overlap from inside a heading, fence or table', piece);
  }
}

/** What is to be whole and fits is in one piece. */
function expectWhole(
  text: string,
  pieces: readonly SplitPiece[],
  kept: readonly Stretch[],
  fits: (block: string) => boolean,
): void {
  for (const [from, to] of kept) {
    const block = text.slice(from, to).trim();
    if (!fits(block)) continue;
    const at = text.indexOf(block, from);
    const isWhole = pieces.some(({ charStart, charEnd }) => charStart <= at && at + block.length <= charEnd);
    ensure(isWhole, 'cut, though it fits', block);
  }
}

/** No piece is under the floor where a neighbour of its section could take it. */
function expectFloor(
  text: string,
  own: readonly Own[],
  bodies: readonly string[],
  { max, min, headings = [], sections = [], length = (one: string) => one.length }: Cutting,
): void {
  /** The section of a piece's body: a deeper heading in front of another section goes with that. */
  const sectionOf = (start: number) => {
    let at = start;
    for (const [from, to] of headings) if (from >= at && text.slice(at, from).trim() === '') at = to;
    const body = at + (text.slice(at).length - text.slice(at).trimStart().length);
    return sections.filter(([from]) => from <= body).length;
  };
  own.forEach(({ piece, from, to }, index) => {
    if (length(bodies[index]!) >= min) return;
    for (const neighbour of [index - 1, index + 1]) {
      const other = own[neighbour];
      if (other === undefined || sectionOf(other.from) !== sectionOf(from)) continue;
      const [first, last] = neighbour < index ? [other.from, to] : [from, other.to];
      ensure(length(bodyOf(text, first, last, headings)) > max + min, 'a neighbour could take', piece);
    }
  });
}
