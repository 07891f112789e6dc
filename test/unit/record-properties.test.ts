import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/kernel/kernel.ts';
import { autoSplitter } from '../../src/split/auto.ts';
import { byCsvRecord } from '../../src/split/by-csv-record.ts';
import { byRecord } from '../../src/split/by-record.ts';
import { byTableRecord } from '../../src/split/by-table-record.ts';
import { csvRecords } from '../../src/split/csv-records.ts';
import { byJsonLine } from '../../src/split/json-lines.ts';
import { markdownHeadings } from '../../src/split/markdown-headings.ts';
import { tableRecords } from '../../src/split/table-records.ts';
import type { SplitPiece } from '../../src/types.ts';
import { nastyText, runs } from '../arbitraries.ts';
import { expectRules } from '../rules.ts';

const uri = 'a';
const numRuns = runs();
const size = fc.integer({ min: 1, max: 40 });

const soup = (...units: string[]) => fc.string({ unit: fc.constantFrom(...units), maxLength: 80 });
const csvText = fc.oneof(
  soup(
    '"',
    '"',
    '""',
    ',',
    ',',
    ';',
    '\t',
    '\n',
    '\n',
    '\r\n',
    '\r',
    ' ',
    'a',
    'bc',
    '\ufeff',
    '漢',
    '😀',
    '\ud83d',
  ),
  nastyText,
);
const tableText = fc.oneof(
  soup(
    '|',
    '|',
    '| a | b |\n',
    '|---|---|\n',
    '| 1 | 2 |\n',
    '# H\n',
    '## H\n',
    '> ',
    '- ',
    '\n',
    '\r\n',
    'a',
    '\\|',
    '`',
    '```\n',
    ' ',
    '漢',
    '😀',
  ),
  nastyText,
);
const jsonText = fc.oneof(
  soup('{"id": 1, "t": "word word"}', '{"a":', '[1]', '\n', '\n', '\r\n', '"', '}', ' ', '漢', '😀'),
  nastyText,
);

/** Counts words: a length that is not that of the string. */
const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

function expectLines(text: string, pieces: readonly SplitPiece[]): void {
  for (const { charStart, line } of pieces) {
    expect(line).toBe(text.slice(0, charStart).split(/\r\n|\r|\n/).length);
  }
}

const every = (text: string, characters: string): [number, number][] =>
  [...text.matchAll(new RegExp(`[${characters}]`, 'g'))].map(({ index }) => [index, index + 1]);

describe('properties of byCsvRecord', () => {
  const delimiter = fc.constantFrom(',', ';', '\t');
  const context = fc.constantFrom('labels' as const, 'header' as const);

  it('slices, covers, orders and limits, whatever the text and the options', () => {
    fc.assert(
      fc.property(
        csvText,
        size,
        delimiter,
        fc.boolean(),
        context,
        (text, chunkSize, divides, header, beside) => {
          const splitter = byCsvRecord({ chunkSize, delimiter: divides, header, context: beside });
          const pieces = splitter.split({ uri, text });
          const first = csvRecords(text, { delimiter: divides, header }).header;
          const spared = every(text, divides);
          if (first !== undefined) spared.push([first.charStart, first.charEnd]);
          expectRules(text, pieces, { limit: chunkSize, spared });
          expectLines(text, pieces);
        },
      ),
      { numRuns },
    );
  });

  it('cuts no record that fits, and carries what it says', () => {
    fc.assert(
      fc.property(csvText, size, (text, chunkSize) => {
        const pieces = byCsvRecord({ chunkSize, delimiter: ',' }).split({ uri, text });
        for (const record of csvRecords(text, { delimiter: ',' })) {
          if (record.text.length > chunkSize) continue;
          const holds = pieces.filter(
            ({ charStart, charEnd }) => charStart <= record.charStart && record.charEnd <= charEnd,
          );
          expect(holds).toHaveLength(1);
          if (record.context !== undefined) expect(holds[0]!.context!.split('\n')).toContain(record.context);
        }
      }),
      { numRuns },
    );
  });
});

describe('properties of byJsonLine', () => {
  it('slices, covers, orders and limits, and cuts no line that fits', () => {
    fc.assert(
      fc.property(jsonText, size, (text, chunkSize) => {
        const pieces = byJsonLine({ chunkSize }).split({ uri, text });
        expectRules(text, pieces, { limit: chunkSize });
        expectLines(text, pieces);
        const whole = byRecord({ chunkSize }).split({ uri, text });
        expect(pieces.map(({ context: _, ...piece }) => piece)).toEqual(whole);
      }),
      { numRuns },
    );
  });

  it('says whose part a piece is', () => {
    const text = `{"id": 7, "lang": "en", "body": "${'word '.repeat(50)}", "tags": ["a"], "last": true}\n{"id": 8}`;
    const pieces = byJsonLine({ chunkSize: 100 }).split({ uri, text });
    expect(pieces.length).toBeGreaterThan(2);
    for (const { context } of pieces.slice(0, -1)) expect(context).toBe('id: 7; lang: en; last: true');
    expect(pieces.at(-1)).toEqual({
      text: '{"id": 8}',
      charStart: text.length - 9,
      charEnd: text.length,
      line: 2,
    });
  });
});

describe('properties of byTableRecord', () => {
  it('slices, covers, orders and limits; spared are headers of tables, and headings above them', () => {
    fc.assert(
      fc.property(tableText, size, (text, chunkSize) => {
        const pieces = byTableRecord({ chunkSize }).split({ uri, text });
        expectRules(text, pieces, { limit: chunkSize, spared: spareHeaders(text, pieces) });
        expectLines(text, pieces);
      }),
      { numRuns },
    );
  });

  it('has each row in one piece with its header, if it fits', () => {
    fc.assert(
      fc.property(tableText, size, (text, chunkSize) => {
        const pieces = byTableRecord({ chunkSize }).split({ uri, text });
        for (const row of tableRecords(text)) {
          expect(text.slice(row.charStart, row.charEnd)).toBe(row.text);
          expect(row.line).toBe(text.slice(0, row.charStart).split(/\r\n|\r|\n/).length);
          if (row.text.length > chunkSize) continue;
          const holds = pieces.filter(
            ({ charStart, charEnd }) => charStart <= row.charStart && row.charEnd <= charEnd,
          );
          expect(holds).toMatchObject([{ context: row.context }]);
        }
      }),
      { numRuns },
    );
  });
});

/** Header rows and dashes, where rows follow, and all headings: those of a text with pieces are in one, or above a table. */
function spareHeaders(text: string, pieces: readonly SplitPiece[]): [number, number][] {
  const spared: [number, number][] = [];
  for (const { charStart, context } of tableRecords(text)) {
    const [head, dashes] = context.split('\n') as [string, string];
    const at = text.lastIndexOf(dashes, charStart - 1);
    spared.push([text.lastIndexOf(head, at - 1), charStart]);
  }
  const alone = pieces.length === 0;
  for (const { offset, end, title } of markdownHeadings(text)) {
    if (alone || pieces.some(({ headingPath = [] }) => headingPath.includes(title)))
      spared.push([offset, end]);
  }
  // Marks of quotes and list items.
  return [...spared, ...every(text, '>-')];
}

describe("lengths of one's own", () => {
  it('are held, and rules with them', () => {
    const splitters = [
      byRecord({ chunkSize: 3, length: words }),
      byCsvRecord({ chunkSize: 3, length: words, header: false, delimiter: ',' }),
      byJsonLine({ chunkSize: 3, length: words }),
      byTableRecord({ chunkSize: 3, length: words }),
    ];
    fc.assert(
      fc.property(fc.oneof(csvText, tableText, soup('word ', 'other\n', 'x', '\n')), (text) => {
        for (const [at, splitter] of splitters.entries()) {
          const pieces = splitter.split({ uri, text });
          const spared = at === 3 ? spareHeaders(text, pieces) : at === 1 ? every(text, ',') : [];
          expectRules(text, pieces, { spared });
          for (const piece of pieces) if (!piece.oversize) expect(words(piece.text)).toBeLessThanOrEqual(3);
        }
      }),
      { numRuns },
    );
  });
});

describe('bytes', () => {
  it.each([
    ['byCsvRecord', byCsvRecord({ chunkSize: 20 })],
    ['byJsonLine', byJsonLine({ chunkSize: 20 })],
    ['byTableRecord', byTableRecord({ chunkSize: 20 })],
    ['autoSplitter', autoSplitter()],
  ])('give the same pieces as strings: %s', (_name, splitter) => {
    fc.assert(
      fc.property(fc.oneof(csvText, tableText, jsonText), (text) => {
        const bytes = new TextEncoder().encode(text);
        expect(splitter.split({ uri, text: bytes })).toEqual(
          splitter.split({ uri, text: decodeText(bytes) }),
        );
      }),
      { numRuns },
    );
  });
});
