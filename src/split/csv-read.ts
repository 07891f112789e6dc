import Papa from 'papaparse';
import { invalidOption } from '../errors.ts';
import { closingQuote, type Dialect, newlineOf, quoteStretches } from './csv-quotes.ts';
import type { RecordSpan } from './pack-spans.ts';

/** A record as it is read, the line end left out. */
export interface CsvRow extends RecordSpan {
  fields: string[];
  malformed: boolean;
}

/** How much of a text is looked at to find the delimiter, in UTF-16 code units, and how many records of that. */
const guessChars = 8192;
const guessRows = 10;
const byteOrderMark = '\ufeff';

/** One code unit that means nothing else, or `INVALID_OPTION`. */
export function delimiterOption(value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'string' && /^[^"\r\n\ufeff\ud800-\udfff]$/.test(value)))
    return value;
  throw invalidOption('delimiter', value, 'one character that is no quote and no line break');
}

/** Of comma, tab, bar, semicolon and the separators of ASCII the one that divides the first records most evenly; none where none does. */
export function guessDelimiter(text: string): string | undefined {
  const newline = newlineOf(text);
  const from = text.startsWith(byteOrderMark) ? 1 : 0;
  const head = text.slice(from, from + guessChars);
  const whole =
    text.length <= from + guessChars ? head : head.slice(0, head.lastIndexOf(newline) + 1) || head;
  const { meta, errors } = Papa.parse(whole, { newline, preview: guessRows, skipEmptyLines: 'greedy' });
  return errors.some(({ code }) => code === 'UndetectableDelimiter') ? undefined : meta.delimiter;
}

export const dialectOf = (text: string, delimiter: string | undefined): Dialect => ({
  delimiter: delimiter ?? guessDelimiter(text) ?? ',',
  newline: newlineOf(text),
});

/** The records of a text that are not blank, in order. Those with quotes in wrong places are divided at every delimiter. */
export function readRows(text: string, dialect: Dialect): CsvRow[] {
  const rows: CsvRow[] = [];
  const push = (from: number, to: number, fields: string[], malformed: boolean): void => {
    const { start, end } = bare(text, from, to, dialect);
    if (start === end) return;
    fields[fields.length - 1] = lastField(text, fields.at(-1)!, start, end, dialect);
    rows.push({ charStart: start, charEnd: end, fields, malformed });
  };
  const start = text.startsWith(byteOrderMark) ? 1 : 0;
  for (const { from, to, malformed } of quoteStretches(text, start, dialect)) {
    if (malformed) {
      const record = text.slice(from, to);
      const line = record.endsWith(dialect.newline) ? record.slice(0, -1) : record;
      push(from, to, line.split(dialect.delimiter), true);
    } else parse(text, from, to, dialect, push);
  }
  return rows;
}

/** Records of a stretch in which all quotes are well: the parser has nothing to complain of. */
function parse(
  text: string,
  from: number,
  to: number,
  { delimiter, newline }: Dialect,
  push: (from: number, to: number, fields: string[], malformed: boolean) => void,
): void {
  const part = text.slice(from, to);
  // The parser leaves out a mark at the start of what it is given; one inside the text is text.
  const slice = part.startsWith(byteOrderMark) ? byteOrderMark + part : part;
  let at = from;
  // Records end in a line end, so that a quote followed by blanks closes the last field of a text as it does any other.
  Papa.parse<string[]>(slice.endsWith(newline) ? slice : slice + newline, {
    delimiter,
    newline,
    step: ({ data, meta }) => {
      const end = Math.min(from + meta.cursor, to);
      if (end > at) push(at, end, data, false);
      at = end;
    },
  });
}

/** A record without its line end, and nothing of one that is blank. */
function bare(text: string, from: number, to: number, { newline }: Dialect): { start: number; end: number } {
  const record = text.slice(from, to);
  if (record.trim() === '') return { start: from, end: from };
  let end = to;
  if (text[end - 1] === newline) end--;
  if (newline === '\n' && text[end - 1] === '\r') end--;
  return { start: from, end };
}

/** The carriage return of a line end belongs to no field; one in quotes does. */
function lastField(text: string, field: string, start: number, end: number, dialect: Dialect): string {
  if (!field.endsWith('\r') || text[end] !== '\r') return field;
  const at = end + 1 - field.length;
  const unquoted = at === start || text[at - 1] === dialect.delimiter;
  return unquoted && text.startsWith(field, at) ? field.slice(0, -1) : field;
}

/** Where the fields of one record stand, quotes included. */
export function fieldSpans(text: string, row: CsvRow, { delimiter, newline }: Dialect): RecordSpan[] {
  const spans: RecordSpan[] = [];
  for (let at = row.charStart; at <= row.charEnd; ) {
    const quoted = !row.malformed && text[at] === '"' && at < row.charEnd;
    const search = quoted ? closingQuote(text, at, delimiter, newline) + 1 : at;
    const hit = text.indexOf(delimiter, search);
    const end = hit < 0 || hit > row.charEnd ? row.charEnd : hit;
    spans.push({ charStart: at, charEnd: end });
    at = end + 1;
  }
  return spans;
}
