import type { RivalPiece } from '../bench/splitters.ts';

/** A piece and where its text stands in the source, which need not be where its splitter says. */
export interface LocatedPiece extends RivalPiece {
  /** Absent where the source has no such text. */
  at?: { from: number; to: number };
}

/**
 * Finds pieces in their source: where they claim to be, if their text is there and further on than the one before;
 * else the next place that has their text, from where the piece before ends, less the overlap; else any place.
 *
 * @param overlap How far a piece may reach back, in UTF-16 code units
 */
export function locate(source: string, pieces: readonly RivalPiece[], overlap: number): LocatedPiece[] {
  let previous = { from: -1, to: 0 };
  return pieces.map((piece) => {
    const { text, start } = piece;
    const isClaimed = start !== undefined && start > previous.from && source.startsWith(text, start);
    let from = isClaimed
      ? start
      : source.indexOf(text, Math.max(previous.to - overlap, previous.from + 1, 0));
    if (from < 0) from = source.indexOf(text, previous.from + 1);
    if (from < 0) {
      // Out of order: it is taken where it is, and the next is looked for from where one was.
      const anywhere = source.indexOf(text);
      return anywhere < 0 ? piece : { ...piece, at: { from: anywhere, to: anywhere + text.length } };
    }
    previous = { from, to: from + text.length };
    return { ...piece, at: previous };
  });
}
