import { plainTitle } from '../split/plain-title.ts';
import { isMarkLine, lineStart } from './fold.ts';

const fence = /^[ \t]*(`{3,}|~{3,})/;
/** A line that is a block by itself, or begins one. */
const own = /^[ \t]*(?:#{1,6}(?:[ \t]|$)|[-*+][ \t]|\d{1,9}[.)][ \t]|<\/?[a-z])/i;
/** `[label]: address`, which no page shows. */
const definition = /^ {0,3}\[[^\]]+\]:/;
/** `[text][label]`; of `[text]` alone nobody knows without the whole document whether it is a link. */
const byLabel = /\[([^[\]]*)\]\[[^[\]]*\]/g;
const plain = (text: string): string => plainTitle(text.replace(byLabel, '$1')).replace(/\s+/g, ' ').trim();

/**
 * A passage as a page shows it, block by block: without the marks of Markdown, white space single. Cells of tables and
 * lines of code are blocks of their own, since no search for a text goes across their borders for certain.
 */
export function renderedBlocks(markdown: string): string[] {
  const blocks: string[] = [];
  let open: string[] = [];
  const put = (text: string): void => {
    if (text !== '') blocks.push(text);
  };
  const close = (): void => {
    put(plain(open.join('\n')));
    open = [];
  };
  let fenced: string | undefined;
  for (const line of markdown.split(/\r\n?|\n/)) {
    const mark = fence.exec(line)?.[1];
    if (fenced !== undefined) {
      if (mark?.startsWith(fenced)) fenced = undefined;
      else put(line.replace(/\s+/g, ' ').trim());
      continue;
    }
    if (mark !== undefined) {
      close();
      fenced = mark;
    } else if (line.trim() === '' || isMarkLine(line) || definition.test(line)) close();
    else if (/^[ \t>]*\|/.test(line)) {
      close();
      for (const cell of line.split(/(?<!\\)\|/)) put(plain(cell.replace(/^[ \t]*>/, '')));
    } else {
      if (own.test(line.replace(/^(?:[ \t]*>)+/, ''))) close();
      open.push(line.slice(lineStart(line, 0)).replace(/[ \t]+#+[ \t]*$/, ''));
      if (/^[ \t]*#{1,6}[ \t]/.test(line)) close();
    }
  }
  close();
  return blocks;
}
