import { invalidOption } from '../errors.ts';
import { scanHeadings } from '../kernel/blocks.ts';
import { decodeText } from '../kernel/kernel.ts';
import { oneOf } from '../options.ts';
import type { MarkdownHeading, TextInput } from '../types.ts';
import { documentStart } from './front-matter.ts';
import { customId, type Slugger, type SluggerName, sluggers } from './sluggers.ts';
import { checkText } from './spans.ts';

export interface MarkdownHeadingsOptions {
  /** Leaves out a block of metadata at the very start. Default true. */
  frontMatter?: boolean;
  /**
   * Whose anchors `slug` is to be: `'github'` (default), `'vitepress'`, `'docusaurus'`, `'mdbook'`, or a function of
   * the title and the anchors seen so far.
   */
  slugger?: SluggerName | Slugger;
}

const names = ['github', 'vitepress', 'docusaurus', 'mdbook'] as const;

/**
 * The headings of a document as CommonMark 0.31 reads them: not in fenced or indented code, HTML blocks, lists,
 * quotes or front matter; closing hashes dropped; setext headings included. Offsets are UTF-16 code units of the text
 * as given, a byte order mark counted.
 *
 * @throws ShelfmarkError `INVALID_OPTION`, `INVALID_DOCUMENT` for a text that is none
 */
export function markdownHeadings(text: TextInput, options: MarkdownHeadingsOptions = {}): MarkdownHeading[] {
  const { frontMatter = true, slugger = 'github' } = options;
  if (typeof frontMatter !== 'boolean') throw invalidOption('frontMatter', frontMatter, 'true or false');
  const name = typeof slugger === 'function' ? undefined : oneOf<SluggerName>('slugger', slugger, names);
  const slugOf = typeof slugger === 'function' ? slugger : sluggers[slugger];
  checkText(text);
  const source = decodeText(text);
  const headings: MarkdownHeading[] = [];
  const seen = new Map<string, number>();
  const above: { level: number; title: string }[] = [];
  const lineOf = lineCounter(source);

  scanHeadings(source, documentStart(source, frontMatter), ({ kind, offset, end, level, from, to }) => {
    const { title, id } = customId(source.slice(from, to), name);
    while (above.length > 0 && above.at(-1)!.level >= level) above.pop();
    above.push({ level, title });
    const slug = id ?? slugOf(title, seen);
    if (id !== undefined) seen.set(id, 0);
    headings.push({
      kind,
      offset,
      end,
      level,
      title,
      slug,
      path: above.map((heading) => heading.title),
      line: lineOf(offset),
    });
  });
  return headings;
}

/** Counts lines up to offsets that rise from call to call; 1-based. LF, CR and CRLF end a line. */
export function lineCounter(text: string): (offset: number) => number {
  let at = 0;
  let line = 1;
  return (offset) => {
    for (; at < offset; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) line++;
    }
    return line;
  };
}
