// Postings and their documents. A "document" here is one chunk, numbered in the order of adding; the host names
// it by a row of its own.
//
// A term's postings are bytes in a chain of blocks: the distance to the document before, doubled, plus 1 where
// the term occurs once; else the count follows. Both are varints. The posting of a term's latest document is
// still open, in the term's record, and is written when another document turns up.
//
//   block:  | bytes …          | next block | own size |
//            ^ written to `end`  ^ end        4 bytes
//
// Blocks double from 32 to 4096 bytes, and what is left of a full one begins with a zero byte, which no posting does.

import { alloc, regrow, release } from './heap';
import { TERM_BITS, termCount, terms } from './terms';

const FIRST_BLOCK: usize = 32;
const TRAILER: usize = 8;
/** The most that the two varints of a posting take. */
const LONGEST: usize = 10;
const LARGEST_BLOCK: usize = 4096;
/** In place of a document's length: it was removed. */
export const DEAD: u32 = 0xffffffff;

export let docCount: u32 = 0;
export let liveDocs: u32 = 0;
/** Tokens of all live documents. */
export let liveTokens: f64 = 0;
/** Length in tokens by document, or DEAD. */
export let lengths: usize = 0;
/** The host's row by document. */
export let rows: usize = 0;
/** The terms of a document, for its removal, by document. */
let forwards: usize = 0;
let docRoom: u32 = 0;
/** Document by the host's row, plus 1; 0 where the row holds none. */
let docs: usize = 0;
let rowRoom: u32 = 0;

/** Terms of the document that is being added, each with its number, in the order of their first occurrence. */
let pending: usize = 0;
let pendingRoom: usize = 0;
let pendingCount: usize = 0;
let tokens: u32 = 0;

export function beginDocument(): void {
  pendingCount = 0;
  tokens = 0;
  if (docCount == docRoom) {
    const room: u32 = docRoom == 0 ? 1 << 8 : docRoom << 1;
    const had = <usize>docRoom << 2;
    const want = <usize>room << 2;
    lengths = regrow(lengths, had, want);
    rows = regrow(rows, had, want);
    forwards = regrow(forwards, had, want);
    docRoom = room;
  }
}

@inline
function varint(at: usize, value: u32): usize {
  while (value >= 0x80) {
    store<u8>(at++, <u8>(value | 0x80));
    value >>= 7;
  }
  store<u8>(at++, <u8>value);
  return at;
}

/** Chains another block to a term's last one and answers where to write. */
function nextBlock(record: usize, at: usize, end: usize): usize {
  const size = at == 0 ? FIRST_BLOCK : min(<usize>load<u32>(end, 4) << 1, LARGEST_BLOCK);
  const block = alloc(size);
  if (at == 0) {
    store<u32>(record, <u32>block, 12);
  } else {
    if (at < end) store<u8>(at, 0);
    store<u32>(end, <u32>block);
  }
  const blockEnd = block + size - TRAILER;
  store<u32>(blockEnd, 0);
  store<u32>(blockEnd, <u32>size, 4);
  store<u32>(record, <u32>blockEnd, 20);
  return block;
}

/** Writes the open posting of a term. */
function flush(record: usize): void {
  const doc = load<u32>(record) - 1;
  const count = load<u32>(record, 4);
  let at = <usize>load<u32>(record, 16);
  const end = <usize>load<u32>(record, 20);
  if (at == 0 || at + LONGEST > end) at = nextBlock(record, at, end);
  const distance = doc - (load<u32>(record, 24) - 1);
  if (count == 1) at = varint(at, (distance << 1) | 1);
  else at = varint(varint(at, distance << 1), count);
  store<u32>(record, <u32>at, 16);
  store<u32>(record, doc + 1, 24);
}

/** Counts one occurrence of a term in the document that is being added. */
@inline
export function countTerm(term: u32): void {
  const record = terms + (<usize>term << TERM_BITS);
  const doc = docCount + 1;
  if (load<u32>(record) == doc) {
    store<u32>(record, load<u32>(record, 4) + 1, 4);
    return;
  }
  openPosting(record, term, doc, 1);
}

function openPosting(record: usize, term: u32, doc: u32, count: u32): void {
  if (load<u32>(record) != 0) flush(record);
  store<u32>(record, doc);
  store<u32>(record, count, 4);
  store<u32>(record, load<u32>(record, 8) + 1, 8);
  if (pendingCount == pendingRoom) {
    const room = pendingRoom == 0 ? <usize>256 : pendingRoom << 1;
    pending = regrow(pending, pendingRoom << 2, room << 2);
    pendingRoom = room;
  }
  store<u32>(pending + (pendingCount << 2), term);
  pendingCount++;
}

@inline
export function countToken(): void {
  tokens++;
}

/** Ends the document that is being added and gives it the host's row. */
export function endDocument(row: u32): void {
  const doc = docCount;
  const slot = <usize>doc << 2;
  const list = alloc((pendingCount + 1) << 2);
  store<u32>(list, <u32>pendingCount);
  memory.copy(list + 4, pending, pendingCount << 2);
  store<u32>(lengths + slot, tokens);
  store<u32>(rows + slot, row);
  store<u32>(forwards + slot, <u32>list);
  if (row >= rowRoom) {
    let room: u32 = rowRoom == 0 ? 1 << 8 : rowRoom;
    while (room <= row) room <<= 1;
    docs = regrow(docs, <usize>rowRoom << 2, <usize>room << 2);
    rowRoom = room;
  }
  store<u32>(docs + (<usize>row << 2), doc + 1);
  docCount++;
  liveDocs++;
  liveTokens += <f64>tokens;
}

/** The document in a row, plus 1; 0 where there is none. */
@inline
export function docOf(row: u32): u32 {
  return row < rowRoom ? load<u32>(docs + (<usize>row << 2)) : 0;
}

/** Removes the document in a row, its share of every statistic included; false where there is none. */
export function removeRow(row: u32): bool {
  const doc = docOf(row);
  if (doc == 0) return false;
  const slot = <usize>(doc - 1) << 2;
  const list = <usize>load<u32>(forwards + slot);
  const count = load<u32>(list);
  for (let i: u32 = 0; i < count; i++) {
    const record = terms + (<usize>load<u32>(list + 4 + (<usize>i << 2)) << TERM_BITS);
    store<u32>(record, load<u32>(record, 8) - 1, 8);
  }
  release(list, (<usize>count + 1) << 2);
  store<u32>(forwards + slot, 0);
  liveTokens -= <f64>load<u32>(lengths + slot);
  liveDocs--;
  store<u32>(lengths + slot, DEAD);
  store<u32>(docs + (<usize>row << 2), 0);
  return true;
}

// --- reading -----------------------------------------------------------------------------------

let cursor: usize = 0;
let cursorEnd: usize = 0;
let cursorTerm: usize = 0;
let blockEnd: usize = 0;
let blockSize: usize = 0;
let openLeft = false;
/** Document and count of the posting that `nextPosting` went to. */
export let postingDoc: u32 = 0;
export let postingCount: u32 = 0;

@inline
function readVarint(): u32 {
  let byte = <u32>load<u8>(cursor++);
  let value = byte & 0x7f;
  let shift: u32 = 7;
  while (byte >= 0x80) {
    byte = <u32>load<u8>(cursor++);
    value |= (byte & 0x7f) << shift;
    shift += 7;
  }
  return value;
}

/** Starts to read a term's postings. */
export function openTerm(term: u32): void {
  cursorTerm = terms + (<usize>term << TERM_BITS);
  cursor = <usize>load<u32>(cursorTerm, 12);
  cursorEnd = <usize>load<u32>(cursorTerm, 16);
  blockSize = FIRST_BLOCK;
  blockEnd = cursor + FIRST_BLOCK - TRAILER;
  postingDoc = <u32>-1;
  openLeft = load<u32>(cursorTerm) != 0;
}

/** Goes to the next posting of the opened term, in the order of documents; false after the last one. */
@inline
export function nextPosting(): bool {
  if (cursor != cursorEnd) {
    if (cursor == blockEnd || load<u8>(cursor) == 0) {
      cursor = <usize>load<u32>(blockEnd);
      blockSize = min(blockSize << 1, LARGEST_BLOCK);
      blockEnd = cursor + blockSize - TRAILER;
    }
    const head = readVarint();
    postingDoc += head >> 1;
    postingCount = head & 1 ? 1 : readVarint();
    return true;
  }
  if (!openLeft) return false;
  openLeft = false;
  postingDoc = load<u32>(cursorTerm) - 1;
  postingCount = load<u32>(cursorTerm, 4);
  return true;
}

// --- compaction --------------------------------------------------------------------------------

/** Frees a term's blocks. */
function dropBlocks(record: usize): void {
  let block = <usize>load<u32>(record, 12);
  let size = FIRST_BLOCK;
  while (block != 0) {
    const following = <usize>load<u32>(block + size - TRAILER);
    release(block, size);
    block = following;
    size = min(size << 1, LARGEST_BLOCK);
  }
  memory.fill(record, 0, 28);
}

/** Leaves out what was removed: live documents are numbered anew, in their order, and postings written afresh. */
export function compact(): void {
  const had = docCount;
  const fresh = alloc((<usize>had + 1) << 2);
  let live: u32 = 0;
  for (let doc: u32 = 0; doc < had; doc++) {
    const from = <usize>doc << 2;
    store<u32>(fresh + from, live);
    if (load<u32>(lengths + from) == DEAD) continue;
    const to = <usize>live << 2;
    const row = load<u32>(rows + from);
    // The old lengths tell the dead until all postings are read, so they move last.
    store<u32>(rows + to, row);
    store<u32>(forwards + to, load<u32>(forwards + from));
    store<u32>(docs + (<usize>row << 2), live + 1);
    live++;
  }
  let list: usize = 0;
  let room: usize = 0;
  for (let term: u32 = 0; term < termCount; term++) {
    const record = terms + (<usize>term << TERM_BITS);
    let count: usize = 0;
    openTerm(term);
    while (nextPosting()) {
      const slot = <usize>postingDoc << 2;
      if (load<u32>(lengths + slot) == DEAD) continue;
      if (count == room) {
        list = regrow(list, room << 3, (room == 0 ? 256 : room << 1) << 3);
        room = room == 0 ? 256 : room << 1;
      }
      store<u32>(list + (count << 3), load<u32>(fresh + slot));
      store<u32>(list + (count << 3), postingCount, 4);
      count++;
    }
    dropBlocks(record);
    for (let i: usize = 0; i < count; i++) {
      if (i > 0) flush(record);
      store<u32>(record, load<u32>(list + (i << 3)) + 1);
      store<u32>(record, load<u32>(list + (i << 3), 4), 4);
    }
    store<u32>(record, <u32>count, 8);
  }
  for (let doc: u32 = 0; doc < had; doc++) {
    const length = load<u32>(lengths + (<usize>doc << 2));
    if (length != DEAD) store<u32>(lengths + (<usize>load<u32>(fresh + (<usize>doc << 2)) << 2), length);
  }
  docCount = live;
  release(fresh, (<usize>had + 1) << 2);
  if (room > 0) release(list, room << 3);
}
