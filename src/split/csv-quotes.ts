import { isSpace } from '../kernel/js.ts';

const quote = 0x22;

/** Where quotes are as RFC 4180 has them, and the records in which they are not. Half-open, in UTF-16 code units. */
export interface Stretch {
  from: number;
  to: number;
  /** One record with a quote that never closes, or that closes in the middle of a field: its first lines, to the line end behind that quote. */
  malformed: boolean;
}

/** How the records of a text are written. */
export interface Dialect {
  /** Divides fields: one code unit. */
  delimiter: string;
  /** Ends records. A carriage return before a line feed belongs to it. */
  newline: '\n' | '\r';
}

export const newlineOf = (text: string): Dialect['newline'] =>
  !text.includes('\n') && text.includes('\r') ? '\r' : '\n';

/**
 * Divides a text so that one wrong quote spoils one record and not the file: a parser that believes it reads on to the
 * next quote that can close a field, or to the end. Such a record ends with its line, and the next line is a new one.
 *
 * In linear time: what a quoted field that fails has been searched through holds even runs of quotes alone, and a
 * field that begins with one of those closes or fails in that run.
 */
export function quoteStretches(text: string, from: number, { delimiter, newline }: Dialect): Stretch[] {
  const stretches: Stretch[] = [];
  const push = (start: number, to: number, malformed: boolean): void => {
    if (start < to) stretches.push({ from: start, to, malformed });
  };
  let stretch = from;
  let record = from;
  /** Behind the last quoted field, or the last quote inside an unquoted one. */
  let behind = from;
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', behind)) {
    const feed = text.slice(behind, at).lastIndexOf(newline);
    if (feed >= 0) record = behind + feed + 1;
    const before = text[at - 1];
    if (at !== record && before !== delimiter) {
      behind = at + 1;
      continue;
    }
    const closed = closingQuote(text, at, delimiter, newline);
    if (closed >= 0) {
      behind = closed + 1;
      continue;
    }
    const end = text.indexOf(newline, at);
    const next = end < 0 ? text.length : end + 1;
    push(stretch, record, false);
    push(record, next, true);
    stretch = next;
    record = next;
    behind = next;
  }
  push(stretch, text.length, false);
  return stretches;
}

/** The quote that closes the field which the quote at `open` opens; -1 where there is none, or one that stands wrong. Blanks may follow it. */
export function closingQuote(text: string, open: number, delimiter: string, newline: string): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text.charCodeAt(at + 1) === quote) continue;
    let after = at + 1;
    while (after < text.length && isGap(text, after, delimiter, newline)) after++;
    const ends = after === text.length || text[after] === delimiter || text[after] === newline;
    return ends ? at : -1;
  }
  return -1;
}

const isGap = (text: string, at: number, delimiter: string, newline: string): boolean =>
  isSpace(text.charCodeAt(at)) && text[at] !== delimiter && text[at] !== newline;
