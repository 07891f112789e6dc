// Walks over the dictionary: terms that begin or end with some bytes, terms a few typing errors away.

import { DOCUMENTS, termAt, termCount, tokenAt, tokenLength } from './terms';
import { alloc } from './heap';

/** Words a found term: its number, then how far it is (bytes added for a prefix, edits for a typing error). */
let out: usize = 0;
let outEnd: usize = 0;
let found: u32 = 0;

/** Two texts as code points, and rows of the table between them. */
let own: usize = 0;
let other: usize = 0;
let rowsOf: usize = 0;
const MOST: u32 = 80;

function prepare(at: usize, end: usize): void {
  out = at;
  outEnd = end;
  found = 0;
  if (own == 0) {
    own = alloc(<usize>MOST << 2);
    other = alloc(<usize>MOST << 2);
    rowsOf = alloc(<usize>MOST * 12);
  }
}

function push(term: usize, distance: u32): void {
  if (out + 8 > outEnd) return;
  store<u32>(out, <u32>term);
  store<u32>(out, distance, 4);
  out += 8;
  found++;
}

@inline
function alive(term: usize): bool {
  return load<u32>(term, DOCUMENTS) > 0;
}

/** Terms longer than the `length` bytes at `at` that begin with them (`suffix`: or end with them). */
export function affixed(at: usize, length: usize, suffix: bool, to: usize, end: usize): u32 {
  prepare(to, end);
  for (let number: u32 = 0; number < termCount; number++) {
    const term = termAt(number);
    if (!alive(term)) continue;
    const size = tokenLength(term);
    if (size <= length) continue;
    const bytes = tokenAt(term);
    if (
      memory.compare(bytes, at, length) == 0 ||
      (suffix && memory.compare(bytes + size - length, at, length) == 0)
    ) {
      push(term, <u32>(size - length));
    }
  }
  return found;
}

/** Code points of valid UTF-8 to `to`; answers how many, or MOST where there are more. */
function points(at: usize, length: usize, to: usize): u32 {
  const end = at + length;
  let count: u32 = 0;
  while (at < end && count < MOST) {
    let point = <u32>load<u8>(at++);
    if (point >= 0x80) {
      let more = point >= 0xf0 ? 3 : point >= 0xe0 ? 2 : 1;
      point &= 0x3f >> more;
      for (; more > 0; more--) point = (point << 6) | (<u32>load<u8>(at++) & 0x3f);
    }
    store<u32>(to + (<usize>count << 2), point);
    count++;
  }
  return count;
}

/**
 * Edits between the texts of `n` and `m` code points at `own` and `other`, a swap of neighbours being one (the
 * optimal string alignment distance), or `most + 1` where there are more.
 */
function edits(n: u32, m: u32, most: u32): u32 {
  // Three rows of the table: before last, last, current; as bytes.
  let before = rowsOf;
  let last = rowsOf + (MOST + 1);
  let current = rowsOf + 2 * (MOST + 1);
  for (let j: u32 = 0; j <= m; j++) store<u8>(last + j, <u8>j);
  for (let i: u32 = 1; i <= n; i++) {
    const a = load<u32>(own + (<usize>(i - 1) << 2));
    store<u8>(current, <u8>i);
    let least = i;
    for (let j: u32 = 1; j <= m; j++) {
      const b = load<u32>(other + (<usize>(j - 1) << 2));
      let cost = <u32>load<u8>(last + j - 1) + (a == b ? 0 : 1);
      cost = min(cost, <u32>load<u8>(last + j) + 1);
      cost = min(cost, <u32>load<u8>(current + j - 1) + 1);
      if (i > 1 && j > 1 && a == load<u32>(other + (<usize>(j - 2) << 2)) && b == load<u32>(own + (<usize>(i - 2) << 2))) {
        cost = min(cost, <u32>load<u8>(before + j - 2) + 1);
      }
      store<u8>(current + j, <u8>cost);
      least = min(least, cost);
    }
    // A swap reaches two rows back, so one row over the limit is not yet the end.
    if (least > most + 1) return most + 1;
    const free = before;
    before = last;
    last = current;
    current = free;
  }
  return <u32>load<u8>(last + m);
}

/** Other terms at most `most` edits from the `length` bytes at `at`. */
export function similar(at: usize, length: usize, most: u32, to: usize, end: usize): u32 {
  prepare(to, end);
  const n = points(at, length, own);
  for (let number: u32 = 0; number < termCount; number++) {
    const term = termAt(number);
    if (!alive(term)) continue;
    const size = tokenLength(term);
    // A code point is one to four bytes.
    if (size > length + 4 * most || length > size + 4 * most) continue;
    const m = points(tokenAt(term), size, other);
    if (m > n + most || n > m + most) continue;
    const distance = edits(n, m, most);
    if (distance > 0 && distance <= most) push(term, distance);
  }
  return found;
}
