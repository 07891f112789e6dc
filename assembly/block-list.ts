// The records of blocks, in the results of the arena: eight words each, kind, depth, start, end, a, b, c, line.
import { textStart } from './block-line';
import { beginResults, dropResults, results, room, top } from './memory';
import { countedTo, countFrom } from './utf8';

// Kinds of blocks, as in src/kernel/block-kinds.ts.
export const ATX: u32 = 1;
export const SETEXT: u32 = 2;
export const PARAGRAPH: u32 = 3;
export const FENCE: u32 = 4;
export const INDENTED: u32 = 5;
export const HTML: u32 = 6;
export const TABLE: u32 = 7;
export const ITEM: u32 = 8;
export const BREAK: u32 = 9;
export const FRONT_MATTER: u32 = 10;

const RECORD: usize = 32;

export function beginRecords(): void {
  beginResults();
}

/** Records there are. */
export function written(): u32 {
  return <u32>(top - results()) / <u32>RECORD;
}

@inline
export function place(at: usize): u32 {
  return <u32>(at - textStart);
}

/** Writes one record more; answers where it is. */
export function pushRecord(kind: u32, depth: u32, start: usize, end: usize, line: u32): usize {
  const at = room(RECORD >> 2);
  store<u32>(at, kind);
  store<u32>(at, depth, 4);
  store<u32>(at, place(start), 8);
  store<u32>(at, place(end), 12);
  fill(at, 0, 0, 0);
  store<u32>(at, line, 28);
  return at;
}

/** Writes a, b and c of a record. */
export function fill(at: usize, a: u32, b: u32, c: u32): void {
  store<u32>(at, a, 16);
  store<u32>(at, b, 20);
  store<u32>(at, c, 24);
}

/** Drops the records behind the one at `at`. */
export function dropAfter(at: usize): void {
  dropResults(at + RECORD);
}

/** Turns the offsets of all records into UTF-16 code units, in place. They rise from field to field. */
export function blockUnits(): void {
  countFrom(textStart);
  for (let at = results(); at < top; at += RECORD) {
    const kind = load<u32>(at);
    toUnits(at + 8);
    if (kind == FENCE || kind == TABLE) toUnits(at + 16);
    if (kind <= SETEXT || kind == FENCE || kind == TABLE) toUnits(at + 20);
    if (kind <= SETEXT || kind == FENCE) toUnits(at + 24);
    toUnits(at + 12);
  }
}

function toUnits(field: usize): void {
  store<u32>(field, countedTo(textStart + load<u32>(field)));
}
