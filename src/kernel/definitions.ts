/** Link reference definitions (CommonMark 0.31, 4.7) at the start of a paragraph, which are no text of it. */
import { isBlankCode, type Source } from './lines.ts';

/** A label holds at most this many characters. */
const longestLabel = 999;

/** Where the text of the paragraph [from, end) begins, behind its definitions; it lies in so many quotes. */
export function definitionsEnd(text: Source, from: number, end: number, quotes: number): number {
  let at = from;
  for (;;) {
    const next = definition(text, at, end, quotes);
    if (next < 0) return at;
    at = next;
  }
}

const isNewline = (code: number): boolean => code === 0x0a || code === 0x0d;
const isSpace = (code: number): boolean => isBlankCode(code) || isNewline(code);

/** The end of the definition at `from`, its line end included; -1 where there is none. */
function definition(text: Source, from: number, end: number, quotes: number): number {
  const code = (at: number): number => (at < end ? text.charCodeAt(at) : -1);
  let at = skipMarks(from);
  if (code(at) !== 0x5b) return -1;
  at++;
  const label = at;
  let filled = false;
  for (; code(at) !== 0x5d; at++) {
    const c = code(at);
    if (c < 0 || c === 0x5b || at - label > longestLabel) return -1;
    if (!isSpace(c)) filled = true;
    if (c === 0x5c && code(at + 1) >= 0 && !isNewline(code(at + 1))) at++;
  }
  if (!filled || at - label > longestLabel || code(at + 1) !== 0x3a) return -1;
  at = skipSpace(at + 2);
  const target = at;
  at = destination(at);
  if (at < 0 || at === target) return -1;

  const lineAfter = restOfLine(at);
  const titleAt = skipSpace(at);
  if (titleAt > at) {
    const titleEnd = title(titleAt);
    if (titleEnd >= 0) {
      const after = restOfLine(titleEnd);
      if (after >= 0) return after;
    }
  }
  return lineAfter;

  /** Over blanks and marks of quotes at the start of a line: inside a paragraph, the line would else open one more. */
  function skipMarks(start: number): number {
    let i = start;
    for (let left = quotes; isBlankCode(code(i)) || (code(i) === 0x3e && left-- > 0); ) i++;
    return i;
  }

  /** Over blanks and at most one line end. */
  function skipSpace(start: number): number {
    let i = start;
    while (isBlankCode(code(i))) i++;
    if (isNewline(code(i))) {
      i = skipMarks(i + (code(i) === 0x0d && code(i + 1) === 0x0a ? 2 : 1));
    }
    return i;
  }

  /** Behind the line end, where nothing but blanks stands before it; -1 where something does. */
  function restOfLine(start: number): number {
    let i = start;
    while (isBlankCode(code(i))) i++;
    if (code(i) < 0) return i;
    if (!isNewline(code(i))) return -1;
    return i + (code(i) === 0x0d && code(i + 1) === 0x0a ? 2 : 1);
  }

  function destination(start: number): number {
    let i = start;
    if (code(i) === 0x3c) {
      for (i++; code(i) !== 0x3e; i++) {
        const c = code(i);
        if (c < 0 || isNewline(c) || c === 0x3c) return -1;
        if (c === 0x5c && code(i + 1) >= 0 && !isNewline(code(i + 1))) i++;
      }
      return i + 1;
    }
    let depth = 0;
    for (; ; i++) {
      const c = code(i);
      if (c < 0 || isSpace(c)) break;
      if (c < 0x20 || c === 0x7f) return -1;
      if (c === 0x5c && code(i + 1) > 0x20) i++;
      else if (c === 0x28) depth++;
      else if (c === 0x29 && depth-- === 0) return -1;
    }
    return depth > 0 ? -1 : i;
  }

  function title(start: number): number {
    const open = code(start);
    if (open !== 0x22 && open !== 0x27 && open !== 0x28) return -1;
    const close = open === 0x28 ? 0x29 : open;
    for (let i = start + 1; code(i) >= 0; i++) {
      const c = code(i);
      if (c === close) return i + 1;
      if (c === 0x28 && open === 0x28) return -1;
      if (c === 0x5c && code(i + 1) >= 0) i++;
    }
    return -1;
  }
}
