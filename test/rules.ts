import { expect } from 'vitest';
import type { SplitPiece } from '../src/types.ts';

export interface RuleOptions {
  /** What need not be in any piece besides white space: separators, header lines. Half-open spans. */
  spared?: readonly (readonly [number, number])[];
  /** Longest body text of a piece that is not marked oversize. */
  limit?: number;
}

/** The rules every splitter owes: Slice, Cover, Order, Limit. (Stop is the test coming to an end.) */
export function expectRules(
  text: string,
  pieces: readonly SplitPiece[],
  { spared = [], limit }: RuleOptions,
): void {
  let before = -1;
  let covered = 0;
  const bare = (from: number, to: number): string => {
    let rest = '';
    for (let at = from; at < to; at++) {
      if (!spared.some(([start, end]) => at >= start && at < end)) rest += text[at];
    }
    return rest.trim();
  };
  for (const piece of pieces) {
    expectSlice(text, piece);
    expect(piece.charStart, 'starts rise').toBeGreaterThan(before);
    before = piece.charStart;
    if (piece.charStart > covered) expect(bare(covered, piece.charStart), 'nothing is lost').toBe('');
    covered = Math.max(covered, piece.charEnd);
    if (limit !== undefined && piece.oversize !== true) expect(piece.text.length).toBeLessThanOrEqual(limit);
    expect(piece.text.trim(), 'no piece is blank').not.toBe('');
  }
  expect(bare(covered, text.length), 'nothing is lost at the end').toBe('');
}

export function expectSlice(text: string, piece: SplitPiece): void {
  expect(text.slice(piece.charStart, piece.charEnd)).toBe(piece.text);
}
