// Link reference definitions at the start of a paragraph. The twin of src/kernel/definitions.ts.
import { isBlank } from './block-line';
import { units } from './utf8';

/** In UTF-16 code units. */
const LONGEST_LABEL: usize = 999;
const NONE: u32 = 0x100;
const BACKSLASH: u32 = 0x5c;

/** Where the paragraph ends, and how many quotes it lies in. */
let end: usize = 0;
let quotes: u32 = 0;

function code(at: usize): u32 {
  return at < end ? load<u8>(at) : NONE;
}

@inline
function isNewline(c: u32): bool {
  return c == 0x0a || c == 0x0d;
}

function isSpace(c: u32): bool {
  return isBlank(c) || isNewline(c);
}

/** Where the text of the paragraph [from, to) begins, behind its definitions; it lies in `depth` quotes. */
export function definitionsEnd(from: usize, to: usize, depth: u32): usize {
  end = to;
  quotes = depth;
  while (true) {
    const next = definition(from);
    if (next == 0) return from;
    from = next;
  }
}

/** The end of the definition at `from`, its line end included; 0 where there is none. */
function definition(from: usize): usize {
  let at = skipMarks(from);
  if (code(at) != 0x5b) return 0;
  at++;
  const label = at;
  let filled = false;
  for (; code(at) != 0x5d; at++) {
    const c = code(at);
    // A unit has at most three bytes: what is far too long needs no counting.
    if (c == NONE || c == 0x5b || at - label > LONGEST_LABEL * 3 + 1) return 0;
    if (!isSpace(c)) filled = true;
    if (c == BACKSLASH && code(at + 1) != NONE && !isNewline(code(at + 1))) at++;
  }
  if (!filled || units(label, at) > LONGEST_LABEL || code(at + 1) != 0x3a) return 0;
  const target = skipSpace(at + 2);
  at = destination(target);
  if (at <= target) return 0;

  const titleAt = skipSpace(at);
  if (titleAt > at) {
    const titleEnd = title(titleAt);
    const after: usize = titleEnd == 0 ? 0 : restOfLine(titleEnd);
    if (after != 0) return after;
  }
  return restOfLine(at);
}

/** Over blanks and marks of quotes at the start of a line. */
function skipMarks(at: usize): usize {
  for (let left = quotes; isBlank(code(at)) || (left > 0 && code(at) == 0x3e); at++) if (!isBlank(code(at))) left--;
  return at;
}

function afterNewline(at: usize): usize {
  return at + (code(at) == 0x0d && code(at + 1) == 0x0a ? 2 : 1);
}

/** Over blanks and at most one line end. */
function skipSpace(at: usize): usize {
  while (isBlank(code(at))) at++;
  return isNewline(code(at)) ? skipMarks(afterNewline(at)) : at;
}

/** Behind the line end, where nothing but blanks stands before it; 0 where something does. */
function restOfLine(at: usize): usize {
  while (isBlank(code(at))) at++;
  if (code(at) == NONE) return at;
  return isNewline(code(at)) ? afterNewline(at) : 0;
}

/** The end of the destination at `at`; 0 where there is none. */
function destination(at: usize): usize {
  if (code(at) == 0x3c) {
    for (at++; code(at) != 0x3e; at++) {
      const c = code(at);
      if (c == NONE || isNewline(c) || c == 0x3c) return 0;
      if (c == BACKSLASH && code(at + 1) != NONE && !isNewline(code(at + 1))) at++;
    }
    return at + 1;
  }
  let depth = 0;
  for (; ; at++) {
    const c = code(at);
    if (c == NONE || isSpace(c)) break;
    if (c < 0x20 || c == 0x7f) return 0;
    if (c == BACKSLASH && code(at + 1) > 0x20 && code(at + 1) != NONE) at++;
    else if (c == 0x28) depth++;
    else if (c == 0x29 && depth-- == 0) return 0;
  }
  return depth > 0 ? 0 : at;
}

/** The end of the title at `at`; 0 where there is none. */
function title(at: usize): usize {
  const open = code(at);
  if (open != 0x22 && open != 0x27 && open != 0x28) return 0;
  const close: u32 = open == 0x28 ? 0x29 : open;
  for (at++; code(at) != NONE; at++) {
    const c = code(at);
    if (c == close) return at + 1;
    if (c == 0x28 && open == 0x28) return 0;
    if (c == BACKSLASH && code(at + 1) != NONE) at++;
  }
  return 0;
}
