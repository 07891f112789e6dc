/** The line that the block scan reads, and the marks that may stand on it. One scan at a time. */
import { isBlankCode } from './lines.ts';

const TAB = 0x09;
const SPACE = 0x20;
const PLUS = 0x2b;
const DASH = 0x2d;
const EQUALS = 0x3d;
const STAR = 0x2a;
const UNDERSCORE = 0x5f;
const BACKTICK = 0x60;
const PIPE = 0x7c;
const TILDE = 0x7e;

export let text = '';
export let lineStart = 0;
export let lineEnd = 0;
export let line = 0;
let nextLf = 0;
let nextCr = 0;
/** Where its containers' marks end, in columns, and behind that the next character that is no blank. */
let column = 0;
export let next = 0;
/** Columns between the two. */
export let indent = 0;
export let blank = false;
/** No thematic break begins on this line before here. */
let unbroken = 0;

/** Begins a scan, or with '' ends it, so that nothing of a text is kept. */
export function readText(source: string): void {
  text = source;
  line = 0;
  nextLf = nextCr = -1;
}

/** Begins with the containers' marks of the line: there are none yet. */
export function lookFirst(): void {
  column = 0;
  unbroken = 0;
  look(lineStart);
}

export const code = (at: number): number => text.charCodeAt(at);
const isDigit = (c: number): boolean => c >= 0x30 && c <= 0x39;

/** Looks ahead to the next character that is neither space nor tab. */
function look(from: number): void {
  let columns = column;
  next = from;
  while (next < lineEnd) {
    const c = code(next);
    if (c === SPACE) columns++;
    else if (c === TAB) columns += 4 - (columns % 4);
    else break;
    next++;
  }
  indent = columns - column;
  blank = next >= lineEnd;
}

/** Moves over columns of white space, into the middle of a tab if need be. */
export function skip(columns: number): void {
  column += columns;
  indent -= columns;
}

/** Moves over a mark of so many characters, then over so many columns of the white space behind it. */
export function pass(mark: number): void {
  column += indent + mark;
  look(next + mark);
}

export function restBlank(from: number): boolean {
  let at = from;
  while (at < lineEnd && isBlankCode(code(at))) at++;
  return at >= lineEnd;
}

export function runEnd(from: number, of: number): number {
  let at = from;
  while (at < lineEnd && code(at) === of) at++;
  return at;
}

export function trimmedEnd(from: number, end: number): number {
  let to = end;
  while (to > from && isBlankCode(code(to - 1))) to--;
  return to;
}

export function isThematicBreak(): boolean {
  const mark = code(next);
  if ((mark !== STAR && mark !== DASH && mark !== UNDERSCORE) || next < unbroken) return false;
  let count = 0;
  for (let at = next; at < lineEnd; at++) {
    const c = code(at);
    if (c === mark) count++;
    else if (!isBlankCode(c)) {
      // Each item of `- - - x` would look up to the x.
      unbroken = at;
      return false;
    }
  }
  return count >= 3;
}

/** The level of a setext underline, or 0. */
export function underline(): number {
  const mark = code(next);
  if (mark !== EQUALS && mark !== DASH) return 0;
  return restBlank(runEnd(next, mark)) ? (mark === EQUALS ? 1 : 2) : 0;
}

/** Columns of the list marker at `next`, or 0. */
export function listMarker(inParagraph: boolean): number {
  const c = code(next);
  let end = next + 1;
  if (c !== STAR && c !== PLUS && c !== DASH) {
    if (!isDigit(c)) return 0;
    let value = c - 0x30;
    while (end < lineEnd && end - next < 10 && isDigit(code(end))) value = value * 10 + code(end++) - 0x30;
    if (end - next > 9 || end >= lineEnd || (code(end) !== 0x2e && code(end) !== 0x29)) return 0;
    // Only a list that starts with 1 may interrupt a paragraph.
    if (inParagraph && value !== 1) return 0;
    end++;
  }
  if (end < lineEnd && !isBlankCode(code(end))) return 0;
  if (inParagraph && restBlank(end)) return 0;
  return end - next;
}

/** Moves over the mark of a quote. */
export function passQuote(): void {
  pass(1);
  if (indent > 0) skip(1);
}

/** Takes the line from `at`. */
export function beginLine(at: number): void {
  lineStart = at;
  line++;
  if (nextLf < at) nextLf = text.indexOf('\n', at);
  if (nextLf < 0) nextLf = text.length;
  if (nextCr < at) nextCr = text.indexOf('\r', at);
  if (nextCr < 0) nextCr = text.length;
  lineEnd = Math.min(nextLf, nextCr);
}

export const afterLine = (): number => lineEnd + (nextLf === lineEnd + 1 && nextCr === lineEnd ? 2 : 1);

/** Whether a line that starts with this goes on a paragraph whatever follows. */
export const isPlain = (c: number): boolean =>
  c > 0x40 && c !== UNDERSCORE && c !== BACKTICK && c !== PIPE && c !== TILDE;
