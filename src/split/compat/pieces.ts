import type { SplitPiece } from '../../types.ts';
import { hasLoneSurrogate, splitsPair } from '../cut.ts';
import { type Span, spanTrimmer } from '../spans.ts';

/**
 * Moves a cut that falls inside a surrogate pair to before the pair; every other cut stays.
 *
 * Only finished cuts are moved, never the arithmetic that finds the next one, so that all other cuts stay
 * where the reference puts them. A text with a lone surrogate is damaged already and keeps the reference's
 * cuts, as the conformance cases ask.
 */
function pairKeeper(text: string): (at: number) => number {
  let damaged: boolean | undefined;
  return (at) => {
    if (!splitsPair(text, at)) return at;
    damaged ??= hasLoneSurrogate(text);
    return damaged ? at : at - 1;
  };
}

/**
 * The pieces of rising spans: each begins `overlapChars` earlier, though never before the span in front of it
 * begins, and goes without the white space around it. A piece of nothing but white space is left out. The page
 * is the one the span begins on, before the overlap.
 */
export function overlappingPieces(
  text: string,
  spans: readonly Span[],
  overlapChars: number,
  pageOf: (offset: number) => number | undefined,
): SplitPiece[] {
  const trimmer = spanTrimmer(text);
  const keepPairs = pairKeeper(text);
  const pieces: SplitPiece[] = [];
  let earliest = 0;
  spans.forEach((span, index) => {
    const from = index === 0 ? span.start : Math.max(earliest, span.start - overlapChars);
    earliest = span.start;
    const charStart = trimmer.start(keepPairs(from));
    const charEnd = trimmer.end(keepPairs(span.end));
    if (charStart >= charEnd) return;
    const page = pageOf(span.start);
    pieces.push({
      text: text.slice(charStart, charEnd),
      charStart,
      charEnd,
      ...(span.heading === undefined ? {} : { heading: span.heading }),
      ...(page === undefined ? {} : { page }),
    });
  });
  return pieces;
}
