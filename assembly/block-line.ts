// The line that the block scan reads, and the marks that may stand on it. The twin of src/kernel/block-line.ts; places
// are addresses of bytes.

const TAB: u32 = 0x09;
const LF: u8 = 0x0a;
const CR: u8 = 0x0d;
const SPACE: u32 = 0x20;
const PLUS: u32 = 0x2b;
const DASH: u32 = 0x2d;
const EQUALS: u32 = 0x3d;
const STAR: u32 = 0x2a;
const UNDERSCORE: u32 = 0x5f;

export let textStart: usize = 0;
export let textEnd: usize = 0;

export let lineStart: usize = 0;
export let lineEnd: usize = 0;
export let line: u32 = 0;
/** Where its containers' marks end, in columns, and behind that the next character that is no blank. */
let column: u32 = 0;
export let next: usize = 0;
/** Columns between the two. */
export let indent: u32 = 0;
export let blank: bool = false;
/** No thematic break begins on this line before here. */
let unbroken: usize = 0;

export function readText(start: usize, end: usize): void {
  textStart = start;
  textEnd = end;
  line = 0;
}

@inline
export function code(at: usize): u32 {
  return load<u8>(at);
}

@inline
export function isBlank(c: u32): bool {
  return c == SPACE || c == TAB;
}

@inline
export function isDigit(c: u32): bool {
  return c - 0x30 <= 9;
}

/** Takes the line from `at`. */
@inline
export function beginLine(at: usize): void {
  lineStart = at;
  line++;
  let mask: u32 = 0;
  for (; at < textEnd; at += 16) {
    const block = v128.load(at);
    mask = i8x16.bitmask(v128.or(i8x16.eq(block, i8x16.splat(LF)), i8x16.eq(block, i8x16.splat(CR))));
    if (mask != 0) break;
  }
  lineEnd = mask == 0 ? textEnd : min(textEnd, at + <usize>ctz(mask));
}

@inline
export function afterLine(): usize {
  return lineEnd + (load<u16>(lineEnd) == 0x0a0d ? 2 : 1);
}

/** Begins with the containers' marks of the line: there are none yet. */
@inline
export function lookFirst(): void {
  column = 0;
  unbroken = 0;
  look(lineStart);
}

/** Looks ahead to the next character that is neither space nor tab. */
function look(from: usize): void {
  let columns = column;
  while (from < lineEnd) {
    const c = code(from);
    if (c == SPACE) columns++;
    else if (c == TAB) columns += 4 - (columns & 3);
    else break;
    from++;
  }
  next = from;
  indent = columns - column;
  blank = from >= lineEnd;
}

/** Moves over columns of white space, into the middle of a tab if need be. */
@inline
export function skip(columns: u32): void {
  column += columns;
  indent -= columns;
}

/** Moves over a mark of so many characters. */
export function pass(mark: u32): void {
  column += indent + mark;
  look(next + mark);
}

/** Moves over the mark of a quote. */
export function passQuote(): void {
  pass(1);
  if (indent > 0) skip(1);
}

export function blanksEnd(from: usize): usize {
  while (from < lineEnd && isBlank(code(from))) from++;
  return from;
}

export function runEnd(from: usize, mark: u32): usize {
  while (from < lineEnd && code(from) == mark) from++;
  return from;
}

export function trimmedEnd(from: usize, to: usize): usize {
  while (to > from && isBlank(code(to - 1))) to--;
  return to;
}

export function isThematicBreak(): bool {
  const mark = code(next);
  if ((mark != STAR && mark != DASH && mark != UNDERSCORE) || next < unbroken) return false;
  let count = 0;
  for (let at = next; at < lineEnd; at++) {
    const c = code(at);
    if (c == mark) count++;
    else if (!isBlank(c)) {
      // Each item of `- - - x` would look up to the x.
      unbroken = at;
      return false;
    }
  }
  return count >= 3;
}

/** The level of a setext underline, or 0. */
export function underline(): u32 {
  const mark = code(next);
  if (mark != EQUALS && mark != DASH) return 0;
  return blanksEnd(runEnd(next, mark)) == lineEnd ? (mark == EQUALS ? 1 : 2) : 0;
}

/** Columns of the list marker at `next`, or 0. */
export function listMarker(inParagraph: bool): u32 {
  const c = code(next);
  let end = next + 1;
  if (c != STAR && c != PLUS && c != DASH) {
    if (!isDigit(c)) return 0;
    // Of up to nine digits; the tenth would make it another number, and no mark.
    let value = c - 0x30;
    while (end < lineEnd && end - next < 10 && isDigit(code(end))) value = value * 10 + code(end++) - 0x30;
    if (end - next > 9 || end >= lineEnd || (code(end) != 0x2e && code(end) != 0x29)) return 0;
    // Only a list that starts with 1 may interrupt a paragraph.
    if (inParagraph && value != 1) return 0;
    end++;
  }
  if (end < lineEnd && !isBlank(code(end))) return 0;
  if (inParagraph && blanksEnd(end) == lineEnd) return 0;
  return <u32>(end - next);
}
