import type { AtxHeading, TextInput } from '../types.ts';
import { decodeText, type PackOptions, type RecordPiece, type TextKernel } from './kernel.ts';
import { sha256 } from './sha256.ts';

const HASH = 0x23;

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

/** The four terminators `^`, `$` and `.` of a JavaScript regular expression know. */
const endsLine = (code: number): boolean =>
  code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029;

/** Code units `String.prototype.trim` removes. */
export const isSpace = (code: number): boolean =>
  code <= 0x20
    ? code === 0x20 || (code >= 0x09 && code <= 0x0d)
    : code >= 0xa0 &&
      (code === 0xa0 ||
        code === 0xfeff ||
        code === 0x1680 ||
        (code >= 0x2000 && code <= 0x200a) ||
        code === 0x2028 ||
        code === 0x2029 ||
        code === 0x202f ||
        code === 0x205f ||
        code === 0x3000);

/**
 * Walks from `#` to `#` with `indexOf`: on prose that is faster than copying the string into linear memory,
 * and a line is read only where it starts like a heading, so that time is linear.
 */
export function atxHeadings(text: TextInput): AtxHeading[] {
  const source = decodeText(text);
  const found: AtxHeading[] = [];
  const length = source.length;
  let at = source.indexOf('#');
  while (at >= 0) {
    if (at > 0 && !endsLine(source.charCodeAt(at - 1))) {
      at = source.indexOf('#', at + 1);
      continue;
    }
    let from = at + 1;
    while (from < length && source.charCodeAt(from) === HASH) from++;
    const level = from - at;
    let stop = from;
    if (level <= 6 && from < length && isBlank(source.charCodeAt(from))) {
      const blanks = from;
      while (from < length && isBlank(source.charCodeAt(from))) from++;
      stop = from;
      while (stop < length && !endsLine(source.charCodeAt(stop))) stop++;
      let to = stop;
      // Nothing but blanks: the pattern wants one character of title and takes the last blank.
      if (from === stop) from = stop - 1;
      else while (isBlank(source.charCodeAt(to - 1))) to--;
      if (from > blanks) {
        found.push({ offset: at, end: stop, level, title: source.slice(from, to) });
      }
    }
    at = source.indexOf('#', stop);
  }
  return found;
}

export function trimStart(source: string, from: number, to: number): number {
  let at = from;
  while (at < to && isSpace(source.charCodeAt(at))) at++;
  return at;
}

export function trimEnd(source: string, from: number, to: number): number {
  let at = to;
  while (at > from && isSpace(source.charCodeAt(at - 1))) at--;
  return at;
}

/** Where the next separator is, and how long it is; undefined after the last one. */
export type SeparatorFinder = (from: number) => { at: number; length: number } | undefined;

export const literalSeparator = (source: string, separator: string): SeparatorFinder => {
  const hit = { at: 0, length: separator.length };
  return (from) => {
    hit.at = source.indexOf(separator, from);
    return hit.at < 0 ? undefined : hit;
  };
};

/** `packRecords` over any way of finding separators; the AssemblyScript one knows literal ones only. */
export function packRecordsWith(
  source: string,
  next: SeparatorFinder,
  joinLength: number,
  size: number,
  sliced: boolean,
): RecordPiece[] {
  const pieces: RecordPiece[] = [];
  const push = (charStart: number, charEnd: number, rejoin: boolean, oversize: boolean): void => {
    pieces.push({ charStart, charEnd, text: source.slice(charStart, charEnd), rejoin, oversize });
  };
  let open = false;
  let from = 0;
  let to = 0;
  let used = 0;
  let rejoin = false;
  let at = 0;
  let end = source.length;
  if (!sliced) {
    // The reference trims the text before it looks for separators, which then miss a trimmed first or last one.
    end = trimEnd(source, 0, end);
    at = trimStart(source, 0, end);
  }
  for (let more = at < end; more; ) {
    const hit = next(at);
    more = hit !== undefined && hit.at + hit.length <= end;
    const stop = more ? hit!.at : end;
    let head = at;
    const tail = trimEnd(source, head, stop);
    at = stop + (hit?.length ?? 0);
    if (!sliced) {
      head = trimStart(source, head, tail);
    } else {
      while (head < tail && (source.charCodeAt(head) === 0x0a || source.charCodeAt(head) === 0x0d)) head++;
      // A byte order mark at the very start belongs to no record.
      if (head === 0 && source.charCodeAt(0) === 0xfeff) head = 1;
    }
    if (head >= tail) continue;

    const own = tail - head;
    if (own > size) {
      if (open) push(from, to, rejoin, false);
      open = false;
      push(head, tail, false, true);
      continue;
    }
    const grown = sliced ? tail - from : used + joinLength + own;
    if (open && grown <= size) {
      if (!sliced && head !== to + joinLength) rejoin = true;
      used = grown;
    } else {
      if (open) push(from, to, rejoin, false);
      open = true;
      rejoin = false;
      from = head;
      used = own;
    }
    to = tail;
  }
  if (open) push(from, to, rejoin, false);
  return pieces;
}

export function packRecords(text: TextInput, { separator, size, sliced }: PackOptions): RecordPiece[] {
  const source = decodeText(text);
  return packRecordsWith(source, literalSeparator(source, separator), separator.length, size, sliced);
}

/** The plain-TypeScript twin of the AssemblyScript text module. */
export const jsText: TextKernel = {
  kind: 'js',
  atxHeadings,
  packRecords,
  sha256,
};
