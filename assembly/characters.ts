// What a character is, from two tables that the host writes once: its class, and what it folds to (lower case and, if
// wished, without its diacritics). Code points above U+FFFF are few: CJK above U+1FFFF, letters in the host's list of
// ranges, which have no case here.

import { alloc } from './heap';

/** Bits of a character's class. */
export const WORD: u8 = 1;
export const UPPER: u8 = 2;
export const LOWER: u8 = 4;
/** Written without spaces: taken in overlapping pairs. */
export const PAIRED: u8 = 8;
/** Belongs to the letter before it and is dropped. */
export const DROPPED: u8 = 16;
/** Holds an identifier together between two words: `_` and `.`. */
export const JOINER: u8 = 32;

/** Classes of the code points to U+FFFF, and what they fold to as 16-bit units. */
let classes: usize = 0;
let folds: usize = 0;
/** Ranges of letters above U+FFFF, as pairs of first and last. */
let ranges: usize = 0;
let rangeCount: u32 = 0;
/**
 * Where the host writes: classes (65,536 bytes), then folds (131,072 bytes); room for `count` pairs of range ends
 * (8 bytes each) is at `rangeTable()`.
 */
export function tables(count: u32): usize {
  if (classes == 0) {
    classes = alloc(1 << 18);
    folds = classes + 65536;
  }
  if (count > 0 && ranges == 0) ranges = alloc(<usize>count << 3);
  rangeCount = count;
  return classes;
}

export function rangeTable(): usize {
  return ranges;
}

/** Where the character that `read` read ends, its class, what it folds to. */
export let next: usize = 0;
export let kind: u8 = 0;
export let folded: u32 = 0;

/** Reads the character at `at`: its class into `kind`, what it folds to into `folded`, what follows into `next`. */
@inline
export function read(at: usize): void {
  const a = <u32>load<u8>(at);
  if (a < 0x80) {
    next = at + 1;
    look(a);
  } else {
    readLong(at, a);
  }
}

@inline
function look(point: u32): void {
  kind = load<u8>(classes + point);
  folded = <u32>load<u16>(folds + (<usize>point << 1));
}

function readLong(at: usize, a: u32): void {
  let point: u32;
  if (a < 0xe0) {
    point = ((a & 0x1f) << 6) | (<u32>load<u8>(at + 1) & 0x3f);
    next = at + 2;
  } else if (a < 0xf0) {
    point = ((a & 0x0f) << 12) | ((<u32>load<u8>(at + 1) & 0x3f) << 6) | (<u32>load<u8>(at + 2) & 0x3f);
    next = at + 3;
  } else {
    point =
      ((a & 0x07) << 18) |
      ((<u32>load<u8>(at + 1) & 0x3f) << 12) |
      ((<u32>load<u8>(at + 2) & 0x3f) << 6) |
      (<u32>load<u8>(at + 3) & 0x3f);
    next = at + 4;
    folded = point;
    kind = point >= 0x20000 && point < 0x40000 ? PAIRED : inRanges(point) ? WORD | LOWER : 0;
    return;
  }
  look(point);
}

function inRanges(point: u32): bool {
  let low: u32 = 0;
  let high = rangeCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    const range = ranges + (<usize>middle << 3);
    if (point < load<u32>(range)) high = middle;
    else if (point > load<u32>(range, 4)) low = middle + 1;
    else return true;
  }
  return false;
}

/** Writes a code point as UTF-8 and answers where it ends. */
export function put(out: usize, point: u32): usize {
  if (point < 0x80) {
    store<u8>(out, <u8>point);
    return out + 1;
  }
  if (point < 0x800) {
    store<u8>(out, <u8>(0xc0 | (point >> 6)));
    store<u8>(out, <u8>(0x80 | (point & 0x3f)), 1);
    return out + 2;
  }
  if (point < 0x10000) {
    store<u8>(out, <u8>(0xe0 | (point >> 12)));
    store<u8>(out, <u8>(0x80 | ((point >> 6) & 0x3f)), 1);
    store<u8>(out, <u8>(0x80 | (point & 0x3f)), 2);
    return out + 3;
  }
  store<u8>(out, <u8>(0xf0 | (point >> 18)));
  store<u8>(out, <u8>(0x80 | ((point >> 12) & 0x3f)), 1);
  store<u8>(out, <u8>(0x80 | ((point >> 6) & 0x3f)), 2);
  store<u8>(out, <u8>(0x80 | (point & 0x3f)), 3);
  return out + 4;
}
