/** A stretch of a source, and what is shown for it: nothing for a mark of Markdown, a bullet for a list's. */
export interface Shape {
  start: number;
  end: number;
  shown: string;
}

/** Files whose marks are Markdown's. */
export const isMarkdown = (uri: string | undefined): boolean => /\.(md|markdown)$/i.test(uri ?? '');

const block = /^[ \t]{0,3}((?:>[ \t]?)*)(#{1,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?)?/;
const fence = /^ {0,3}(`{3,}|~{3,})/;

/**
 * The marks of Markdown within `text`, in order and apart: of headings, quotes, lists, emphasis, code and links. For
 * snippets, which are read and not rendered; what is no plain mark stays as it is.
 */
export function markdownMarks(text: string): Shape[] {
  const marks: Shape[] = [];
  let inFence = false;
  for (let from = 0; from < text.length; ) {
    const feed = text.indexOf('\n', from);
    const end = feed < 0 ? text.length : feed;
    const line = text.slice(from, end);
    if (fence.test(line)) {
      inFence = !inFence;
      marks.push({ start: from, end, shown: '' });
    } else if (!inFence) {
      const [, quote = '', lead = ''] = block.exec(line) ?? [];
      const body = quote + lead === '' ? 0 : line.indexOf(quote + lead) + quote.length + lead.length;
      if (body > 0) marks.push({ start: from, end: from + body, shown: /^[-*+]/.test(lead) ? '• ' : '' });
      inline(line, body, from, marks);
    }
    from = end + 1;
  }
  return marks;
}

/** One pass over a line: code spans first, whose insides are left alone. */
function inline(line: string, from: number, offset: number, marks: Shape[]): void {
  const hide = (start: number, end: number): void => {
    marks.push({ start: offset + start, end: offset + end, shown: '' });
  };
  for (let at = from; at < line.length; ) {
    const char = line[at]!;
    if (char === '`') {
      const run = runOf(line, at);
      const close = line.indexOf('`'.repeat(run), at + run);
      if (close >= 0) {
        hide(at, at + run);
        hide(close, close + run);
      }
      at = close < 0 ? at + run : close + run;
    } else if (char === '*') {
      const run = runOf(line, at);
      const spaced = /\s/.test(line[at - 1] ?? ' ') && /\s/.test(line[at + run] ?? ' ');
      if (run <= 3 && !spaced) hide(at, at + run);
      at += run;
    } else if (char === '[' || (char === '!' && line[at + 1] === '[')) {
      const open = char === '!' ? 2 : 1;
      const close = line.indexOf('](', at);
      const end = close < 0 ? -1 : line.indexOf(')', close);
      const isLink = end > 0 && line.indexOf('[', at + open) === -1;
      if (isLink || (end > 0 && line.indexOf('[', at + open) > close)) {
        hide(at, at + open);
        hide(close, end + 1);
        // What the link says has no marks of its own here.
        at = end + 1;
      } else at += open;
    } else at++;
  }
}

function runOf(line: string, at: number): number {
  let end = at;
  while (line[end] === line[at]) end++;
  return end - at;
}
