import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterStart } from '../../src/split/breaks.ts';
import { cutProse, cutSpan, lastFit } from '../../src/split/cut.ts';
import { nastyText, runs } from '../arbitraries.ts';

const cut = (text: string, size: number): string[] =>
  cutProse(text, size).map(([from, to]) => text.slice(from, to));
/** Counts words, as a tokenizer would: a long word is several. */
const wordPieces = (text: string): number =>
  (text.match(/[\u4e00-\u9fff]|[^\s\u4e00-\u9fff]{1,4}/gu) ?? []).length;

describe('cutSpan', () => {
  const stretch = fc
    .tuple(nastyText, fc.nat(30), fc.integer({ min: 1, max: 40 }), fc.boolean())
    .map(([text, skip, size, lines]) => {
      let from = Math.min(skip, text.length);
      while (!clusterStart(text, from)) from--;
      return { text, from, size, lines };
    });

  it('loses nothing, cuts no cluster, and is over the size for one cluster alone', () => {
    fc.assert(
      fc.property(stretch, ({ text, from, size, lines }) => {
        let end = from;
        for (const [start, stop] of cutSpan(text, from, text.length, size, { lines })) {
          expect(start).toBeGreaterThanOrEqual(end);
          expect(text.slice(end, start).trim()).toBe('');
          expect(stop).toBeGreaterThan(start);
          expect(clusterStart(text, start) && clusterStart(text, stop)).toBe(true);
          if (stop - start > size) {
            for (let at = start + 1; at < stop; at++) expect(clusterStart(text, at)).toBe(false);
          }
          end = stop;
        }
        expect(text.slice(end).trim()).toBe('');
      }),
      { numRuns: runs() },
    );
  });

  it('holds to a size that is measured, tokens for example', () => {
    const piece = fc.constantFrom(
      'a',
      'word ',
      'longer words. ',
      '漢字',
      '。',
      '\n',
      'é',
      '😀',
      'unbelievablylong',
    );
    const text = fc.string({ unit: piece, maxLength: 60 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 12 }), (source, size) => {
        const measure = (from: number, to: number) => wordPieces(source.slice(from, to));
        let end = 0;
        for (const [start, stop] of cutSpan(source, 0, source.length, size, { measure })) {
          expect(source.slice(end, start).trim()).toBe('');
          expect(measure(start, stop)).toBeLessThanOrEqual(size);
          end = stop;
        }
        expect(source.slice(end).trim()).toBe('');
      }),
      { numRuns: runs() },
    );
  });

  it('fills what a measure allows, and asks it seldom', () => {
    const text = 'Some words of a sentence here. '.repeat(3000);
    let calls = 0;
    const spans = cutSpan(text, 0, text.length, 256, {
      measure: (from, to) => {
        calls++;
        return wordPieces(text.slice(from, to));
      },
    });
    expect(spans.length).toBeLessThan((wordPieces(text) / 256) * 1.15);
    expect(calls).toBeLessThan(spans.length * 12);
  });

  it('finds how far a measure reaches', () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.nat(900), fc.integer({ min: 1, max: 5000 }), (length, size, guess) => {
        const fits = lastFit(7, 7 + length, size, (from, to) => Math.ceil((to - from) / 3), guess);
        const furthest = 7 + Math.min(length, size * 3);
        expect(fits).toBeLessThanOrEqual(Math.max(furthest, 8));
        expect(fits - 7).toBeGreaterThanOrEqual(Math.floor((furthest - 7) * 0.97) - 1);
      }),
      { numRuns: runs() },
    );
  });

  it('cuts nothing where no size is set', () => {
    expect(cut(' one two. three ', Number.POSITIVE_INFINITY)).toEqual(['one two. three']);
    expect(cut(' \n ', 5)).toEqual([]);
  });
});

describe('what bug reports say others cut wrongly', () => {
  it('surrogate pairs and graphemes: B046, B048', () => {
    expect(cut('😀'.repeat(10), 3).every((piece) => piece === '😀')).toBe(true);
    const family = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}';
    const text = family.repeat(20) + 'e\u0301'.repeat(50);
    expect(cut(text, 10).join('')).toBe(text);
    expect(cut(text, 9).slice(0, 20)).toEqual(Array(20).fill(family));
    expect(cut(text, 9)[20]).toBe('e\u0301'.repeat(4));
    expect(cut(family.repeat(3), 5)).toEqual([family, family, family]);
    expect(cut('🇦🇧🇨🇩🇪🇫', 6)).toEqual(['🇦🇧', '🇨🇩', '🇪🇫']);
    expect(cut('क्षिक्षि', 5)).toEqual(['क्षि', 'क्षि']);
  });

  it('Chinese without a space: B066, B067', () => {
    const page = '系统会保存记录并且检查结果'.repeat(500);
    expect(cut(page, 1000).every((piece) => piece.length <= 1000)).toBe(true);
    expect(cut(page, 1000).length).toBe(Math.ceil(page.length / 1000));
    const pieces = cut('第一句话。第二句话！第三句吗？'.repeat(300), 118);
    for (const piece of pieces) expect(piece).toMatch(/^第.*[。！？]$/);
    for (const piece of pieces.slice(0, -1)) expect(piece.length).toBe(115);
  });

  it('tokens counted where characters were guessed: B068', () => {
    const text = '漢'.repeat(900);
    const spans = cutSpan(text, 0, text.length, 512, { measure: (from, to) => to - from });
    expect(spans.map(([from, to]) => to - from)).toEqual([512, 388]);
  });
});

describe('time grows with the text', () => {
  const units = 8 * 1024 * 1024;
  const hostile: Record<string, string> = {
    'zero width joiners': '\u200d',
    'combining marks': '\u0301',
    'marks and joiners': '\u0301\u200d',
    'regional indicators': '🇦',
    'joined emoji': '👩\u200d',
    'emoji behind marks': `👩${'\ufe0f'.repeat(999)}\u200d👩`,
    conjuncts: '\u0915\u094d',
    'Hangul consonants': '\u1100',
    'spaces that carry marks': ' \u0301',
    'white space and letters': `a${' '.repeat(5000)}`,
    blanks: ' ',
    letters: 'x',
    'full stops': '. ',
    'closing marks': '."',
    'lone surrogates': '\ud83d',
    ideographs: '漢',
    'closing brackets': '」',
  };
  for (const [what, unit] of Object.entries(hostile)) {
    it(`on 16 MB of ${what}`, () => {
      const text = `a${unit.repeat(Math.ceil(units / unit.length))}`;
      const start = performance.now();
      const spans = cutSpan(text, 0, text.length, 1000);
      const small = cutSpan(text, 0, text.length >> 6, 10, { lines: true });
      expect(spans.length + small.length).toBeGreaterThan(0);
      // A text read twice a window takes a second on a slow machine; a quadratic one would take hours.
      expect(performance.now() - start).toBeLessThan(20_000);
    }, 60_000);
  }
});
