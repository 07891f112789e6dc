import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { isSpace } from '../../src/kernel/js.ts';
import { type CsvRecordsOptions, csvRecords } from '../../src/split/csv-records.ts';
import { runs } from '../arbitraries.ts';

const numRuns = runs();

describe('csvRecords', () => {
  it('reads quoted line breaks, doubled quotes and delimiters, and says where records stand', () => {
    const text = 'id,note\r\n1,"two\r\nlines"\r\n2,"say ""hi"", twice"\r\n3,plain\r\n';
    const records = csvRecords(text);
    expect(records.map(({ fields, line, context }) => ({ fields, line, context }))).toEqual([
      { fields: ['1', 'two\r\nlines'], line: 2, context: 'id: 1; note: two lines' },
      { fields: ['2', 'say "hi", twice'], line: 4, context: 'id: 2; note: say "hi", twice' },
      { fields: ['3', 'plain'], line: 5, context: 'id: 3; note: plain' },
    ]);
    for (const { text: record, charStart, charEnd } of records)
      expect(text.slice(charStart, charEnd)).toBe(record);
    expect(records[1]!.text).toBe('2,"say ""hi"", twice"');
    expect(records.header).toMatchObject({ fields: ['id', 'note'], charStart: 0, charEnd: 7, line: 1 });
  });

  it('takes names for a text that has none, and leaves out what is empty', () => {
    const [record] = csvRecords('Ann;;Oslo', { header: ['name', 'age', 'city'], delimiter: ';' });
    expect(record).toMatchObject({ fields: ['Ann', '', 'Oslo'], context: 'name: Ann; city: Oslo' });
    const plain = csvRecords('a,b\nc,d', { header: false });
    expect(plain).toHaveLength(2);
    expect(plain[0]).not.toHaveProperty('context');
    expect(plain.header).toBeUndefined();
  });

  it('finds the delimiter unless it is given', () => {
    for (const delimiter of [',', '\t', ';', '|']) {
      const text = `${['name', 'age', 'city'].join(delimiter)}\n${['Ann', '30', 'Oslo'].join(delimiter)}`;
      expect(csvRecords(text)).toMatchObject({ delimiter, 0: { fields: ['Ann', '30', 'Oslo'] } });
    }
    expect(csvRecords('word\nother').delimiter).toBe(',');
    expect(csvRecords('a,b;c\n1,2;3', { delimiter: ';' })[0]!.fields).toEqual(['1,2', '3']);
  });

  it('keeps a carriage return that stands in quotes, and no other', () => {
    expect(csvRecords('a,"b\r"\r\nc,"\r"\r\nd,e\r\n', { header: false }).map(({ fields }) => fields)).toEqual(
      [
        ['a', 'b\r'],
        ['c', '\r'],
        ['d', 'e'],
      ],
    );
    expect(csvRecords('a,b\rc,d\r', { header: false }).map(({ fields }) => fields)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('reads on behind a record with a wrong quote, and says which it was', () => {
    const text = '1,"never\n2,"ok",x\n3,"in" side",x\n4,y,z\n';
    const records = csvRecords(text, { header: false });
    expect(records.map(({ fields, malformed }) => [malformed, ...fields])).toEqual([
      [true, '1', '"never'],
      [undefined, '2', 'ok', 'x'],
      [true, '3', '"in" side"', 'x'],
      [undefined, '4', 'y', 'z'],
    ]);
  });

  it('refuses what is no delimiter, no header and no text', () => {
    for (const delimiter of ['', '::', '"', '\n', '\r', '\ufeff', '\ud83d', 5, null]) {
      const call = () => csvRecords('a', { delimiter } as CsvRecordsOptions);
      expect(call).toThrow(/^delimiter is .*; give one character that is no quote and no line break\.$/);
    }
    for (const header of [1, 'name', [], ['a', 1], null]) {
      expect(() => csvRecords('a', { header } as unknown as CsvRecordsOptions)).toThrow(
        /^header is .*; give true, false or the names of the fields\.$/,
      );
    }
    expect(() => csvRecords(5 as never)).toThrow('The text is 5; give a string or a Uint8Array of UTF-8.');
  });
});

interface Row {
  charStart: number;
  charEnd: number;
  fields: string[];
  malformed: boolean;
}

/** RFC 4180 letter by letter, and what we say of records it has no words for. */
function model(text: string, delimiter: string): Row[] {
  const newline = !text.includes('\n') && text.includes('\r') ? '\r' : '\n';
  const rows: Row[] = [];
  const lineEnd = (at: number): number => (text.indexOf(newline, at) + 1 || text.length + 1) - 1;
  const isGap = (at: number): boolean =>
    at < text.length && isSpace(text.charCodeAt(at)) && text[at] !== delimiter && text[at] !== newline;
  const ends = (at: number): boolean => at >= text.length || text[at] === delimiter || text[at] === newline;
  const add = (from: number, to: number, fields: string[], malformed: boolean): void => {
    const charEnd = newline === '\n' && text[to - 1] === '\r' && to > from ? to - 1 : to;
    if (text.slice(from, charEnd).trim() !== '') rows.push({ charStart: from, charEnd, fields, malformed });
  };
  let at = text.startsWith('\ufeff') ? 1 : 0;
  while (at < text.length) {
    const from = at;
    const fields: string[] = [];
    let malformed = false;
    for (;;) {
      if (text[at] === '"') {
        const open = at++;
        let value = '';
        while (at < text.length && (text[at] !== '"' || text[at + 1] === '"')) {
          if (text[at] === '"') at++;
          value += text[at++];
        }
        let after = at + 1;
        while (isGap(after)) after++;
        if (at >= text.length || !ends(after)) {
          malformed = true;
          at = lineEnd(open);
          break;
        }
        at = after;
        fields.push(value);
      } else {
        const start = at;
        while (!ends(at)) at++;
        const last = at >= text.length || text[at] === newline;
        fields.push(
          text.slice(start, last && newline === '\n' && text[at - 1] === '\r' && at > start ? at - 1 : at),
        );
      }
      if (text[at] !== delimiter) break;
      at++;
    }
    const to = at;
    const cut = text.slice(from, newline === '\n' && text[to - 1] === '\r' ? to - 1 : to);
    add(from, to, malformed ? cut.split(delimiter) : fields, malformed);
    at = to + 1;
  }
  return rows;
}

const letters = [
  '"',
  '"',
  '"',
  '""',
  ',',
  ',',
  '\t',
  '\n',
  '\n',
  '\r\n',
  '\r',
  ' ',
  'a',
  'b',
  ';',
  '\ufeff',
  '\u2028',
  '漢',
  '😀',
  '\ud83d',
  '\0',
];
const messy = fc.string({ unit: fc.constantFrom(...letters), maxLength: 60 });
const field = fc.string({ unit: fc.constantFrom(...letters), maxLength: 8 });
/** What a writer that knows RFC 4180 makes of a table. */
const written = fc
  .tuple(
    fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 6 }),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([rows, newline]) =>
    rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join(newline),
  );

describe('properties of csvRecords', () => {
  it('reads what RFC 4180 says, at the places where it stands', () => {
    fc.assert(
      fc.property(fc.oneof(messy, written), fc.constantFrom(',', '\t', ' ', ';'), (text, delimiter) => {
        const records = csvRecords(text, { header: false, delimiter });
        const rows = records.map(({ charStart, charEnd, fields, malformed = false }) => ({
          charStart,
          charEnd,
          fields,
          malformed,
        }));
        expect(rows).toEqual(model(text, delimiter));
        for (const record of records) expect(text.slice(record.charStart, record.charEnd)).toBe(record.text);
      }),
      { numRuns },
    );
  });

  it('reads back every field that was written', () => {
    const cells = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 6 });
    fc.assert(
      fc.property(cells, (rows) => {
        const text = Papa.unparse(rows, { quotes: true, newline: '\n' });
        expect(csvRecords(text, { header: false, delimiter: ',' }).map(({ fields }) => fields)).toEqual(rows);
      }),
      { numRuns },
    );
  });

  it('reads bytes as it reads strings', () => {
    fc.assert(
      fc.property(messy, (text) => {
        const bytes = new TextEncoder().encode(text);
        expect(csvRecords(bytes)).toEqual(
          csvRecords(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)),
        );
      }),
      { numRuns: Math.min(numRuns, 2000) },
    );
  });
});
