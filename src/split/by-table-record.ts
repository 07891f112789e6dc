import * as BlockKind from '../kernel/block-kinds.ts';
import { BLOCK_WORDS } from '../kernel/block-list.ts';
import { scanBlocks } from '../kernel/load-blocks.ts';
import { defaults, optionsObject, wholeNumber } from '../options.ts';
import type { SplitPiece, Splitter, SplitterDocument } from '../types.ts';
import { defineSplitter } from './define.ts';
import { type Label, labelsOf } from './labels.ts';
import { type Length, lengthName, lengthOption } from './length.ts';
import { lineCounter } from './lines.ts';
import { cutFields, cutStretch, type RecordLimit, recordPieces } from './record-pieces.ts';
import { cellSpans, tableAt } from './table-records.ts';

const version = 1;

export interface ByTableRecordOptions {
  /** Largest piece, in UTF-16 code units from its first row's first character to its last one's last. Default 800. */
  chunkSize?: number | undefined;
  /** Counts `chunkSize` in a unit of one's own, such as tokens. */
  length?: Length | undefined;
  /** Names what `length` counts, and its version, in the splitter's id: `'words@1'`. Default: the function's own `id`, else `'custom'`. */
  lengthId?: string | undefined;
}

/**
 * For Markdown that is tables more than prose: whole rows, packed first come first served, each piece with its table's
 * header row and line of dashes as `context` and with the headings it stands under. What is no table is cut as prose is,
 * section by section; a heading directly above a table is in its rows' `headingPath` alone. To keep a table that fits
 * whole, with the prose around it, use `byHeading`.
 *
 * @throws ShelfmarkError `INVALID_OPTION` naming the option, its value and the range
 */
export function byTableRecord(options: ByTableRecordOptions = {}): Splitter {
  const { chunkSize = defaults.byRecord.chunkSize } = optionsObject(options);
  const size = wholeNumber('chunkSize', chunkSize, 1);
  const length = lengthOption(options.length);
  const spelled = { chunkSize: size, length: lengthName(length, options.lengthId) };
  return defineSplitter('byTableRecord', version, spelled, (text, document) =>
    cutTables(text, document, { size, length }),
  );
}

function cutTables(text: string, document: SplitterDocument, limit: RecordLimit): SplitPiece[] {
  const blocks = scanBlocks(document.text, { frontMatter: true });
  const labels = labelsOf(text, blocks, 'github');
  const { words, count } = blocks;
  const pieces: SplitPiece[] = [];
  const lineOf = lineCounter(text);
  let label: Label | undefined;
  /** Where the prose that is not cut yet begins, and where its headings end. */
  let from = 0;
  let bodyFrom = 0;
  let deepest = 0;
  /** Whether each heading above a table is that of a section which holds the next. */
  let nested = true;
  const add = (found: readonly SplitPiece[]): void => {
    for (const piece of found) pieces.push(label === undefined ? piece : { ...piece, ...labelled(label) });
  };
  const flush = (to: number): void => {
    const spans = cutStretch(text, { charStart: from, charEnd: to }, limit);
    add(recordPieces(text, document, spans, { ...limit, joined: false, lineOf }));
  };
  const hasBody = (to: number): boolean => text.slice(bodyFrom, to).trim() !== '';

  for (let block = 0; block < count * BLOCK_WORDS; block += BLOCK_WORDS) {
    const kind = words[block]!;
    const [start, end] = [words[block + 2]!, words[block + 3]!];
    if (kind === BlockKind.Table) {
      const { rows, context } = tableAt(text, words, block);
      // A header without rows is text like any other.
      if (rows.length === 0) continue;
      if (hasBody(start) || !nested) flush(start);
      const cut = (at: number) => cutFields(text, cellSpans(text, rows[at]!), limit);
      add(recordPieces(text, document, rows, { ...limit, context: () => context, cut, lineOf }));
      from = end;
      bodyFrom = end;
      deepest = 0;
      nested = true;
    } else if (kind <= BlockKind.Setext) {
      const level = words[block + 4]!;
      if (hasBody(start)) {
        flush(start);
        from = start;
        deepest = 0;
        nested = true;
      }
      nested &&= level > deepest;
      deepest = level;
      bodyFrom = end;
      label = labels.get(block);
    }
  }
  // Headings alone are no passage, unless there is one they would otherwise be missing from.
  if (hasBody(text.length) || pieces.length > 0) flush(text.length);
  return pieces;
}

const labelled = ({ title, path, slug }: Label): Partial<SplitPiece> => ({
  heading: title,
  headingPath: path,
  slug,
});
