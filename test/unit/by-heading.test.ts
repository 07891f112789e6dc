import { describe, expect, it } from 'vitest';
import { type ByHeadingOptions, byHeading } from '../../src/split/by-heading.ts';
import { byParagraph } from '../../src/split/by-paragraph.ts';
import { fixedWithOverlap } from '../../src/split/fixed-with-overlap.ts';
import type { SplitPiece } from '../../src/types.ts';

const split = (text: string, options: ByHeadingOptions): readonly SplitPiece[] =>
  byHeading(options).split({ uri: 'a.md', text });
const texts = (pieces: readonly SplitPiece[]): string[] => pieces.map(({ text }) => text);
const words = (count: number): string => Array.from({ length: count }, (_, i) => `word${i}`).join(' ');
const bare = { overlapChars: 0, minChars: 0 };

describe('sections of byHeading', () => {
  it('stay whole where they fit, and merge forward under the floor, the last one backward', () => {
    const text = `# A\n\nshort\n\n# B\n\n${words(20)}\n\n# C\n\n${words(20)}\n\n# D\n\nshort\n`;
    const pieces = split(text, { maxChars: 200, minChars: 50, overlapChars: 0 });
    expect(pieces.map(({ heading, text }) => [heading, text.match(/# \w/g)])).toEqual([
      ['A', ['# A', '# B']],
      ['C', ['# C', '# D']],
    ]);
  });

  it('give later pieces of a section that one was merged into their own label', () => {
    const long = Array.from({ length: 6 }, () => words(10)).join('\n\n');
    const pieces = split(`# A\n\nshort\n\n# B\n\n${long}\n`, {
      maxChars: 150,
      minChars: 30,
      overlapChars: 20,
    });
    expect(pieces[0]).toMatchObject({ heading: 'A', slug: 'a', headingPath: ['A'], line: 1 });
    expect(pieces.length).toBeGreaterThan(2);
    for (const piece of pieces.slice(1)) expect(piece).toMatchObject({ heading: 'B', slug: 'b' });
  });

  it('mark a piece that its heading makes too long, and leave the heading with it', () => {
    const text = `# ${'x'.repeat(100)}\n\nSome text.\n\nMore text.`;
    const pieces = split(text, { maxChars: 20, ...bare });
    expect(texts(pieces)[0]).toBe(`# ${'x'.repeat(100)}\n\nSome text.`);
    expect(pieces.map(({ oversize }) => oversize)).toEqual([true, undefined]);
  });

  it('number anchors over all headings, those that open no section too, and skip no level of the path', () => {
    const text = '# A\na\n\n### Same\nb\n\n## Same\nc\n\n# Same\nd\n';
    expect(split(text, bare).map(({ headingPath, slug }) => [headingPath, slug])).toEqual([
      [['A'], 'a'],
      [['A', 'Same'], 'same'],
      [['A', 'Same'], 'same-1'],
      [['Same'], 'same-2'],
    ]);
    expect(split(text, { ...bare, maxLevel: 1 }).map(({ headingPath, slug }) => [headingPath, slug])).toEqual(
      [
        [['A'], 'a'],
        [['Same'], 'same-2'],
      ],
    );
    expect(split('# A {#b}\na\n', { slugger: 'mdbook' })[0]!.slug).toBe('b');
    expect(split('# A\na\n', { slugger: (title) => `own-${title}` })[0]!.slug).toBe('own-A');
  });

  it('begin at every line with a hash where that is asked for', () => {
    const text = '# A\n```sh\n# comment\n```\nb\n';
    expect(split(text, { ...bare, headings: 'atx' }).map(({ heading, line }) => [heading, line])).toEqual([
      ['A', 1],
      ['comment', 3],
    ]);
    expect(split(text, bare)).toHaveLength(1);
  });

  it('name the page of their own text', () => {
    const pages = ['# A\n\nfirst page', 'more of it\n\n# B\n\nsecond page'];
    const pieces = byHeading({ ...bare, overlapChars: 10 }).split({
      uri: 'a',
      text: pages.join('\n\n'),
      pages,
    });
    expect(pieces.map(({ heading, page }) => [heading, page])).toEqual([
      ['A', 1],
      ['B', 2],
    ]);
  });
});

describe('long sections of byHeading', () => {
  it('are cut between the items of a list, and rather of the outer one', () => {
    const item = (name: string) => `- ${name} ${'x'.repeat(20)}\n  - of ${name} one\n  - of ${name} two`;
    const text = ['a', 'b', 'c', 'd', 'e'].map(item).join('\n');
    const pieces = split(text, { maxChars: 150, ...bare });
    expect(pieces.length).toBeGreaterThan(1);
    for (const piece of pieces) expect(piece.text).toMatch(/^- \w x+\n[\s\S]*two$/);
  });

  it('are cut between sentences, then words', () => {
    const text = `One sentence here. ${words(8)}. Another one. ${words(30)}`;
    const pieces = split(text, { maxChars: 60, ...bare });
    expect(texts(pieces)[0]).toMatch(/\.$|\w$/);
    expect(texts(pieces).join(' ')).toBe(text);
  });

  it('keep a fence or table whole that fits, in a list or quote as well', () => {
    const fence = '```js\none();\n\n\ntwo();\n```';
    const quoted = fence.replaceAll('\n', '\n> ');
    const text = `${words(5)}\n\n${fence}\n\n- ${fence.replaceAll('\n', '\n  ')}\n\n> ${quoted}\n\n${words(5)}`;
    const pieces = split(text, { maxChars: 40, ...bare });
    expect(pieces.filter((piece) => /```js[\s\S]*```/.test(piece.text))).toHaveLength(3);
    for (const { text } of pieces) expect((text.match(/```/g) ?? []).length % 2).toBe(0);
  });

  it('take a fence for text where it is not to be kept', () => {
    const fence = `\`\`\`js\n${'a(); '.repeat(30)}\n\`\`\``;
    expect(split(fence, { maxChars: 50, ...bare })[1]!.context).toBe('js');
    for (const piece of split(fence, { maxChars: 50, ...bare, keepWhole: [] })) {
      expect(piece.context).toBeUndefined();
    }
  });

  it('overlap from the start of a sentence or word, and never from inside a fence', () => {
    const prose = `${words(6)}. Then a sentence. ${words(6)}. And one more. ${words(6)}.`;
    const fence = '```\ncode one\ncode two\ncode three\n```';
    const text = `${prose}\n\n${fence}\n\n${prose}`;
    const pieces = split(text, { maxChars: 100, minChars: 0, overlapChars: 50 });
    for (let i = 1; i < pieces.length; i++) {
      const { charStart } = pieces[i]!;
      if (charStart >= pieces[i - 1]!.charEnd) continue;
      expect(text.slice(charStart - 1, charStart)).toMatch(/\s/);
      expect(text.slice(charStart)).not.toMatch(/^(code|one\n|two|three)/);
    }
  });
});

describe('sizes in another unit', () => {
  const countWords = (text: string): number => text.trim().split(/\s+/).length;

  it('hold as they do in characters', () => {
    const text = `# A\n\n${words(95)}\n\n${words(300)}\n\n# B\n\n${words(5)}`;
    for (const splitter of [
      byHeading({ maxChars: 50, overlapChars: 5, length: countWords }),
      byParagraph({ maxChars: 50, overlapChars: 5, length: countWords }),
      fixedWithOverlap({ chars: 50, overlapChars: 5, length: countWords }),
    ]) {
      const pieces = splitter.split({ uri: 'a', text });
      expect(pieces.length).toBeGreaterThan(6);
      for (const piece of pieces) {
        expect(countWords(piece.text)).toBeLessThanOrEqual(50 + 12 + 5 + 2);
        expect(piece.oversize).toBeUndefined();
      }
    }
  });

  it('are asked of a few times the text, not of its square', () => {
    for (const unit of ['Some words of it. ', 'word\n\n', '- item\n', '# a\n\nSome text of it.\n\n']) {
      const text = unit.repeat(200_000 / unit.length);
      let measured = 0;
      const length = (one: string): number => {
        measured += one.length;
        return Math.ceil(one.length / 4);
      };
      byHeading({ maxChars: 200, length }).split({ uri: 'a', text });
      byParagraph({ maxChars: 200, length }).split({ uri: 'a', text });
      expect(measured / text.length, unit).toBeLessThan(60);
    }
  });

  it('end, whatever the length says', () => {
    const text = `# A\n\n${words(50)}`;
    for (const length of [() => 0, () => 5, (one: string) => one.length * 1000]) {
      for (const splitter of [
        byHeading({ maxChars: 3, length }),
        byParagraph({ maxChars: 3, length }),
        fixedWithOverlap({ chars: 3, length }),
      ]) {
        expect(splitter.split({ uri: 'a', text }).length).toBeGreaterThan(0);
      }
    }
  });
});

describe('front matter', () => {
  it('goes with the first section under its heading, so that links lead there', () => {
    const text = `---\ntitle: Refunds\n---\n\n# Refunds\n\n${words(40)}\n\n## More\n\n${words(40)}`;
    const [first, second] = byHeading({ overlapChars: 0, maxChars: 400, minChars: 60 }).split({
      uri: 'a',
      text,
    });
    expect(first).toMatchObject({
      charStart: 0,
      heading: 'Refunds',
      headingPath: ['Refunds'],
      slug: 'refunds',
    });
    expect(second).toMatchObject({ heading: 'More', slug: 'more' });
  });

  it('has no heading where text stands before the first one', () => {
    const text = `---\na: b\n---\n\nBefore.\n\n# A\n\n${words(10)}`;
    expect(byHeading().split({ uri: 'a', text })[0]).not.toHaveProperty('heading');
  });
});

describe('blocks behind empty marks', () => {
  it('are whole where they fit, whatever marks stand above them', () => {
    const text = '10. 10. >\n        >\n        >\n\n        ```\n\n\n        a\n\n    * a';
    const pieces = byHeading({ maxChars: 20, overlapChars: 0, minChars: 0 }).split({ uri: 'a', text });
    expect(pieces.some((piece) => piece.text.includes('```\n\n\n        a'))).toBe(true);
  });

  it('do not leave a piece under the floor beside one that could take it', () => {
    const text = '- 10. 漢字\r\n      ## `x`\r\n      ####   Why?\r\n      a';
    const length = (one: string) => Math.ceil(one.length / 3);
    const pieces = byParagraph({ maxChars: 3, overlapChars: 0, minChars: 2, length }).split({
      uri: 'a',
      text,
    });
    expect(pieces.map((piece) => piece.text)).toContain('`x`\r\n      ####');
  });
});

describe('context inside lists and quotes', () => {
  it('goes without their marks', () => {
    const rows = Array.from({ length: 12 }, (_, at) => `  | n${at} | value ${at} |`).join('\n');
    const table = `- | name | b |\n  |---|---|\n${rows}`;
    const fence = `> 1. \`\`\`\n${Array.from({ length: 12 }, (_, at) => `>    line ${at}`).join('\n')}`;
    for (const [text, context] of [
      [table, '| name | b |'],
      [fence, '```'],
    ]) {
      const pieces = byHeading({ maxChars: 60, overlapChars: 0 }).split({ uri: 'a', text: text! });
      expect(pieces.length).toBeGreaterThan(2);
      for (const piece of pieces) expect(piece.context).toBe(context);
    }
  });
});
