// The block structure of Markdown. The twin of src/kernel/blocks.ts, function by function, and what is said there of
// CommonMark and of tables holds here; places are addresses of bytes.
import {
  afterLine, beginLine, blank, blanksEnd, code, indent, isBlank, isThematicBreak, line, lineEnd, lineStart, listMarker,
  lookFirst, next, pass, passQuote, readText, runEnd, skip, textEnd, textStart, trimmedEnd, underline,
} from './block-line';
import {
  ATX, beginRecords, BREAK, dropAfter, FENCE, fill, FRONT_MATTER, HTML, INDENTED, ITEM, PARAGRAPH, place, pushRecord,
  SETEXT, TABLE, written,
} from './block-list';
import { definitionsEnd } from './definitions';
import { htmlEnds, htmlStart } from './html-blocks';
import { reserve, shiftResults } from './memory';
import { delimiterCells, rowCells } from './tables';

const HASH: u32 = 0x23;
const PLUS: u32 = 0x2b;
const DASH: u32 = 0x2d;
const COLON: u32 = 0x3a;
const GREATER: u32 = 0x3e;
const BACKTICK: u32 = 0x60;
const PIPE: u32 = 0x7c;
const TILDE: u32 = 0x7e;

// The open containers, two words each: the content's indentation of an item, 0 for a quote; then, counted apart, which
// of the containers are quotes.
let stack: usize = 0;
let stackRoom: u32 = 0;
let depths: u32 = 0;
let quotes: u32 = 0;
/** The innermost container is an item without content yet, which a blank line closes. */
let emptyItem: bool = false;

/** Kind of the open block that more lines may go on; 0 for none. A table is a paragraph here. */
let leaf: u32 = 0;
let record: usize = 0;
/** The end of its last line that was not blank. */
let leafEnd: usize = 0;
let fenceCode: u32 = 0;
let fenceLength: usize = 0;
let html: u32 = 0;

let paragraph: usize = 0;
let paragraphRecord: usize = 0;
/** The paragraph's last line, which may turn out to be a table's header row: its start, its content, what is before it. */
let rowLine: usize = 0;
let row: usize = 0;
let beforeRow: usize = 0;
let rowFits: bool = false;
let inTable: bool = false;
let itemLine: u32 = 0;

function push(kind: u32, start: usize, end: usize): usize {
  return pushRecord(kind, depths, start, end, line);
}

/** Opens a block that begins on this line. */
function open(kind: u32): void {
  leaf = kind;
  record = push(kind, lineStart, lineStart);
  leafEnd = lineEnd;
}

function close(): void {
  if (leaf == 0) return;
  const end = place(leafEnd);
  store<u32>(record, end, 12);
  if (inTable || leaf == FENCE) {
    const inner = record + (inTable ? 20 : 24);
    if (load<u32>(inner) - 1 >= end) store<u32>(inner, end);
  }
  leaf = 0;
  inTable = false;
}

/** Leaves the containers from `depth` on, and what was open, for something that begins on this line. */
function enter(depth: u32): void {
  close();
  closeTo(depth);
  emptyItem = false;
}

/** A block of this line alone. */
function single(depth: u32, kind: u32): void {
  enter(depth);
  push(kind, lineStart, lineEnd);
}

function closeTo(depth: u32): void {
  if (depths <= depth) return;
  depths = depth;
  while (quotes > 0 && quote(quotes - 1) >= depth) quotes--;
  emptyItem = false;
}

@inline
function quote(index: u32): u32 {
  return load<u32>(stack + (<usize>index << 3), 4);
}

function contain(columns: u32): void {
  if (depths == stackRoom) {
    const moved = shiftResults(<usize>stackRoom << 3);
    stackRoom <<= 1;
    record += moved;
    paragraphRecord += moved;
  }
  if (columns == 0) {
    store<u32>(stack + (<usize>quotes << 3), depths, 4);
    quotes++;
  }
  store<u32>(stack + (<usize>depths << 3), columns);
  depths++;
  emptyItem = columns != 0;
}

/** Opens a fence that starts here. */
function openFence(depth: u32): bool {
  const mark = code(next);
  if (mark != BACKTICK && mark != TILDE) return false;
  const end = runEnd(next, mark);
  if (end - next < 3) return false;
  if (mark == BACKTICK) for (let at = end; at < lineEnd; at++) if (code(at) == mark) return false;
  fenceCode = mark;
  fenceLength = end - next;
  const to = trimmedEnd(end, lineEnd);
  enter(depth);
  open(FENCE);
  fill(record, place(min(blanksEnd(end), to)), place(to), 0);
  return true;
}

/** Enters a list item whose marker has so many columns. */
function openItem(depth: u32, marker: u32): void {
  enter(depth);
  if (itemLine != line) {
    itemLine = line;
    push(ITEM, lineStart, lineStart);
  }
  const before = indent;
  pass(marker);
  // One to four columns before the content; with more, or none, the content begins one column behind the marker.
  const gap: u32 = blank || indent >= 5 ? 1 : indent;
  skip(min(gap, indent));
  contain(before + marker + gap);
}

function atx(depth: u32): bool {
  const hashes = runEnd(next, HASH);
  const level = <u32>(hashes - next);
  if (level > 6 || (hashes < lineEnd && !isBlank(code(hashes)))) return false;
  if (depth > 0) {
    single(depth, PARAGRAPH);
    return true;
  }
  enter(0);
  const from = blanksEnd(hashes);
  let to = trimmedEnd(from, lineEnd);
  let closing = to;
  while (closing > from && code(closing - 1) == HASH) closing--;
  // Closing hashes are a run of their own; glued to a word they are its letters.
  if (closing == from) to = from;
  else if (closing < to && isBlank(code(closing - 1))) to = trimmedEnd(from, closing);
  fill(push(ATX, next, lineEnd), level, place(from), place(to));
  return true;
}

/** Makes a heading of the open paragraph. */
function setext(level: u32): bool {
  let from = definitionsEnd(paragraph, leafEnd, quotes);
  while (from < leafEnd && (isBlank(code(from)) || code(from) == 0x0a || code(from) == 0x0d)) from++;
  // Nothing but definitions: they end here, and the line begins a paragraph.
  if (from >= leafEnd) {
    close();
    return false;
  }
  const at = paragraphRecord;
  // A table that the paragraph had become is none.
  dropAfter(at);
  store<u32>(at, PARAGRAPH);
  store<u32>(at, place(lineEnd), 12);
  fill(at, 0, 0, 0);
  if (depths == 0) {
    store<u32>(at, SETEXT);
    store<u32>(at, place(paragraph), 8);
    fill(at, level, place(from), place(trimmedEnd(from, leafEnd)));
  }
  leaf = 0;
  inTable = false;
  return true;
}

/** Begins a paragraph with this line. */
function openParagraph(): void {
  open(PARAGRAPH);
  paragraph = next;
  paragraphRecord = record;
  rowLine = lineStart;
  row = next;
  rowFits = true;
}

/** Goes on the open paragraph, or the table it has become, with this line. */
function goOn(lazy: bool): void {
  if (inTable) {
    if (lazy) {
      close();
      openParagraph();
      rowFits = false;
      return;
    }
    if (load<u32>(record, 20) == 0) store<u32>(record, place(lineStart), 20);
  } else if (!lazy && rowFits && indent < 4 && isDelimiterRow()) {
    if (place(rowLine) > load<u32>(record, 8)) {
      store<u32>(record, place(beforeRow), 12);
      record = push(TABLE, rowLine, rowLine);
      store<u32>(record, line - 1, 28);
    } else store<u32>(record, TABLE);
    store<u32>(record, place(leafEnd), 16);
    inTable = true;
  } else {
    beforeRow = leafEnd;
    rowLine = lineStart;
    row = next;
    rowFits = indent < 4;
  }
  leafEnd = lineEnd;
}

function isDelimiterRow(): bool {
  const c = code(next);
  if (c != PIPE && c != DASH && c != COLON) return false;
  const cells = delimiterCells(next);
  return cells > 0 && cells == rowCells(row, leafEnd);
}

/** Starts what blocks begin on this line, from the container `depth` on. */
function openBlocks(depth: u32): void {
  for (; !blank; depth = depths) {
    const inParagraph = leaf == PARAGRAPH && depth == depths;
    if (indent >= 4) {
      if (leaf == PARAGRAPH) break;
      enter(depth);
      open(INDENTED);
      return;
    }
    const c = code(next);
    if (c == GREATER) {
      enter(depth);
      passQuote();
      contain(0);
      continue;
    }
    if (c == HASH && atx(depth)) return;
    if (openFence(depth)) return;
    const type = htmlStart(next);
    // A tag alone cannot interrupt a paragraph, be it of a container that the line has left.
    if (type > 0 && (type < 7 || leaf != PARAGRAPH)) {
      if (htmlEnds(type, next)) single(depth, HTML);
      else {
        enter(depth);
        html = type;
        open(HTML);
      }
      return;
    }
    if (inParagraph) {
      const level = underline();
      if (level > 0 && setext(level)) return;
    }
    if (isThematicBreak()) {
      single(depth, BREAK);
      return;
    }
    const marker = listMarker(inParagraph);
    if (marker == 0) break;
    openItem(depth, marker);
  }
  if (blank || leaf != PARAGRAPH) {
    close();
    closeTo(depth);
    if (blank) return;
    emptyItem = false;
    openParagraph();
  } else goOn(depth < depths);
}

/** Follows the open containers into the line; answers how many it goes on. */
function matchContainers(): u32 {
  let passed: u32 = 0;
  for (let depth: u32 = 0; depth < depths; depth++) {
    if (blank) {
      if (passed < quotes) return quote(passed);
      return emptyItem ? depths - 1 : depths;
    }
    const needed = load<u32>(stack + (<usize>depth << 3));
    if (needed == 0) {
      if (indent >= 4 || code(next) != GREATER) return depth;
      passed++;
      passQuote();
    } else if (indent >= needed) skip(needed);
    else return depth;
  }
  return depths;
}

function readLine(): void {
  lookFirst();
  const depth = matchContainers();
  if (depth == depths) {
    if (leaf == FENCE) {
      const end = indent < 4 && code(next) == fenceCode ? runEnd(next, fenceCode) : next;
      if (!blank) leafEnd = lineEnd;
      if (end - next >= fenceLength && blanksEnd(end) == lineEnd) close();
      else if (load<u32>(record, 24) == 0) store<u32>(record, place(lineStart), 24);
      return;
    }
    if (leaf == HTML && !(blank && html >= 6)) {
      if (!blank) leafEnd = lineEnd;
      if (htmlEnds(html, next)) close();
      return;
    }
    if (leaf == INDENTED && (blank || indent >= 4)) {
      if (!blank) leafEnd = lineEnd;
      return;
    }
  }
  // What is open in containers the line has left ends with them, but for a paragraph, which may go on lazily.
  if (leaf != PARAGRAPH) close();
  openBlocks(depth);
}

/** Takes the lines of front matter; answers where the text goes on. One never closed is text. */
function readFrontMatter(start: usize): usize {
  const mark = code(start);
  if (mark != DASH && mark != PLUS) return start;
  for (let at = start; at < textEnd; at = afterLine()) {
    beginLine(at);
    if (runEnd(at, mark) == at + 3 && blanksEnd(at + 3) == lineEnd) {
      if (at == start) continue;
      store<u32>(push(FRONT_MATTER, start, lineEnd), 1, 28);
      return afterLine();
    }
    if (at == start) break;
  }
  readText(textStart, textEnd);
  return start;
}

/** Whether a line that starts with this goes on a paragraph whatever follows. */
@inline
function isPlain(c: u32): bool {
  return c > 0x40 && c != 0x5f && c != BACKTICK && c != PIPE && c != TILDE;
}

/** Takes a line of the document itself of the commonest sorts, of which little need be known; false for any other. */
@inline
function readPlain(): bool {
  const c = code(lineStart);
  if (leaf == FENCE) {
    // Neither blanks before a fence nor the fence; a line without text is no content's end.
    if (c == fenceCode || isBlank(c)) return false;
    if (lineStart < lineEnd) leafEnd = lineEnd;
    if (load<u32>(record, 24) == 0) store<u32>(record, place(lineStart), 24);
    return true;
  }
  if (leaf != PARAGRAPH) return leaf == 0 && lineStart == lineEnd;
  if (lineStart == lineEnd) {
    close();
    return true;
  }
  if (inTable || !isPlain(c)) return false;
  beforeRow = leafEnd;
  rowLine = row = lineStart;
  rowFits = true;
  leafEnd = lineEnd;
  return true;
}

/** Writes a record for each block of `len` bytes at `ptr` and answers how many. Offsets are of bytes. */
export function scanBlocks(ptr: usize, len: usize, frontMatter: bool): u32 {
  stackRoom = 32;
  stack = reserve(<usize>stackRoom << 3);
  beginRecords();
  readText(ptr, ptr + len);
  depths = quotes = leaf = itemLine = 0;
  emptyItem = inTable = false;
  const start = ptr + ((load<u32>(ptr) & 0xffffff) == 0xbfbbef ? 3 : 0);
  for (let at = frontMatter ? readFrontMatter(start) : start; at < textEnd; at = afterLine()) {
    beginLine(at);
    if (depths != 0 || !readPlain()) readLine();
  }
  close();
  return written();
}
