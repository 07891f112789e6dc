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

/** Room for most documents, which is kept from scan to scan. */
const usual = new Uint32Array(4096);

/** The list being written, one at a time. */
export let words = usual;
let written = 0;

export function beginRecords(): void {
  written = 0;
}

/** Writes one record more; answers where it is. */
export function pushRecord(
  kind: number,
  depth: number,
  start: number,
  end: number,
  a: number,
  b: number,
  c: number,
  line: number,
): number {
  const at = written;
  written += BLOCK_WORDS;
  if (written > words.length) {
    const more = new Uint32Array(words.length * 2);
    more.set(words);
    words = more;
  }
  words[at] = kind;
  words[at + 1] = depth;
  words[at + 2] = start;
  words[at + 3] = end;
  words[at + 4] = a;
  words[at + 5] = b;
  words[at + 6] = c;
  words[at + 7] = line;
  return at;
}

/** Drops the records behind the one at `at`. */
export function dropAfter(at: number): void {
  written = at + BLOCK_WORDS;
}

/** Ends the list. */
export function takeRecords(): BlockList {
  const list = { words: words.slice(0, written), count: written / BLOCK_WORDS };
  words = usual;
  return list;
}
