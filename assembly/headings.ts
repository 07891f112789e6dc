import { beginResults, room } from './memory';
import { units } from './utf8';

const HASH: u8 = 0x23;
const LF: u8 = 0x0a;
const CR: u8 = 0x0d;

/** U+2028 and U+2029, which end a line for a JavaScript regular expression, are E2 80 A8 and E2 80 A9. */
@inline
function separatorAt(at: usize): bool {
  return load<u8>(at) == 0xe2 && load<u8>(at + 1) == 0x80 && (load<u8>(at + 2) & 0xfe) == 0xa8;
}

@inline
function startsLine(at: usize, start: usize): bool {
  if (at == start) return true;
  const before = load<u8>(at - 1);
  if (before == LF || before == CR) return true;
  return at - start >= 3 && separatorAt(at - 3);
}

/** The end of the line that `at` lies on, its terminator excluded. */
function lineEnd(at: usize, end: usize): usize {
  const lf = i8x16.splat(LF);
  const cr = i8x16.splat(CR);
  const wide = i8x16.splat(<i8>0xe2);
  while (at < end) {
    const block = v128.load(at);
    let mask = i8x16.bitmask(
      v128.or(v128.or(i8x16.eq(block, lf), i8x16.eq(block, cr)), i8x16.eq(block, wide)),
    );
    while (mask != 0) {
      const stop = at + ctz(mask);
      if (stop >= end) return end;
      if (load<u8>(stop) != 0xe2 || separatorAt(stop)) return stop;
      mask &= mask - 1;
    }
    at += 16;
  }
  return end;
}

@inline
function isBlank(at: usize): bool {
  const byte = load<u8>(at);
  return byte == 0x20 || byte == 0x09;
}

/** Words a heading: offset, end, level, title start, title end, then the title's byte start and end. */
const WORDS: usize = 7;

let found: u32 = 0;

/**
 * Reads the heading line whose first `#` is at `at`, if it is one, and answers where to go on.
 *
 *   ##  Title text  ⏎
 *   ^   ^         ^ ^
 *   at  from     to stop
 */
function heading(at: usize, start: usize, end: usize): usize {
  let from = at;
  while (from < end && load<u8>(from) == HASH) from++;
  const level = from - at;
  if (level > 6 || from >= end || !isBlank(from)) return from;
  const stop = lineEnd(from, end);
  const blanks = from;
  while (from < stop && isBlank(from)) from++;
  let to = stop;
  if (from == stop) {
    // Nothing but blanks: the pattern still wants one character of title, and takes the last blank.
    if (stop - blanks < 2) return stop;
    from = stop - 1;
  } else {
    while (isBlank(to - 1)) to--;
  }
  const out = room(WORDS);
  store<u32>(out, <u32>(at - start));
  store<u32>(out, <u32>(stop - start), 4);
  store<u32>(out, <u32>level, 8);
  store<u32>(out, <u32>(from - start), 12);
  store<u32>(out, <u32>(to - start), 16);
  store<u32>(out, <u32>(from - start), 20);
  store<u32>(out, <u32>(to - start), 24);
  found++;
  return stop;
}

@inline
function hasHash64(at: usize, hash: v128): bool {
  const first = v128.or(i8x16.eq(v128.load(at), hash), i8x16.eq(v128.load(at, 16), hash));
  const second = v128.or(i8x16.eq(v128.load(at, 32), hash), i8x16.eq(v128.load(at, 48), hash));
  return v128.any_true(v128.or(first, second));
}

/** Finds the ATX headings in `len` bytes at `ptr` and answers their number. Offsets are UTF-16 code units. */
export function atxHeadings(ptr: usize, len: usize, ascii: bool): u32 {
  beginResults();
  found = 0;
  const end = ptr + len;
  const hash = i8x16.splat(HASH);
  let resume = ptr;
  for (let at = ptr; at < end; at += 16) {
    while (at + 64 <= end && !hasHash64(at, hash)) at += 64;
    if (at >= end) break;
    let mask = i8x16.bitmask(i8x16.eq(v128.load(at), hash));
    while (mask != 0) {
      const hit = at + ctz(mask);
      mask &= mask - 1;
      if (hit < resume || hit >= end) continue;
      if (startsLine(hit, ptr)) resume = heading(hit, ptr, end);
    }
    // A line longer than a block needs no second look.
    if (resume > at + 16) at = ptr + ((resume - ptr) & ~15) - 16;
  }
  return found;
}

/** Turns the byte offsets of `count` headings at `out` into UTF-16 offsets, in place. */
export function headingUnits(ptr: usize, out: usize, count: u32): void {
  let byte: usize = 0;
  let unit: usize = 0;
  for (let i: u32 = 0; i < count; i++, out += WORDS << 2) {
    for (let field = 0; field < 4; field++) {
      // Rising order: offset, title start, title end, end.
      const slot = out + (field == 0 ? 0 : field == 1 ? 12 : field == 2 ? 16 : 4);
      const target = <usize>load<u32>(slot);
      unit += units(ptr + byte, ptr + target);
      byte = target;
      store<u32>(slot, <u32>unit);
    }
  }
}

/** Puts the titles of `count` headings at `out` one behind the other, so that they are decoded at once; answers where. */
export function gatherTitles(ptr: usize, out: usize, count: u32): usize {
  let size: usize = 0;
  for (let i: u32 = 0; i < count; i++) {
    const at = out + <usize>i * (WORDS << 2);
    size += <usize>(load<u32>(at, 24) - load<u32>(at, 20));
  }
  const titles = room((size + 3) >> 2);
  let to = titles;
  for (let i: u32 = 0; i < count; i++) {
    const at = out + <usize>i * (WORDS << 2);
    const from = <usize>load<u32>(at, 20);
    const length = <usize>load<u32>(at, 24) - from;
    memory.copy(to, ptr + from, length);
    to += length;
  }
  gathered = size;
  return titles;
}

/** Bytes that `gatherTitles` gathered. */
export let gathered: usize = 0;
