import * as BlockKind from '../kernel/block-kinds.ts';
import { BLOCK_WORDS } from '../kernel/block-list.ts';
import { checkText, decodeText } from '../kernel/kernel.ts';
import { scanBlocks } from '../kernel/load-blocks.ts';
import type { SplitterDocument } from '../types.ts';
import { newlineOf } from './csv-quotes.ts';
import { guessDelimiter, readRows } from './csv-read.ts';
import { ofDocument } from './spans.ts';

/**
 * What a document is made of: Markdown; prose without headings; comma-separated values with a header, without one, or
 * with tabs; JSON lines; lines that are records; a log whose entries may go on over several lines.
 */
export type DocumentKind = 'markdown' | 'prose' | 'csv' | 'bare-csv' | 'tsv' | 'json-lines' | 'lines' | 'log';

/** How much of a text is looked at, in UTF-16 code units, and how many lines of that. */
const headChars = 16_384;
const headLines = 100;

/** What a file is by the end of its name. Other files, `.txt` and `.log` among them, are what they look like. */
const kinds: Readonly<Record<string, DocumentKind>> = {
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
  mkd: 'markdown',
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  jsonl: 'json-lines',
  ndjson: 'json-lines',
};

/** The letters behind the last dot of an address, in lower case, what follows `?` or `#` left out; '' where there are none. */
export function extensionOf(uri: string): string {
  const path = uri.replace(/[?#].*$/s, '');
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/**
 * What a document is made of, by the end of its name and, where that says nothing, by its first 16,384 characters.
 * The same text and name give the same answer everywhere.
 *
 * By shape, in this order: JSON lines are objects, one a line, at least two; a log is lines of which the first and at least two
 * more begin with a date or a time, and where all do, its lines are records; so they are where nearly all of them
 * begin with the same label and hold two labelled values or more (`Name: Ann; Age: 30`); comma-separated values are three records
 * or more with equally many fields, two at least, whose delimiters are not those of sentences. What is none of these
 * is Markdown where there is a heading, a table or fenced code in it, else prose.
 *
 * @throws ShelfmarkError `INVALID_DOCUMENT` for a text that is none
 */
export function documentKind(document: Pick<SplitterDocument, 'uri' | 'text'>): DocumentKind {
  checkText(document?.text, ofDocument(document?.uri));
  const { uri, text } = document;
  const extension = extensionOf(String(uri));
  const kind = Object.hasOwn(kinds, extension) ? kinds[extension] : undefined;
  if (kind !== undefined && kind !== 'csv') return kind;
  const head = headOf(text);
  if (kind === 'csv') return headerless(head) ? 'bare-csv' : 'csv';
  return byShape(head, extension);
}

/** Whole lines from the start of a text. Bytes and strings give the same: a code unit is three bytes at most. */
function headOf(text: SplitterDocument['text']): string {
  const start = typeof text === 'string' ? text : decodeText(text.subarray(0, 3 * headChars + 4));
  const head = start.slice(0, headChars).replace(/^\ufeff/, '');
  if (start.length <= headChars) return head;
  const lastLine = Math.max(head.lastIndexOf('\n'), head.lastIndexOf('\r'));
  return lastLine < 0 ? head : head.slice(0, lastLine + 1);
}

function byShape(head: string, extension: string): DocumentKind {
  const lines = head
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, headLines);
  if (lines.length >= 2 && lines.every(isJsonObject)) return 'json-lines';
  const stamped = lines.filter((line) => timeStamp.test(line)).length;
  if (stamped >= 3 && timeStamp.test(lines[0]!)) return stamped === lines.length ? 'lines' : 'log';
  if (isLabelled(lines)) return 'lines';
  const delimiter = delimiterOf(head, lines);
  if (delimiter !== undefined) return delimiter === '\t' ? 'tsv' : headerless(head) ? 'bare-csv' : 'csv';
  if (hasMarkdown(head)) return 'markdown';
  return extension === 'log' ? 'lines' : 'prose';
}

function isJsonObject(line: string): boolean {
  const trimmed = line.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return false;
  try {
    JSON.parse(trimmed);
    return true;
  } catch {
    return false;
  }
}

/** A date (ISO, with slashes, of syslog or in brackets), or a time of day, at the start of a line. Also a pattern's source in `autoSplitter`. */
export const stampPattern =
  '^[\\[(<]?(?:\\d{4}[-/.]\\d\\d?[-/.]\\d\\d?(?!\\d)|\\d\\d?[-/.]\\w{2,3}[-/.]\\d{4}(?!\\d)|\\d\\d?:\\d\\d:\\d\\d|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\\d{1,2} \\d\\d:)';
const timeStamp = new RegExp(stampPattern);

const labelledValue = /^\s*([^:;|\t]{1,40}):\s*\S/;

function isLabelled(lines: readonly string[]): boolean {
  if (lines.length < 2) return false;
  const first = (line: string): string | undefined => {
    const parts = line.split(/[;|\t]/).filter((part) => part.trim() !== '');
    const labels = parts.filter((part) => labelledValue.test(part)).length;
    return labels >= 2 && labels * 2 > parts.length ? labelledValue.exec(line)?.[1]?.trim() : undefined;
  };
  const label = first(lines[0]!);
  return label !== undefined && lines.filter((line) => first(line) === label).length >= lines.length * 0.9;
}

function delimiterOf(head: string, lines: readonly string[]): string | undefined {
  if (lines.length < 3 || lines.some((line) => /^\s*\|/.test(line))) return undefined;
  const delimiter = guessDelimiter(head);
  if (delimiter === undefined) return undefined;
  const rows = readRows(head, { delimiter, newline: newlineOf(head) }).slice(0, headLines);
  const columns = rows[0]?.fields.length ?? 0;
  if (rows.length < 3 || columns < 2) return undefined;
  if (rows.some(({ fields, malformed }) => malformed || fields.length !== columns)) return undefined;
  // In prose a comma is followed by a space.
  const inner = rows.flatMap(({ fields }) => fields.slice(1)).filter((field) => field !== '');
  const spaced = inner.filter((field) => field.startsWith(' ')).length;
  return spaced * 2 > inner.length ? undefined : delimiter;
}

/** Whether the first record holds values and no names: the same twice, or something that begins with a digit. */
function headerless(head: string): boolean {
  const delimiter = guessDelimiter(head) ?? ',';
  const [first] = readRows(head, { delimiter, newline: newlineOf(head) });
  if (first === undefined) return false;
  const names = first.fields.map((field) => field.trim());
  return new Set(names).size < names.length || names.some((name) => /^[-+]?\d/.test(name));
}

const markdownKinds = new Set<number>([
  BlockKind.Atx,
  BlockKind.Setext,
  BlockKind.Fence,
  BlockKind.Table,
  BlockKind.FrontMatter,
]);

function hasMarkdown(head: string): boolean {
  const { words, count } = scanBlocks(head, { frontMatter: true });
  for (let block = 0; block < count; block++) {
    if (markdownKinds.has(words[block * BLOCK_WORDS]!)) return true;
  }
  return false;
}
