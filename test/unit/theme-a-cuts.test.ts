/** Faults that users of other splitters met: where texts are cut, what overlaps, and how long it takes. */
import { describe, expect, it } from 'vitest';
import { ShelfmarkError } from '../../src/errors.ts';
import { clusterStart } from '../../src/split/breaks.ts';
import { type ByHeadingOptions, byHeading } from '../../src/split/by-heading.ts';
import { byParagraph } from '../../src/split/by-paragraph.ts';
import { fixedWithOverlap } from '../../src/split/fixed-with-overlap.ts';
import type { SplitPiece, Splitter } from '../../src/types.ts';
import { ownParts } from '../cut-rules.ts';
import { expectRules } from '../rules.ts';

const F3 = '```';

function cut(splitter: Splitter, text: string): readonly SplitPiece[] {
  const pieces = splitter.split({ uri: 'a.md', text });
  expectRules(text, pieces, {});
  return pieces;
}

const split = (text: string, options: ByHeadingOptions) => cut(byHeading(options), text);

/** All three, cut to one size. */
const splitters = (size: number, overlapChars: number): Splitter[] => [
  byHeading({ maxChars: size, overlapChars }),
  byParagraph({ maxChars: size, overlapChars }),
  fixedWithOverlap({ chars: size, overlapChars }),
];

describe('fences and tables', () => {
  it('B010: a fence that is too long is cut between lines, and each piece says what it is cut from', () => {
    const text = `# A\n${F3}js\n${'let a=1;\n'.repeat(400)}${F3}\nafter\n`;
    const pieces = split(text, { maxChars: 500 });
    expect(pieces.length).toBeGreaterThan(6);
    for (const piece of pieces) {
      expect(piece.context).toBe('js');
      expect(piece.text).toMatch(/^(# A\n```js\n)?let a=1;\n[\s\S]*(let a=1;|after)$/);
    }
    const whole = split(`# A\n${F3}js\n${'let a=1;\n'.repeat(40)}${F3}\nafter\n`, { maxChars: 500 });
    expect(whole).toHaveLength(1);
    expect(whole[0]!.context).toBeUndefined();
    const [nameless] = split(`${F3}\n${'let a=1;\n'.repeat(400)}${F3}\n`, { maxChars: 500 });
    expect(nameless!.context).toBe(F3);
  });

  it('B059: a table that is too long is cut between rows, and each piece has its header row', () => {
    const text = `# T\n| name | unit | value |\n|---|---|---|\n${'| p7 | ms | 42 |\n'.repeat(80)}`;
    const pieces = split(text, { maxChars: 400 });
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces) {
      expect(piece.context).toBe('| name | unit | value |');
      expect(piece.text).toMatch(/^(# T|\| p7 \| ms \| 42 \|)\n/);
      expect(piece.text).toMatch(/\n\| p7 \| ms \| 42 \|$/);
    }
  });
});

describe('where prose is cut', () => {
  it('B041: starts rise, and slices are what they say', () => {
    const text = 'red red red red red red';
    for (const splitter of splitters(7, 3)) expect(cut(splitter, text).length).toBeGreaterThan(2);
  });

  it('B046: no surrogate pair is divided', () => {
    const text = `ab${'\u{1F98A}'.repeat(40)}`;
    for (const splitter of splitters(5, 0)) {
      const pieces = cut(splitter, text);
      for (const piece of pieces) expect(piece.text).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
      expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    }
  });

  it('B048: nor what a reader sees as one character, unless it is longer than a piece; and it ends', () => {
    const text = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'.repeat(20) + 'e\u0301'.repeat(50);
    for (const size of [10, 8, 3, 1]) {
      for (const splitter of splitters(size, 0)) {
        for (const { charStart, charEnd } of cut(splitter, text)) {
          expect([clusterStart(text, charStart), clusterStart(text, charEnd)]).toEqual([true, true]);
        }
      }
    }
  });

  it('B057: indentation that means something is kept', () => {
    const text = '# L\n- one\n\n    - two\n        - three\n';
    expect(split(text, {})[0]!.text).toBe(text.trimEnd());
    const pieces = split(text, { maxChars: 12, minChars: 0, overlapChars: 0 });
    expect(pieces.map((piece) => piece.text)).toContain('    - two');
  });

  it('B066: Chinese is cut as well', () => {
    const text = `# 说明\n${'系统会保存记录并且检查结果'.repeat(500)}`;
    const pieces = split(text, {});
    expect(pieces.length).toBeGreaterThan(6);
    for (const { from, to } of ownParts(text, pieces)) expect(to - from).toBeLessThanOrEqual(1000);
  });

  it('B067: behind its sentences', () => {
    const text = '第一句话。第二句话！第三句吗？'.repeat(300);
    const pieces = split(text, { maxChars: 120, overlapChars: 20 });
    expect(pieces.length).toBeGreaterThan(30);
    for (const piece of pieces) {
      expect(piece.text).toMatch(/[。！？]$/);
      expect(piece.text).toMatch(/^第/);
    }
  });
});

describe('overlaps', () => {
  it('B049: one that is no smaller than the size is refused', () => {
    for (const overlapChars of [512, 600]) {
      for (const make of [
        () => byHeading({ maxChars: 512, overlapChars }),
        () => byParagraph({ maxChars: 512, overlapChars }),
        () => fixedWithOverlap({ chars: 512, overlapChars }),
      ]) {
        expect(make).toThrow(ShelfmarkError);
        expect(make).toThrow(
          /^overlapChars is \d+; give a whole number from 0 to below (maxC|c)hars, which is 512\.$/,
        );
      }
    }
  });

  it('B052: the end of the text is the end', () => {
    const pieces = cut(fixedWithOverlap({ chars: 500, overlapChars: 50 }), 'k'.repeat(1050));
    expect(pieces.map(({ charStart, charEnd }) => [charStart, charEnd])).toEqual([
      [0, 500],
      [450, 1000],
      [950, 1050],
    ]);
  });

  it('B053: none is none', () => {
    const pieces = cut(fixedWithOverlap({ chars: 10, overlapChars: 0 }), 'b'.repeat(30));
    expect(pieces.map((piece) => piece.text)).toEqual(['b'.repeat(10), 'b'.repeat(10), 'b'.repeat(10)]);
  });

  it('B054: every piece is a slice', () => {
    const text = 'Top\nOne long sentence about storage and cache.\n\nNext\nAnother sentence about search.';
    for (const splitter of splitters(30, 8)) expect(cut(splitter, text).length).toBeGreaterThan(2);
  });

  it('B055: text without any separator overlaps like any other', () => {
    for (const splitter of splitters(20, 5)) {
      const pieces = cut(splitter, 'c'.repeat(100));
      for (let i = 1; i < pieces.length; i++) expect(pieces[i - 1]!.charEnd - pieces[i]!.charStart).toBe(5);
    }
  });
});

describe('hostile texts', () => {
  /** In ms of processor time, so that other processes don't count. */
  function cost(splitter: Splitter, text: string): number {
    const start = process.cpuUsage();
    splitter.split({ uri: 'a.md', text });
    return process.cpuUsage(start).user / 1000;
  }

  it('B060: a paragraph break far ahead costs nothing', () => {
    const lines = 'one line of text here\n'.repeat(30_000);
    for (const splitter of splitters(64, 10)) {
      cost(splitter, lines);
      const plain = cost(splitter, lines);
      expect(cost(splitter, `${lines}\n\nEND`)).toBeLessThan(3 * plain + 200);
    }
  });

  it('B062: nor does a long line', () => {
    for (const splitter of splitters(1000, 150)) {
      expect(cost(splitter, `${'w'.repeat(200_000)}\n`)).toBeLessThan(1000);
    }
  });

  it('B064: nor blank lines, which give no pieces', () => {
    for (const splitter of splitters(1000, 150)) {
      const text = 'line\n\n'.repeat(150_000);
      expect(cost(splitter, text)).toBeLessThan(5000);
      for (const piece of splitter.split({ uri: 'a.md', text })) expect(piece.text.trim()).not.toBe('');
      expect(splitter.split({ uri: 'a.md', text: '\n'.repeat(300_000) })).toEqual([]);
    }
  });
});
