import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentencesOf } from '../../src/answer/sentences.ts';

const texts = (text: string): string[] => sentencesOf(text).map(({ start, end }) => text.slice(start, end));

describe('the sentences of a passage', () => {
  it('end where sentences end, whatever the script', () => {
    expect(texts('Refunds take 14 days. Ask Dr. Smith! Really? "Yes." It is so.')).toEqual([
      'Refunds take 14 days.',
      'Ask Dr. Smith!',
      'Really?',
      '"Yes."',
      'It is so.',
    ]);
    expect(texts('绿茶要用八十度的水。红茶用沸水！')).toEqual(['绿茶要用八十度的水。', '红茶用沸水！']);
  });

  it('leave the marks of Markdown at the start of lines out, and tell headings and code from prose', () => {
    const text =
      '# Title\n\nA sentence\nover two lines. Next.\n\n- one\n- [x] two. Three\n\n> quoted\n> further\n\nUnder\n-----\n\n' +
      '```sh\nnpm install\n\nnpm test\n```\n\n| a | b |\n|---|---|\n| c | d |\n\n***\nLast';
    expect(sentencesOf(text).map(({ start, end, kind }) => [kind, text.slice(start, end)])).toEqual([
      ['heading', 'Title'],
      ['prose', 'A sentence\nover two lines.'],
      ['prose', 'Next.'],
      ['prose', 'one'],
      ['prose', 'two.'],
      ['prose', 'Three'],
      ['prose', 'quoted\n> further'],
      ['heading', 'Under'],
      ['code', 'npm install'],
      ['code', 'npm test'],
      ['prose', '| a | b |'],
      ['prose', '| c | d |'],
      ['prose', 'Last'],
    ]);
  });

  it('are slices in order, apart from each other, and lose no letter but those of nothing', () => {
    const piece = fc.constantFrom(
      'word',
      'Word',
      '. ',
      '! ',
      ' ',
      '\n',
      '\r\n',
      '\r',
      '\n\n',
      '# ',
      '- ',
      '> ',
      '|',
      '```',
      '---',
      '1. ',
      'é',
      '茶。',
      '🙂',
      '\ud800',
      '*',
      '_',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
        (text) => {
          let last = 0;
          for (const { start, end } of sentencesOf(text)) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(end).toBeGreaterThan(start);
            expect(text.slice(start, end)).toBe(text.slice(start, end).trim());
            last = end;
          }
          if (!text.includes('```')) {
            const words = (whole: string): number => whole.match(/word/gi)?.length ?? 0;
            expect(texts(text).reduce((sum, one) => sum + words(one), 0)).toBe(words(text));
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('take a megabyte without an end, or with one at every step, in linear time', () => {
    const hostile = [
      'a',
      ' ',
      'a ',
      '. ',
      '"',
      '.',
      '>',
      '> ',
      '- ',
      '|',
      '#',
      '`',
      '\u0301',
      '👩‍',
      '茶',
      '。',
      '\u200b',
      '(',
      ')',
    ];
    for (const unit of hostile) {
      const text = unit.repeat(1_000_000 / unit.length);
      const begun = performance.now();
      const found = sentencesOf(text);
      expect(performance.now() - begun, JSON.stringify(unit)).toBeLessThan(3000);
      expect(found.every(({ start, end }) => end - start <= 1200 || unit === '\u0301' || unit === '👩‍')).toBe(
        true,
      );
    }
  });
});
