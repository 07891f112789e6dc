import type { Span } from '../spans.ts';

/** The reference's own floor, in UTF-16 code units, where no `minChars` takes its place. */
export const runtChars = 50;

/** A span with what counts towards the floor: its body's length, in UTF-16 code units. */
export interface WeighedSpan extends Span {
  weight: number;
}

/** Adds a span, or lengthens the last one of the same heading by it where it is shorter than `floor`. */
export function pushOrFold<S extends Span>(spans: S[], span: S, floor: number): void {
  const last = spans.at(-1);
  if (last !== undefined && last.heading === span.heading && span.end - span.start < floor) {
    last.end = span.end;
  } else {
    spans.push(span);
  }
}

/**
 * Joins spans lighter than `minChars` to the one that follows, under their own heading and start, until
 * together they are heavy enough. Light ones at the end join the last kept span, and a text without any is one
 * span. A span of no weight is never kept alone, whatever `minChars` is.
 */
export function mergeForward(spans: readonly WeighedSpan[], minChars: number): WeighedSpan[] {
  const kept: WeighedSpan[] = [];
  let waiting: WeighedSpan | undefined;
  for (const span of spans) {
    const joined: WeighedSpan =
      waiting === undefined ? span : { ...waiting, end: span.end, weight: waiting.weight + span.weight };
    waiting = joined.weight === 0 || joined.weight < minChars ? joined : undefined;
    if (waiting === undefined) kept.push(joined);
  }
  if (waiting === undefined) return kept;
  const last = kept.at(-1);
  if (last !== undefined) last.end = waiting.end;
  else if (waiting.weight > 0) kept.push(waiting);
  return kept;
}
