import type { SplitPiece } from '../src/types.ts';

export interface RuleOptions {
  /** What need not be in any piece besides white space: separators, header lines. Half-open spans. */
  spared?: readonly (readonly [number, number])[];
  /** Longest body text of a piece that is not marked oversize. */
  limit?: number;
}

/** As `expect`, but a hundred times as fast, for what is checked of each piece in a million cases. */
export function ensure(holds: boolean, what: string, of: unknown): asserts holds {
  if (!holds) throw new Error(`${what}: ${JSON.stringify(of)}`);
}

/** The rules every splitter owes: Slice, Cover, Order, Limit. (Stop is the test coming to an end.) */
export function expectRules(
  text: string,
  pieces: readonly SplitPiece[],
  { spared = [], limit }: RuleOptions,
): void {
  let before = -1;
  let covered = 0;
  const isBare = (from: number, to: number): boolean => {
    if (spared.length === 0) return text.slice(from, to).trim() === '';
    let rest = '';
    for (let at = from; at < to; at++) {
      if (!spared.some(([start, end]) => at >= start && at < end)) rest += text[at];
    }
    return rest.trim() === '';
  };
  for (const piece of pieces) {
    expectSlice(text, piece);
    ensure(piece.charStart > before, 'starts must rise', piece);
    before = piece.charStart;
    if (piece.charStart > covered) ensure(isBare(covered, piece.charStart), 'lost before', piece);
    covered = Math.max(covered, piece.charEnd);
    if (limit !== undefined && piece.oversize !== true) {
      ensure(piece.text.length <= limit, `longer than ${limit}`, piece);
    }
    ensure(piece.text.trim() !== '', 'blank', piece);
  }
  ensure(isBare(covered, text.length), 'lost at the end', text.slice(covered));
}

export function expectSlice(text: string, piece: SplitPiece): void {
  ensure(text.slice(piece.charStart, piece.charEnd) === piece.text, 'no slice', piece);
}
