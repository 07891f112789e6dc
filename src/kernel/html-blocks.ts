/** The seven kinds of HTML block of CommonMark 0.31 (4.6). */
import { isBlankCode, type Source } from './lines.ts';

const names6 = new Set(
  (
    'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt ' +
    'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li ' +
    'link main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th ' +
    'thead title tr track ul'
  ).split(' '),
);
const names1 = ['script', 'pre', 'style', 'textarea'];
const LESS = 0x3c;

const lower = (code: number): number => (code >= 0x41 && code <= 0x5a ? code | 0x20 : code);
const isLetter = (code: number): boolean => lower(code) >= 0x61 && lower(code) <= 0x7a;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

const matches = (text: Source, at: number, end: number, word: string): boolean => {
  if (at + word.length > end) return false;
  for (let i = 0; i < word.length; i++)
    if (lower(text.charCodeAt(at + i)) !== word.charCodeAt(i)) return false;
  return true;
};

const contains = (text: Source, at: number, end: number, word: string): boolean => {
  for (let i = at; i + word.length <= end; i++) if (matches(text, i, end, word)) return true;
  return false;
};

/** The kind, 1 to 7, of the HTML block that starts at `at`; 0 where none does. */
export function htmlStart(text: Source, at: number, end: number): number {
  if (text.charCodeAt(at) !== LESS) return 0;
  const after = at + 1;
  for (const name of names1) {
    if (!matches(text, after, end, name)) continue;
    const next = after + name.length;
    if (next >= end || isBlankCode(text.charCodeAt(next)) || text.charCodeAt(next) === 0x3e) return 1;
  }
  if (matches(text, after, end, '!--')) return 2;
  if (matches(text, after, end, '?')) return 3;
  if (matches(text, after, end, '![cdata[') && isUpperCdata(text, after)) return 5;
  if (matches(text, after, end, '!') && after + 1 < end && isLetter(text.charCodeAt(after + 1))) return 4;
  if (isKind6(text, after, end)) return 6;
  return isWholeTag(text, at, end) ? 7 : 0;
}

const isUpperCdata = (text: Source, at: number): boolean =>
  [...'![CDATA['].every((letter, i) => text.charCodeAt(at + i) === letter.charCodeAt(0));

function isKind6(text: Source, from: number, end: number): boolean {
  const start = text.charCodeAt(from) === 0x2f ? from + 1 : from;
  let at = start;
  let name = '';
  while (at < end && name.length < 11 && (isLetter(text.charCodeAt(at)) || isDigit(text.charCodeAt(at)))) {
    name += String.fromCharCode(lower(text.charCodeAt(at++)));
  }
  if (!names6.has(name)) return false;
  if (at >= end) return true;
  const c = text.charCodeAt(at);
  return isBlankCode(c) || c === 0x3e || (c === 0x2f && text.charCodeAt(at + 1) === 0x3e && at + 1 < end);
}

/** One open or closing tag, and nothing but white space behind it. */
function isWholeTag(text: Source, at: number, end: number): boolean {
  let i = at + 1;
  const code = (): number => (i < end ? text.charCodeAt(i) : -1);
  const skipBlanks = (): boolean => {
    const from = i;
    while (isBlankCode(code())) i++;
    return i > from;
  };
  const isNameCode = (c: number): boolean => isLetter(c) || isDigit(c) || c === 0x2d;
  const closing = code() === 0x2f;
  if (closing) i++;
  if (!isLetter(code())) return false;
  while (isNameCode(code())) i++;
  if (closing) skipBlanks();
  else if (!attributes()) return false;
  if (code() !== 0x3e) return false;
  i++;
  skipBlanks();
  return i >= end;

  /** Attributes and an optional slash, up to the `>`. */
  function attributes(): boolean {
    for (;;) {
      const spaced = skipBlanks();
      const c = code();
      if (c === 0x2f) {
        i++;
        return true;
      }
      if (c === 0x3e) return true;
      // [A-Za-z_:][A-Za-z0-9_.:-]*
      if (!spaced || !(isLetter(c) || c === 0x5f || c === 0x3a)) return false;
      i++;
      while (isNameCode(code()) || code() === 0x5f || code() === 0x3a || code() === 0x2e) i++;
      const kept = i;
      skipBlanks();
      if (code() !== 0x3d) {
        i = kept;
        continue;
      }
      i++;
      skipBlanks();
      if (!value()) return false;
    }
  }

  function value(): boolean {
    const quote = code();
    if (quote === 0x22 || quote === 0x27) {
      i++;
      while (i < end && code() !== quote) i++;
      if (i >= end) return false;
      i++;
      return true;
    }
    const from = i;
    while (i < end && !isBlankCode(code()) && !`"'=<>\``.includes(String.fromCharCode(code()))) i++;
    return i > from;
  }
}

/** Whether a block of this kind ends with the line [at, end). Kinds 6 and 7 end before a blank one. */
export function htmlEnds(text: Source, kind: number, at: number, end: number): boolean {
  if (kind === 1) return names1.some((name) => contains(text, at, end, `</${name}>`));
  if (kind === 2) return contains(text, at, end, '-->');
  if (kind === 3) return contains(text, at, end, '?>');
  if (kind === 4) return contains(text, at, end, '>');
  if (kind === 5) return contains(text, at, end, ']]>');
  return false;
}
