import { packRecords } from '../kernel/load.ts';
import { defaults, optionsObject, wholeNumber } from '../options.ts';
import type { Splitter } from '../types.ts';
import { label } from './csv-records.ts';
import { defineSplitter } from './define.ts';
import { type Length, lengthName, lengthOption } from './length.ts';
import { cutStretch, recordPieces } from './record-pieces.ts';

const version = 1;
/** Longest value that a part of its record carries, and all of them together, in UTF-16 code units. */
const valueChars = 100;
const contextChars = 300;

export interface ByJsonLineOptions {
  /** Largest piece, in UTF-16 code units from its first record's first character to its last one's last. Default 800. */
  chunkSize?: number | undefined;
  /** Counts `chunkSize` in a unit of one's own, such as tokens. */
  length?: Length | undefined;
  /** Names what `length` counts, and its version, in the splitter's id: `'words@1'`. Default: the function's own `id`, else `'custom'`. */
  lengthId?: string | undefined;
}

/**
 * JSON lines: a value a line, packed first come first served, none of them cut but one that alone is longer than
 * `chunkSize`. That one is cut as prose is, and each part carries the short values of the object (`id: 7; lang: en`)
 * as `context`, so that it can be told whose part it is. A line that is no JSON is a record like any other.
 *
 * @throws ShelfmarkError `INVALID_OPTION` naming the option, its value and the range
 */
export function byJsonLine(options: ByJsonLineOptions = {}): Splitter {
  const { chunkSize = defaults.byRecord.chunkSize } = optionsObject(options);
  const size = wholeNumber('chunkSize', chunkSize, 1);
  const length = lengthOption(options.length);
  const spelled = { chunkSize: size, length: lengthName(length, options.lengthId) };
  return defineSplitter('byJsonLine', version, spelled, (text, document) => {
    const most = length === undefined ? size : 1;
    const lines = packRecords(document.text, { separator: '\n', size: most, sliced: true });
    return recordPieces(text, document, lines, {
      size,
      length,
      cut: (at) => {
        const context = shortValues(text.slice(lines[at]!.charStart, lines[at]!.charEnd));
        return cutStretch(text, lines[at]!, { size, length }).map((part) => ({ ...part, context }));
      },
    });
  });
}

/** The short values of an object under their names, as far as there is room. */
function shortValues(line: string): string {
  const parts: string[] = [];
  let room = contextChars;
  for (const [name, value] of entries(line)) {
    if (typeof value === 'object' || String(value).length > valueChars) continue;
    const part = label(name, String(value));
    if (part.length > room) break;
    parts.push(part);
    room -= part.length + 2;
  }
  return parts.join('; ');
}

function entries(line: string): [string, unknown][] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  } catch {
    return [];
  }
}
