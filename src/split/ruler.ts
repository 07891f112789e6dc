import { lastFit } from './cut.ts';
import { type Length, measureOf } from './length.ts';

/** Sizes of pieces, in UTF-16 code units or in what `length` counts. */
export interface Sizes {
  max: number;
  min: number;
  overlap: number;
  length: Length | undefined;
}

/** Measures stretches of one text, in code units or in a unit of one's own. Longer ones are taken not to measure less. */
export interface Ruler {
  measure(from: number, to: number): number;
  fits(from: number, to: number, limit: number): boolean;
  /** Furthest end of a stretch that fits, at most `to` and behind `from` at least. */
  reach(from: number, to: number, limit: number): number;
  /** First start of a stretch that fits, `low` at least; `at` where none does. */
  back(low: number, at: number, limit: number): number;
}

export const rulerFor = (text: string, length: Length | undefined): Ruler =>
  length === undefined ? byCodeUnits : rulerBy(text, length);

const byCodeUnits: Ruler = {
  measure: (from, to) => to - from,
  fits: (from, to, limit) => to - from <= limit,
  reach: (from, to, limit) => Math.min(to, from + Math.floor(limit)),
  back: (low, at, limit) => Math.max(low, at - limit),
};

/**
 * A length of one's own is dear (a tokenizer reads a million characters a second). So what fits behind the same start
 * is remembered, and a stretch a little shorter than the last pieces of its size is tried first.
 */
function rulerBy(text: string, length: Length): Ruler {
  const measured = measureOf(text, length);
  let unitsEach = 4;
  const measure = (from: number, to: number): number => {
    const size = measured(from, to);
    if (size > 0) unitsEach = Math.max(0.25, (to - from) / size);
    return size;
  };
  let start = -1;
  let most = -1;
  let fitting = 0;
  let failing = 0;
  const learn = (to: number): boolean => {
    const does = measure(start, to) <= most;
    if (does) fitting = to;
    else failing = to;
    return does;
  };
  return {
    measure,
    fits(from, to, limit) {
      if (start !== from || most !== limit) {
        start = from;
        most = limit;
        fitting = from;
        failing = text.length + 1;
        const guess = from + Math.floor(0.9 * limit * unitsEach);
        if (guess > to && guess < text.length) learn(guess);
      }
      return to <= fitting || (to < failing && learn(to));
    },
    reach: (from, to, limit) => lastFit(from, to, limit, measure, Math.ceil(limit * unitsEach)),
    back(low, at, limit) {
      for (let width = Math.floor(limit * unitsEach); width > 0; width = Math.floor(width * 0.7)) {
        const from = Math.max(low, at - width);
        if (measure(from, at) <= limit) return from;
      }
      return at;
    },
  };
}
