// The dictionary: folded tokens in UTF-8 to term numbers, by open addressing.
//
// A token of up to 16 bytes is its own 16-byte key, padded with zeros, so that finding it is one vector
// comparison. A longer one has a key made of two hashes whose last byte, 0xFF, no UTF-8 has, and its bytes are
// kept and compared. (No token holds a zero byte.)

import { alloc, regrow, release } from './heap';

/** Words a term: last document, its count, documents in all, first block, write position, block end, flushed document, bytes of a long token. */
export const TERM_BITS: usize = 5;

export let termCount: u32 = 0;
/** Term records. */
export let terms: usize = 0;
/** Keys by term number, for walks over the dictionary. */
export let keys: usize = 0;
let termRoom: u32 = 0;

let slots: usize = 0;
let slotCount: u32 = 0;

const FULL: u8 = 0xff;

/** Sixteen bytes of 0xFF, then sixteen of 0: `MASKS + 16 - n` keeps the first n bytes of a vector. */
const MASKS = memory.data<u8>([
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
], 16);

@inline
export function shortKey(bytes: v128, length: usize): v128 {
  return v128.and(bytes, v128.load(MASKS + 16 - length));
}

@inline
function hash(key: v128): u32 {
  const low = i64x2.extract_lane(key, 0) * 0x9e3779b97f4a7c15;
  const high = i64x2.extract_lane(key, 1) * 0xc2b2ae3d27d4eb4f;
  const mixed = low ^ rotl(high, 29);
  return <u32>((mixed ^ (mixed >> 32)) >> 5);
}

/** Two hashes of a token longer than a key, marked by a byte that no UTF-8 has. */
function longKey(at: usize, length: usize): v128 {
  let a: u64 = 0x9e3779b97f4a7c15 ^ length;
  let b: u64 = 0xc2b2ae3d27d4eb4f;
  for (let i: usize = 0; i < length; i++) {
    const byte = <u64>load<u8>(at + i);
    a = (a ^ byte) * 0x100000001b3;
    b = rotl(b, 5) * 0x9e3779b97f4a7c15 + byte;
  }
  a ^= a >> 29;
  return i8x16.replace_lane(i64x2.replace_lane(i64x2.splat(a), 1, b), 15, FULL);
}

function same(term: u32, at: usize, length: usize): bool {
  const kept = <usize>load<u32>(terms + (<usize>term << TERM_BITS), 28);
  return <usize>load<u32>(kept) == length && memory.compare(kept + 4, at, length) == 0;
}

function rehash(count: u32): void {
  if (slots != 0) release(slots, <usize>slotCount << 2);
  slotCount = count;
  slots = alloc(<usize>count << 2);
  memory.fill(slots, 0, <usize>count << 2);
  const mask = count - 1;
  for (let term: u32 = 0; term < termCount; term++) {
    let slot = hash(v128.load(keys + (<usize>term << 4))) & mask;
    while (load<u32>(slots + (<usize>slot << 2)) != 0) slot = (slot + 1) & mask;
    store<u32>(slots + (<usize>slot << 2), term + 1);
  }
}

export const ABSENT: u32 = 0xffffffff;

/** The number of the token of `length` bytes at `at`, whose key is `key`; made anew where `make`, else ABSENT. */
@inline
export function termOf(key: v128, at: usize, length: usize, make: bool): u32 {
  if (slotCount == 0) rehash(1 << 10);
  const long = length > 16;
  if (long) key = longKey(at, length);
  const mask = slotCount - 1;
  let slot = hash(key) & mask;
  let found = load<u32>(slots + (<usize>slot << 2));
  while (found != 0) {
    const term = found - 1;
    if (i8x16.all_true(i8x16.eq(v128.load(keys + (<usize>term << 4)), key))) {
      if (!long || same(term, at, length)) return term;
    }
    slot = (slot + 1) & mask;
    found = load<u32>(slots + (<usize>slot << 2));
  }
  return make ? create(key, at, length, slot) : ABSENT;
}

function create(key: v128, at: usize, length: usize, slot: u32): u32 {
  const term = termCount;
  if (term == termRoom) {
    const room: u32 = termRoom == 0 ? 1 << 9 : termRoom << 1;
    terms = regrow(terms, <usize>termRoom << TERM_BITS, <usize>room << TERM_BITS);
    keys = regrow(keys, <usize>termRoom << 4, <usize>room << 4);
    termRoom = room;
  }
  const record = terms + (<usize>term << TERM_BITS);
  memory.fill(record, 0, 32);
  if (length > 16) {
    const kept = alloc(length + 4);
    store<u32>(kept, <u32>length);
    memory.copy(kept + 4, at, length);
    store<u32>(record, <u32>kept, 28);
  }
  v128.store(keys + (<usize>term << 4), key);
  store<u32>(slots + (<usize>slot << 2), term + 1);
  termCount = term + 1;
  if (termCount << 1 > slotCount) rehash(slotCount << 1);
  return term;
}

/** Bytes of a term. */
export function termLength(term: u32): usize {
  const kept = <usize>load<u32>(terms + (<usize>term << TERM_BITS), 28);
  if (kept != 0) return <usize>load<u32>(kept);
  const zeros = i8x16.bitmask(i8x16.eq(v128.load(keys + (<usize>term << 4)), i8x16.splat(0)));
  return zeros == 0 ? 16 : ctz(zeros);
}

/** Where the bytes of a term are. */
export function termAt(term: u32): usize {
  const kept = <usize>load<u32>(terms + (<usize>term << TERM_BITS), 28);
  return kept != 0 ? kept + 4 : keys + (<usize>term << 4);
}
