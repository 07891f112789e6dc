import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { markdownHeadings } from '../../src/split/markdown-headings.ts';
import { blocksIn, pages, root, textOf } from '../docs-blocks.ts';

const guides = pages.filter((page) => page.startsWith('docs/'));
const others = ['llms.txt', 'CONTRIBUTING.md', 'CHANGELOG.md', 'models/README.md'];

/** Links of a page to files of the repository, code left out. */
function linksOf(page: string): { to: string; anchor: string | undefined; as: string }[] {
  const text = blocksIn(page).reduce((rest, { code }) => rest.replace(code, ''), textOf(page));
  return [...text.replaceAll(/`[^`\n]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, as]) => as!)
    .filter((as) => !/^[a-z]+:/.test(as))
    .map((as) => {
      const [path, anchor] = as.split('#');
      return { to: path === '' ? page : normalize(join(dirname(page), path!)), anchor, as };
    });
}

const anchorsOf = (page: string): string[] =>
  markdownHeadings(readFileSync(join(root, page), 'utf8')).map(({ slug }) => slug);

describe('links', () => {
  it.each([...pages, ...others])('of %s lead to files and headings that there are', (page) => {
    for (const { to, anchor, as } of linksOf(page)) {
      expect(existsSync(join(root, to)), as).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(to), as).toContain(anchor);
    }
  });

  it.each(['README.md', 'llms.txt'])('of %s lead to every guide', (page) => {
    const linked = new Set(linksOf(page).map(({ to }) => to));
    expect(guides.filter((guide) => !linked.has(guide))).toEqual([]);
  });
});

describe('llms.txt', () => {
  const lines = textOf('llms.txt').split('\n');

  it('has a title, a summary and sections of links with a line each', () => {
    expect(lines.filter((line) => line.startsWith('# '))).toEqual(['# shelfmark']);
    expect(lines[2]).toMatch(/^> \S/);
    const first = lines.findIndex((line) => line.startsWith('## '));
    const rest = lines.slice(first).filter((line) => line !== '');
    for (const line of rest) expect(line).toMatch(/^(## \S|- \[[^\]]+\]\([^)]+\): \S)/);
  });
});
