/** Cases from public bug reports of records, CSV, tables and separators, each with the right value. */
import { describe, expect, it } from 'vitest';
import { byCsvRecord } from '../../src/split/by-csv-record.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import { byRecord } from '../../src/split/by-record.ts';
import { byTableRecord } from '../../src/split/by-table-record.ts';
import { chunkText } from '../../src/split/chunk-text.ts';
import { csvRecords } from '../../src/split/csv-records.ts';
import type { SplitPiece, Splitter } from '../../src/types.ts';
import { expectRules } from '../rules.ts';

const cut = (splitter: Splitter, text: string): readonly SplitPiece[] =>
  splitter.split({ uri: 'a.csv', text });
const textsOf = (pieces: readonly SplitPiece[]): string[] => pieces.map(({ text }) => text);
const linesOf = (pieces: readonly SplitPiece[]): string[] =>
  textsOf(pieces).flatMap((text) => text.split('\n'));

describe('packing', () => {
  it.each([
    ['byRecord', (chunkSize: number) => byRecord({ chunkSize })],
    ['byCsvRecord', (chunkSize: number) => byCsvRecord({ chunkSize, header: false })],
  ] as const)('holds the limit, and a lower one gives more pieces: %s (B071)', (_name, make) => {
    const rows = Array.from({ length: 3000 }, (_, n) => `${n},name ${n},city`);
    const text = `${rows.join('\n')}\n`;
    const pieces = cut(make(512), text);
    expectRules(text, pieces, { limit: 512 });
    expect(pieces.some(({ oversize }) => oversize)).toBe(false);
    expect(linesOf(pieces)).toEqual(rows);
    expect(cut(make(256), text).length).toBeGreaterThan(pieces.length);
  });

  it('is greedy: about forty short rows a piece (B073)', () => {
    const rows = Array.from({ length: 1000 }, (_, n) => `${n},name ${n},Oslo`.padEnd(24, '.'));
    for (const splitter of [byRecord({ chunkSize: 1000 }), byCsvRecord({ chunkSize: 1000, header: false })]) {
      const pieces = cut(splitter, rows.join('\n'));
      expect(pieces).toHaveLength(25);
      expect(linesOf(pieces.slice(0, 1))).toHaveLength(40);
    }
  });
});

describe('headers', () => {
  const text = `name,age,city\n${'Ann,30,Oslo\n'.repeat(500)}`;
  const header: [number, number] = [0, 13];

  it('go with every piece and into none, offsets exact (B072)', () => {
    for (const [splitter, context] of [
      [byRecord({ chunkSize: 300, header: true }), /^name,age,city$/],
      [byCsvRecord({ chunkSize: 300, context: 'header' }), /^name,age,city$/],
      [byCsvRecord({ chunkSize: 300 }), /^(name: Ann; age: 30; city: Oslo\n?)+$/],
    ] as const) {
      const pieces = cut(splitter, text);
      expectRules(text, pieces, { limit: 300, spared: [header] });
      expect(pieces[0]).toMatchObject({ charStart: 14, line: 2 });
      for (const piece of pieces) {
        expect(piece.context).toMatch(context);
        expect(piece.text).not.toContain('name');
      }
    }
  });

  it('cost no row when each piece is read back (B074)', () => {
    const rows = Array.from({ length: 100 }, (_, n) => [String(n), String(n * n)]);
    const sheet = `id,v\n${rows.map((row) => row.join(',')).join('\n')}\n`;
    const pieces = cut(byCsvRecord({ chunkSize: 160 }), sheet);
    expect(pieces.length).toBeGreaterThanOrEqual(5);
    const back = pieces.flatMap((piece) =>
      csvRecords(piece.text, { header: false }).map(({ fields }) => fields),
    );
    expect(back).toEqual(rows);
  });

  it('are read without the byte order mark (B079)', () => {
    const marked = '\ufeffName,Age\nAnn,30\n';
    const records = csvRecords(marked);
    expect(records.header).toMatchObject({
      fields: ['Name', 'Age'],
      charStart: 1,
      charEnd: 9,
      text: 'Name,Age',
    });
    expect(records[0]).toMatchObject({ context: 'Name: Ann; Age: 30', charStart: 10, line: 2 });
    const [piece] = cut(byCsvRecord(), marked);
    expect(piece).toMatchObject({ text: 'Ann,30', charStart: 10, context: 'Name: Ann; Age: 30' });
  });
});

describe('quotes', () => {
  it('hold line breaks: two records, the first ends behind its closing quote (B075)', () => {
    const text = 'id,note\n1,"two\nlines"\n2,ok\n';
    const records = csvRecords(text);
    expect(records.map(({ fields }) => fields)).toEqual([
      ['1', 'two\nlines'],
      ['2', 'ok'],
    ]);
    expect(text[records[0]!.charEnd - 1]).toBe('"');
    expect(records[0]!.text).toBe('1,"two\nlines"');
    expect(textsOf(cut(byCsvRecord({ chunkSize: 13 }), text))).toEqual(['1,"two\nlines"', '2,ok']);
  });

  it.each(['3,"never closed', '3,"never" closed'])(
    'that are wrong spoil their own record, which is named, and no other: %s (B077)',
    (bad) => {
      const rows = Array.from({ length: 50_000 }, (_, n) => (n === 2 ? bad : `${n + 1},"name ${n + 1}",x`));
      const text = rows.join('\n');
      const records = csvRecords(text, { header: false });
      expect(records).toHaveLength(50_000);
      const malformed = records.filter((record) => record.malformed);
      expect(malformed).toMatchObject([{ text: bad, line: 3, charStart: text.indexOf(bad) }]);
      expect(records.at(-1)!.fields).toEqual(['50000', 'name 50000', 'x']);
      const pieces = cut(byCsvRecord({ header: false }), text);
      expect(linesOf(pieces)).toEqual(rows);
    },
  );
});

describe('separators', () => {
  const separated = (text: string, separator: string | RegExp, chunkSize: number): string[] =>
    textsOf(cut(byRecord({ separator, chunkSize }), text));

  it('are taken literally: a backslash and an n are no line feed (B080)', () => {
    expect(separated('banana nine\nnext', '\\n', 100)).toEqual(['banana nine\nnext']);
    expect(chunkText('banana nine\nnext', { separator: '\\n' })).toEqual(['banana nine\nnext']);
    expect(separated('banana\\nnine', '\\n', 6)).toEqual(['banana', 'nine']);
  });

  it('of several characters are one, not a set (B081)', () => {
    expect(separated('a==b=c==d', '==', 3)).toEqual(['a', 'b=c', 'd']);
    expect(chunkText('a==b=c==d', { separator: '==', chunkSize: 3 })).toEqual(['a', 'b=c', 'd']);
  });

  it('are never a list, which a RegExp says better (B082)', () => {
    const list = ['\n\n', '\n'] as unknown as string;
    expect(() => byRecord({ separator: list })).toThrow('separator is an array of 2; give a string');
    expect(() => chunkText('x', { separator: list })).toThrow('separator is an array of 2; give a string');
    expect(separated('x\n\ny\nz', '\n\n,\n', 3)).not.toEqual(['x', 'y', 'z']);
    expect(separated('x\n\ny\nz', '\n\n,\n', 100)).toEqual(['x\n\ny\nz']);
    expect(separated('x\n\ny\nz', /\n\n|\n/, 1)).toEqual(['x', 'y', 'z']);
  });

  it('that are patterns leave what they matched in the text (B084)', () => {
    expect(separated('one  two\tthree', /\s+/, 100)).toEqual(['one  two\tthree']);
  });

  it('that are strings mean no pattern (B085)', () => {
    expect(separated('a.b.c', '.', 1)).toEqual(['a', 'b', 'c']);
    expect(separated('1*2*3', '*', 1)).toEqual(['1', '2', '3']);
  });

  it('that repeat or come last invent no record, and slices and gaps give back the text (B086)', () => {
    const text = 'p,,q,';
    for (const separator of [',', /(?=,)/]) {
      const pieces = cut(byRecord({ separator, chunkSize: 2 }), text);
      let [back, at] = ['', 0];
      for (const { charStart, charEnd, text: slice } of pieces) {
        back += text.slice(at, charStart) + slice;
        at = charEnd;
      }
      expect(back + text.slice(at)).toBe(text);
    }
    expect(separated(text, ',', 1)).toEqual(['p', 'q']);
    expect(separated(text, /(?=,)/, 2)).toEqual(['p,', ',q', ',']);
  });
});

describe('records over the limit', () => {
  it('are cut between cells: a number stays whole (B089)', () => {
    const cells = Array.from({ length: 15 }, (_, n) => `a cell, number ${n}`.padEnd(18, '.'));
    cells[7] = '5,120';
    const names = cells.map((_, n) => `the name of column ${n}`);
    const row = `| ${cells.join(' | ')} |`;
    const table = `| ${names.join(' | ')} |\n|${'---|'.repeat(15)}\n${row}\n`;
    expect(names.join().length).toBeGreaterThan(280);
    for (const splitter of [byTableRecord({ chunkSize: 200 }), byRecord({ chunkSize: 200, header: 2 })]) {
      const pieces = cut(splitter, table);
      expect(pieces.length).toBeGreaterThan(1);
      expect(pieces.filter(({ text }) => text.includes('5,120'))).toHaveLength(1);
      for (const { text, context } of pieces) {
        expect(text.length).toBeLessThanOrEqual(200);
        expect(context).toContain('the name of column 14');
      }
    }
    const csv = `${names.join(',')}\n${cells.map((cell) => `"${cell}"`).join(',')}\n`;
    const pieces = cut(byCsvRecord({ chunkSize: 90 }), csv);
    expect(pieces.length).toBeGreaterThan(3);
    const [found] = pieces.filter(({ text }) => text.includes('"5,120"'));
    expect(found!.context).toContain('the name of column 7: 5,120');
    // The record's first field tells whose part it is.
    for (const { context } of pieces) expect(context).toMatch(/^the name of column 0: a cell, number 0/);
    expect(textsOf(pieces).join(',')).toBe(csv.split('\n')[1]);
  });

  it('are not dropped, and neither are their neighbours (B093)', () => {
    const log = `${'line\n'.repeat(50)}${'x'.repeat(70_000)}\n${'line\n'.repeat(50)}`;
    const pieces = cut(byRecord({ chunkSize: 1000 }), log);
    expectRules(log, pieces, { limit: 1000 });
    const long = pieces.filter(({ text }) => text.startsWith('x'));
    expect(long.map(({ text }) => text).join('')).toBe('x'.repeat(70_000));
    expect(long.every(({ line }) => line === 51)).toBe(true);
    expect(long[0]!.charStart).toBe(250);
    expect(linesOf(pieces).filter((line) => line === 'line')).toHaveLength(100);
  });
});

describe('tables', () => {
  const rows = Array.from({ length: 60 }, (_, n) => `| ${n} | value ${n} |`);
  const text = `# Values\n\n| id | what |\n|----|:-----|\n${rows.join('\n')}\n`;

  it.each([
    ['byTableRecord', byTableRecord({ chunkSize: 400 }), /^\| id \| what \|\n\|----\|:-----\|$/],
    ['byHeading', byHeading({ maxChars: 400, overlapChars: 0 }), /^\| id \| what \|/],
  ] as const)(
    'repeat their header with its dashes, so that each piece can be shown as a table: %s (B090)',
    (_name, splitter, context) => {
      const pieces = splitter.split({ uri: 'a.md', text });
      expect(pieces.length).toBeGreaterThan(2);
      for (const piece of pieces.slice(1)) {
        expect(piece.context).toMatch(context);
        expect(piece.headingPath).toEqual(['Values']);
        for (const row of piece.text.trimEnd().split('\n')) expect(rows).toContain(row);
      }
    },
  );
});
