import { invalidOption } from '../errors.ts';
import { packRecordsWith, type SeparatorFinder } from '../kernel/js.ts';
import { decodeText, type RecordPiece } from '../kernel/kernel.ts';
import { packRecords } from '../kernel/load.ts';
import { defaults, optionsObject, wholeNumber } from '../options.ts';
import type { Splitter, TextInput } from '../types.ts';
import { defineSplitter } from './define.ts';
import { type Length, lengthName, lengthOption } from './length.ts';
import { recordPieces } from './record-pieces.ts';

const version = 2;

export interface ByRecordOptions {
  /**
   * What divides records. A string is taken literally, a RegExp may also match nothing (a lookahead such as
   * `/(?=^\d{4}-)/m` starts a record at every line that begins with a year). Default `'\n'`.
   */
  separator?: string | RegExp;
  /** Largest piece, in UTF-16 code units from its first record's first character to its last one's last. Default 800. */
  chunkSize?: number;
  /** Counts `chunkSize` in a unit of one's own, such as tokens. */
  length?: Length | undefined;
  /** Names what `length` counts, and its version, in the splitter's id: `'words@1'`. Default: the function's own `id`, else `'custom'`. */
  lengthId?: string | undefined;
  /** Lines at the top that name the fields: carried by every piece as `context`, never inside `text`. `true` is 1. */
  header?: boolean | number;
}

/**
 * Whole records, packed first come first served: no record is ever cut, but for one that alone is longer than
 * `chunkSize`, which is cut as prose is, by itself. Every piece is a slice of the text: separators, blank
 * records and indentation stay as they are between the first and the last record of a piece.
 *
 * @throws ShelfmarkError `INVALID_OPTION` for an empty separator, a size below 1, a header that is no count.
 */
export function byRecord(options: ByRecordOptions = {}): Splitter {
  const {
    separator = defaults.byRecord.separator,
    chunkSize = defaults.byRecord.chunkSize,
    header: given = 0,
  } = optionsObject(options);
  if (separator === '' || (typeof separator !== 'string' && !(separator instanceof RegExp))) {
    throw invalidOption('separator', separator, 'a string that is not empty, or a RegExp');
  }
  const size = wholeNumber('chunkSize', chunkSize, 1);
  const header = wholeNumber('header', typeof given === 'boolean' ? Number(given) : given, 0);
  const spelled = typeof separator === 'string' ? JSON.stringify(separator) : String(separator);
  const length = lengthOption(options.length);

  return defineSplitter(
    'byRecord',
    version,
    { separator: spelled, chunkSize: size, header, length: lengthName(length, options.lengthId) },
    (text, document) => {
      const { context, body, shift } = takeHeader(document.text, header);
      // Runs of records that fit, or each record by itself where that has to be asked for.
      const most = length === undefined ? size : 1;
      const records =
        typeof separator === 'string'
          ? packRecords(body, { separator, size: most, sliced: true })
          : packByPattern(text.slice(shift), separator, most);
      for (const record of records) {
        record.charStart += shift;
        record.charEnd += shift;
      }
      return recordPieces(text, document, records, { size, length, context: () => context });
    },
  );
}

/** The first `lines` lines, and the text behind them with its offset. A byte order mark is part of neither. */
function takeHeader(text: TextInput, lines: number): { context: string; body: TextInput; shift: number } {
  if (lines === 0) return { context: '', body: text, shift: 0 };
  const code = (at: number): number | undefined =>
    typeof text === 'string' ? text.charCodeAt(at) : text[at];
  let end = 0;
  for (let line = 0; line < lines && end < text.length; line++) {
    while (end < text.length && code(end) !== 0x0a && code(end) !== 0x0d) end++;
    end = Math.min(text.length, end + (code(end) === 0x0d && code(end + 1) === 0x0a ? 2 : 1));
  }
  const head = decodeText(typeof text === 'string' ? text.slice(0, end) : text.subarray(0, end));
  const body = typeof text === 'string' ? text.slice(end) : text.subarray(end);
  return { context: head.trim(), body, shift: head.length };
}

const packByPattern = (source: string, separator: RegExp, size: number): RecordPiece[] =>
  packRecordsWith(source, regexSeparator(source, separator), 0, size, true);

function regexSeparator(source: string, separator: RegExp): SeparatorFinder {
  const flags = separator.flags.replace('y', '');
  const pattern = new RegExp(separator.source, flags.includes('g') ? flags : `${flags}g`);
  return (from) => {
    pattern.lastIndex = from;
    let match = pattern.exec(source);
    // A match of nothing where the record starts would divide nothing from nothing. A pattern with the flag u or v
    // steps back into the pair it is set inside of, so that the next try starts behind the whole character.
    if (match?.[0] === '' && match.index <= from) {
      const next = from + (source.codePointAt(from)! > 0xffff ? 2 : 1);
      pattern.lastIndex = next;
      match = next <= source.length ? pattern.exec(source) : null;
    }
    return match === null || match.index + match[0].length <= from
      ? undefined
      : { at: match.index, length: match[0].length };
  };
}
