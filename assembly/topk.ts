// The best k of any number of scored rows, without sorting all: a heap whose root is the worst that is kept.
// Equal scores go by the lower row, which was there first.

import { alloc, release } from './heap';

let rows: usize = 0;
let scores: usize = 0;
let room: u32 = 0;
let limit: u32 = 0;
export let kept: u32 = 0;

export function beginTop(k: u32): void {
  kept = 0;
  limit = k;
  if (k <= room) return;
  if (room != 0) {
    release(rows, <usize>room << 2);
    release(scores, <usize>room << 3);
  }
  rows = alloc(<usize>k << 2);
  scores = alloc(<usize>k << 3);
  room = k;
}

@inline
function worse(score: f64, row: u32, otherScore: f64, otherRow: u32): bool {
  return score < otherScore || (score == otherScore && row > otherRow);
}

@inline
function rowAt(i: u32): u32 {
  return load<u32>(rows + (<usize>i << 2));
}

@inline
function scoreAt(i: u32): f64 {
  return load<f64>(scores + (<usize>i << 3));
}

@inline
function place(i: u32, row: u32, score: f64): void {
  store<u32>(rows + (<usize>i << 2), row);
  store<f64>(scores + (<usize>i << 3), score);
}

function sink(row: u32, score: f64, count: u32): void {
  let at: u32 = 0;
  for (;;) {
    let child = (at << 1) + 1;
    if (child >= count) break;
    if (child + 1 < count && worse(scoreAt(child + 1), rowAt(child + 1), scoreAt(child), rowAt(child))) child++;
    if (!worse(scoreAt(child), rowAt(child), score, row)) break;
    place(at, rowAt(child), scoreAt(child));
    at = child;
  }
  place(at, row, score);
}

/** The score a row must reach to be kept now, where the heap is full; else -Infinity. */
@inline
export function threshold(): f64 {
  return kept < limit ? -Infinity : scoreAt(0);
}

@inline
export function offer(row: u32, score: f64): void {
  if (kept < limit) {
    let at = kept++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!worse(score, row, scoreAt(parent), rowAt(parent))) break;
      place(at, rowAt(parent), scoreAt(parent));
      at = parent;
    }
    place(at, row, score);
  } else if (limit > 0 && worse(scoreAt(0), rowAt(0), score, row)) {
    sink(row, score, kept);
  }
}

/** Orders what was kept, best first. */
export function sortTop(): void {
  for (let count = kept; count > 1; count--) {
    const last = count - 1;
    const row = rowAt(last);
    const score = scoreAt(last);
    place(last, rowAt(0), scoreAt(0));
    sink(row, score, last);
  }
}

/** Where the kept rows are, as 32-bit words. */
export function topRows(): usize {
  return rows;
}

/** Where the kept scores are, as doubles. */
export function topScores(): usize {
  return scores;
}
