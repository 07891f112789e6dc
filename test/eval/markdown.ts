/** Markdown as CommonMark reads it, by a parser that is not ours: the judge of everything measured here. */
import type { Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { frontmatter } from 'micromark-extension-frontmatter';

export interface TrueHeading {
  offset: number;
  /** End of the heading's last line. */
  end: number;
  level: number;
  /** As in the source, between the markers. */
  title: string;
  /** Titles from the outermost heading down, its own last. */
  path: string[];
}

const formats = ['yaml', 'toml'] as ('yaml' | 'toml')[];

/** The parser passes over a byte order mark without counting it. */
export const shiftOf = (text: string): number => (text.charCodeAt(0) === 0xfeff ? 1 : 0);

const spanOf = ({ position }: RootContent | Root, shift: number) => ({
  start: position!.start.offset! + shift,
  end: position!.end.offset! + shift,
});

/** Top-level headings: those in lists and quotes open no section. */
export function trueHeadings(text: string): TrueHeading[] {
  const shift = shiftOf(text);
  const root = fromMarkdown(text, {
    extensions: [frontmatter(formats)],
    mdastExtensions: [frontmatterFromMarkdown(formats)],
  });
  const above: TrueHeading[] = [];
  return root.children.flatMap((node) => {
    if (node.type !== 'heading') return [];
    const { start, end } = spanOf(node, shift);
    const [first, last] = [node.children[0], node.children.at(-1)];
    const title =
      first === undefined ? '' : text.slice(spanOf(first, shift).start, spanOf(last!, shift).end).trim();
    while (above.length > 0 && above.at(-1)!.level >= node.depth) above.pop();
    const path = [...above.map((one) => one.title), title];
    const heading = { offset: start, end, level: node.depth, title, path };
    above.push(heading);
    return [heading];
  });
}

/** Nodes of some types wherever they stand, from the start of their first line to the end of their last. */
export function linesOf(text: string, root: Root, isWanted: (node: RootContent) => boolean) {
  const shift = shiftOf(text);
  const found: { start: number; end: number }[] = [];
  const visit = (node: Root | RootContent): void => {
    if (node.type !== 'root' && isWanted(node)) {
      const { start, end } = spanOf(node, shift);
      found.push({ start: text.lastIndexOf('\n', start - 1) + 1, end });
    }
    if ('children' in node) for (const child of node.children) visit(child);
  };
  visit(root);
  return found;
}
