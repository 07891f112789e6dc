/** Blocks of a text in rising order of start, `count` records of `BLOCK_WORDS` 32-bit words one behind the other. */
export interface BlockList {
  words: Uint32Array;
  count: number;
}

/**
 * Words of a record, offsets in UTF-16 code units:
 *
 *   0 kind      one of `block-kinds.ts`
 *   1 depth     list items and quotes around the block; 0 is the document itself
 *   2 start     of the line on which it begins; of a heading its first character
 *   3 end       of its last line that is not blank, terminator left out
 *   4 a  5 b  6 c   by kind, else 0
 *   7 line      of start, 1-based
 */
export const BLOCK_WORDS = 8;

/** The list being written, one at a time. */
export let words = new Uint32Array(0);
let written = 0;

export function beginRecords(): void {
  words = new Uint32Array(256 * BLOCK_WORDS);
  written = 0;
}

/** Writes one record more; answers where it is. */
export function pushRecord(...record: number[]): number {
  const at = written;
  written += BLOCK_WORDS;
  if (written > words.length) {
    const more = new Uint32Array(words.length * 2);
    more.set(words);
    words = more;
  }
  words.set(record, at);
  return at;
}

/** Drops the records behind the one at `at`. */
export function dropAfter(at: number): void {
  written = at + BLOCK_WORDS;
}

/** Ends the list. */
export function takeRecords(): BlockList {
  const list = { words: words.subarray(0, written), count: written / BLOCK_WORDS };
  words = new Uint32Array(0);
  return list;
}
