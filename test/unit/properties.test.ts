import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/kernel/kernel.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import { byParagraph } from '../../src/split/by-paragraph.ts';
import { byRecord } from '../../src/split/by-record.ts';
import { chunkText } from '../../src/split/chunk-text.ts';
import { fixedWithOverlap } from '../../src/split/fixed-with-overlap.ts';
import { wholeDocument } from '../../src/split/whole-document.ts';
import type { Splitter } from '../../src/types.ts';
import { nastyText, runs } from '../arbitraries.ts';
import { expectRules, expectSlice } from '../rules.ts';

const uri = 'a.md';
const numRuns = runs();

/** Every place a separator of the text could be left out at. */
function separatorSpans(text: string, separator: string | RegExp): [number, number][] {
  const pattern =
    typeof separator === 'string' ? separator.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : separator.source;
  const flags = typeof separator === 'string' ? 'g' : `${separator.flags.replace(/[gy]/g, '')}g`;
  return [...text.matchAll(new RegExp(pattern, flags))].map((m) => [m.index, m.index + m[0].length]);
}

const literal = fc.constantFrom('\n', '\n\n', '\r\n', '---', '|', 'a', '. ', '😀', '漢', '\u2028');
const pattern = fc.constantFrom(
  /\n+/,
  /(?=#)/,
  /\r?\n/,
  /[|;]/g,
  /(?<=\.)\s/,
  /^/m,
  /a*/,
  /^/mu,
  /(?=😀)/u,
  /(?:)/u,
);

describe('properties of byRecord', () => {
  it('slices, covers, orders and limits, whatever the text, the separator and the size', () => {
    fc.assert(
      fc.property(
        nastyText,
        fc.oneof(literal, pattern),
        fc.integer({ min: 1, max: 60 }),
        (text, separator, chunkSize) => {
          const pieces = byRecord({ separator, chunkSize }).split({ uri, text });
          expectRules(text, pieces, { limit: chunkSize, spared: separatorSpans(text, separator) });
        },
      ),
      { numRuns },
    );
  });

  it('cuts no record that fits', () => {
    fc.assert(
      fc.property(nastyText, literal, fc.integer({ min: 1, max: 60 }), (text, separator, chunkSize) => {
        const pieces = byRecord({ separator, chunkSize }).split({ uri, text });
        let at = 0;
        for (const record of text.split(separator)) {
          const from = at + record.length - record.trimStart().length;
          const to = at + record.trimEnd().length;
          at += record.length + separator.length;
          // A record keeps its indentation, which counts.
          if (to - (at - record.length - separator.length) > chunkSize || to <= from) continue;
          expect(pieces.some(({ charStart, charEnd }) => charStart <= from && to <= charEnd)).toBe(true);
        }
      }),
      { numRuns },
    );
  });
});

describe('properties of wholeDocument', () => {
  it('is the text, or nothing where the text is blank', () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        expectRules(text, wholeDocument().split({ uri, text }), {});
      }),
      { numRuns },
    );
  });
});

describe('properties of the compat splitters and chunkText', () => {
  const sizes = fc.record({ max: fc.integer({ min: 1, max: 80 }), overlap: fc.integer({ min: 0, max: 90 }) });

  it('every piece is a slice, and every call ends', () => {
    fc.assert(
      fc.property(nastyText, sizes, (text, { max, overlap }) => {
        const options = { maxChars: max, overlapChars: overlap, compat: 'agentfootprint' } as const;
        const document = { uri, text };
        for (const piece of byHeading(options).split(document)) expectSlice(text, piece);
        for (const piece of byParagraph(options).split(document)) expectSlice(text, piece);
        const window = {
          chars: max,
          overlapChars: Math.min(overlap, max - 1),
          compat: 'agentfootprint',
        } as const;
        for (const piece of fixedWithOverlap(window).split(document)) expectSlice(text, piece);
        for (const chunk of chunkText(text, { chunkSize: max, overlap })) expect(chunk).not.toBe('');
      }),
      { numRuns },
    );
  });
});

describe('bytes and strings', () => {
  const splitters: [string, Splitter][] = [
    ['byRecord', byRecord({ chunkSize: 20, separator: '\n' })],
    ['byRecord with a pattern', byRecord({ chunkSize: 20, separator: /\n+/ })],
    ['byRecord with a header', byRecord({ chunkSize: 20, header: 2 })],
    ['wholeDocument', wholeDocument()],
    ['byHeading', byHeading({ maxChars: 40, overlapChars: 5 })],
    ['byParagraph', byParagraph({ maxChars: 40, overlapChars: 5 })],
    ['fixedWithOverlap', fixedWithOverlap({ chars: 40, overlapChars: 5 })],
  ];

  it.each(splitters)('give the same pieces: %s', (_name, splitter) => {
    const soup = fc.oneof(
      nastyText.map((text) => new TextEncoder().encode(text)),
      fc.uint8Array({ maxLength: 120 }),
    );
    fc.assert(
      fc.property(soup, (bytes) => {
        const text = decodeText(bytes);
        expect(splitter.split({ uri, text: bytes })).toEqual(splitter.split({ uri, text }));
      }),
      { numRuns },
    );
  });
});
