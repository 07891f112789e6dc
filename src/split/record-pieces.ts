import type { SplitPiece, SplitterDocument } from '../types.ts';
import { cutSpan } from './cut.ts';
import { type Length, type Measure, measureOf } from './length.ts';
import { lineCounter } from './lines.ts';
import { packSpans, type RecordSpan } from './pack-spans.ts';
import { pageFinder } from './pages.ts';

/** A part of a record that is longer than the limit, and what its reader needs beside it. */
export interface RecordPart extends RecordSpan {
  context?: string | undefined;
}

/** Largest piece, and what counts it. */
export interface RecordLimit {
  size: number;
  length: Length | undefined;
}

export interface RecordPacking extends RecordLimit {
  /** What a run of whole records needs beside it; nothing where it is empty. */
  context?(first: number, last: number): string;
  /** False where each span is to be a piece by itself. Default true. */
  joined?: boolean;
  /** Counts lines where several calls cut one text; see `lineCounter`. */
  lineOf?: (offset: number) => number;
  /** Cuts a record longer than `size`; as prose is cut unless given. */
  cut?(record: number): RecordPart[];
}

/** Whole records, packed; those longer than the limit cut, each by itself. */
export function recordPieces(
  text: string,
  { pages }: SplitterDocument,
  spans: readonly RecordSpan[],
  { size, length, context = () => '', cut, joined = true, lineOf = lineCounter(text) }: RecordPacking,
): SplitPiece[] {
  const pieces: SplitPiece[] = [];
  const measure = measureOf(text, length);
  const pageAt = pageFinder(pages);
  const push = ({ charStart, charEnd, context: beside = '' }: RecordPart, fits: boolean): void => {
    const piece: SplitPiece = { text: text.slice(charStart, charEnd), charStart, charEnd };
    const page = pageAt(charStart);
    if (page !== undefined) piece.page = page;
    piece.line = lineOf(charStart);
    if (beside !== '') piece.context = beside;
    if (!fits && measure(charStart, charEnd) > size) piece.oversize = true;
    pieces.push(piece);
  };
  const runs = joined ? packSpans(spans, size, measure) : spans.map((_, at) => [at, at] as const);
  for (const [first, last] of runs) {
    const { charStart } = spans[first]!;
    const { charEnd } = spans[last]!;
    if (first < last || measure(charStart, charEnd) <= size) {
      push({ charStart, charEnd, context: context(first, last) }, true);
      continue;
    }
    const parts: RecordPart[] = cut?.(first) ?? cutStretch(text, spans[first]!, { size, length });
    const beside = parts.some((part) => part.context === undefined) ? context(first, first) : '';
    for (const part of parts) push({ context: beside, ...part }, false);
  }
  return pieces;
}

/** A stretch cut as prose is, at line ends first. */
export function cutStretch(
  text: string,
  { charStart, charEnd }: RecordSpan,
  { size, length }: RecordLimit,
): RecordSpan[] {
  const measure: Measure | undefined = length && measureOf(text, length);
  return cutSpan(text, charStart, charEnd, size, { lines: true, measure }).map(([from, to]) => ({
    charStart: from,
    charEnd: to,
  }));
}

/** Fields packed; one that is too long cut by itself. */
export function cutFields(text: string, fields: readonly RecordSpan[], limit: RecordLimit): RecordPart[] {
  const parts: RecordPart[] = [];
  const measure = measureOf(text, limit.length);
  for (const [first, last] of packSpans(fields, limit.size, measure)) {
    const part = { charStart: fields[first]!.charStart, charEnd: fields[last]!.charEnd };
    if (first < last || measure(part.charStart, part.charEnd) <= limit.size) parts.push(part);
    else parts.push(...cutStretch(text, part, limit));
  }
  return parts.filter(({ charStart, charEnd }) => text.slice(charStart, charEnd).trim() !== '');
}
