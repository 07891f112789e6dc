import { slugify } from '@mdit-vue/shared';
import fc from 'fast-check';
import GithubSlugger from 'github-slugger';
import OldGithubSlugger from 'github-slugger-1';
import MarkdownIt from 'markdown-it';
import anchorPlugin from 'markdown-it-anchor';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { describe, expect, it } from 'vitest';
import { byHeading } from '../../src/split/by-heading.ts';
import { markdownHeadings } from '../../src/split/markdown-headings.ts';
import { anchorsOf, type SluggerName, sluggers } from '../../src/split/sluggers.ts';
import { splitDocuments } from '../../src/split/split-documents.ts';
import { runs } from '../arbitraries.ts';
import { readDataFile } from '../vectors.ts';

interface Node {
  type: string;
  value?: string;
  alt?: string;
  children?: Node[];
}

/** What is read of a heading: its text and code, its images where asked for. */
const textOf = (node: Node, images: boolean): string => {
  if (node.type === 'image') return images ? (node.alt ?? '') : '';
  if (node.type === 'html') return '';
  if (node.type === 'break') return '\n';
  return node.value ?? (node.children ?? []).map((child) => textOf(child, images)).join('');
};
const titles = (markdown: string, images: boolean): string[] =>
  (fromMarkdown(markdown) as Node)
    .children!.filter(({ type }) => type === 'heading')
    .map((node) => textOf(node, images));

/** mdBook's rule, character by character, and its numbers. */
function mdbookSlugs(all: string[]): string[] {
  const used = new Set<string>();
  return all.map((title) => {
    let id = '';
    for (const one of title.trim()) {
      if (/^[\p{Alphabetic}\p{N}_-]$/u.test(one)) id += /^[A-Z]$/.test(one) ? one.toLowerCase() : one;
      else if (/^\s$/.test(one)) id += '-';
    }
    let unique = id;
    for (let count = 1; used.has(unique); count++) unique = `${id}-${count}`;
    used.add(unique);
    return unique;
  });
}

/** VitePress's own settings of markdown-it and its anchors. */
const vitepress = new MarkdownIt({ html: true }).use(anchorPlugin, {
  slugify,
  getTokensText: (tokens) =>
    tokens
      .filter(({ type }) => type !== 'html_inline')
      .map(({ content }) => content)
      .join(''),
});

const theirs: Record<SluggerName, (markdown: string) => string[]> = {
  github(markdown) {
    const slugger = new GithubSlugger();
    return titles(markdown, false).map((title) => slugger.slug(title));
  },
  docusaurus(markdown) {
    const slugger = new OldGithubSlugger();
    return titles(markdown, true).map((title) => slugger.slug(title));
  },
  vitepress: (markdown) =>
    vitepress
      .parse(markdown, {})
      .filter(({ type, level }) => type === 'heading_open' && level === 0)
      .map((token) => token.attrGet('id')!),
  mdbook: (markdown) => mdbookSlugs(titles(markdown, false)),
};
const names = Object.keys(theirs) as SluggerName[];

const ours = (markdown: string, slugger: SluggerName): string[] =>
  markdownHeadings(markdown, { slugger, frontMatter: false }).map(({ slug }) => slug);

const samples = [
  ...[
    'API',
    'Get',
    'Get',
    'Get-1',
    'get',
    'Get 1',
    'C#',
    'C++ & co.',
    'F## and more',
    '24/7 Support',
    '1. First',
    '  two   spaces',
  ],
  ...[
    'What is `x`?',
    '`__init__` and `*args`',
    '`a``b`',
    '`` a`b ``',
    '` `` `',
    'a_b c_d',
    '_all_ of it',
    'snake_case_name',
    '__init__',
  ],
  ...[
    '*one* **two** ***three***',
    '**bold _inner_**',
    '2 * 3 * 4',
    'a*b*c',
    '\\*not\\* \\_this\\_',
    'a \\[b\\](c)',
  ],
  ...[
    '[link](https://a.b/c_d) text',
    '[`code` link](x "title")',
    '[a [b] c](d)',
    '[x](a_(b)_c)',
    '[not a link]',
    '[a](b c)',
    '![alt text](i.png) after',
  ],
  ...[
    '[![badge](b.svg)](x) name',
    '<https://a.b/c> there',
    '<me@x.yz>',
    'Vec<T> and <b>bold</b>',
    'Result<T, E>',
    'a < b > c',
    '<!-- note --> seen',
  ],
  ...['R&amp;D', 'a &lt; b', '&#169; 2020', '&#x27;quoted&#x27;', 'AT&T', '&unknown;'],
  ...[
    'Ünïcode — dash',
    'Café',
    'ＦＵＬＬ width',
    '漢字 かな',
    '한국어 제목',
    'Привет, мир!',
    '😀 emoji 👩\u200d👩',
    'İstanbul',
    'ß ﬁ',
    '١٢٣',
    'a\u0301',
    '½ ² Ⅷ',
  ],
  ...[
    '“quoted” ‘single’ …',
    'tab\there',
    'ends with `',
    'dash--dash---dash',
    '-lead',
    'trail-',
    '!!!',
    '???',
    '中文（括号）',
    'emoji :tada: code',
  ],
];

describe('anchors', () => {
  for (const name of names) {
    it(`are those of ${name}, for titles of every kind in one document`, () => {
      const markdown = samples.map((title) => `## ${title}\n`).join('\ntext\n\n');
      const [mine, other] = [ours(markdown, name), theirs[name](markdown)];
      expect(samples.map((title, at) => [title, mine[at]])).toEqual(
        samples.map((title, at) => [title, other[at]]),
      );
    });
  }

  it('are those of each generator on the corpus', async () => {
    const manifest = await readDataFile('corpus/manifest.jsonl');
    const lines = manifest === undefined ? [] : new TextDecoder().decode(manifest).trim().split('\n');
    const faults: string[] = [];
    for (const line of lines) {
      const { path } = JSON.parse(line) as { path: string };
      const whole = new TextDecoder().decode((await readDataFile(`corpus/${path}`))!);
      // The headings alone: to parse all the rest four times takes minutes.
      const text = markdownHeadings(whole)
        .map(({ offset, end }) => `${whole.slice(offset, end)}\n\n`)
        .join('');
      for (const name of names) {
        const [mine, other] = [ours(text, name), theirs[name](text)];
        mine.forEach((slug, at) => {
          if (slug !== other[at]) faults.push(`${path} ${name}: ${slug} | ${other[at]}`);
        });
      }
    }
    expect(faults).toEqual([]);
  });

  it('are those of each generator for generated titles', () => {
    const part = fc.constantFrom(
      ...['a', 'b c', 'D', ' ', ' ', '-', '.', '1', '!', "'", '"', 'é', 'e\u0301', '漢', '😀', '—', '½', 'ß'],
      ...[
        '`x_y`',
        '``a`b``',
        '*i*',
        '**b**',
        '_u_',
        'a_b',
        '\\*',
        '\\_',
        '\\`',
        '[l](u)',
        '[l_l](u "t")',
        '![i](s)',
        '[n]',
      ],
      ...['<b>', '</b>', '<https://u.v/w_x>', '&amp;', '&#169;', '&lt;', ' & ', ' < '],
    );
    const title = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => `x ${parts.join('')} x`);
    fc.assert(
      fc.property(fc.array(title, { minLength: 1, maxLength: 4 }), fc.constantFrom(...names), (all, name) => {
        // micromark takes half an emoji for a letter; to the specification it is punctuation.
        fc.pre(!all.some((one) => /_😀|😀_/.test(one)));
        const markdown = all.map((one) => `# ${one}\n`).join('\n');
        expect(ours(markdown, name)).toEqual(theirs[name](markdown));
      }),
      { numRuns: runs() },
    );
  });

  it('are the same by the short way for plain titles as by the long one', () => {
    const plain = fc.string({ unit: fc.constantFrom(...'abcXYZ019 -_.,:;/()#?!"\'+=@'), maxLength: 20 });
    fc.assert(
      fc.property(fc.array(plain, { maxLength: 6 }), (all) => {
        const slugger = new GithubSlugger();
        const anchor = anchorsOf('github');
        // Underscores that are marks are taken away first.
        const bare = all.map((one) => one.replaceAll('_', ''));
        expect(bare.map((one) => anchor(one).slug)).toEqual(bare.map((one) => slugger.slug(one)));
      }),
      { numRuns: runs() },
    );
  });

  it('are the same for titles with code alone as by the long way, which Docusaurus goes', () => {
    const part = fc.constantFrom(
      '`',
      '`',
      '``',
      ' ',
      'a',
      'B_c',
      '*',
      '<T>',
      '&lt;',
      '\\',
      '漢',
      '.',
      'x-y',
      '(',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const title = parts.join('').trim();
        fc.pre(title !== '');
        expect(sluggers.github(title, new Map())).toBe(sluggers.docusaurus(title, new Map()));
      }),
      { numRuns: runs() },
    );
  });

  it('count as GitHub does whatever the anchors are', () => {
    const word = fc.constantFrom('a', 'a-1', 'a-1-1', 'a-2', 'A', 'constructor', '__proto__', '');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), (all) => {
        const slugger = new GithubSlugger();
        const anchor = anchorsOf('github');
        const titles = all.map((one) => one.replaceAll('_', '\\_'));
        expect(titles.map((one) => anchor(one).slug)).toEqual(all.map((one) => slugger.slug(one)));
      }),
      { numRuns: runs() },
    );
  });

  it('take time that grows with the title', () => {
    const size = 1 << 17;
    for (const unit of [
      '[',
      '](',
      '`',
      '`a``',
      '*',
      '* ',
      '_a',
      '<a ',
      '&',
      '\\',
      '{',
      ' ',
      '~',
      '![',
      'é',
      '#',
      '<!--',
    ]) {
      for (const length of [4000, size]) {
        const text = `# x${unit.repeat(length / unit.length)}y}\n`;
        for (const slugger of names) {
          const start = performance.now();
          markdownHeadings(text, { slugger });
          expect(performance.now() - start, `${slugger} ${unit}`).toBeLessThan(5000);
        }
      }
    }
  });
});

describe('anchors that authors give', () => {
  const slugs = (text: string, slugger: SluggerName) =>
    markdownHeadings(text, { slugger }).map(({ title, slug }) => [title, slug]);

  it('are text to GitHub', () => {
    expect(slugs('# Title {#own}\n', 'github')).toEqual([['Title {#own}', 'title-own']]);
  });

  it('are anything between the braces to Docusaurus, and not counted', () => {
    expect(slugs('# A {#my id}\n# B \\{#b.c}\n# C {#}\n# D {x}\n# E {#a}{#b}\n', 'docusaurus')).toEqual([
      ['A', 'my id'],
      ['B', 'b.c'],
      ['C {#}', 'c-'],
      ['D {x}', 'd-x'],
      ['E {#a}', 'b'],
    ]);
    expect(slugs('# Get {#get}\n# Get\n', 'docusaurus')).toEqual([
      ['Get', 'get'],
      ['Get', 'get'],
    ]);
  });

  it('are one attribute among others to VitePress and mdBook', () => {
    for (const slugger of ['vitepress', 'mdbook'] as const) {
      expect(slugs('# A {#own}\n# B {.c #two k=v}\n# C { .only }\n# D {not this}\n', slugger)).toEqual([
        ['A', 'own'],
        ['B', 'two'],
        ['C', 'c'],
        ['D {not this}', 'd-not-this'].map((one) => one),
      ]);
    }
    // VitePress counts it, mdBook does not.
    expect(slugs('# Get {#get}\n# Get\n', 'vitepress')[1]).toEqual(['Get', 'get-1']);
    expect(slugs('# Get {#get}\n# Get\n', 'mdbook')[1]).toEqual(['Get', 'get']);
  });

  it('do not hold for a function of one’s own', () => {
    const custom = (title: string, seen: Map<string, number>) => `${title}/${seen.size}`;
    expect(markdownHeadings('# A {#x}\n', { slugger: custom })[0]).toMatchObject({ slug: 'A {#x}/0' });
  });
});

describe('what bug reports say of anchors', () => {
  it('two headings of the same words: B070', () => {
    const text = '# API\n## Get\na\n## Get\nb\n';
    for (const slugger of names) {
      expect(markdownHeadings(text, { slugger }).map(({ slug }) => slug)).toEqual(['api', 'get', 'get-1']);
    }
    const chunks = splitDocuments([{ uri: 'api.md', text }], byHeading({ minChars: 0 }));
    expect(chunks.map(({ text: body, slug }) => [body.includes('b'), slug])).toContainEqual([true, 'get-1']);
  });
});
