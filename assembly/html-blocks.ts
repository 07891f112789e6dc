// The seven kinds of HTML block. The twin of src/kernel/html-blocks.ts, on the line of the block scan.
import { blanksEnd, code, isBlank, isDigit, lineEnd } from './block-line';

const LESS: u32 = 0x3c;
const MORE: u32 = 0x3e;
const SLASH: u32 = 0x2f;

// Names of at most eight letters, in cells of eight; one literal, since the compiler would join several at run time, on a
// heap of its own.
const NAMES =
  'address article aside   base    basefontbody    caption center  col     colgroupdd      details dialog  dir     div     dl      dt      fieldsetfigure  footer  form    frame   frameseth1      h2      h3      h4      h5      h6      head    header  hr      html    iframe  legend  li      link    main    menu    menuitemnav     noframesol      optgroupoption  p       param   search  section summary table   tbody   td      tfoot   th      thead   title   tr      track   ul      ';

@inline
function lower(c: u32): u32 {
  return c - 0x41 < 26 ? c | 0x20 : c;
}

@inline
function isLetter(c: u32): bool {
  return (c | 0x20) - 0x61 < 26;
}

@inline
function letter(word: string, i: i32): u32 {
  return load<u16>(changetype<usize>(word) + (<usize>i << 1));
}

/** Where `word` at `at` ends, the case of its letters aside; 0 where another stands there. */
function wordEnd(at: usize, word: string): usize {
  const length = word.length;
  if (at + length > lineEnd) return 0;
  for (let i = 0; i < length; i++) if (lower(code(at + i)) != letter(word, i)) return 0;
  return at + length;
}

function contains(at: usize, word: string): bool {
  for (; at < lineEnd; at++) if (wordEnd(at, word) != 0) return true;
  return false;
}

@inline
function endsName(at: usize): bool {
  return at >= lineEnd || isBlank(code(at)) || code(at) == MORE;
}

function isKind1(at: usize, name: string): bool {
  const end = wordEnd(at, name);
  return end != 0 && endsName(end);
}

/** The kind, 1 to 7, of the HTML block that starts at `at`; 0 where none does. */
export function htmlStart(at: usize): u32 {
  if (code(at) != LESS) return 0;
  const after = at + 1;
  if (isKind1(after, 'script') || isKind1(after, 'pre') || isKind1(after, 'style') || isKind1(after, 'textarea')) return 1;
  if (wordEnd(after, '!--') != 0) return 2;
  if (wordEnd(after, '?') != 0) return 3;
  // The letters of CDATA are capitals.
  if (wordEnd(after, '![cdata[') != 0 && load<u32>(after + 2) == 0x54414443 && code(after + 6) == 0x41) return 5;
  if (wordEnd(after, '!') != 0 && after + 1 < lineEnd && isLetter(code(after + 1))) return 4;
  if (isKind6(after)) return 6;
  return isWholeTag(after) ? 7 : 0;
}

function isKind6(from: usize): bool {
  if (code(from) == SLASH) from++;
  let end = from;
  while (end < lineEnd && (isLetter(code(end)) || isDigit(code(end)))) end++;
  const length = <u32>(end - from);
  if (length == 0 || length > 10) return false;
  if (!endsName(end) && !(code(end) == SLASH && code(end + 1) == MORE && end + 1 < lineEnd)) return false;
  if (length > 8) return wordEnd(from, 'blockquote') == end || wordEnd(from, 'figcaption') == end;
  const blank = i16x8.splat(0x20);
  const letters = v128.or(v128.load8x8_u(from), blank);
  const within = i16x8.lt_u(i16x8(0, 1, 2, 3, 4, 5, 6, 7), i16x8.splat(<i16>length));
  const name = v128.bitselect(letters, blank, within);
  const names = changetype<usize>(NAMES);
  for (let at = names; at < names + (NAMES.length << 1); at += 16) {
    if (i16x8.all_true(i16x8.eq(v128.load(at), name))) return true;
  }
  return false;
}

@inline
function isNameCode(c: u32): bool {
  return isLetter(c) || isDigit(c) || c == 0x2d;
}

/** One open or closing tag whose name is at `at`, and nothing but white space behind it. The line's end is no mark. */
function isWholeTag(at: usize): bool {
  const closing = code(at) == SLASH;
  if (closing) at++;
  if (at >= lineEnd || !isLetter(code(at))) return false;
  while (at < lineEnd && isNameCode(code(at))) at++;
  if (closing) at = blanksEnd(at);
  else at = attributesEnd(at);
  return at < lineEnd && code(at) == MORE && blanksEnd(at + 1) == lineEnd;
}

/** Where attributes and an optional slash end; the line's end where they are none. */
function attributesEnd(at: usize): usize {
  while (true) {
    const before = at;
    at = blanksEnd(at);
    if (at >= lineEnd) return lineEnd;
    let c = code(at);
    if (c == SLASH) return at + 1;
    if (c == MORE) return at;
    // [A-Za-z_:][A-Za-z0-9_.:-]*
    if (at == before || !(isLetter(c) || c == 0x5f || c == 0x3a)) return lineEnd;
    do {
      at++;
      c = code(at);
    } while (at < lineEnd && (isNameCode(c) || c == 0x5f || c == 0x3a || c == 0x2e));
    const value = blanksEnd(at);
    if (value < lineEnd && code(value) == 0x3d) at = valueEnd(blanksEnd(value + 1));
  }
}

function valueEnd(at: usize): usize {
  if (at >= lineEnd) return lineEnd;
  const quote = code(at);
  if (quote == 0x22 || quote == 0x27) {
    at++;
    while (at < lineEnd && code(at) != quote) at++;
    return min(at + 1, lineEnd);
  }
  const from = at;
  for (; at < lineEnd; at++) {
    const c = code(at);
    if (isBlank(c) || c == 0x60 || c == 0x22 || c == 0x27 || c == 0x3d || c == LESS || c == MORE) break;
  }
  return at > from ? at : lineEnd;
}

/** Whether a block of this kind ends with the line, from `at`. Kinds 6 and 7 end before a blank one. */
export function htmlEnds(kind: u32, at: usize): bool {
  if (kind == 1) {
    return contains(at, '</script>') || contains(at, '</pre>') || contains(at, '</style>') || contains(at, '</textarea>');
  }
  if (kind == 2) return contains(at, '-->');
  if (kind == 3) return contains(at, '?>');
  if (kind == 4) return contains(at, '>');
  return kind == 5 && contains(at, ']]>');
}
