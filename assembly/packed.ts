// The words of an index as a stream of bytes, and back. Numbers are LEB128 of at most 32 bits:
//
//   chunks   tokens, terms                                of each chunk
//   terms    length, UTF-8, postings                      of each term, and for each of its postings
//              skipped << 1 | repeated, [count − 2]
//
// Chunks are the live documents in the order of adding; terms come in the order in which the dictionary got them,
// those of dead documents alone left out. "Skipped" are the chunks between a posting's and that of the posting
// before it, or in front of the first, so a stream cannot name one chunk twice. A count of 1 is not spelled out.
//
// src/kernel/packed.ts and js-lexical.ts are the twin.

import { alloc, regrow, release } from './heap';
import {
  addDocument, append, beginDocument, DEAD, docCount, docOf, forwards, FULL, lengths, liveDocs, MOST_ROWS, nextPosting,
  openTerm, postingCount, postingDoc, WHOLE,
} from './postings';
import { DOCUMENTS, LAST, termAt, termCount, termOfBytes, tokenAt, tokenLength } from './terms';

/** In place of a number: there is none. No field may have it as its value. In place of a row: leave the chunk out. */
const NONE: u32 = 0xffffffff;

// --- writing -----------------------------------------------------------------------------------

let packed: usize = 0;
let to: usize = 0;
/** Bytes of the packed stream, and of the block it is in, which the host releases. */
export let packedBytes: usize = 0;
export let packedRoom: usize = 0;

/** Makes room for so many more bytes. */
function ensure(bytes: usize): void {
  const used = to - packed;
  if (used + bytes <= packedRoom) return;
  const wanted = max(used + bytes, packedRoom << 1);
  packed = regrow(packed, packedRoom, wanted);
  packedRoom = wanted;
  to = packed + used;
}

function put(value: u32): void {
  while (value >= 0x80) {
    store<u8>(to++, <u8>(value | 0x80));
    value >>= 7;
  }
  store<u8>(to++, <u8>value);
}

/** Packs what is live; answers where the stream begins. */
export function pack(): usize {
  packed = 0;
  to = 0;
  packedRoom = 0;
  ensure(10 + <usize>liveDocs * 10);
  const fresh = alloc((<usize>docCount + 1) << 2);
  let live: u32 = 0;
  put(liveDocs);
  for (let doc: u32 = 0; doc < docCount; doc++) {
    const slot = <usize>doc << 2;
    const length = load<u32>(lengths + slot);
    store<u32>(fresh + slot, length == DEAD ? NONE : live);
    if (length == DEAD) continue;
    put(length);
    put(load<u32>(<usize>load<u32>(forwards + slot)));
    live++;
  }
  let terms: u32 = 0;
  for (let number: u32 = 0; number < termCount; number++) {
    if (load<u32>(termAt(number), DOCUMENTS) > 0) terms++;
  }
  put(terms);
  for (let number: u32 = 0; number < termCount; number++) {
    const term = termAt(number);
    const documents = load<u32>(term, DOCUMENTS);
    if (documents == 0) continue;
    const length = tokenLength(term);
    // A document's number is 24 bits, so a posting with its count takes 4 bytes and 5.
    ensure(10 + length + <usize>documents * 9);
    put(<u32>length);
    memory.copy(to, tokenAt(term), length);
    to += length;
    put(documents);
    let expected: u32 = 0;
    openTerm(term);
    while (nextPosting()) {
      const chunk = load<u32>(fresh + (<usize>postingDoc << 2));
      if (chunk == NONE) continue;
      const repeated = postingCount > 1;
      put(((chunk - expected) << 1) | <u32>repeated);
      if (repeated) put(postingCount - 2);
      expected = chunk + 1;
    }
  }
  release(fresh, (<usize>docCount + 1) << 2);
  packedBytes = to - packed;
  return packed;
}

// --- reading -----------------------------------------------------------------------------------

let from: usize = 0;
let until: usize = 0;

/** The next number, or NONE where the stream ends within it or it has more than 32 bits. */
function take(): u32 {
  let value: u32 = 0;
  for (let shift: u32 = 0; from < until; shift += 7) {
    const byte = <u32>load<u8>(from++);
    if (shift == 28 && byte > 15) return NONE;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  return NONE;
}

/** The same, quicker where there are many: most are of one byte. */
@inline
function next(): u32 {
  if (from < until) {
    const byte = <u32>load<u8>(from);
    if (byte < 0x80) {
      from++;
      return byte;
    }
  }
  return take();
}

/** False for bytes that are no token: not UTF-8, or with a zero, which keys are padded with. */
function isToken(at: usize, length: usize): bool {
  const end = at + length;
  while (at < end) {
    const first = <u32>load<u8>(at++);
    if (first == 0) return false;
    if (first < 0x80) continue;
    if (first < 0xc2 || first > 0xf4) return false;
    const more: u32 = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    let point = first & (0x3f >> more);
    for (let i: u32 = 0; i < more; i++) {
      const byte: u32 = at < end ? load<u8>(at++) : 0;
      if ((byte & 0xc0) != 0x80) return false;
      point = (point << 6) | (byte & 0x3f);
    }
    const least: u32 = more == 1 ? 0x80 : more == 2 ? 0x800 : 0x10000;
    if (point < least || point > 0x10ffff || point >> 11 == 0x1b) return false;
  }
  return true;
}

/** A chunk that is being read: its document, where its list of terms goes on, where that must end. */
const CHUNK: usize = 12;

/**
 * Adds the chunks of the stream of `length` bytes at `at`, which 16 more may be read behind, under the host's
 * rows. False for a malformed stream, half of which may have been added by then.
 */
export function unpack(at: usize, length: usize, rowList: usize, rowCount: u32): bool {
  // Longer ones would overflow sums of addresses below.
  if (length >> 28) return false;
  from = at;
  until = at + length;
  const chunkCount = take();
  if (chunkCount != rowCount || chunkCount > <u32>length) return false;
  const base = docCount;
  const chunks = alloc(<usize>chunkCount * CHUNK);
  // Every posting takes a byte, so no stream makes lists longer than itself.
  let left = <u32>length;
  for (let i: u32 = 0; i < chunkCount; i++) {
    const tokens = take();
    const terms = take();
    if (tokens == NONE || terms > left) return false;
    left -= terms;
    const row = load<u32>(rowList + (<usize>i << 2));
    const chunk = chunks + <usize>i * CHUNK;
    let doc = NONE;
    // A chunk that is left out has its terms counted and not listed.
    let list: usize = 0;
    if (row != NONE) {
      if (row >= MOST_ROWS || docOf(row) != 0) return false;
      beginDocument();
      doc = docCount;
      list = alloc((<usize>terms + 1) << 2);
      store<u32>(list, terms);
      addDocument(row, tokens, list);
      list += 4;
    }
    store<u32>(chunk, doc);
    store<u32>(chunk, <u32>list, 4);
    store<u32>(chunk, <u32>list + (terms << 2), 8);
  }
  for (let terms = take(); terms > 0; terms--) {
    const size = <usize>next();
    const token = from;
    // No size and no postings come out as the largest of numbers.
    if (size - 1 >= until - from || !isToken(token, size)) return false;
    from += size;
    let postings = next();
    if (postings - 1 >= chunkCount) return false;
    let term: usize = 0;
    let expected: u32 = 0;
    let documents: u32 = 0;
    let last: u32 = 0;
    for (; postings > 0; postings--) {
      const word = next();
      const number = expected + (word >> 1);
      if (number >= chunkCount) return false;
      expected = number + 1;
      let count: u32 = 1;
      if (word & 1) {
        count = next() + 2;
        if (count < 2) return false;
      }
      const chunk = chunks + <usize>number * CHUNK;
      const slot = load<u32>(chunk, 4);
      if (slot == load<u32>(chunk, 8)) return false;
      store<u32>(chunk, slot + 4, 4);
      const doc = load<u32>(chunk);
      if (doc == NONE) continue;
      if (term == 0) {
        term = termOfBytes(token, size, true);
        // The stream had this term before.
        if ((load<u32>(term, LAST) & ~WHOLE) > base) return false;
      }
      store<u32>(<usize>slot, <u32>term);
      append(term, (doc << 8) | min(count, FULL));
      last = doc + 1;
      if (count >= FULL) {
        append(term, count);
        last |= WHOLE;
      }
      documents++;
    }
    if (term == 0) continue;
    store<u32>(term, load<u32>(term, DOCUMENTS) + documents, DOCUMENTS);
    store<u32>(term, last, LAST);
  }
  if (from != until) return false;
  for (let i: u32 = 0; i < chunkCount; i++) {
    const chunk = chunks + <usize>i * CHUNK;
    if (load<u32>(chunk, 4) != load<u32>(chunk, 8)) return false;
  }
  release(chunks, <usize>chunkCount * CHUNK);
  return true;
}
