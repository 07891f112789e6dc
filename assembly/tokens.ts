// Tokens: folded words, identifiers whole and by part, and pairs of characters where words have no spaces.
//
//   getElementById   get element by id getelementbyid
//   max_chars        max chars maxchars
//   fs.readFile      fs read file readfile fsreadfile
//   東京都           東京 京都
//
// Only parts count towards a document's length: the whole forms are the same words once more.

import { DROPPED, folded, JOINER, kind, LOWER, next, PAIRED, put, read, UPPER, WORD } from './characters';
import { shortKey, termOf, termOfBytes } from './terms';
import { countTerm, countToken } from './postings';

/** Tokens are cut at this many UTF-16 code units: what is longer is data, not a word. */
const LONGEST_UNITS: u32 = 64;

/** The folded token that is being put together, and the two longer forms of an identifier. */
const part = memory.data(768, 16);
const segment = part + 256;
const whole = part + 512;

/** The reference's analyser: runs of a–z and 0–9, no limit. */
let asciiOnly = false;

export function setAnalyzer(ascii: bool): void {
  asciiOnly = ascii;
}

// --- where tokens go ---------------------------------------------------------------------------

/** Counting into the index, or listing for a query. */
let listing = false;
let list: usize = 0;
let listEnd: usize = 0;
export let listed: u32 = 0;

/** A listed token: its term, or 0, its length in bytes, its bytes padded to a multiple of 4. */
function emitListed(at: usize, length: usize): void {
  const padded = (length + 3) & ~3;
  if (list + 8 + padded > listEnd) return;
  store<u32>(list, <u32>termOfBytes(at, length, false));
  store<u32>(list, <u32>length, 4);
  memory.copy(list + 8, at, length);
  list += 8 + padded;
  listed++;
}

function emit(at: usize, length: usize, isPart: bool): void {
  if (listing) {
    emitListed(at, length);
    return;
  }
  countTerm(termOfBytes(at, length, true));
  if (isPart) countToken();
}

// --- words -------------------------------------------------------------------------------------

/** A form under construction: where its bytes go, how many there are, how many UTF-16 units they mean. */
let partEnd: usize = 0;
let partUnits: u32 = 0;
let segmentEnd: usize = 0;
let segmentUnits: u32 = 0;
let wholeEnd: usize = 0;
let wholeUnits: u32 = 0;
let parts: u32 = 0;
let segments: u32 = 0;

@inline
function add(point: u32): void {
  if (point < 0x80) {
    if (partUnits < LONGEST_UNITS) {
      store<u8>(partEnd++, <u8>point);
      partUnits++;
    }
    if (segmentUnits < LONGEST_UNITS) {
      store<u8>(segmentEnd++, <u8>point);
      segmentUnits++;
    }
    if (wholeUnits < LONGEST_UNITS) {
      store<u8>(wholeEnd++, <u8>point);
      wholeUnits++;
    }
    return;
  }
  const units: u32 = point < 0x10000 ? 1 : 2;
  if (partUnits + units <= LONGEST_UNITS) {
    partEnd = put(partEnd, point);
    partUnits += units;
  }
  if (segmentUnits + units <= LONGEST_UNITS) {
    segmentEnd = put(segmentEnd, point);
    segmentUnits += units;
  }
  if (wholeUnits + units <= LONGEST_UNITS) {
    wholeEnd = put(wholeEnd, point);
    wholeUnits += units;
  }
}

function endPart(): void {
  if (partEnd == part) return;
  emit(part, partEnd - part, true);
  parts++;
  partEnd = part;
  partUnits = 0;
}

function endSegment(): void {
  endPart();
  if (parts > 1) emit(segment, segmentEnd - segment, false);
  if (parts > 0) segments++;
  parts = 0;
  segmentEnd = segment;
  segmentUnits = 0;
}

/** Reads the word or identifier that starts at `at`, and answers where it ends. */
function word(at: usize, end: usize): usize {
  partEnd = part;
  partUnits = 0;
  segmentEnd = segment;
  segmentUnits = 0;
  wholeEnd = whole;
  wholeUnits = 0;
  parts = 0;
  segments = 0;
  let before: u8 = 0;
  while (at < end) {
    read(at);
    const own = kind;
    const point = folded;
    const after = next;
    if (own & DROPPED) {
      at = after;
      continue;
    }
    if (own & JOINER) {
      // A joiner holds only what has a word on both sides.
      if (after >= end) break;
      read(after);
      if (!(kind & WORD)) break;
      endSegment();
      before = 0;
      at = after;
      continue;
    }
    if (!(own & WORD)) break;
    if (own & UPPER) {
      //  fooBar: before the capital; HTTPServer: before the last capital of a run that a small letter follows.
      let border = before & LOWER;
      if (!border && before & UPPER && after < end) {
        read(after);
        border = kind & LOWER;
      }
      if (border) endPart();
    }
    add(point);
    // A digit keeps what stands before it: foo2Bar has a border, 3D has none.
    if (own & (UPPER | LOWER)) before = own;
    at = after;
  }
  endSegment();
  if (segments > 1) emit(whole, wholeEnd - whole, false);
  return at;
}

/** Takes a run without spaces in overlapping pairs; a single character stands alone. */
function paired(at: usize, end: usize): usize {
  let previous = part;
  let length: usize = 0;
  let out = part;
  let count: u32 = 0;
  while (at < end) {
    read(at);
    if (kind & DROPPED) {
      at = next;
      continue;
    }
    if (!(kind & PAIRED)) break;
    const start = out;
    out = put(out, folded);
    count++;
    at = next;
    if (count >= 2) {
      emit(previous, out - previous, true);
      // Keeps the buffer short: the last character becomes the first.
      length = out - start;
      memory.copy(part, start, length);
      previous = part;
      out = part + length;
    }
  }
  if (count == 1) emit(part, out - part, true);
  return at;
}

// Masks of the 64 bytes at `blockAt`: a bit a byte.
let wordBits: u64 = 0;
/** Where a capital begins a part: after a small letter, or before one and after another capital. */
let borderBits: u64 = 0;
/** Not ASCII, or a joiner behind a word that may go on after it. */
let specialBits: u64 = 0;

@inline
function spread(mask: i32, shift: u64): u64 {
  return <u64><u32>mask << shift;
}

/** Classifies 64 bytes at once. */
function classify(at: usize): void {
  let words: u64 = 0;
  let uppers: u64 = 0;
  let joiners: u64 = 0;
  let wide: u64 = 0;
  let digits: u64 = 0;
  for (let i: usize = 0; i < 64; i += 16) {
    const bytes = v128.load(at + i);
    const letter = i8x16.lt_u(
      i8x16.sub(v128.or(bytes, i8x16.splat(0x20)), i8x16.splat(0x61)),
      i8x16.splat(26),
    );
    const digit = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x30)), i8x16.splat(10));
    const upper = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26));
    const joiner = v128.or(i8x16.eq(bytes, i8x16.splat(0x5f)), i8x16.eq(bytes, i8x16.splat(0x2e)));
    words |= spread(i8x16.bitmask(v128.or(letter, digit)), <u64>i);
    digits |= spread(i8x16.bitmask(digit), <u64>i);
    uppers |= spread(i8x16.bitmask(upper), <u64>i);
    joiners |= spread(i8x16.bitmask(joiner), <u64>i);
    wide |= spread(i8x16.bitmask(bytes), <u64>i);
  }
  wordBits = words;
  // What follows the last byte is not known.
  specialBits = wide | (joiners & (words << 1) & (((words | wide) >> 1) | ((<u64>1) << 63)));
  const lowers = words & ~uppers & ~digits;
  // A digit may stand between a small letter and a capital; such words are looked at one character at a time.
  borderBits = uppers & (((lowers | digits) << 1) | ((uppers << 1) & (lowers >> 1)));
}

/**
 * Tokenises valid UTF-8, which zeros follow: up to 80 more bytes are read. Words of ASCII are cut out of the
 * masks of 64 bytes; all others, and identifiers, are read one character at a time.
 */
function tokenize(ptr: usize, len: usize): void {
  const end = ptr + len;
  let at = ptr;
  while (at < end) {
    classify(at);
    let from: u64 = 0;
    for (;;) {
      // The next byte that is no separator, at or behind `from`.
      const left = (wordBits | specialBits) & (<u64>-1 << from);
      if (left == 0) {
        at += 64;
        break;
      }
      const start = ctz(left);
      let stop = start + ctz(~(wordBits >> start));
      if (stop >= 64) {
        if (start > 0) {
          // The word may go on: look again with it in front.
          at += <usize>start;
          break;
        }
        stop = 64;
      }
      const length = <usize>(stop - start);
      const range = (((<u64>1 << (stop - start)) - 1) | (length == 64 ? <u64>-1 : 0)) << start;
      const odd = stop < 64 ? (specialBits >> stop) & 1 : 1;
      if (length - 1 < 16 && odd == 0 && (borderBits & range & ~(<u64>1 << start)) == 0) {
        const bytes = v128.load(at + <usize>start);
        const capital = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26));
        const lower = v128.or(bytes, v128.and(capital, i8x16.splat(0x20)));
        if (listing) {
          v128.store(part, lower);
          emitListed(part, length);
        } else {
          // A short token is its key, so its bytes need not be anywhere.
          countTerm(termOf(shortKey(lower, length), part, length, true));
          countToken();
        }
        from = stop;
        if (from >= 64) {
          at += 64;
          break;
        }
        continue;
      }
      const reached = slow(at + <usize>start, end);
      if (reached < at + 64) {
        from = <u64>(reached - at);
        continue;
      }
      at = reached;
      break;
    }
  }
}

/** Reads one word, run or separator a character at a time, and answers where it ends. */
function slow(at: usize, end: usize): usize {
  read(at);
  if (kind & WORD) return word(at, end);
  if (kind & PAIRED) return paired(at, end);
  return next;
}

/** The reference's `/[a-z0-9]+/g` on the lower-cased text, in place: the Kelvin sign becomes k and İ becomes i. */
function tokenizeAscii(ptr: usize, len: usize): void {
  const end = ptr + len;
  let at = ptr;
  let out = ptr;
  let start = ptr;
  while (at <= end) {
    let byte: u8 = at < end ? load<u8>(at) : 0;
    let width: usize = 1;
    let stop = false;
    if (byte == 0xe2 && at + 2 < end && load<u8>(at + 1) == 0x84 && load<u8>(at + 2) == 0xaa) {
      byte = 0x6b;
      width = 3;
    } else if (byte == 0xc4 && at + 1 < end && load<u8>(at + 1) == 0xb0) {
      byte = 0x69;
      width = 2;
      stop = true;
    }
    if (byte >= 0x41 && byte <= 0x5a) byte |= 0x20;
    const inWord = (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
    if (inWord) store<u8>(out++, byte);
    if ((!inWord || stop) && out > start) {
      emit(start, out - start, true);
      start = out;
    }
    at += width;
    if (!inWord) {
      out = at;
      start = at;
    }
  }
}

/** Counts the tokens of a text into the document that is being added. */
export function countTokens(ptr: usize, len: usize): void {
  listing = false;
  if (asciiOnly) tokenizeAscii(ptr, len);
  else tokenize(ptr, len);
}

/** Lists the tokens of a query to [out, outEnd), each with its term; answers how many. */
export function listTokens(ptr: usize, len: usize, out: usize, outEnd: usize): u32 {
  listing = true;
  list = out;
  listEnd = outEnd;
  listed = 0;
  if (asciiOnly) tokenizeAscii(ptr, len);
  else tokenize(ptr, len);
  listing = false;
  return listed;
}
