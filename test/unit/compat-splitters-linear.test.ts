import { describe, expect, it } from 'vitest';
import { byHeading } from '../../src/split/by-heading.ts';
import { byParagraph } from '../../src/split/by-paragraph.ts';
import { fixedWithOverlap } from '../../src/split/fixed-with-overlap.ts';
import type { Splitter } from '../../src/types.ts';

const small = 1 << 19;
const growth = 8;
/** Linear time grows by `growth`, quadratic by its square; the slack is for collecting garbage. */
const mostGrowth = 3 * growth;
const slackMs = 500;

const repeat = (unit: string) => (length: number) => unit.repeat(Math.ceil(length / unit.length));
const texts: Record<string, (length: number) => string> = {
  blanks: repeat(' '),
  'line feeds': repeat('\n'),
  hashes: repeat('#'),
  'one letter': repeat('a'),
  'a heading of blanks': (length) => `# a${repeat(' ')(length)}b`,
  'a body of blanks': (length) => `# a\n${repeat(' ')(length)}b`,
  'letters around blanks': (length) => `a${repeat(' ')(length)}b`,
  paragraphs: repeat('line\n\n'),
  'bare headings': repeat('# a\n'),
  'sections ended by CR': repeat(`# a\r${'b'.repeat(2000)}\r`),
  'lines of blanks': repeat(`\n${' '.repeat(1000)}`),
};
const compat = 'agentfootprint';
const splitters: Record<string, Splitter> = {
  byHeading: byHeading({ compat }),
  'byHeading without a floor': byHeading({ minChars: 0, compat }),
  'byHeading with windows that nearly overlap whole': byHeading({
    maxChars: 500_000,
    overlapChars: 499_900,
    compat,
  }),
  byParagraph: byParagraph({ compat }),
  'byParagraph at the smallest size': byParagraph({ maxChars: 1, compat }),
  fixedWithOverlap: fixedWithOverlap({ compat }),
  'fixedWithOverlap reaching back without end': fixedWithOverlap({
    chars: 100,
    overlapChars: Number.POSITIVE_INFINITY,
    wordWindow: Number.POSITIVE_INFINITY,
    compat,
  }),
};

function milliseconds(splitter: Splitter, text: string): number {
  const start = performance.now();
  splitter.split({ uri: 'a', text });
  return performance.now() - start;
}

describe.each(Object.keys(splitters))('%s', (name) => {
  it.each(Object.keys(texts))('takes time linear in %s', (shape) => {
    const splitter = splitters[name]!;
    const [short, long] = [texts[shape]!(small), texts[shape]!(small * growth)];
    milliseconds(splitter, short);
    const before = milliseconds(splitter, short);
    expect(milliseconds(splitter, long)).toBeLessThan(before * mostGrowth + slackMs);
  });
});
