import { describe, expect, it } from 'vitest';
import { atxHeadings } from '../../src/kernel/load.ts';
import { scanBlocks } from '../../src/kernel/load-blocks.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import { byParagraph } from '../../src/split/by-paragraph.ts';
import { byRecord } from '../../src/split/by-record.ts';
import { chunkText } from '../../src/split/chunk-text.ts';
import { fixedWithOverlap } from '../../src/split/fixed-with-overlap.ts';

const MB = 1024 * 1024;

/** Texts that made other scanners quadratic, of `n` characters. */
const hostile: Record<string, (n: number) => string> = {
  'a heading with a run of blanks': (n) => `# a${' '.repeat(n)}b`,
  'line feeds': (n) => '\n'.repeat(n),
  'number signs': (n) => '#'.repeat(n),
  'one line': (n) => 'x'.repeat(n),
  blanks: (n) => ' '.repeat(n),
  'lines and blank lines': (n) => 'line\n\n'.repeat(n / 6),
};

/** One construct of Markdown and nothing else, of `n` characters. */
const constructs: Record<string, (n: number) => string> = {
  'one fence': (n) => `\`\`\`js\n${'let a = 1;\n'.repeat(n / 11)}`,
  fences: (n) => '```js\na = 1;\n```\n\n'.repeat(n / 18),
  'one table': (n) => `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(n / 10)}`,
  'a table whose header row is half of it': (n) =>
    `| ${'a'.repeat(n / 2)} | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(n / 20)}`,
  tables: (n) => '| a | b |\n|---|---|\n| 1 | 2 |\n\n'.repeat(n / 31),
  brackets: (n) => '['.repeat(n),
  quotes: (n) => '> '.repeat(n / 2),
  'quoted lines': (n) => '> quoted\n>\n'.repeat(n / 11),
  dashes: (n) => '-'.repeat(n),
  'list items': (n) => '- item\n'.repeat(n / 7),
  'empty list items': (n) => '-\n'.repeat(n / 2),
  'nested lists': (n) => '- a\n  - b\n    - c\n      - d\n'.repeat(n / 28),
  'bare headings': (n) => '# a\n'.repeat(n / 4),
  'headings of one title': (n) => '# a\n\nSome text.\n\n'.repeat(n / 17),
  'a long paragraph': (n) => 'Some words of it. '.repeat(n / 18),
  'flags of countries': (n) => '\u{1f1e9}\u{1f1ea}'.repeat(n / 4),
  'a character with marks without end': (n) => `a${'\u0301'.repeat(n - 1)}`,
};
const splitters: Record<string, (text: string, bytes: Uint8Array) => unknown> = {
  'byHeading of bytes': (_, bytes) => byHeading().split({ uri: 'a', text: bytes }),
  'byHeading of small pieces': (text) =>
    byHeading({ maxChars: 64, overlapChars: 32 }).split({ uri: 'a', text }),
  byParagraph: (text) => byParagraph().split({ uri: 'a', text }),
  fixedWithOverlap: (text) => fixedWithOverlap().split({ uri: 'a', text }),
};

const scans: Record<string, (text: string, bytes: Uint8Array) => unknown> = {
  'atxHeadings of a string': (text) => atxHeadings(text),
  'atxHeadings of bytes': (_, bytes) => atxHeadings(bytes),
  byRecord: (_, bytes) => byRecord().split({ uri: 'a', text: bytes }),
  'byRecord by blank lines': (text) => byRecord({ separator: '\n\n' }).split({ uri: 'a', text }),
  chunkText: (text) => chunkText(text),
  byHeading: (text) => byHeading().split({ uri: 'a', text }),
  byParagraph: (text) => byParagraph().split({ uri: 'a', text }),
  fixedWithOverlap: (text) => fixedWithOverlap().split({ uri: 'a', text }),
};

/** Markdown that makes block scanners quadratic, of about `n` characters. */
const hostileMarkdown: Record<string, (n: number) => string> = {
  'quotes in quotes': (n) => `${'> '.repeat(n / 2)}x`,
  // Each item could be the start of a thematic break that goes on to the end of the line.
  'items in items': (n) => `${'- '.repeat(n / 2)}x`,
  'items in items, then blanks': (n) => `${'- '.repeat(n / 4)}x\n${' '.repeat(n / 2)}y`,
  'items in a quote, then lines of that quote': (n) => `> ${'- '.repeat(n / 4)}x\n${'>\n'.repeat(n / 4)}`,
  'items in items, then blank lines': (n) => `${'- '.repeat(n / 4)}x\n${'\n'.repeat(n / 2)}`,
  'quotes in items, then blank lines': (n) =>
    `${'- '.repeat(n / 8)}${'> '.repeat(n / 8)}x\n${'\n'.repeat(n / 2)}`,
  'quotes in quotes, then lines that go on': (n) => `${'> '.repeat(n / 4)}x\n${'y\n'.repeat(n / 4)}`,
  'items in items, then lines of some depth': (n) =>
    `${'- '.repeat(n / 2)}x\n${`${' '.repeat(40)}y\n`.repeat(n / 84)}`,
  definitions: (n) => `${'[a]: b\n'.repeat(n / 7)}===\n`,
  'definitions, each underlined': (n) => '[a]: b\n===\n'.repeat(n / 11),
  brackets: (n) => '['.repeat(n),
  fences: (n) => '```\n'.repeat(n / 4),
  'fences of all lengths': (n) =>
    Array.from({ length: Math.sqrt(n) }, (_, i) => '`'.repeat(i + 3)).join('\n'),
  tables: (n) => 'a|b\n-|-\n'.repeat(n / 8),
  pipes: (n) => `${'|'.repeat(n / 2)}\n${'|-'.repeat(n / 4)}`,
  'tags that never end': (n) => '<a '.repeat(n / 3),
  'HTML that never ends': (n) => `<script>\n${'</scrip'.repeat(n / 7)}`,
  comments: (n) => '<!--\n'.repeat(n / 5),
};

const blockScans: Record<string, (text: string, bytes: Uint8Array) => unknown> = {
  'scanBlocks of a string': (text) => scanBlocks(text, { frontMatter: true }),
  'scanBlocks of bytes': (_, bytes) => scanBlocks(bytes, { frontMatter: true }),
};

/** The best of some runs, in ms of processor time, so that other processes don't count. */
function cost(run: () => unknown, times: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i++) {
    const start = process.cpuUsage();
    run();
    best = Math.min(best, process.cpuUsage(start).user / 1000);
  }
  return best;
}

/** Below this, in ms, a ratio says more of the timer and the garbage collector than of the scan. */
const tooShortToCompare = 30;
/** A busy machine can spoil a measurement, but not each of these; a scan that is not linear fails them all. */
const attempts = 4;

/** How much longer the scan takes on twice the text, by the best of several attempts. */
function growth(scan: (size: number) => unknown, size: number, times = 2): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < attempts && best > 3; i++) {
    const half = cost(() => scan(size / 2), times);
    best = Math.min(best, cost(() => scan(size), times) / Math.max(half, tooShortToCompare));
  }
  return best;
}

describe('time grows no faster than the text', () => {
  const cases = [
    ...Object.entries(hostile).map(([what, make]) => [what, make, scans, 16 * MB] as const),
    // These are cut into many pieces, which takes its time at any size.
    ...Object.entries(constructs).map(([what, make]) => [what, make, splitters, 4 * MB] as const),
  ];
  for (const [what, make, runs, size] of cases) {
    it(`on ${what}, doubled to ${size / MB} MB`, () => {
      const texts = new Map<number, [string, Uint8Array]>();
      for (const length of [size / 2, size]) {
        const text = make(length);
        texts.set(length, [text, new TextEncoder().encode(text)]);
      }
      for (const [name, scan] of Object.entries(runs)) {
        const grown = growth((length) => scan(...texts.get(length)!), size, 1);
        expect(grown, name).toBeLessThanOrEqual(3);
      }
    });
  }

  for (const [what, make] of Object.entries(hostileMarkdown)) {
    it(`on ${what}, doubled to 2 MB`, () => {
      const texts = [MB, 2 * MB].map((size): [string, Uint8Array] => {
        const text = make(size);
        return [text, new TextEncoder().encode(text)];
      });
      for (const [name, scan] of Object.entries(blockScans)) {
        const grown = growth((size) => scan(...texts[size === 2 * MB ? 1 : 0]!), 2 * MB);
        expect(grown, name).toBeLessThanOrEqual(3);
      }
    });
  }

  it('and the measure tells a scan that is not linear', () => {
    // Of the third power, so that what else the machine does in the shorter run cannot hide it.
    const steep = (size: number) => {
      const steps = size / (16 * 1024);
      let sum = 0;
      for (let i = 0; i < steps; i++)
        for (let j = 0; j < steps; j++) for (let k = 0; k < steps; k += 4) sum += k & 1;
      return sum;
    };
    steep(8 * MB);
    expect(growth(steep, 16 * MB)).toBeGreaterThan(3);
  });
});
