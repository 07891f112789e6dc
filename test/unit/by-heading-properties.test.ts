import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as BlockKind from '../../src/kernel/block-kinds.ts';
import { BLOCK_WORDS } from '../../src/kernel/block-list.ts';
import { atxHeadings } from '../../src/kernel/load.ts';
import { scanBlocks } from '../../src/kernel/load-blocks.ts';
import { type ByHeadingOptions, byHeading } from '../../src/split/by-heading.ts';
import { byParagraph } from '../../src/split/by-paragraph.ts';
import { fixedWithOverlap } from '../../src/split/fixed-with-overlap.ts';
import { markdownHeadings } from '../../src/split/markdown-headings.ts';
import { nastyText, runs } from '../arbitraries.ts';
import { type Cutting, expectCuts, ownParts, type Stretch } from '../cut-rules.ts';
import { markdownText } from '../markdown-text.ts';

const uri = 'a.md';
/** Each case is cut and checked in full: more would take minutes. */
const numRuns = runs() < 100_000 ? Math.min(runs(), 8000) : runs();
const anyText = fc.oneof(markdownText, markdownText, nastyText);

/** Sizes that agree with each other. */
const sizes = fc
  .record({
    max: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 300 })),
    share: fc.double({ min: 0, max: 0.99, noNaN: true }),
    floor: fc.double({ min: 0, max: 0.99, noNaN: true }),
  })
  .map(({ max, share, floor }) => ({
    maxChars: max,
    overlapChars: Math.floor(share * max),
    minChars: Math.floor(floor * max),
  }));
const length = fc.constantFrom(
  undefined,
  undefined,
  undefined,
  (text: string) => Math.ceil(text.length / 3),
  (text: string) => new TextEncoder().encode(text).length,
  (text: string) => text.trim().split(/\s+/).length,
);
const headingOptions = fc
  .record({
    sizes,
    length,
    maxLevel: fc.integer({ min: 0, max: 6 }),
    headings: fc.constantFrom('markdown', 'markdown', 'atx'),
    keepWhole: fc.subarray(['fence', 'table']),
    frontMatter: fc.boolean(),
  })
  .map(({ sizes, ...rest }): ByHeadingOptions => ({ ...sizes, ...rest }) as ByHeadingOptions);

const unixLength = (text: string): number => text.replaceAll('\r', '').length;

/** Heading lines without the white space at their ends, which counts as any other. */
const stretches = (text: string, list: readonly { offset: number; end: number }[]): Stretch[] =>
  list.map(({ offset, end }) => [offset, offset + text.slice(offset, end).trimEnd().length]);

/** What is known of a text by its blocks. */
function cuttingOf(text: string, options: ByHeadingOptions): Cutting {
  const { maxChars = 1000, minChars = 0, overlapChars = 0, frontMatter = true, maxLevel = 6 } = options;
  const { keepWhole = ['fence', 'table'] } = options;
  const isAtx = options.headings === 'atx';
  const headings = isAtx ? atxHeadings(text) : markdownHeadings(text, { frontMatter });
  const kept: Stretch[] = [];
  const { words, count } = scanBlocks(text, { frontMatter });
  for (let at = 0; at < count * BLOCK_WORDS; at += BLOCK_WORDS) {
    const isKept =
      (words[at] === BlockKind.Fence && keepWhole.includes('fence')) ||
      (words[at] === BlockKind.Table && keepWhole.includes('table'));
    // What a heading of the other reading divides is not one block any more.
    const [from, to] = [words[at + 2]!, words[at + 3]!];
    if (isKept && !headings.some(({ offset }) => offset >= from && offset < to)) kept.push([from, to]);
  }
  return {
    max: maxChars,
    min: minChars,
    overlap: overlapChars,
    length: options.length,
    headings: stretches(text, headings),
    sections: stretches(
      text,
      headings.filter(({ level }) => level <= maxLevel),
    ),
    kept,
  };
}

describe('byHeading on any text with any options', () => {
  it('keeps every promise of the cuts', () => {
    fc.assert(
      fc.property(anyText, headingOptions, (text, options) => {
        const pieces = byHeading(options).split({ uri, text });
        expectCuts(text, pieces, cuttingOf(text, options));
      }),
      { numRuns },
    );
  });

  it('names the section that a piece starts in, and nothing before the first', () => {
    fc.assert(
      fc.property(anyText, headingOptions, (text, options) => {
        if (options.headings === 'atx') return;
        const { maxLevel = 6, frontMatter = true } = options;
        const headings = markdownHeadings(text, { frontMatter });
        const pieces = byHeading(options).split({ uri, text });
        const { words, count } = scanBlocks(text, { frontMatter });
        const metadata = count > 0 && words[0] === BlockKind.FrontMatter ? words[3]! : 0;
        for (const { piece, from, to } of ownParts(text, pieces)) {
          const passed = (at: number) =>
            headings.filter(({ level, offset }) => level <= maxLevel && offset <= at).at(-1);
          // Metadata is no text before the first heading.
          const isOnTop = from < metadata && text.slice(metadata, headings[0]?.offset).trim() === '';
          const first =
            isOnTop && headings.length > 0 && headings[0]!.offset < to ? headings[0]!.offset : from;
          const section = passed(first);
          expect([piece.heading, piece.headingPath, piece.slug]).toEqual([
            section?.title,
            section?.path,
            section?.slug,
          ]);
        }
      }),
      { numRuns },
    );
  });

  it('cuts bytes as the string they mean', () => {
    fc.assert(
      fc.property(anyText, headingOptions, (text, options) => {
        const bytes = new TextEncoder().encode(text);
        const meant = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
        const splitter = byHeading(options);
        expect(splitter.split({ uri, text: bytes })).toStrictEqual(splitter.split({ uri, text: meant }));
      }),
      { numRuns },
    );
  });
});

describe('lines that end with CRLF', () => {
  it('change no cut between sections', () => {
    fc.assert(
      fc.property(markdownText, fc.integer({ min: 0, max: 80 }), (any, minChars) => {
        const text = any.replace(/\r\n?/g, '\n');
        const options = { maxChars: 1_000_000, minChars, overlapChars: 0, length: unixLength };
        const other = byHeading(options).split({ uri, text: text.replaceAll('\n', '\r\n') });
        const back = other.map((piece) => [piece.text.replaceAll('\r', ''), piece.slug, piece.line]);
        expect(back).toEqual(
          byHeading(options)
            .split({ uri, text })
            .map((p) => [p.text, p.slug, p.line]),
        );
      }),
      { numRuns },
    );
  });
});

describe('byParagraph on any text with any options', () => {
  it('keeps every promise of the cuts', () => {
    fc.assert(
      fc.property(anyText, sizes, length, (text, { maxChars, minChars, overlapChars }, length) => {
        const pieces = byParagraph({ maxChars, minChars, overlapChars, length }).split({ uri, text });
        expectCuts(text, pieces, { max: maxChars, min: minChars, overlap: overlapChars, length });
      }),
      { numRuns },
    );
  });
});

describe('fixedWithOverlap on any text with any options', () => {
  it('keeps every promise of the cuts', () => {
    fc.assert(
      fc.property(
        anyText,
        sizes,
        length,
        fc.integer({ min: 0, max: 60 }),
        (text, { maxChars: chars, overlapChars }, length, wordWindow) => {
          const pieces = fixedWithOverlap({ chars, overlapChars, wordWindow, length }).split({ uri, text });
          expectCuts(text, pieces, { max: chars, min: 0, overlap: overlapChars, length });
        },
      ),
      { numRuns },
    );
  });
});
