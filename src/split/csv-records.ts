import { invalidOption } from '../errors.ts';
import { checkText, decodeText } from '../kernel/kernel.ts';
import { optionsObject } from '../options.ts';
import type { TextInput } from '../types.ts';
import { type CsvRow, delimiterOption, dialectOf, readRows } from './csv-read.ts';
import { lineCounter } from './lines.ts';

export interface CsvRecordsOptions {
  /** Divides fields: one character. By default the one of comma, tab, `|` and `;` that divides the first ten records most evenly, else a comma. */
  delimiter?: string | undefined;
  /** Whether the first record names the fields, or their names. Default true. */
  header?: boolean | readonly string[] | undefined;
}

/** A record of a text: always a slice of it. */
export interface CsvRecord {
  /** `text.slice(charStart, charEnd)`: the record as it is written, its line end left out. */
  text: string;
  charStart: number;
  charEnd: number;
  /** 1-based line that `charStart` lies on. */
  line: number;
  /** What the fields say, quotes removed. */
  fields: string[];
  /** The fields under their names, as in `Name: Ann; Age: 30`, empty ones left out. Absent without names, or where they are not as many as the fields of a malformed record. */
  context?: string;
  /** Present where a quote never closes or stands wrong. The record is then its line, divided at every delimiter; the records behind it are read as ever. */
  malformed?: true;
}

/** The records of a text in order, the one that names the fields left out. */
export interface CsvRecords extends Array<CsvRecord> {
  /** The record that names the fields, where the text has one. */
  header?: CsvRecord;
  /** What divides fields. */
  delimiter: string;
}

/**
 * The records of comma-separated values as RFC 4180 has them (fields in quotes may hold delimiters, line breaks and
 * doubled quotes; LF, CRLF or CR), with the offsets at which they stand. A byte order mark and blank lines belong to none.
 *
 * @throws ShelfmarkError `INVALID_OPTION`; `INVALID_DOCUMENT` for a text that is none
 */
export function csvRecords(text: TextInput, options: CsvRecordsOptions = {}): CsvRecords {
  const { delimiter } = optionsObject(options);
  const given = delimiterOption(delimiter);
  const header = headerOption(options.header);
  checkText(text);
  const source = decodeText(text);
  const dialect = dialectOf(source, given);
  const rows = readRows(source, dialect);
  const lineOf = lineCounter(source);
  const record = (row: CsvRow, names?: readonly string[]): CsvRecord => {
    const { charStart, charEnd, fields, malformed } = row;
    const context = labels(row, names);
    return {
      text: source.slice(charStart, charEnd),
      charStart,
      charEnd,
      line: lineOf(charStart),
      fields,
      ...(context !== '' && { context }),
      ...(malformed && { malformed }),
    };
  };
  const first = header === true && rows.length > 0 ? record(rows[0]!) : undefined;
  const names = typeof header === 'object' ? header : first?.fields;
  const records = rows.slice(first === undefined ? 0 : 1).map((row) => record(row, names));
  const { delimiter: divides } = dialect;
  return Object.assign(records, { delimiter: divides, ...(first !== undefined && { header: first }) });
}

/** `true`, `false` or names; else `INVALID_OPTION`. */
export function headerOption(value: unknown = true): boolean | readonly string[] {
  const names = Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string');
  if (typeof value === 'boolean' || names) return value as boolean | string[];
  throw invalidOption('header', value, 'true, false or the names of the fields');
}

/** A record's fields under their names on one line. */
export function labels({ fields, malformed }: CsvRow, names: readonly string[] | undefined): string {
  if (names === undefined || (malformed && fields.length !== names.length)) return '';
  const labelled = fields.map((field, at) => label(names[at], field));
  return labelled.filter((field) => field !== '').join('; ');
}

/** One field under its name; nothing for an empty one. */
export function label(name: string | undefined, field: string): string {
  const value = field.trim().replace(/\s+/g, ' ');
  const title = name?.trim().replace(/\s+/g, ' ') ?? '';
  return value === '' || title === '' ? value : `${title}: ${value}`;
}
