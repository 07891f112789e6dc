import { expect } from 'vitest';
import { clusterStart } from '../src/split/breaks.ts';
import type { SplitPiece } from '../src/types.ts';
import { expectRules } from './rules.ts';

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
interface Own {
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
    if (start < from || end > to) continue;
    body += text.slice(at, start);
    at = end;
  }
  return (body + text.slice(at, to)).trim();
}

/** Everything that the default cuts promise of every text and all sizes, checked without knowing how they are made. */
export function expectCuts(text: string, pieces: readonly SplitPiece[], cutting: Cutting): void {
  const { max, min, overlap, headings = [], sections = [], kept = [] } = cutting;
  const length = cutting.length ?? ((one: string) => one.length);
  const inside = (list: readonly Stretch[], at: number) => list.some(([from, to]) => at > from && at < to);
  const sectionOf = (at: number) => sections.filter(([from]) => from <= at).length;

  if (bodyOf(text, 0, text.length, headings) === '') {
    expect(pieces, 'nothing but headings gives nothing').toEqual([]);
    return;
  }
  expectRules(text, pieces, {});
  const own = ownParts(text, pieces);
  const bodies = own.map(({ from, to }) => bodyOf(text, from, to, headings));

  own.forEach(({ piece, from, to }, index) => {
    const { charStart, charEnd } = piece;
    const before = pieces[index - 1];
    expect(bodies[index], 'no heading alone').not.toBe('');
    if (piece.oversize === undefined) {
      expect(length(bodies[index]!), 'the limit').toBeLessThanOrEqual(max + min);
    } else if (cutting.length === undefined) {
      // The indentation of its first line is a piece's own, but not counted here.
      const indented = text.slice(0, from).search(/[ \t]*$/);
      expect(to - Math.max(indented, before?.charEnd ?? 0), 'oversize').toBeGreaterThan(max + min);
    }
    for (const at of [charStart, charEnd]) {
      expect(clusterStart(text, at), `a cut at ${at} inside a character`).toBe(true);
    }
    expect(piece.line, 'the line').toBe(text.slice(0, charStart).split(/\r\n|\r|\n/).length);
    if (before === undefined || charStart >= before.charEnd) return;
    expect(length(text.slice(charStart, from).trim()), 'the overlap').toBeLessThanOrEqual(overlap);
    expect(charStart, 'not before the piece in front').toBeGreaterThanOrEqual(
      own[index - 1]!.piece.charStart,
    );
    for (const list of [headings, kept]) expect(inside(list, charStart), 'an overlap in it').toBe(false);
  });

  for (const [from, to] of kept) {
    const fence = text.slice(from, to).trim();
    if (length(fence) > max) continue;
    const at = from + text.slice(from).search(/\S/);
    const holder = pieces.some(({ charStart, charEnd }) => charStart <= at && at + fence.length <= charEnd);
    expect(holder, `whole: ${JSON.stringify(fence)}`).toBe(true);
  }

  own.forEach(({ from, to }, index) => {
    if (length(bodies[index]!) >= min) return;
    for (const neighbour of [index - 1, index + 1]) {
      const other = own[neighbour];
      if (other === undefined || sectionOf(other.from) !== sectionOf(from)) continue;
      const [first, last] = neighbour < index ? [other.from, to] : [from, other.to];
      expect(length(bodyOf(text, first, last, headings)), 'a neighbour takes it').toBeGreaterThan(max + min);
    }
  });
}
