/**
 * Where sentences end and lines may be cut, by small rules in the spirit of Unicode's annexes 29 and 14: whatever the
 * rule misses costs a less pretty cut, never a wrong one. Nothing here asks the engine for a character's class.
 */
import { isSpace } from '../kernel/js.ts';

/** Bits of a character's part in what follows it. */
const SPACED = 1;
const ALWAYS = 2;
const CLOSING = 4;
const OPENING = 8;
const QUOTE = 16;
const BOUND = 32;

const marks = [
  // End a sentence where white space follows.
  [SPACED, '.!?…'],
  // End one whatever follows: Chinese, Japanese, Arabic, Urdu, Armenian, Indic, Ethiopic, Burmese, Khmer, double marks.
  [ALWAYS, '。！？｡؟۔։।॥።၊။៕‼⁇⁈⁉'],
  // Closing quotes, brackets and Markdown's marks belong to the sentence before them.
  [CLOSING, ')]}`~»”’›〉》」』】〕〗）］｝｣'],
  [OPENING, '([{«“‘‹〈《「『【〔〖（［｛｢'],
  // Either, by what stands beside them.
  [CLOSING | QUOTE, '"\'*_'],
  // Begin no line: small kana, marks of length and repetition, middle dots, commas.
  [BOUND, ',;:、，；：．・ーゝゞヽヾ々〻〜ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ'],
] as const;
const clinging = SPACED | ALWAYS | CLOSING | BOUND;

let table: Uint8Array | undefined;

/** 0 for what stands behind the text's end. */
function markAt(text: string, at: number): number {
  if (table === undefined) {
    table = new Uint8Array(0x10000);
    for (const [bits, characters] of marks) {
      for (let next = 0; next < characters.length; next++) table[characters.charCodeAt(next)] = bits;
    }
  }
  return table[text.charCodeAt(at)] ?? 0;
}

/** Shortened words that a name or a number follows. */
const shortened = /^(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|cf|No|Fig|Eq|Vol|pp)$/;
/** One letter, by itself or behind a full stop: `J.`, `e.g.`, `U.S.` */
const oneLetter = /(?:^|\.)[^\d.]$/;
const lastWord = /[^\s([{"'“‘«*_]*$/;

/** Closing marks looked back over; a longer row of them is no end of a sentence. */
const mostClosing = 12;

/** Letters whose case was settled long ago, so that every engine knows it alike. */
function isLower(code: number): boolean {
  if (code < 0xb5 || code >= 0x590) return code >= 0x61 && code <= 0x7a;
  const letter = String.fromCharCode(code);
  return letter.toUpperCase() !== letter && letter.toLowerCase() === letter;
}

/** True where what stands before `at` may be the end of a sentence by its last characters. Nothing before `floor` is read. */
export function sentenceEnds(text: string, at: number, floor: number): boolean {
  let stop = at - 1;
  const lowest = Math.max(floor, at - mostClosing);
  while (stop > lowest && markAt(text, stop) & CLOSING) stop--;
  const mark = markAt(text, stop);
  if (mark & ALWAYS) return (markAt(text, at) & clinging) === 0;
  if ((mark & SPACED) === 0 || (at < text.length && !isSpace(text.charCodeAt(at)))) return false;
  return text[stop] === '!' || text[stop] === '?' || !goesOn(text, stop, at, floor);
}

/** A full stop that ends no sentence: of a shortened word, of a number in a list, or before a small letter. */
function goesOn(text: string, stop: number, at: number, floor: number): boolean {
  let next = at;
  while (next < text.length && isSpace(text.charCodeAt(next))) next++;
  for (const most = next + 4; next < most && markAt(text, next) & (OPENING | QUOTE); ) next++;
  if (next < text.length && isLower(text.charCodeAt(next))) return true;
  const word = lastWord.exec(text.slice(Math.max(floor, stop - 8), stop))![0];
  if (oneLetter.test(word) || shortened.test(word)) return true;
  const before = stop - word.length;
  return /^\d+$/.test(word) && (before <= floor || text[before - 1] === '\n');
}

/** Written without spaces between words: ideographs, kana, bopomofo. */
const isIdeograph = (code: number): boolean =>
  code >= 0x2e80 &&
  ((code <= 0x9fff && (code < 0x3000 || (code >= 0x3005 && code <= 0x3007) || code >= 0x3040)) ||
    (code >= 0xd840 && code <= 0xd8bf) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xff66 && code <= 0xff9d));

/** True where a line of Chinese or Japanese may break at `at`, if that is a border of clusters. */
export function lineMayBreak(text: string, at: number): boolean {
  const after = text.charCodeAt(at);
  let before = text.charCodeAt(at - 1);
  // The first half of a pair tells its plane.
  if ((before & 0xfc00) === 0xdc00 && at > 1) before = text.charCodeAt(at - 2);
  if (!isIdeograph(before) && !isIdeograph(after)) return false;
  return (markAt(text, at) & clinging) === 0 && (markAt(text, at - 1) & OPENING) === 0;
}
