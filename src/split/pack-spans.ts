import type { Measure } from './length.ts';

/** A whole record: half-open, in UTF-16 code units. */
export interface RecordSpan {
  charStart: number;
  charEnd: number;
}

/**
 * Runs of whole records, first come first served: each as many as fit into `size` with what stands between them. A
 * record longer than that makes a run of its own.
 *
 * @returns the first and the last record of each run
 */
export function packSpans(
  spans: readonly RecordSpan[],
  size: number,
  measure: Measure,
): [first: number, last: number][] {
  const fits = (first: number, last: number): boolean =>
    measure(spans[first]!.charStart, spans[last]!.charEnd) <= size;
  const runs: [number, number][] = [];
  for (let first = 0; first < spans.length; ) {
    const last = lastFitting(first, spans.length, fits);
    runs.push([first, last]);
    first = last + 1;
  }
  return runs;
}

/** In steps that double and then halve, since a length of one's own (tokens) is dear to ask for. */
function lastFitting(first: number, count: number, fits: (first: number, last: number) => boolean): number {
  let good = first;
  let step = 1;
  while (good + step < count && fits(first, good + step)) {
    good += step;
    step *= 2;
  }
  let bad = Math.min(good + step, count);
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (fits(first, middle)) good = middle;
    else bad = middle;
  }
  return good;
}
