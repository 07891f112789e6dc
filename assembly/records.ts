import { beginResults, room } from './memory';
import { spaceAt, spaceBefore, units } from './utf8';

/** The records of the piece, trimmed and joined by the separator, are not simply a slice of the text. */
const REJOIN: u32 = 1;
/** The piece is one record longer than the limit. */
const OVERSIZE: u32 = 2;

/** Words a piece: byte start, byte end, UTF-16 start, UTF-16 end, flags. */
const WORDS: usize = 5;

/** The next occurrence of the separator in [at, end), or `end`. */
function find(at: usize, end: usize, separator: usize, length: usize): usize {
  if (end - at < length) return end;
  const last = end - length;
  const first = i8x16.splat(load<u8>(separator));
  for (; at <= last; at += 16) {
    let mask = i8x16.bitmask(i8x16.eq(v128.load(at), first));
    while (mask != 0) {
      const hit = at + ctz(mask);
      if (hit > last) return end;
      if (length == 1 || memory.compare(hit + 1, separator + 1, length - 1) == 0) return hit;
      mask &= mask - 1;
    }
  }
  return end;
}

@inline
function trimStart(from: usize, to: usize): usize {
  while (from < to) {
    const n = spaceAt(from, to);
    if (n == 0) break;
    from += n;
  }
  return from;
}

@inline
function trimEnd(from: usize, to: usize): usize {
  while (to > from) {
    const n = spaceBefore(to, from);
    if (n == 0) break;
    to -= n;
  }
  return to;
}

let pieces: u32 = 0;

function push(from: usize, to: usize, unitFrom: usize, unitTo: usize, flags: u32): void {
  const out = room(WORDS);
  store<u32>(out, <u32>from);
  store<u32>(out, <u32>to, 4);
  store<u32>(out, <u32>unitFrom, 8);
  store<u32>(out, <u32>unitTo, 12);
  store<u32>(out, flags, 16);
  pieces++;
}

/**
 * Packs the records of `len` bytes at `ptr`, which `separator` divides, into pieces of at most `size` UTF-16
 * code units, first come first served, and answers their number.
 *
 * `sliced` false is the reference: records are trimmed, blank ones dropped, and what is counted is the text
 * that joining them gives. `sliced` true counts the slice of the source, blank records between included, and
 * keeps a record's own indentation.
 */
export function packRecords(
  ptr: usize, len: usize, separator: usize, length: usize, separatorUnits: usize,
  size: usize, sliced: bool, ascii: bool,
): u32 {
  beginResults();
  pieces = 0;
  let end = ptr + len;
  let at = ptr;
  if (!sliced) {
    // The reference trims the text before it looks for separators, which then miss a trimmed first or last one.
    end = trimEnd(ptr, end);
    at = trimStart(ptr, end);
    if (at == end) return 0;
  }
  // The open piece.
  let open = false;
  let from: usize = 0;
  let to: usize = 0;
  let unitFrom: usize = 0;
  let unitTo: usize = 0;
  let used: usize = 0;
  let flags: u32 = 0;
  // How far the UTF-16 count has come.
  let byte = ptr;
  let unit: usize = 0;

  while (at <= end) {
    const stop = find(at, end, separator, length);
    let head = at;
    const tail = trimEnd(head, stop);
    if (sliced) {
      while (head < tail && (load<u8>(head) == 0x0a || load<u8>(head) == 0x0d)) head++;
      // A byte order mark at the very start belongs to no record.
      if (head == ptr && tail - head >= 3 && (load<u32>(head) & 0xffffff) == 0xbfbbef) head += 3;
    } else {
      head = trimStart(head, tail);
    }
    at = stop + length;
    if (head >= tail) continue;

    let a = head - ptr;
    let b = tail - ptr;
    if (!ascii) {
      unit += units(byte, head);
      a = unit;
      unit += units(head, tail);
      b = unit;
      byte = tail;
    }
    const own = b - a;
    if (own > size) {
      if (open) push(from - ptr, to - ptr, unitFrom, unitTo, flags);
      open = false;
      push(head - ptr, tail - ptr, a, b, OVERSIZE);
      continue;
    }
    const grown = sliced ? b - unitFrom : used + separatorUnits + own;
    if (open && grown <= size) {
      if (head != to + length) flags |= REJOIN;
      used = grown;
    } else {
      if (open) push(from - ptr, to - ptr, unitFrom, unitTo, flags);
      open = true;
      flags = 0;
      from = head;
      unitFrom = a;
      used = own;
    }
    to = tail;
    unitTo = b;
  }
  if (open) push(from - ptr, to - ptr, unitFrom, unitTo, flags);
  return pieces;
}
