import * as BlockKind from '../kernel/block-kinds.ts';
import { BLOCK_WORDS, type BlockList } from '../kernel/block-list.ts';
import { oneOf } from '../options.ts';
import { anchorsOf, type Slugger, type SluggerName } from './sluggers.ts';

const names = ['github', 'vitepress', 'docusaurus', 'mdbook'] as const;

/** Whose anchors are made: GitHub's where nothing is said; else `INVALID_OPTION`. */
export const sluggerOption = (value: unknown = 'github'): SluggerName | Slugger =>
  typeof value === 'function' ? (value as Slugger) : oneOf<SluggerName>('slugger', value, names);

/** How a splitter's id spells it: a function by its `id`, since what it does cannot be read and minifiers change names. */
export const sluggerName = (slugger: SluggerName | Slugger): string =>
  typeof slugger === 'function' ? (slugger.id ?? 'custom') : slugger;

/** What a piece says of the heading it stands under. */
export interface Label {
  title: string;
  /** Titles from the outermost heading down to this one. */
  path: readonly string[];
  slug: string;
}

/** The headings of a document by the word of their record. All of them are counted, since anchors are numbered. */
export function labelsOf(
  text: string,
  { words, count }: BlockList,
  slugger: SluggerName | Slugger,
): Map<number, Label> {
  const labels = new Map<number, Label>();
  const anchor = anchorsOf(slugger);
  const levels: number[] = [];
  let path: string[] = [];
  for (let block = 0; block < count * BLOCK_WORDS; block += BLOCK_WORDS) {
    if (words[block]! > BlockKind.Setext) continue;
    const level = words[block + 4]!;
    const { title, slug } = anchor(text.slice(words[block + 5], words[block + 6]));
    while (levels.length > 0 && levels.at(-1)! >= level) levels.pop();
    path = path.slice(0, levels.length);
    path.push(title);
    levels.push(level);
    labels.set(block, { title, path, slug });
  }
  return labels;
}
