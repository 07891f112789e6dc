import { invalidOption } from '../errors.ts';
import * as BlockKind from '../kernel/block-kinds.ts';
import { BLOCK_WORDS } from '../kernel/block-list.ts';
import { checkText, decodeText } from '../kernel/kernel.ts';
import { scanBlocks, scanHeadings } from '../kernel/load-blocks.ts';
import { oneOf, optionsObject } from '../options.ts';
import type { MarkdownHeading, TextInput } from '../types.ts';
import { anchorsOf, type Slugger, type SluggerName } from './sluggers.ts';

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
  const { frontMatter = true, slugger = 'github' } = optionsObject(options);
  if (typeof frontMatter !== 'boolean') throw invalidOption('frontMatter', frontMatter, 'true or false');
  const anchor = anchorsOf(
    typeof slugger === 'function' ? slugger : oneOf<SluggerName>('slugger', slugger, names),
  );
  checkText(text);
  const fromBytes = typeof text === 'string' ? undefined : scanHeadings(text, { frontMatter });
  const source = fromBytes === undefined ? decodeText(text) : fromBytes.titles;
  const { words, count } = fromBytes ?? scanBlocks(source, { frontMatter });
  let gathered = 0;
  const headings: MarkdownHeading[] = [];
  const above: { level: number; title: string }[] = [];

  for (let at = 0; at < count * BLOCK_WORDS; at += BLOCK_WORDS) {
    const kind = words[at]!;
    if (kind > BlockKind.Setext) continue;
    const level = words[at + 4]!;
    const from = words[at + 5]!;
    const to = words[at + 6]!;
    const start = fromBytes === undefined ? from : gathered;
    gathered += to - from;
    const { title, slug } = anchor(source.slice(start, start + to - from));
    while (above.length > 0 && above.at(-1)!.level >= level) above.pop();
    above.push({ level, title });
    headings.push({
      kind: kind === BlockKind.Atx ? 'atx' : 'setext',
      offset: words[at + 2]!,
      end: words[at + 3]!,
      level,
      title,
      slug,
      path: above.map((heading) => heading.title),
      line: words[at + 7]!,
    });
  }
  return headings;
}
