import { defaults, oneOf, optionsObject, wholeNumber } from '../options.ts';
import type { Splitter } from '../types.ts';
import { type CsvRow, delimiterOption, dialectOf, fieldSpans, readRows } from './csv-read.ts';
import { headerOption, label, labels } from './csv-records.ts';
import { defineSplitter } from './define.ts';
import { type Length, lengthName, lengthOption } from './length.ts';
import { cutFields, type RecordPart, recordPieces } from './record-pieces.ts';

const version = 1;

export interface ByCsvRecordOptions {
  /** Largest piece, in UTF-16 code units from its first record's first character to its last one's last. Default 800. */
  chunkSize?: number | undefined;
  /** Divides fields: one character. By default found, as `csvRecords` finds it. */
  delimiter?: string | undefined;
  /** Whether the first record names the fields, or their names. Default true. */
  header?: boolean | readonly string[] | undefined;
  /** What stands beside each piece: every field under its name, a line a record (`'labels'`), or the header once (`'header'`). Default `'labels'`. */
  context?: 'labels' | 'header' | undefined;
  /** Counts `chunkSize` in a unit of one's own, such as tokens. */
  length?: Length | undefined;
  /** Names what `length` counts, and its version, in the splitter's id: `'words@1'`. Default: the function's own `id`, else `'custom'`. */
  lengthId?: string | undefined;
}

/**
 * Whole records of comma-separated values, as `csvRecords` reads them, packed first come first served, with the
 * names of their fields as `context`. A record longer than `chunkSize` is cut between fields, and a field longer than
 * that as prose is. The header is in no piece's text.
 *
 * @throws ShelfmarkError `INVALID_OPTION` naming the option, its value and the range
 */
export function byCsvRecord(options: ByCsvRecordOptions = {}): Splitter {
  const { chunkSize = defaults.byRecord.chunkSize } = optionsObject(options);
  const size = wholeNumber('chunkSize', chunkSize, 1);
  const delimiter = delimiterOption(options.delimiter);
  const header = headerOption(options.header);
  const context = oneOf('context', options.context ?? 'labels', ['labels', 'header']);
  const length = lengthOption(options.length);
  const spelled = {
    chunkSize: size,
    delimiter: delimiter === undefined ? 'found' : JSON.stringify(delimiter),
    header: JSON.stringify(header),
    context,
    length: lengthName(length, options.lengthId),
  };
  return defineSplitter('byCsvRecord', version, spelled, (text, document) => {
    const dialect = dialectOf(text, delimiter);
    const rows = readRows(text, dialect);
    const first = header === true ? rows.shift() : undefined;
    const names = typeof header === 'object' ? header : first?.fields;
    const limit = { size, length };
    const once =
      first === undefined
        ? (names ?? []).join(dialect.delimiter)
        : text.slice(first.charStart, first.charEnd).trim();
    const labelled = (from: number, to: number): string =>
      rows
        .slice(from, to + 1)
        .map((row) => labels(row, names))
        .filter((line) => line !== '')
        .join('\n');
    return recordPieces(text, document, rows, {
      ...limit,
      context: context === 'labels' ? labelled : () => once,
      cut: (at) => {
        const fields = fieldSpans(text, rows[at]!, dialect);
        const parts = cutFields(text, fields, limit);
        if (context === 'header') return parts;
        const labelsOf = partLabels(rows[at]!, fields, names);
        return parts.map((part) => ({ ...part, context: labelsOf(part) }));
      },
    });
  });
}

/** Longest first field that every part of its record carries, in UTF-16 code units. */
const keyChars = 100;

/**
 * For the parts of a record, in their order: names of the fields a part holds, with those that are whole; before them
 * the record's first field, which tells records apart.
 */
function partLabels(
  row: CsvRow,
  spans: readonly RecordPart[],
  names: readonly string[] | undefined,
): (part: RecordPart) => string {
  if (labels(row, names) === '') return () => '';
  const first = spans[0]!;
  const key = first.charEnd - first.charStart <= keyChars ? label(names?.[0], row.fields[0]!) : '';
  let next = 0;
  return ({ charStart, charEnd }) => {
    while (spans[next]!.charEnd < charStart) next++;
    const parts = next > 0 ? [key] : [];
    for (let at = next; at < spans.length && spans[at]!.charStart < charEnd; at++) {
      const span = spans[at]!;
      const isWhole = span.charStart >= charStart && span.charEnd <= charEnd;
      if (isWhole) parts.push(label(names?.[at], row.fields[at]!));
      else if (span.charEnd > charStart) parts.push(names?.[at]?.trim() ?? '');
    }
    return parts.filter((part) => part !== '').join('; ');
  };
}
