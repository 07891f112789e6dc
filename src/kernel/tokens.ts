/**
 * The tokeniser in TypeScript: the twin of `assembly/tokens.ts`, and the one that finds where in a passage the
 * words of a query stand.
 */
import { type CharacterTables, DROPPED, JOINER, LOWER, PAIRED, UPPER, WORD } from './characters.ts';

/** Tokens are cut at this many UTF-16 code units: what is longer is data, not a word. */
const longestUnits = 64;

/**
 * @param token folded
 * @param start where it stands in the text, in UTF-16 code units
 * @param isPart false for the whole form of an identifier, whose parts came before
 */
export type Emit = (token: string, start: number, end: number, isPart: boolean) => void;

/** The reference's analyser: runs of a–z and 0–9 in the lower-cased text. */
export function tokenizeAscii(text: string, emit: Emit): void {
  const lower = text.toLowerCase();
  for (const { 0: token, index } of lower.matchAll(/[a-z0-9]+/g))
    emit(token, index, index + token.length, true);
}

export function tokenizeUnicode(text: string, tables: CharacterTables, emit: Emit): void {
  const { classes, folds, ranges } = tables;
  let kind = 0;
  let folded = 0;
  let next = 0;

  const inRanges = (point: number): boolean => {
    let low = 0;
    let high = ranges.length >> 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (point < ranges[middle * 2]!) high = middle;
      else if (point > ranges[middle * 2 + 1]!) low = middle + 1;
      else return true;
    }
    return false;
  };

  const read = (at: number): void => {
    const point = text.codePointAt(at)!;
    if (point > 0xffff) {
      next = at + 2;
      folded = point;
      kind = point >= 0x20000 && point < 0x40000 ? PAIRED : inRanges(point) ? WORD | LOWER : 0;
      return;
    }
    next = at + 1;
    kind = classes[point]!;
    folded = folds[point]!;
  };

  const cut = (token: string, letter: string): string =>
    token.length + letter.length <= longestUnits ? token + letter : token;

  /** The word or identifier that starts at `at`. */
  const word = (start: number): number => {
    let at = start;
    let part = '';
    let segment = '';
    let whole = '';
    let partStart = start;
    let segmentStart = start;
    let end = start;
    let parts = 0;
    let segments = 0;
    let before = 0;
    const endPart = (): void => {
      if (part === '') return;
      emit(part, partStart, end, true);
      parts++;
      part = '';
    };
    const endSegment = (): void => {
      endPart();
      if (parts > 1) emit(segment, segmentStart, end, false);
      if (parts > 0) segments++;
      parts = 0;
      segment = '';
    };
    while (at < text.length) {
      read(at);
      const [own, point, after] = [kind, folded, next];
      if (own & DROPPED) {
        at = end = after;
        continue;
      }
      if (own & JOINER) {
        // A joiner holds only what has a word on both sides.
        if (after >= text.length) break;
        read(after);
        if (!(kind & WORD)) break;
        endSegment();
        before = 0;
        at = after;
        partStart = segmentStart = after;
        continue;
      }
      if (!(own & WORD)) break;
      if (own & UPPER) {
        // fooBar: before the capital; HTTPServer: before the last capital of a run that a small letter follows.
        let border = before & LOWER;
        if (!border && before & UPPER && after < text.length) {
          read(after);
          border = kind & LOWER;
        }
        if (border) {
          endPart();
          partStart = at;
        }
      }
      const letter = String.fromCodePoint(point);
      part = cut(part, letter);
      segment = cut(segment, letter);
      whole = cut(whole, letter);
      if (own & (UPPER | LOWER)) before = own;
      at = end = after;
    }
    endSegment();
    if (segments > 1) emit(whole, start, end, false);
    return at;
  };

  /** A run without spaces, in overlapping pairs; a single character stands alone. */
  const paired = (start: number): number => {
    let at = start;
    let before = '';
    let beforeStart = start;
    let end = start;
    let count = 0;
    while (at < text.length) {
      read(at);
      if (kind & DROPPED) {
        at = next;
        continue;
      }
      if (!(kind & PAIRED)) break;
      const letter = String.fromCodePoint(folded);
      end = next;
      if (count > 0) emit(before + letter, beforeStart, end, true);
      before = letter;
      beforeStart = at;
      count++;
      at = next;
    }
    if (count === 1) emit(before, beforeStart, end, true);
    return at;
  };

  for (let at = 0; at < text.length; ) {
    read(at);
    if (kind & WORD) at = word(at);
    else if (kind & PAIRED) at = paired(at);
    else at = next;
  }
}
