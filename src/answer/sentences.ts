/** The sentences of Markdown, as slices of it. */
import { isSpace } from '../kernel/js.ts';
import { Break, breakRank, lastBreak } from '../split/breaks.ts';

export interface Sentence {
  /** Offsets in UTF-16 code units, half-open; marks at the starts of lines and white space around it left out. */
  start: number;
  end: number;
  /** A line of code counts as one, and so does a row of a table. */
  kind: 'prose' | 'heading' | 'code';
}

/** A longer sentence is cut at words: nobody reads it at once, and it may be a megabyte of data. */
const longest = 600;
/** Of a line, what the patterns look at. */
const lineHead = 200;

const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}#{1,6}(?:[ \t]+|$)/;
const underline = /^ {0,3}(?:=+|-{2,})[ \t]*$/;
const rule = /^[ \t]*(?:(?:[*_-][ \t]*){3,}|\|?[ \t:|-]*-[ \t:|-]*\|[ \t:|-]*)$/;
const row = /^[ \t]*\|/;
const quoteMarks = /^(?:[ \t]{0,3}>[ \t]?)+/;
const bullet = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+(?:\[[ xX]\][ \t]+)?/;
const lineEnd = /\r\n|\n|\r/g;

/** Every sentence of a text, in order, apart from each other. Linear in the text. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let open: { start: number; end: number } | undefined;
  let fenced: string | undefined;

  const add = (from: number, to: number, kind: Sentence['kind']): void => {
    let [start, end] = [from, to];
    while (start < end && isSpace(text.charCodeAt(start))) start++;
    while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
    while (end - start > longest) {
      const cut = lastBreak(text, start, start + longest);
      sentences.push({ start, end: cut, kind });
      start = cut;
      while (start < end && isSpace(text.charCodeAt(start))) start++;
    }
    if (end > start) sentences.push({ start, end, kind });
  };
  const close = (kind: Sentence['kind'] = 'prose'): void => {
    if (open === undefined) return;
    const { start, end } = open;
    open = undefined;
    let from = start;
    for (let at = start + 1; at < end && kind !== 'heading'; at++) {
      const before = text.charCodeAt(at - 1);
      const isEnd = isSpace(text.charCodeAt(at)) ? !isSpace(before) : before >= 0x500;
      if (!isEnd || breakRank(text, at, from) < Break.Sentence) continue;
      add(from, at, kind);
      from = at;
    }
    add(from, end, kind);
  };
  const readLine = (from: number, to: number): void => {
    const head = text.slice(from, Math.min(to, from + lineHead));
    const mark = fence.exec(head)?.[1];
    if (fenced !== undefined) {
      if (mark?.startsWith(fenced)) fenced = undefined;
      else add(from, to, 'code');
      return;
    }
    if (mark !== undefined) {
      close();
      fenced = mark;
      return;
    }
    const quoted = quoteMarks.exec(head)?.[0].length ?? 0;
    const inner = head.slice(quoted);
    const title = heading.exec(inner);
    if (inner.trim() === '') close();
    else if (title !== null) {
      close();
      add(from + quoted + title[0].length, to, 'heading');
    } else if (open !== undefined && to - from < lineHead && underline.test(inner)) close('heading');
    else if (to - from < lineHead && rule.test(inner)) close();
    else if (row.test(inner)) {
      close();
      add(from + quoted, to, 'prose');
    } else {
      const item = bullet.exec(inner);
      if (item !== null) close();
      open ??= { start: from + quoted + (item?.[0].length ?? 0), end: to };
      open.end = to;
    }
  };

  let from = 0;
  for (const { 0: ending, index } of text.matchAll(lineEnd)) {
    readLine(from, index);
    from = index + ending.length;
  }
  readLine(from, text.length);
  close();
  return sentences;
}
