import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byHeading } from '../../src/split/by-heading.ts';
import { byParagraph } from '../../src/split/by-paragraph.ts';
import { splitsPair } from '../../src/split/cut.ts';
import { fixedWithOverlap } from '../../src/split/fixed-with-overlap.ts';
import { spanTrimmer } from '../../src/split/spans.ts';
import type { SplitPiece, Splitter } from '../../src/types.ts';

const numRuns = Number(process.env['SHELFMARK_RUNS'] ?? 2000);

const units = ['#', '# ', '\n', '\n\n', '\r', '\r\n', ' ', '\t', 'a', 'b.', '\f', '\0', '\u0085', '\u00a0'];
const wide = ['\u2028', '\u2029', '\u200b', '\ufeff', '\u6587', '\u{1f600}'];
const halves = ['\ud83d', '\ude00'];
const textOf = (alphabet: string[]) => fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 400 });
const nastyText = textOf([...units, ...wide, ...halves]);
/** Every second unit is a pair, so that cuts meet them. */
const pairedText = textOf([...units, ...wide, ...units.map(() => '\u{1f469}')]);

const size = (low: number) =>
  fc.oneof(
    fc.integer({ min: low, max: 12 }),
    fc.integer({ min: low, max: 300 }),
    fc.constant(Number.POSITIVE_INFINITY),
  );
const sectionOptions = fc
  .record({ maxChars: size(1), overlapChars: size(0), share: fc.double({ min: 0, max: 0.99, noNaN: true }) })
  .map(({ maxChars, overlapChars, share }) => ({
    maxChars,
    overlapChars,
    minChars: Math.floor(share * Math.min(maxChars, 400)),
  }));

const splitters: Record<string, fc.Arbitrary<Splitter>> = {
  byHeading: fc
    .tuple(sectionOptions, fc.integer({ min: 0, max: 6 }))
    .map(([options, maxLevel]) => byHeading({ ...options, maxLevel, compat: 'agentfootprint' })),
  byParagraph: sectionOptions.map((options) => byParagraph({ ...options, compat: 'agentfootprint' })),
  fixedWithOverlap: fc
    .record({ chars: size(1), overlapChars: size(0), wordWindow: size(0) })
    .map((options) => fixedWithOverlap({ ...options, compat: 'agentfootprint' })),
};

const split = (splitter: Splitter, text: string, pages?: string[]): readonly SplitPiece[] =>
  splitter.split({ uri: 'a', text, pages });

/** True for each code unit that lies in a piece. */
function covered(text: string, pieces: readonly SplitPiece[]): boolean[] {
  const marks = new Array<boolean>(text.length).fill(false);
  for (const { charStart, charEnd } of pieces) marks.fill(true, charStart, charEnd);
  return marks;
}

describe.each(Object.keys(splitters))('%s on any text with any sizes', (name) => {
  const anySplitter = splitters[name]!;

  it('gives trimmed slices of the text, in order', () => {
    fc.assert(
      fc.property(nastyText, anySplitter, (text, splitter) => {
        let before: SplitPiece | undefined;
        for (const piece of split(splitter, text)) {
          expect(piece.text).toBe(text.slice(piece.charStart, piece.charEnd));
          expect(piece.text).toBe(piece.text.trim());
          expect(piece.text).not.toBe('');
          expect(piece.charStart).toBeGreaterThanOrEqual(before?.charStart ?? 0);
          expect(piece.charEnd).toBeGreaterThanOrEqual(before?.charEnd ?? 0);
          before = piece;
        }
      }),
      { numRuns },
    );
  });

  it('loses nothing but white space, and headings only where there is nothing else', () => {
    fc.assert(
      fc.property(nastyText, anySplitter, (text, splitter) => {
        const pieces = split(splitter, text);
        if (pieces.length === 0) {
          expect(text.replace(/^#{1,6}[ \t]+.+?[ \t]*$/gm, '').trim()).toBe('');
          return;
        }
        const marks = covered(text, pieces);
        const lost = marks.findIndex((inside, at) => !inside && text[at]!.trim() !== '');
        expect(lost).toBe(-1);
      }),
      { numRuns },
    );
  });

  it('never cuts a surrogate pair of a well-formed text', () => {
    fc.assert(
      fc.property(pairedText, anySplitter, (text, splitter) => {
        const cuts = split(splitter, text).flatMap(({ charStart, charEnd }) => [charStart, charEnd]);
        expect(cuts.filter((at) => splitsPair(text, at))).toEqual([]);
      }),
      { numRuns },
    );
  });

  it('cuts bytes as it cuts the string they mean', () => {
    fc.assert(
      fc.property(nastyText, anySplitter, (text, splitter) => {
        const bytes = new TextEncoder().encode(text);
        const meant = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
        expect(splitter.split({ uri: 'a', text: bytes })).toStrictEqual(split(splitter, meant));
      }),
      { numRuns },
    );
  });

  it('names a page of the document, and pages rise', () => {
    fc.assert(
      fc.property(fc.array(nastyText, { minLength: 1, maxLength: 5 }), anySplitter, (pages, splitter) => {
        let last = 1;
        for (const { page } of split(splitter, pages.join('\n\n'), pages)) {
          expect(page).toBeGreaterThanOrEqual(last);
          expect(page).toBeLessThanOrEqual(pages.length);
          last = page!;
        }
      }),
      { numRuns: Math.ceil(numRuns / 4) },
    );
  });
});

describe('spanTrimmer', () => {
  it('answers as trim does, for offsets in any order', () => {
    fc.assert(
      fc.property(nastyText, fc.array(fc.nat(400), { maxLength: 30 }), (text, offsets) => {
        const trimmer = spanTrimmer(text);
        for (const offset of offsets) {
          const at = Math.min(offset, text.length);
          expect(trimmer.start(at)).toBe(text.length - text.slice(at).trimStart().length);
          expect(trimmer.end(at)).toBe(text.slice(0, at).trimEnd().length);
        }
      }),
      { numRuns },
    );
  });
});
