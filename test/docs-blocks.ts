import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

/** A fenced block of a page for users. */
export interface Block {
  /** The page's path, from the root of the repository. */
  page: string;
  /** 1-based line of its first line of code. */
  line: number;
  language: string;
  code: string;
  /** The HTML comment in the line or lines before it, without its marks. */
  comment: string | undefined;
}

/** README, change log, and every guide there is. */
export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
];

export const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The fenced blocks of a page, in order; those in lists without their indentation. */
export function blocksIn(page: string, text: string = textOf(page)): Block[] {
  const fence = /^(?:<!--((?:(?!-->)[\s\S])*?)-->\n+)?^( *)(```+|~~~+)([^\n`]*)\n([\s\S]*?)^\2\3[ \t]*$/gm;
  return [...text.matchAll(fence)].map((found) => {
    const [whole, comment, indent, marks, info, body] = found;
    const start = found.index + whole.length - `${body}${indent}${marks}`.length;
    return {
      page,
      line: text.slice(0, start).split('\n').length,
      language: info!.trim().split(/\s/)[0]!,
      code: body!.replaceAll(new RegExp(`^ {0,${indent!.length}}`, 'gm'), ''),
      comment: comment?.trim(),
    };
  });
}

/** Pages whose blocks, or some of them, are run by a test of their own, and which one that is. */
export const runElsewhere: readonly { page: string; by: string; which: (block: Block) => boolean }[] = [
  { page: 'docs/bundlers.md', by: 'test/matrix/doc.mjs', which: labelled },
  { page: 'docs/offline.md', by: 'test/offline/guide.spec.ts', which: labelled },
  {
    page: 'docs/element.md',
    by: 'test/element/frameworks/server.mjs',
    which: ({ language }) => ['tsx', 'vue', 'svelte'].includes(language),
  },
  {
    page: 'docs/build.md',
    by: 'test/unit/cli-docs.test.ts',
    which: ({ language }) => ['sh', 'json', 'text'].includes(language),
  },
];

function labelled({ comment }: Block): boolean {
  return /^(file|run|part|csp)\b/.test(comment ?? '');
}

/** The test that runs a block, or undefined. A registered test that is gone, or no longer reads the page, runs nothing. */
export function runBy(block: Block): string | undefined {
  const found = runElsewhere.find(({ page, which }) => page === block.page && which(block));
  if (found === undefined || !existsSync(join(root, found.by))) return undefined;
  const name = block.page.split('/').at(-1)!;
  return readFileSync(join(root, found.by), 'utf8').includes(name) ? found.by : undefined;
}
