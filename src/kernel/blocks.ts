/**
 * The block structure of CommonMark 0.31 and GitHub's tables, line by line, in time linear in the text. Containers are
 * followed through every nesting, since only they tell whether a line without their marks goes on a paragraph of theirs.
 *
 * Structure is made of ASCII alone, so that the scan is the same over UTF-16 code units and over UTF-8 bytes:
 * assembly/blocks.ts is its twin, function by function.
 *
 * What CommonMark takes for a paragraph is one to this scan too, and a table is a part of a paragraph. So a line behind a
 * table's rows that could not interrupt a paragraph (a list that starts with 2, four columns of indentation, a lone tag)
 * is one more row, where GitHub would end the table; and an underline makes a heading of it all.
 */
import * as BlockKind from './block-kinds.ts';
import {
  afterLine,
  beginLine,
  blank,
  code,
  indent,
  isPlain,
  isThematicBreak,
  line,
  lineEnd,
  lineStart,
  listMarker,
  lookFirst,
  next,
  pass,
  passQuote,
  readText,
  restBlank,
  runEnd,
  skip,
  text,
  trimmedEnd,
  underline,
} from './block-line.ts';
import { type BlockList, beginRecords, dropAfter, pushRecord, takeRecords, words } from './block-list.ts';
import { definitionsEnd } from './definitions.ts';
import { htmlEnds, htmlStart } from './html-blocks.ts';
import { isBlankCode } from './lines.ts';
import { delimiterCells, rowCells } from './tables.ts';

const LF = 0x0a;
const CR = 0x0d;
const HASH = 0x23;
const PLUS = 0x2b;
const DASH = 0x2d;
const COLON = 0x3a;
const GREATER = 0x3e;
const BACKTICK = 0x60;
const PIPE = 0x7c;
const TILDE = 0x7e;
const BOM = 0xfeff;

// One scan at a time: what follows is its state.
/** The content's indentation of each open list item, 0 for a quote. */
let indents: number[] = [];
/** Which of the containers are quotes: they must be marked on every line, while items let blank lines pass. */
let quotes: number[] = [];
/** The innermost container is an item without content yet, which a blank line closes. */
let emptyItem = false;

/** Kind of the open block that more lines may go on; 0 for none. A table is a paragraph here. */
let leaf = 0;
/** Its record. */
let record = 0;
/** The end of its last line that was not blank. */
let leafEnd = 0;
let fenceCode = 0;
let fenceLength = 0;
let html = 0;

/** First character of the paragraph, and its record: the table's own where that begins with it. */
let paragraph = 0;
let paragraphRecord = 0;
/** The paragraph's last line, which may turn out to be a table's header row: its start, its content, what is before it. */
let rowLine = 0;
let row = 0;
let beforeRow = 0;
let rowFits = false;
let inTable = false;
/** The last line that has been told to begin an item. */
let itemLine = 0;

const push = (kind: number, start: number, end: number, at = line): number =>
  pushRecord(kind, indents.length, start, end, 0, 0, 0, at);

/** Writes a, b and c of a record. */
function fill(at: number, a: number, b: number, c: number): void {
  words[at + 4] = a;
  words[at + 5] = b;
  words[at + 6] = c;
}

/** Opens a block that begins on this line. */
function open(kind: number): void {
  leaf = kind;
  record = push(kind, lineStart, lineStart);
  leafEnd = lineEnd;
}

function close(): void {
  if (leaf === 0) return;
  words[record + 3] = leafEnd;
  const inner = record + (leaf === BlockKind.Fence ? 6 : 5);
  if ((inTable || leaf === BlockKind.Fence) && (words[inner] === 0 || words[inner]! > leafEnd)) {
    words[inner] = leafEnd;
  }
  leaf = 0;
  inTable = false;
}

/** A block of this line alone. */
function single(depth: number, kind: number): void {
  enter(depth);
  push(kind, lineStart, lineEnd);
}

/** Leaves the containers from `depth` on, and what was open, for something that begins on this line. */
function enter(depth: number): void {
  close();
  closeTo(depth);
  emptyItem = false;
}

function closeTo(depth: number): void {
  if (indents.length <= depth) return;
  indents.length = depth;
  while (quotes.length > 0 && quotes.at(-1)! >= depth) quotes.pop();
  emptyItem = false;
}

/** Opens a fence that starts here. */
function openFence(depth: number): boolean {
  const mark = code(next);
  if (mark !== BACKTICK && mark !== TILDE) return false;
  const end = runEnd(next, mark);
  if (end - next < 3) return false;
  if (mark === BACKTICK) for (let at = end; at < lineEnd; at++) if (code(at) === mark) return false;
  fenceCode = mark;
  fenceLength = end - next;
  const to = trimmedEnd(end, lineEnd);
  let from = end;
  while (from < to && isBlankCode(code(from))) from++;
  enter(depth);
  open(BlockKind.Fence);
  fill(record, from, to, 0);
  return true;
}

/** Enters a list item whose marker has so many columns. */
function openItem(depth: number, marker: number): void {
  enter(depth);
  if (itemLine !== line) {
    itemLine = line;
    push(BlockKind.Item, lineStart, lineStart);
  }
  const before = indent;
  pass(marker);
  // One to four columns before the content; with more, or none, the content begins one column behind the marker.
  const gap = blank || indent >= 5 ? 1 : indent;
  skip(Math.min(gap, indent));
  indents.push(before + marker + gap);
  emptyItem = true;
}

function atx(depth: number): boolean {
  const hashes = runEnd(next, HASH);
  const level = hashes - next;
  if (level > 6 || (hashes < lineEnd && !isBlankCode(code(hashes)))) return false;
  if (depth > 0) {
    single(depth, BlockKind.Paragraph);
    return true;
  }
  enter(0);
  let from = hashes;
  while (from < lineEnd && isBlankCode(code(from))) from++;
  let to = trimmedEnd(from, lineEnd);
  let closing = to;
  while (closing > from && code(closing - 1) === HASH) closing--;
  // Closing hashes are a run of their own; glued to a word they are its letters.
  if (closing === from) to = from;
  else if (closing < to && isBlankCode(code(closing - 1))) to = trimmedEnd(from, closing);
  fill(push(BlockKind.Atx, next, lineEnd), level, from, to);
  return true;
}

/** Makes a heading of the open paragraph. */
function setext(level: number): boolean {
  let from = definitionsEnd(text, paragraph, leafEnd, quotes.length);
  while (from < leafEnd && (isBlankCode(code(from)) || code(from) === LF || code(from) === CR)) from++;
  // Nothing but definitions: they end here, and the line begins a paragraph.
  if (from >= leafEnd) {
    close();
    return false;
  }
  const at = paragraphRecord;
  words[at] = BlockKind.Paragraph;
  words[at + 3] = lineEnd;
  fill(at, 0, 0, 0);
  if (indents.length === 0) {
    words[at] = BlockKind.Setext;
    words[at + 2] = paragraph;
    fill(at, level, from, trimmedEnd(from, leafEnd));
  }
  dropAfter(at);
  leaf = 0;
  inTable = false;
  return true;
}

/** Begins a paragraph with this line. */
function openParagraph(): void {
  open(BlockKind.Paragraph);
  paragraph = next;
  paragraphRecord = record;
  rowLine = lineStart;
  row = next;
  rowFits = true;
}

/** Goes on the open paragraph, or the table it has become, with this line. */
function goOn(lazy: boolean): void {
  if (inTable) {
    if (lazy) {
      close();
      openParagraph();
      rowFits = false;
      return;
    }
    if (words[record + 5] === 0) words[record + 5] = lineStart;
  } else if (!lazy && rowFits && indent < 4 && isDelimiterRow()) {
    if (rowLine > words[record + 2]!) {
      words[record + 3] = beforeRow;
      record = push(BlockKind.Table, rowLine, rowLine, line - 1);
    } else words[record] = BlockKind.Table;
    words[record + 4] = leafEnd;
    inTable = true;
  } else {
    beforeRow = leafEnd;
    rowLine = lineStart;
    row = next;
    rowFits = indent < 4;
  }
  leafEnd = lineEnd;
}

function isDelimiterRow(): boolean {
  const c = code(next);
  if (c !== PIPE && c !== DASH && c !== COLON) return false;
  const cells = delimiterCells(text, next, lineEnd);
  return cells > 0 && cells === rowCells(text, row, leafEnd);
}

/** Starts what blocks begin on this line, from the container `matched` on. */
function openBlocks(matched: number): void {
  let depth = matched;
  for (; !blank; depth = indents.length) {
    const inParagraph = leaf === BlockKind.Paragraph && depth === indents.length;
    if (indent >= 4) {
      if (leaf === BlockKind.Paragraph) break;
      enter(depth);
      open(BlockKind.Indented);
      return;
    }
    const c = code(next);
    if (c === GREATER) {
      enter(depth);
      passQuote();
      quotes.push(depth);
      indents.push(0);
      continue;
    }
    if (c === HASH && atx(depth)) return;
    if (openFence(depth)) return;
    const type = htmlStart(text, next, lineEnd);
    // A tag alone cannot interrupt a paragraph, be it of a container that the line has left.
    if (type > 0 && (type < 7 || leaf !== BlockKind.Paragraph)) {
      if (htmlEnds(text, type, next, lineEnd)) single(depth, BlockKind.Html);
      else {
        enter(depth);
        html = type;
        open(BlockKind.Html);
      }
      return;
    }
    if (inParagraph) {
      const level = underline();
      if (level > 0 && setext(level)) return;
    }
    if (isThematicBreak()) {
      single(depth, BlockKind.Break);
      return;
    }
    const marker = listMarker(inParagraph);
    if (marker === 0) break;
    openItem(depth, marker);
  }
  if (blank || leaf !== BlockKind.Paragraph) {
    close();
    closeTo(depth);
    if (blank) return;
    emptyItem = false;
    openParagraph();
  } else goOn(depth < indents.length);
}

/** Follows the open containers into the line; answers how many it goes on. */
function matchContainers(): number {
  let passed = 0;
  for (let depth = 0; depth < indents.length; depth++) {
    if (blank) {
      if (passed < quotes.length) return quotes[passed]!;
      return emptyItem ? indents.length - 1 : indents.length;
    }
    const needed = indents[depth]!;
    if (needed === 0) {
      if (indent >= 4 || code(next) !== GREATER) return depth;
      passed++;
      passQuote();
    } else if (indent >= needed) skip(needed);
    else return depth;
  }
  return indents.length;
}

function readLine(): void {
  lookFirst();
  const depth = matchContainers();
  if (depth === indents.length) {
    if (leaf === BlockKind.Fence) {
      const end = indent < 4 && code(next) === fenceCode ? runEnd(next, fenceCode) : next;
      if (!blank) leafEnd = lineEnd;
      if (end - next >= fenceLength && restBlank(end)) close();
      else if (words[record + 6] === 0) words[record + 6] = lineStart;
      return;
    }
    if (leaf === BlockKind.Html && !(blank && html >= 6)) {
      if (!blank) leafEnd = lineEnd;
      if (htmlEnds(text, html, next, lineEnd)) close();
      return;
    }
    if (leaf === BlockKind.Indented && (blank || indent >= 4)) {
      if (!blank) leafEnd = lineEnd;
      return;
    }
  }
  // What is open in containers the line has left ends with them, but for a paragraph, which may go on lazily.
  if (leaf !== BlockKind.Paragraph) close();
  openBlocks(depth);
}

/** Takes the lines of front matter that begins at `start`; answers where the text goes on. One never closed is text. */
function readFrontMatter(start: number): number {
  const mark = code(start);
  if (mark !== DASH && mark !== PLUS) return start;
  for (let at = start; at < text.length; at = afterLine()) {
    beginLine(at);
    if (runEnd(at, mark) === at + 3 && restBlank(at + 3)) {
      if (at === start) continue;
      push(BlockKind.FrontMatter, start, lineEnd, 1);
      return afterLine();
    }
    if (at === start) break;
  }
  readText(text);
  return start;
}

/**
 * The blocks of a text that is a string. With `frontMatter`, metadata at the very start between two lines of `---`
 * (YAML) or `+++` (TOML) is a block of its own.
 */
export function scanBlocks(source: string, frontMatter: boolean): BlockList {
  readText(source);
  beginRecords();
  itemLine = leaf = 0;
  inTable = emptyItem = false;
  indents = [];
  quotes = [];
  const start = code(0) === BOM ? 1 : 0;
  for (let at = frontMatter ? readFrontMatter(start) : start; at < text.length; at = afterLine()) {
    beginLine(at);
    if (leaf === BlockKind.Paragraph && indents.length === 0 && !inTable && isPlain(code(at))) {
      beforeRow = leafEnd;
      rowLine = row = at;
      rowFits = true;
      leafEnd = lineEnd;
    } else readLine();
  }
  close();
  readText('');
  return takeRecords();
}
