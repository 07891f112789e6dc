import { shownCharacter } from './named.ts';

/** Texts as they are compared with quotes: what typesetting and Markdown change is the same on both sides. */

/** A folded text, and for each of its UTF-16 code units where it came from. */
export interface Folded {
  text: string;
  /** Where the source character each unit came from begins. */
  at: Uint32Array;
  /** Where it ends. */
  end: Uint32Array;
}

const reference = /&(#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,8});/y;
const tag = /<(?:\/?([a-zA-Z][a-zA-Z\d-]*)(?:\s[^<>\n]{0,400})?\/?>|!--)/y;
/** A tag as an escaped context shows it. */
const escapedTag = /&(?:amp;)?lt;\/?([a-zA-Z][a-zA-Z\d-]*)(?:\s[^<>&\n]{0,400})?\/?&(?:amp;)?gt;/y;
const breaking = /^(?:br|p|li|td|th|tr|div|h[1-6])$/i;
/** What stands before the text of a line: quote marks, hashes, bullets, numbers, boxes of tasks. */
const leading =
  /[ \t]*(?:(?:>[ \t]?|#{1,6}[ \t]+|[-*+][ \t]+|\d{1,9}[.)][ \t]+)[ \t]*)*(?:\[[ xX]\][ \t]+)?/y;
/** The line under a table's header, a fence, a rule or a setext underline. */
const markLine =
  /^[ \t]*(?:\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?|[`~]{3,}[^\n\r]*|[*_=][*_= \t]+)[ \t]*$/;
/** Longer lines are none of these, so that the pattern need not be fast on megabytes. */
const longestMark = 1000;
const lineBreak = /[\r\n]|$/g;
/** Where a link's text ends: `](address "title")`, one pair of parentheses inside; `][label]`. */
const linkEnd = /\](?:\((?:[^()\n]|\([^()\n]*\)){0,1000}\)|\[[^[\]\n]{0,400}\])/y;

/** ASCII that is itself wherever it stands. */
const asItIs = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9.,;:?(){}'$%+/=@^]/.test(String.fromCharCode(code)) ? 1 : 0,
);

const utf16 = new TextDecoder('utf-16le', { ignoreBOM: true });

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

const letterAscii = /^[A-Za-z]$/;
const letter = /[\p{L}\p{N}]/u;
const isWord = (text: string, at: number): boolean => at >= 0 && at < text.length && letter.test(text[at]!);

/**
 * Folds white space, typographic quotation marks and dashes, characters of compatibility, references, tags and the
 * marks of Markdown. Linear in the text.
 */
export function fold(source: string): Folded {
  let [units, at, end] = [
    new Uint16Array(source.length),
    new Uint32Array(source.length),
    new Uint32Array(source.length),
  ];
  let count = 0;
  let blank = true;
  const put = (code: number, from: number, to: number): void => {
    // One character may be folded to several.
    if (count === units.length) {
      const size = count * 2 + 32;
      const [oldUnits, oldAt, oldEnd] = [units, at, end];
      [units, at, end] = [new Uint16Array(size), new Uint32Array(size), new Uint32Array(size)];
      units.set(oldUnits);
      at.set(oldAt);
      end.set(oldEnd);
    }
    units[count] = code;
    at[count] = from;
    end[count++] = to;
    blank = false;
  };
  const space = (from: number, to: number): void => {
    if (blank) return;
    put(0x20, from, to);
    blank = true;
  };
  const skipTag = (match: RegExpExecArray, from: number): number => {
    const to = from + match[0].length;
    if (match[1] !== undefined && breaking.test(match[1])) space(from, to);
    return to;
  };
  let opened = false;

  for (let i = lead(source, 0); i < source.length; ) {
    const code = source.charCodeAt(i);
    if (code < 0x80 && asItIs[code] === 1) {
      put(code, i, ++i);
    } else if (code === 0x0a || code === 0x0d) {
      space(i, i + 1);
      i = lead(source, i + 1);
    } else if (
      code === 0x20 ||
      code === 0x09 ||
      code === 0xa0 ||
      (code === 0x7c /* | */ && source[i - 1] !== '\\')
    ) {
      space(i, i + 1);
      i++;
    } else if (code === 0x26 /* & */) {
      const element = matchAt(escapedTag, source, i);
      const match = matchAt(reference, source, i);
      if (element !== null) i = skipTag(element, i);
      else if (match === null || shownCharacter(match[1]!) === undefined) put(code, i, ++i);
      else {
        // `&amp;lt;` is what an escaped context makes of `&lt;`.
        const after = match[1] === 'amp' ? matchAt(reference, `&${source.slice(i + 5, i + 16)}`, 0) : null;
        const inner = after !== null && shownCharacter(after[1]!) !== undefined ? after : null;
        const length = inner === null ? match[0].length : inner[0].length + 4;
        for (const unit of plain(shownCharacter((inner ?? match)[1]!)!)) {
          if (unit === 0x20) space(i, i + length);
          else put(unit, i, i + length);
        }
        i += length;
      }
    } else if (code === 0x3c /* < */) {
      const match = matchAt(tag, source, i);
      if (match === null) put(code, i, ++i);
      else i = skipTag(match, i);
    } else if (code === 0x5d /* ] */) {
      i += opened ? (matchAt(linkEnd, source, i)?.[0].length ?? 1) : 1;
    } else if (code === 0x5b /* [ */ || (code === 0x21 /* ! */ && source[i + 1] === '[')) {
      opened = true;
      i++;
    } else if (
      code === 0x60 /* ` */ ||
      (code === 0x5c /* \ */ && /[!-/:-@[-`{-~]/.test(source[i + 1] ?? ''))
    ) {
      i++;
      // What is escaped is text, whatever mark it would be.
      if (code === 0x5c && !/[[\]`*_~|]/.test(source[i]!)) put(simple(source.charCodeAt(i)), i - 1, ++i);
      else if (code === 0x5c) i++;
    } else if (code === 0x2a /* * */ || code === 0x7e /* ~ */ || code === 0x5f /* _ */) {
      const kept =
        code === 0x5f
          ? isWord(source, i - 1) && isWord(source, i + 1)
          : /\s/.test(source[i - 1] ?? '') && /\s/.test(source[i + 1] ?? '');
      if (kept) put(code, i, i + 1);
      i++;
    } else if (code < 0x80) {
      const folded = simple(code);
      // `--` and `---` are dashes.
      if (folded !== 0x2d || units[count - 1] !== 0x2d) put(folded, i, i + 1);
      i++;
    } else {
      const point = source.codePointAt(i)!;
      const length = point > 0xffff ? 2 : 1;
      for (const unit of plain(String.fromCodePoint(point))) {
        if (unit === 0x20) space(i, i + length);
        else if (unit !== 0x2d || units[count - 1] !== 0x2d) put(unit, i, i + length);
      }
      i += length;
    }
  }
  if (blank && count > 0) count--;
  return {
    text: utf16.decode(units.subarray(0, count)),
    at: at.subarray(0, count),
    end: end.subarray(0, count),
  };
}

/** A line that shows nothing: the one under a table's header, a fence, a rule, a setext underline. */
export const isMarkLine = (line: string): boolean => line.length <= longestMark && markLine.test(line);

/** Where the text of the line at `from` begins. */
export const lineStart = (source: string, from: number): number =>
  from + (matchAt(leading, source, from)?.[0].length ?? 0);

/** The end of what is no text at the start of a line. */
function lead(source: string, from: number): number {
  // Most lines begin with a letter, and need neither pattern.
  if (letterAscii.test(source[from] ?? '')) return from;
  const to = matchAt(lineBreak, source, from)!.index;
  return to > from && isMarkLine(source.slice(from, Math.min(to, from + longestMark + 1)))
    ? to
    : lineStart(source, from);
}

/** Both quotation marks are one: whoever quotes a quotation changes them. */
const simple = (code: number): number => (code === 0x22 ? 0x27 : code);

/** Code units a character is folded to; none for what is not seen. */
function plain(character: string): number[] {
  if (/^(?:[\ufe00-\ufe0f]|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff])$/.test(character))
    return [];
  if (/^\s$/.test(character)) return [0x20];
  if (/^[\u2010-\u2015\u2212]$/.test(character)) return [0x2d];
  if (/^["\u2018-\u201f\u2032\u2033\u00ab\u00bb\u2039\u203a]$/.test(character)) return [0x27];
  const units: number[] = [];
  const folded = character.normalize('NFKD');
  for (let at = 0; at < folded.length; at++) units.push(folded.charCodeAt(at));
  return units;
}
