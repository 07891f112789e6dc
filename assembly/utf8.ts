// UTF-8: validity, UTF-16 lengths, white space.
//
// The validator is the lookup algorithm of Keiser and Lemire, "Validating UTF-8 in less than one instruction
// per byte" (2021): three table look-ups on the nibbles of each pair of bytes, whose common bits are errors.

const TOO_SHORT: u8 = 1;
const TOO_LONG: u8 = 2;
const OVERLONG_3: u8 = 4;
const TOO_LARGE: u8 = 8;
const SURROGATE: u8 = 16;
const OVERLONG_2: u8 = 32;
const TOO_LARGE_1000: u8 = 64; // shares its bit with the overlong four-byte forms
const TWO_CONTS: u8 = 128;
const CARRY: u8 = TOO_SHORT | TOO_LONG | TWO_CONTS;

export const INVALID: u32 = 0;
export const ASCII: u32 = 1;
export const UNICODE: u32 = 2;

@inline
function isAscii64(at: usize): bool {
  const both = v128.or(v128.load(at), v128.load(at, 16));
  return i8x16.bitmask(v128.or(both, v128.or(v128.load(at, 32), v128.load(at, 48)))) == 0;
}

/** What the `len` bytes at `ptr` are: INVALID, ASCII or UNICODE. At least 16 zero bytes must follow them. */
export function validate(ptr: usize, len: usize): u32 {
  const firstHigh = i8x16(
    TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG,
    TWO_CONTS, TWO_CONTS, TWO_CONTS, TWO_CONTS,
    TOO_SHORT | OVERLONG_2,
    TOO_SHORT,
    TOO_SHORT | OVERLONG_3 | SURROGATE,
    TOO_SHORT | TOO_LARGE | TOO_LARGE_1000,
  );
  const large: u8 = CARRY | TOO_LARGE | TOO_LARGE_1000;
  const firstLow = i8x16(
    CARRY | OVERLONG_3 | OVERLONG_2 | TOO_LARGE_1000,
    CARRY | OVERLONG_2,
    CARRY, CARRY,
    CARRY | TOO_LARGE,
    large, large, large, large, large, large, large, large,
    large | SURROGATE,
    large, large,
  );
  const cont: u8 = TOO_LONG | OVERLONG_2 | TWO_CONTS;
  const secondHigh = i8x16(
    TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
    cont | OVERLONG_3 | TOO_LARGE_1000,
    cont | OVERLONG_3 | TOO_LARGE,
    cont | SURROGATE | TOO_LARGE,
    cont | SURROGATE | TOO_LARGE,
    TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
  );
  const nibble = i8x16.splat(0x0f);
  const top = i8x16.splat(<i8>0x80);

  let error = i8x16.splat(0);
  let previous = i8x16.splat(0);
  let pending = false;
  let ascii = true;
  // One block past the end, whose zero bytes expose a sequence that was cut off.
  const end = ptr + len + 1;
  for (let at = ptr; at < end; at += 16) {
    // Plain ASCII, 64 bytes at a time; the last of them stands before the next block.
    while (!pending && at + 64 <= end && isAscii64(at)) at += 64;
    if (at >= end) break;
    if (at > ptr && !pending) previous = v128.load(at - 16);
    const block = v128.load(at);
    const plain = i8x16.bitmask(block) == 0;
    if (plain && !pending) continue;
    pending = !plain;
    if (!plain) ascii = false;
    const back1 = i8x16.shuffle(previous, block, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
    const back2 = i8x16.shuffle(previous, block, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
    const back3 = i8x16.shuffle(previous, block, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28);
    const special = v128.and(
      v128.and(
        i8x16.swizzle(firstHigh, i8x16.shr_u(back1, 4)),
        i8x16.swizzle(firstLow, v128.and(back1, nibble)),
      ),
      i8x16.swizzle(secondHigh, i8x16.shr_u(block, 4)),
    );
    const third = i8x16.sub_sat_u(back2, i8x16.splat(0x60));
    const fourth = i8x16.sub_sat_u(back3, i8x16.splat(0x70));
    const expected = v128.and(v128.or(third, fourth), top);
    error = v128.or(error, v128.xor(expected, special));
    previous = block;
  }
  if (v128.any_true(error)) return INVALID;
  return ascii ? ASCII : UNICODE;
}

// A count that goes on from place to place, which are near each other.
let counted: usize = 0;
let unit: u32 = 0;

/** Begins to count at `at`. */
export function countFrom(at: usize): void {
  counted = at;
  unit = 0;
}

/** UTF-16 code units up to `to`, which is not before the last one. */
export function countedTo(to: usize): u32 {
  for (let at = counted; at < to; at += 16) {
    const block = v128.load(at);
    const whole = <u32>i8x16.bitmask(i8x16.gt_s(block, i8x16.splat(-65)));
    const pairs = <u32>i8x16.bitmask(i8x16.gt_u(block, i8x16.splat(<i8>0xef)));
    const within: u32 = to - at < 16 ? (1 << <u32>(to - at)) - 1 : 0xffff;
    unit += popcnt((whole & within) | ((pairs & within) << 16));
  }
  counted = max(counted, to);
  return unit;
}

/** UTF-16 code units of valid UTF-8: one a lead byte, two a four-byte lead. */
export function units(from: usize, to: usize): usize {
  countFrom(from);
  return countedTo(to);
}

/** Bytes of the white space (as `String.prototype.trim` knows it) that starts at `at`; 0 where none does. */
@inline
export function spaceAt(at: usize, to: usize): usize {
  const a = load<u8>(at);
  if (a < 0x80) return a == 32 || (a >= 9 && a <= 13) ? 1 : 0;
  if (a == 0xc2) return load<u8>(at + 1) == 0xa0 && at + 2 <= to ? 2 : 0;
  if (at + 3 > to) return 0;
  return wideSpace(a, load<u8>(at + 1), load<u8>(at + 2)) ? 3 : 0;
}

/** Bytes of the white space that ends at `to`; 0 where none does. */
@inline
export function spaceBefore(to: usize, from: usize): usize {
  const c = load<u8>(to - 1);
  if (c < 0x80) return c == 32 || (c >= 9 && c <= 13) ? 1 : 0;
  if (to - from < 2) return 0;
  const b = load<u8>(to - 2);
  if (b == 0xc2 && c == 0xa0) return 2;
  if (to - from < 3) return 0;
  return wideSpace(load<u8>(to - 3), b, c) ? 3 : 0;
}

/** U+1680, U+2000–200A, 2028, 2029, 202F, 205F, 3000 and FEFF. */
function wideSpace(a: u8, b: u8, c: u8): bool {
  if (a == 0xe2) {
    if (b == 0x80) return c <= 0x8a || c == 0xa8 || c == 0xa9 || c == 0xaf;
    return b == 0x81 && c == 0x9f;
  }
  if (a == 0xe3) return b == 0x80 && c == 0x80;
  if (a == 0xe1) return b == 0x9a && c == 0x80;
  return a == 0xef && b == 0xbb && c == 0xbf;
}
