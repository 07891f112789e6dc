import { blobRanges, type Range } from './blobs.ts';
import { recordRanges } from './split-settings.ts';

export type SegmentKind = 'plain' | 'code' | 'record' | 'blob' | `h${1 | 2 | 3 | 4 | 5 | 6}`;

/** A stretch of the source that is drawn in one way. Segments of a slice lie end to end. */
export interface Segment {
  start: number;
  end: number;
  kind: SegmentKind;
}

/** A part of the source small enough to lay out at once. Slices lie end to end and cover the text. */
export interface Slice {
  start: number;
  end: number;
  segments: Segment[];
}

/** Characters of a slice: few enough to lay out in a blink, but not so few that a large text has thousands. */
const leastSlice = 2400;
const mostSlice = 6000;
const slicesAimedAt = 800;
const longestLine = 4000;

/** Cuts a text for drawing, lazily: as prose with headings and code, or as records. */
export function* slicesOf(text: string, starts?: readonly number[]): Generator<Slice> {
  const wanted = Math.min(mostSlice, Math.max(leastSlice, text.length / slicesAimedAt));
  let slice: Slice = { start: 0, end: 0, segments: [] };
  for (const segment of starts === undefined ? proseSegments(text) : recordSegments(text, starts)) {
    const last = slice.segments.at(-1);
    if (last && last.kind === segment.kind && (last.kind === 'plain' || last.kind === 'code')) {
      last.end = segment.end;
    } else {
      slice.segments.push({ ...segment });
    }
    slice.end = segment.end;
    if (slice.end - slice.start >= wanted || segment.kind === 'blob') {
      yield slice;
      slice = { start: slice.end, end: slice.end, segments: [] };
    }
  }
  if (slice.end > slice.start) yield slice;
}

function* recordSegments(text: string, starts: readonly number[]): Generator<Segment> {
  for (const [from, end] of recordRanges(starts, 0, text.length)) {
    for (const [start, to] of pieces(text, from, end)) yield { start, end: to, kind: 'record' };
  }
}

function* proseSegments(text: string): Generator<Segment> {
  const blobs = blobRanges(text);
  const bareReturns = /\r(?!\n)/.test(text);
  let fence: string | undefined;
  for (let start = 0; start < text.length; ) {
    const end = lineEnd(text, start, bareReturns);
    const line = end - start > 300 ? text.slice(start, start + 300) : text.slice(start, end);
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    let kind: SegmentKind = 'plain';
    if (fence !== undefined) {
      kind = 'code';
      if (mark?.startsWith(fence)) fence = undefined;
    } else if (mark !== undefined) {
      kind = 'code';
      fence = mark;
    } else if (/^ {0,3}\|/.test(line)) {
      kind = 'code';
    } else {
      const hashes = /^(#{1,6})[ \t]+\S/.exec(line)?.[1];
      if (hashes && end - start <= 300) kind = `h${hashes.length as 1}`;
    }
    yield* withBlobs(text, start, end, kind, blobs);
    start = end;
  }
}

/** A line's segments: embedded pictures apart, so that they can be folded away. */
function* withBlobs(
  text: string,
  start: number,
  end: number,
  kind: SegmentKind,
  blobs: readonly Range[],
): Generator<Segment> {
  let from = start;
  for (const [blobStart, blobEnd] of blobs) {
    if (blobEnd <= from || blobStart >= end) continue;
    for (const [a, b] of pieces(text, from, blobStart)) yield { start: a, end: b, kind };
    yield { start: blobStart, end: Math.min(blobEnd, end), kind: 'blob' };
    from = Math.min(blobEnd, end);
  }
  for (const [a, b] of pieces(text, from, end)) yield { start: a, end: b, kind };
}

/** Breaks an over-long line where no surrogate pair is cut. */
function* pieces(text: string, start: number, end: number): Generator<Range> {
  for (let from = start; from < end; ) {
    let to = Math.min(end, from + longestLine);
    if (to < end && (text.charCodeAt(to) & 0xfc00) === 0xdc00) to++;
    yield [from, to];
    from = to;
  }
}

/** Past the line's break, whichever of LF, CRLF and (where the text has them) bare CR it is. */
function lineEnd(text: string, start: number, bareReturns: boolean): number {
  const feed = text.indexOf('\n', start);
  const stop = feed < 0 ? text.length : feed + 1;
  if (!bareReturns) return stop;
  for (let at = start; at < stop; at++) {
    if (text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) !== 10) return at + 1;
  }
  return stop;
}
