/**
 * The block structure of CommonMark 0.31, line by line, as far as headings of the document itself need it: which lines
 * are code, HTML or inside a list or quote, and where a paragraph goes on. Containers are followed through every
 * nesting, since only they tell whether a line without their marks goes on a paragraph of theirs.
 *
 * Structure is made of ASCII alone, so that the scan is the same over UTF-16 code units and over UTF-8 bytes.
 */
import { definitionsEnd } from './definitions.ts';
import { htmlEnds, htmlStart } from './html-blocks.ts';
import { isBlankCode, type Source } from './lines.ts';

export interface BlockHeading {
  kind: 'atx' | 'setext';
  /** First character of the heading, indentation left out. */
  offset: number;
  /** End of its last line, trailing blanks included, the terminator left out. */
  end: number;
  level: number;
  /** The text between the markers. */
  from: number;
  to: number;
}

const TAB = 0x09;
const SPACE = 0x20;
const HASH = 0x23;
const GREATER = 0x3e;

/** What is open innermost. */
enum Leaf {
  None,
  Paragraph,
  Fence,
  Indented,
  Html,
}

/** A list item is its content's indentation, and whether it has content yet; a quote has the indentation 0. */
interface Container {
  indent: number;
  filled: boolean;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

export function scanHeadings(text: Source, start: number, emit: (heading: BlockHeading) => void): void {
  const { length } = text;
  const code = (at: number): number => text.charCodeAt(at);
  const stack: Container[] = [];
  /** Quotes among the containers: without any, a blank line matches all of them. */
  let quotes = 0;
  let leaf = Leaf.None as Leaf;
  let paragraph = 0;
  let fenceCode = 0;
  let fenceLength = 0;
  let html = 0;

  // The line that is being read.
  let at = 0;
  let lineEnd = 0;
  let column = 0;
  /** Columns of a tab at `at` that a container has taken already. */
  let taken = 0;
  let next = 0;
  let indent = 0;
  let blank = false;

  /** Looks ahead to the next character that is neither space nor tab. */
  const look = (): void => {
    let columns = column;
    next = at;
    while (next < lineEnd) {
      const c = code(next);
      if (c === SPACE) columns++;
      else if (c === TAB) columns += 4 - (columns % 4);
      else break;
      next++;
    }
    indent = columns - column;
    blank = next >= lineEnd;
  };

  /** Moves on by columns of white space, which may end inside a tab. */
  const advanceColumns = (count: number): void => {
    let left = count;
    while (left > 0 && at < lineEnd) {
      const width = code(at) === TAB ? 4 - (column % 4) : 1;
      const step = Math.min(width, left);
      column += step;
      left -= step;
      if (step === width) {
        at++;
        taken = 0;
      } else taken += step;
    }
  };

  const advanceTo = (target: number): void => {
    column += indent;
    at = next;
    taken = 0;
    while (at < target) {
      at++;
      column++;
    }
  };

  const fill = (): void => {
    const top = stack.at(-1);
    if (top !== undefined) top.filled = true;
  };

  const closeTo = (depth: number): void => {
    while (stack.length > depth) if (stack.pop()!.indent === 0) quotes--;
  };

  const restBlank = (from: number): boolean => {
    let i = from;
    while (i < lineEnd && isBlankCode(code(i))) i++;
    return i >= lineEnd;
  };

  const runEnd = (from: number, of: number): number => {
    let i = from;
    while (i < lineEnd && code(i) === of) i++;
    return i;
  };

  const isThematicBreak = (): boolean => {
    const mark = code(next);
    if (mark !== 0x2a && mark !== 0x2d && mark !== 0x5f) return false;
    let count = 0;
    for (let i = next; i < lineEnd; i++) {
      const c = code(i);
      if (c === mark) count++;
      else if (!isBlankCode(c)) return false;
    }
    return count >= 3;
  };

  /** The level of a setext underline, or 0. */
  const underline = (): number => {
    const mark = code(next);
    if (mark !== 0x3d && mark !== 0x2d) return 0;
    return restBlank(runEnd(next, mark)) ? (mark === 0x3d ? 1 : 2) : 0;
  };

  /** Opens a fence that starts here. */
  const openFence = (): boolean => {
    const mark = code(next);
    if (mark !== 0x60 && mark !== 0x7e) return false;
    const end = runEnd(next, mark);
    if (end - next < 3) return false;
    if (mark === 0x60) for (let i = end; i < lineEnd; i++) if (code(i) === mark) return false;
    fenceCode = mark;
    fenceLength = end - next;
    return true;
  };

  /** Columns of the list marker at `next`, or 0. */
  const listMarker = (inParagraph: boolean): number => {
    const c = code(next);
    let end = next + 1;
    if (c !== 0x2a && c !== 0x2b && c !== 0x2d) {
      if (!isDigit(c)) return 0;
      while (end < lineEnd && end - next < 10 && isDigit(code(end))) end++;
      if (end - next > 9) return 0;
      const mark = code(end);
      if (end >= lineEnd || (mark !== 0x2e && mark !== 0x29)) return 0;
      // Only a list that starts with 1 may interrupt a paragraph.
      if (inParagraph) {
        let value = 0;
        for (let i = next; i < end; i++) value = value * 10 + code(i) - 0x30;
        if (value !== 1) return 0;
      }
      end++;
    }
    if (end < lineEnd && !isBlankCode(code(end))) return 0;
    if (inParagraph && restBlank(end)) return 0;
    return end - next;
  };

  /** Enters a list item whose marker has so many columns. */
  const openItem = (marker: number): void => {
    const before = indent;
    advanceTo(next + marker);
    const [keptAt, keptColumn, keptTaken] = [at, column, taken];
    look();
    // One to four columns before the content; with more, or none, the content begins one column behind the marker.
    const gap = blank || indent >= 5 || indent < 1 ? 1 : indent;
    at = keptAt;
    column = keptColumn;
    taken = keptTaken;
    advanceColumns(gap);
    fill();
    stack.push({ indent: before + marker + gap, filled: false });
  };

  const emitAtx = (depth: number): boolean => {
    const hashes = runEnd(next, HASH);
    const level = hashes - next;
    if (level > 6 || (hashes < lineEnd && !isBlankCode(code(hashes)))) return false;
    closeTo(depth);
    fill();
    leaf = Leaf.None;
    if (stack.length > 0) return true;
    let from = hashes;
    while (from < lineEnd && isBlankCode(code(from))) from++;
    let to = lineEnd;
    while (to > from && isBlankCode(code(to - 1))) to--;
    let closing = to;
    while (closing > from && code(closing - 1) === HASH) closing--;
    // Closing hashes are a run of their own; glued to a word they are its letters.
    if (closing === from) to = from;
    else if (closing < to && isBlankCode(code(closing - 1))) {
      to = closing;
      while (to > from && isBlankCode(code(to - 1))) to--;
    }
    emit({ kind: 'atx', offset: next, end: lineEnd, level, from, to });
    return true;
  };

  const emitSetext = (level: number): boolean => {
    let from = definitionsEnd(text, paragraph, at);
    while (from < at && (isBlankCode(code(from)) || code(from) === 0x0a || code(from) === 0x0d)) from++;
    let to = at;
    while (to > from && (isBlankCode(code(to - 1)) || code(to - 1) === 0x0a || code(to - 1) === 0x0d)) to--;
    // Nothing but definitions: they end here, and the line begins a paragraph.
    if (from >= to) {
      paragraph = next;
      return false;
    }
    leaf = Leaf.None;
    if (stack.length === 0) emit({ kind: 'setext', offset: paragraph, end: lineEnd, level, from, to });
    return true;
  };

  /** Starts what blocks begin on this line, from the container `depth` on; true where the line is used up. */
  const openBlocks = (depth: number): boolean => {
    let open = depth;
    for (;;) {
      look();
      const matchedAll = open === stack.length;
      const inParagraph = matchedAll && leaf === Leaf.Paragraph;
      // A line that may go on a paragraph of a container it has left.
      const maybeLazy = !matchedAll && leaf === Leaf.Paragraph;
      if (blank) break;
      if (indent >= 4) {
        if (leaf === Leaf.Paragraph) break;
        closeTo(open);
        fill();
        leaf = Leaf.Indented;
        return true;
      }
      const c = code(next);
      if (c === GREATER) {
        closeTo(open);
        fill();
        advanceTo(next + 1);
        if (at < lineEnd && isBlankCode(code(at))) advanceColumns(1);
        stack.push({ indent: 0, filled: false });
        quotes++;
        leaf = Leaf.None;
        open = stack.length;
        continue;
      }
      if (c === HASH && emitAtx(open)) return true;
      if (openFence()) {
        closeTo(open);
        fill();
        leaf = Leaf.Fence;
        return true;
      }
      const type = htmlStart(text, next, lineEnd);
      if (type > 0 && (type < 7 || (!inParagraph && !maybeLazy))) {
        closeTo(open);
        fill();
        leaf = Leaf.Html;
        html = type;
        if (htmlEnds(text, html, next, lineEnd)) leaf = Leaf.None;
        return true;
      }
      if (inParagraph) {
        const level = underline();
        if (level > 0 && emitSetext(level)) return true;
      }
      if (isThematicBreak()) {
        closeTo(open);
        fill();
        leaf = Leaf.None;
        return true;
      }
      const marker = listMarker(inParagraph);
      if (marker > 0) {
        closeTo(open);
        openItem(marker);
        leaf = Leaf.None;
        open = stack.length;
        continue;
      }
      break;
    }
    // Text, or nothing.
    const lazy = open < stack.length && leaf === Leaf.Paragraph && !blank;
    if (lazy) return true;
    if (open < stack.length) {
      closeTo(open);
      leaf = Leaf.None;
    }
    if (blank) leaf = Leaf.None;
    else if (leaf !== Leaf.Paragraph) {
      fill();
      leaf = Leaf.Paragraph;
      paragraph = next;
    }
    return true;
  };

  /** Follows the open containers into the line; answers how many it goes on. */
  const matchContainers = (): number => {
    look();
    // Quotes must be marked on every line, items let blank lines pass: with items alone, all but an empty one match.
    if (blank && quotes === 0) {
      const top = stack.at(-1);
      return top !== undefined && !top.filled ? stack.length - 1 : stack.length;
    }
    let depth = 0;
    for (; depth < stack.length; depth++) {
      const container = stack[depth]!;
      look();
      if (container.indent === 0) {
        if (blank || indent >= 4 || code(next) !== GREATER) break;
        advanceTo(next + 1);
        if (at < lineEnd && isBlankCode(code(at))) advanceColumns(1);
      } else if (blank) {
        if (!container.filled) break;
      } else if (indent >= container.indent) advanceColumns(container.indent);
      else break;
    }
    return depth;
  };

  for (let lineStart = start; lineStart < length; ) {
    lineEnd = lineStart;
    while (lineEnd < length && code(lineEnd) !== 0x0a && code(lineEnd) !== 0x0d) lineEnd++;
    at = lineStart;
    column = 0;
    taken = 0;
    const depth = stack.length === 0 ? 0 : matchContainers();
    const matchedAll = depth === stack.length;
    look();
    if (matchedAll && leaf === Leaf.Fence) {
      const end = indent < 4 && code(next) === fenceCode ? runEnd(next, fenceCode) : next;
      if (end - next >= fenceLength && restBlank(end)) leaf = Leaf.None;
    } else if (matchedAll && leaf === Leaf.Html && !(blank && html >= 6)) {
      if (htmlEnds(text, html, at, lineEnd)) leaf = Leaf.None;
    } else if (matchedAll && leaf === Leaf.Indented && (blank || indent >= 4)) {
      // Goes on.
    } else {
      if (matchedAll && leaf !== Leaf.Paragraph) leaf = Leaf.None;
      // What is open in containers the line has left ends with them, but for a paragraph, which may go on lazily.
      if (!matchedAll && leaf !== Leaf.Paragraph) leaf = Leaf.None;
      openBlocks(depth);
    }
    lineStart = lineEnd + 1;
    if (lineEnd < length && code(lineEnd) === 0x0d && code(lineStart) === 0x0a) lineStart++;
  }
}
