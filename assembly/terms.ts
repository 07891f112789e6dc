// The dictionary: folded tokens in UTF-8 to terms, by open addressing.
//
// A token of up to 16 bytes is its own 16-byte key, padded with zeros, so that finding it is one vector
// comparison. A longer one has a key made of two hashes whose last byte, 0xFF, no UTF-8 has, and its bytes are
// kept and compared. (No token holds a zero byte.)
//
// A term is the address of its entry, 64 bytes on one cache line, in pages that never move:
//
//   0 key  16 latest document + 1  20 documents  24 where the next posting goes  28 end of that block
//   32 bytes of a long token  36 first postings (4 words)  52 next block  56 its size
//
// A slot of the table holds an entry's address with six bits of its hash in place of the address's zeros.

import { alloc, release } from './heap';

export const LAST: usize = 16;
export const DOCUMENTS: usize = 20;
export const WRITE: usize = 24;
export const END: usize = 28;
const KEPT: usize = 32;
export const POSTINGS: usize = 36;
/** Bytes of postings an entry itself has room for. */
export const INLINE: usize = 16;

const ENTRY: usize = 64;
const PAGE_ENTRIES: u32 = 1024;
const MOST_PAGES: u32 = 1 << 14;

export let termCount: u32 = 0;
let pages: usize = 0;
let pageCount: u32 = 0;

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

function same(term: usize, at: usize, length: usize): bool {
  const kept = <usize>load<u32>(term, KEPT);
  return <usize>load<u32>(kept) == length && memory.compare(kept + 4, at, length) == 0;
}

@inline
function tagOf(hashed: u32): u32 {
  return hashed >> 26;
}

function rehash(count: u32): void {
  if (slots != 0) release(slots, <usize>slotCount << 2);
  slotCount = count;
  slots = alloc(<usize>count << 2);
  memory.fill(slots, 0, <usize>count << 2);
  const mask = count - 1;
  for (let number: u32 = 0; number < termCount; number++) {
    const term = termAt(number);
    const hashed = hash(v128.load(term));
    let slot = hashed & mask;
    while (load<u32>(slots + (<usize>slot << 2)) != 0) slot = (slot + 1) & mask;
    store<u32>(slots + (<usize>slot << 2), <u32>term | tagOf(hashed));
  }
}

/** The term of the token of `length` bytes at `at`, whose key is `key` if it is short; made anew where `make`, else 0. */
@inline
export function termOf(key: v128, at: usize, length: usize, make: bool): usize {
  if (slotCount == 0) rehash(1 << 12);
  const long = length > 16;
  if (long) key = longKey(at, length);
  const mask = slotCount - 1;
  const hashed = hash(key);
  let slot = hashed & mask;
  let found = load<u32>(slots + (<usize>slot << 2));
  while (found != 0) {
    if ((found & 63) == tagOf(hashed)) {
      const term = <usize>(found & ~63);
      if (i8x16.all_true(i8x16.eq(v128.load(term), key)) && (!long || same(term, at, length))) return term;
    }
    slot = (slot + 1) & mask;
    found = load<u32>(slots + (<usize>slot << 2));
  }
  return make ? create(key, at, length, slot, tagOf(hashed)) : 0;
}

/** The same without its key at hand, as one function for all who are in less of a hurry than the tokeniser. */
export function termOfBytes(at: usize, length: usize, make: bool): usize {
  return termOf(length > 16 ? i64x2.splat(0) : shortKey(v128.load(at), length), at, length, make);
}

function create(key: v128, at: usize, length: usize, slot: u32, tag: u32): usize {
  const number = termCount;
  if (number == pageCount * PAGE_ENTRIES) {
    if (pages == 0) pages = alloc(<usize>MOST_PAGES << 2);
    assert(pageCount < MOST_PAGES);
    // Entries are aligned to their own size, which frees the low bits of their addresses.
    const page = (alloc(ENTRY * PAGE_ENTRIES + ENTRY) + ENTRY - 1) & ~(ENTRY - 1);
    store<u32>(pages + (<usize>pageCount << 2), <u32>page);
    pageCount++;
  }
  const term = termAt(number);
  memory.fill(term, 0, ENTRY);
  if (length > 16) {
    const kept = alloc(length + 4);
    store<u32>(kept, <u32>length);
    memory.copy(kept + 4, at, length);
    store<u32>(term, <u32>kept, KEPT);
  }
  v128.store(term, key);
  store<u32>(slots + (<usize>slot << 2), <u32>term | tag);
  termCount = number + 1;
  if (termCount << 1 > slotCount) rehash(slotCount << 1);
  return term;
}

/** The term that was made as the `number`th. */
@inline
export function termAt(number: u32): usize {
  return <usize>load<u32>(pages + (<usize>(number / PAGE_ENTRIES) << 2)) + <usize>(number % PAGE_ENTRIES) * ENTRY;
}

/** Bytes of a term's token. */
export function tokenLength(term: usize): usize {
  const kept = <usize>load<u32>(term, KEPT);
  if (kept != 0) return <usize>load<u32>(kept);
  const zeros = i8x16.bitmask(i8x16.eq(v128.load(term), i8x16.splat(0)));
  return zeros == 0 ? 16 : ctz(zeros);
}

/** Where the bytes of a term's token are. */
export function tokenAt(term: usize): usize {
  const kept = <usize>load<u32>(term, KEPT);
  return kept != 0 ? kept + 4 : term;
}
