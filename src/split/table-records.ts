import * as BlockKind from '../kernel/block-kinds.ts';
import { BLOCK_WORDS, type BlockList } from '../kernel/block-list.ts';
import { checkText, decodeText } from '../kernel/kernel.ts';
import { scanBlocks } from '../kernel/load-blocks.ts';
import type { TextInput } from '../types.ts';
import { containerMarks } from './lines.ts';
import type { RecordSpan } from './pack-spans.ts';

/** A row of a Markdown table: always a slice of the text. */
export interface TableRecord {
  /** `text.slice(charStart, charEnd)`: the row's line, its line end left out. */
  text: string;
  charStart: number;
  charEnd: number;
  /** 1-based. */
  line: number;
  /** What the cells say, `\|` read as a bar; as many as the table has columns. */
  fields: string[];
  /** The table's header row and the line of dashes under it. */
  context: string;
}

/** A table as the block scan finds it. */
export interface TableSpan extends RecordSpan {
  /** Header row and line of dashes. */
  context: string;
  rows: (RecordSpan & { line: number })[];
}

/**
 * The rows of all Markdown tables (GitHub's), those in lists and quotes among them, each with its table's header beside
 * it. Tables in code are code.
 *
 * @throws ShelfmarkError `INVALID_DOCUMENT` for a text that is none
 */
export function tableRecords(text: TextInput): TableRecord[] {
  checkText(text);
  const source = decodeText(text);
  const blocks = scanBlocks(text, { frontMatter: true });
  return tablesOf(source, blocks).flatMap(({ context, rows }) => {
    const columns = cellsOf(context.slice(0, context.indexOf('\n'))).length;
    return rows.map(({ charStart, charEnd, line }) => {
      const row = source.slice(charStart, charEnd);
      const cells = cellsOf(row).slice(0, columns);
      while (cells.length < columns) cells.push('');
      return { text: row, charStart, charEnd, line, fields: cells, context };
    });
  });
}

export function tablesOf(source: string, { words, count }: BlockList): TableSpan[] {
  const tables: TableSpan[] = [];
  for (let block = 0; block < count * BLOCK_WORDS; block += BLOCK_WORDS) {
    if (words[block] === BlockKind.Table) tables.push(tableAt(source, words, block));
  }
  return tables;
}

/** The table whose record is at `block`. */
export function tableAt(source: string, words: Uint32Array, block: number): TableSpan {
  const [charStart, charEnd] = [words[block + 2]!, words[block + 3]!];
  const [headEnd, bodyStart] = [words[block + 4]!, words[block + 5]!];
  const marks = words[block + 1] === 0 ? /^\s+/ : containerMarks;
  const head = source.slice(charStart, headEnd).replace(marks, '').trimEnd();
  const dashes = source.slice(headEnd, bodyStart).trim().replace(marks, '');
  const rows: TableSpan['rows'] = [];
  let line = words[block + 7]! + 2;
  for (let at = bodyStart; at < charEnd; line++) {
    const end = lineEnd(source, at, charEnd);
    rows.push({ charStart: at, charEnd: end, line });
    at = source.charCodeAt(end) === 0x0d && source.charCodeAt(end + 1) === 0x0a ? end + 2 : end + 1;
  }
  return { charStart, charEnd, context: `${head}\n${dashes}`, rows };
}

function lineEnd(source: string, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const code = source.charCodeAt(at);
    if (code === 0x0a || code === 0x0d) return at;
  }
  return to;
}

/** Where the cells of a row stand, each with the bar before it. */
export function cellSpans(source: string, { charStart, charEnd }: RecordSpan): RecordSpan[] {
  const spans: RecordSpan[] = [];
  let from = charStart;
  for (const { index } of source.slice(charStart, charEnd).matchAll(/(?<!\\)\|/g)) {
    const at = charStart + index;
    if (at > from) spans.push({ charStart: from, charEnd: at });
    from = at;
  }
  spans.push({ charStart: from, charEnd });
  return spans;
}

/** What the cells of a row say: divided by bars that no backslash stands before, the outer ones and marks of quotes left out. */
function cellsOf(row: string): string[] {
  const bare = row.replace(/^[\s>]+/, '').trimEnd();
  const inner = bare.startsWith('|') ? bare.slice(1) : bare;
  const cells = inner.split(/(?<!\\)\|/);
  if (cells.length > 1 && cells.at(-1)!.trim() === '') cells.pop();
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}
