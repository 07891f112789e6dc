// Postings and their documents. A "document" here is one chunk, numbered in the order of adding; the host names
// it by a row of its own.
//
// A posting is a 32-bit word: the document in the upper 24 bits, how often it has the term in the lower 8. Where
// the lower 8 are full, another word with the whole count follows. Blocks of postings are chained:
//
//   | postings … | next block | own size |      the first block is inside the term's entry (terms.ts),
//                ^ end        4 bytes           the others double from 32 to 4096 bytes

import { alloc, regrow, release } from './heap';
import { DOCUMENTS, END, INLINE, LAST, POSTINGS, termAt, termCount, WRITE } from './terms';

const FIRST_BLOCK: usize = 32;
const LARGEST_BLOCK: usize = 4096;
const TRAILER: usize = 8;
/** In the lower 8 bits: the count is in the next word. */
export const FULL: u32 = 0xff;
/** Documents an index can number. */
const MOST_DOCUMENTS: u32 = 1 << 24;
/** Rows a table in 32 bits of addresses has room for. */
export const MOST_ROWS: u32 = 1 << 29;
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
export let forwards: usize = 0;
let docRoom: u32 = 0;
/** Document by the host's row, plus 1; 0 where the row holds none. */
let docs: usize = 0;
let rowRoom: u32 = 0;

/** Terms of the document that is being added, in the order of their first occurrence. */
let pending: usize = 0;
let pendingRoom: usize = 0;
let pendingCount: usize = 0;
let tokens: u32 = 0;

export function beginDocument(): void {
  assert(docCount < MOST_DOCUMENTS);
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

/** Chains another block to a term's last one and answers where to write. */
function nextBlock(term: usize, end: usize): usize {
  let size = FIRST_BLOCK;
  if (end == 0) {
    // The first of all is in the entry.
    const first = term + POSTINGS;
    store<u32>(term, <u32>(first + INLINE), END);
    return first;
  }
  const own = <usize>load<u32>(end, 4);
  if (own != 0) size = min(own << 1, LARGEST_BLOCK);
  const block = alloc(size);
  const blockEnd = block + size - TRAILER;
  store<u32>(end, <u32>block);
  store<u32>(blockEnd, 0);
  store<u32>(blockEnd, <u32>size, 4);
  store<u32>(term, <u32>blockEnd, END);
  return block;
}

@inline
export function append(term: usize, word: u32): void {
  let at = <usize>load<u32>(term, WRITE);
  const end = <usize>load<u32>(term, END);
  if (at == end) at = nextBlock(term, end);
  store<u32>(at, word);
  store<u32>(term, <u32>(at + 4), WRITE);
}

/** Counts one more occurrence where the document has the term already. */
@inline
function again(term: usize, doc: u32): void {
  const at = <usize>load<u32>(term, WRITE) - 4;
  const word = load<u32>(at);
  // A whole count in the last word could look like a short posting: the one before it then tells.
  if (load<u32>(term, LAST) & WHOLE) {
    store<u32>(at, word + 1);
  } else if ((word & FULL) < FULL - 1) {
    store<u32>(at, word + 1);
  } else {
    store<u32>(at, word | FULL);
    append(term, FULL);
    store<u32>(term, doc | WHOLE, LAST);
  }
}

/** In a term's latest document: its count has a word of its own. */
export const WHOLE: u32 = 0x80000000;

/** Counts one occurrence of a term in the document that is being added. */
@inline
export function countTerm(term: usize): void {
  const doc = docCount + 1;
  if ((load<u32>(term, LAST) & ~WHOLE) == doc) {
    again(term, doc);
    return;
  }
  store<u32>(term, doc, LAST);
  store<u32>(term, load<u32>(term, DOCUMENTS) + 1, DOCUMENTS);
  append(term, (docCount << 8) | 1);
  if (pendingCount == pendingRoom) morePending();
  store<u32>(pending + (pendingCount << 2), <u32>term);
  pendingCount++;
}

function morePending(): void {
  const room = pendingRoom == 0 ? <usize>256 : pendingRoom << 1;
  pending = regrow(pending, pendingRoom << 2, room << 2);
  pendingRoom = room;
}

@inline
export function countToken(): void {
  tokens++;
}

/** Ends the document that is being added and gives it the host's row. */
export function endDocument(row: u32): void {
  const list = alloc((pendingCount + 1) << 2);
  store<u32>(list, <u32>pendingCount);
  memory.copy(list + 4, pending, pendingCount << 2);
  addDocument(row, tokens, list);
}

/** Numbers the document that was begun: its row, its length in tokens, and its terms behind how many they are. */
export function addDocument(row: u32, length: u32, list: usize): void {
  const slot = <usize>docCount << 2;
  store<u32>(lengths + slot, length);
  store<u32>(rows + slot, row);
  store<u32>(forwards + slot, <u32>list);
  if (row >= rowRoom) {
    assert(row < MOST_ROWS);
    let room: u32 = rowRoom == 0 ? 1 << 8 : rowRoom;
    while (room <= row) room <<= 1;
    docs = regrow(docs, <usize>rowRoom << 2, <usize>room << 2);
    rowRoom = room;
  }
  docCount++;
  store<u32>(docs + (<usize>row << 2), docCount);
  liveDocs++;
  liveTokens += <f64>length;
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
    const term = <usize>load<u32>(list + 4 + (<usize>i << 2));
    store<u32>(term, load<u32>(term, DOCUMENTS) - 1, DOCUMENTS);
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
let blockEnd: usize = 0;
/** Document and count of the posting that `nextPosting` went to. */
export let postingDoc: u32 = 0;
export let postingCount: u32 = 0;

/** Starts to read a term's postings. */
export function openTerm(term: usize): void {
  cursor = term + POSTINGS;
  cursorEnd = <usize>load<u32>(term, WRITE);
  if (cursorEnd == 0) cursorEnd = cursor;
  blockEnd = cursor + INLINE;
}

@inline
function nextWord(): u32 {
  if (cursor == blockEnd) {
    cursor = <usize>load<u32>(blockEnd);
    // A block knows the size of the next: it is twice its own, and the entry's is followed by the smallest.
    const own = <usize>load<u32>(blockEnd, 4);
    blockEnd = cursor + (own == 0 ? FIRST_BLOCK : min(own << 1, LARGEST_BLOCK)) - TRAILER;
  }
  const word = load<u32>(cursor);
  cursor += 4;
  return word;
}

/** Goes to the next posting of the opened term, in the order of documents; false after the last one. */
@inline
export function nextPosting(): bool {
  if (cursor == cursorEnd) return false;
  const word = nextWord();
  postingDoc = word >> 8;
  postingCount = word & FULL;
  if (postingCount == FULL) postingCount = nextWord();
  return true;
}

// --- compaction --------------------------------------------------------------------------------

/** Frees a term's blocks and forgets its postings. */
function dropPostings(term: usize): void {
  let end = term + POSTINGS + INLINE;
  let size = FIRST_BLOCK;
  let block = <usize>load<u32>(end);
  while (block != 0) {
    end = block + size - TRAILER;
    const following = <usize>load<u32>(end);
    release(block, size);
    block = following;
    size = min(size << 1, LARGEST_BLOCK);
  }
  store<u32>(term, 0, LAST);
  store<u32>(term, 0, WRITE);
  store<u32>(term, 0, END);
  memory.fill(term + POSTINGS, 0, INLINE + TRAILER);
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
  for (let number: u32 = 0; number < termCount; number++) {
    const term = termAt(number);
    let count: usize = 0;
    openTerm(term);
    while (nextPosting()) {
      const slot = <usize>postingDoc << 2;
      if (load<u32>(lengths + slot) == DEAD) continue;
      if (count == room) {
        const more = room == 0 ? <usize>256 : room << 1;
        list = regrow(list, room << 3, more << 3);
        room = more;
      }
      store<u32>(list + (count << 3), load<u32>(fresh + slot));
      store<u32>(list + (count << 3), postingCount, 4);
      count++;
    }
    dropPostings(term);
    for (let i: usize = 0; i < count; i++) {
      const doc = load<u32>(list + (i << 3));
      const times = load<u32>(list + (i << 3), 4);
      append(term, (doc << 8) | min(times, FULL));
      if (times >= FULL) append(term, times);
    }
  }
  for (let doc: u32 = 0; doc < had; doc++) {
    const length = load<u32>(lengths + (<usize>doc << 2));
    if (length != DEAD) store<u32>(lengths + (<usize>load<u32>(fresh + (<usize>doc << 2)) << 2), length);
  }
  docCount = live;
  release(fresh, (<usize>had + 1) << 2);
  if (room > 0) release(list, room << 3);
}
