import { plainTitle } from '../split/plain-title.ts';
import { isMarkLine, lineStart } from './fold.ts';
import { shownCharacter } from './named.ts';

const fence = /^[ \t]*(`{3,}|~{3,})/;
/** A line that is a block by itself, or begins one. */
const own = /^[ \t]*(?:#{1,6}(?:[ \t]|$)|[-*+][ \t]|\d{1,9}[.)][ \t]|<\/?[a-z])/i;
/** `[label]: address`, which no page shows. */
const definition = /^ {0,3}\[[^\]]+\]:/;
/** `[text][label]`; of `[text]` alone nobody knows without the whole document whether it is a link. */
const byLabel = /\[([^[\]]*)\]\[[^[\]]*\]/g;
const plain = (text: string): string =>
  plainTitle(text.replace(byLabel, '$1'), false, shownCharacter).replace(/\s+/g, ' ').trim();

/** Fields at the top of a document, which no page shows. */
const frontMatter =
  /^\ufeff?---[ \t]*\r?\n(?:[\w-]+:[^\r\n]*\r?\n(?:[ \t-][^\r\n]*\r?\n|\r?\n)*)+?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
/** The rest of a comment that began before the passage. */
const commentEnd = /^(?:(?!<!--)[\s\S]){0,400}?-->/;

/** The rest of a link that began before it. */
const linkEnd = /^([^[\]\n]{0,300})\]\([^()\s]{0,1000}\)/;
/** The first fence opens: what a passage shares with the one before it may be text in front of a fence. */
const beginsOutside = /^(?:(?![ \t]*(?:`{3}|~{3})).*(?:\r\n?|\n))*[ \t]*(?:`{3,}|~{3,})[ \t]*[^\s`~]/;

/**
 * A passage as a page shows it, block by block: without the marks of Markdown, white space single. Cells of tables,
 * lines of code, and in them what several spaces divide, are blocks of their own, since no search for a text goes
 * across their borders for certain.
 *
 * @param context of a passage that begins inside of a fence or a table, as splitters give it
 */
export function renderedBlocks(passage: string, context?: string): string[] {
  const inCode = context !== undefined && !context.includes('|') && !beginsOutside.test(passage);
  const markdown = inCode
    ? passage
    : passage.replace(frontMatter, '').replace(commentEnd, '').replace(linkEnd, '$1');
  const blocks: string[] = [];
  let open: string[] = [];
  const put = (text: string): void => {
    if (text !== '') blocks.push(text);
  };
  const close = (): void => {
    put(plain(open.join('\n')));
    open = [];
  };
  // A fence that began before the passage is closed by the first that has no info string.
  let fenced = inCode ? (/^ *(`{3,}|~{3,})/.exec(context)?.[1] ?? '') : undefined;
  for (const line of markdown.split(/\r\n?|\n/)) {
    const mark = fence.exec(line)?.[1];
    if (fenced !== undefined) {
      if (mark?.startsWith(fenced)) fenced = undefined;
      else for (const part of line.split(/\t|\s{2,}/)) put(part.trim());
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
