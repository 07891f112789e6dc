import { describe, expect, it } from 'vitest';
import { ShelfmarkError } from '../../src/errors.ts';
import { type ByRecordOptions, byRecord } from '../../src/split/by-record.ts';
import { splitDocuments } from '../../src/split/split-documents.ts';
import { expectRules } from '../rules.ts';

const split = (text: string, options: ByRecordOptions = {}) =>
  byRecord(options).split({ uri: 'a.csv', text });
const texts = (text: string, options: ByRecordOptions = {}) =>
  split(text, options).map((piece) => piece.text);

describe('byRecord', () => {
  it('packs whole rows up to the size, and a smaller size gives more pieces', () => {
    // B071
    const rows = Array.from({ length: 3000 }, (_, n) => `${n},name ${n},city`);
    const text = `${rows.join('\n')}\n`;
    const pieces = split(text, { chunkSize: 512 });
    expectRules(text, pieces, { limit: 512 });
    for (const piece of pieces) {
      for (const row of piece.text.split('\n')) expect(row).toMatch(/^\d+,name \d+,city$/);
    }
    expect(pieces.flatMap((piece) => piece.text.split('\n'))).toEqual(rows);
    expect(split(text, { chunkSize: 256 }).length).toBeGreaterThan(pieces.length);
  });

  it('carries the header beside every piece, never inside it', () => {
    // B072
    const text = `name,age,city\n${'Ann,30,Oslo\n'.repeat(500)}`;
    const pieces = split(text, { chunkSize: 300, header: true });
    expect(new Set(pieces.map((piece) => piece.context))).toEqual(new Set(['name,age,city']));
    expect(pieces[0]!.charStart).toBe('name,age,city\n'.length);
    expect(pieces.every((piece) => !piece.text.includes('name'))).toBe(true);
    expectRules(text, pieces, { limit: 300, spared: [[0, 13]] });
  });

  it('packs about forty short rows a piece, not one', () => {
    // B073
    const text = Array.from({ length: 1000 }, (_, n) => `row ${n} of the long table`.padEnd(24, '.')).join(
      '\n',
    );
    expect(split(text, { chunkSize: 1000 })[0]!.text.split('\n').length).toBe(40);
  });

  it('loses no row when each piece is read back without a header', () => {
    // B074
    const text = `id,v\n${Array.from({ length: 100 }, (_, n) => `${n},${n * n}`).join('\n')}\n`;
    const pieces = split(text, { chunkSize: 160, header: 1 });
    expect(pieces.length).toBeGreaterThan(4);
    expect(pieces.flatMap((piece) => piece.text.split('\n')).length).toBe(100);
  });

  it('leaves a byte order mark out of the first record and of the header', () => {
    // B079
    expect(split('\ufeffName,Age\nAnn,30\n')[0]).toMatchObject({ charStart: 1, text: 'Name,Age\nAnn,30' });
    expect(split('\ufeffName,Age\nAnn,30\n', { header: true })).toEqual([
      { text: 'Ann,30', charStart: 10, charEnd: 16, line: 2, context: 'Name,Age' },
    ]);
  });

  it('takes a separator literally and as a whole', () => {
    // B080, B081, B085, B086
    expect(texts('banana nine\nnext', { separator: '\\n', chunkSize: 100 })).toEqual(['banana nine\nnext']);
    expect(texts('a==b=c==d', { separator: '==', chunkSize: 3 })).toEqual(['a', 'b=c', 'd']);
    expect(texts('a.b.c', { separator: '.', chunkSize: 1 })).toEqual(['a', 'b', 'c']);
    expect(texts('1*2*3', { separator: '*', chunkSize: 1 })).toEqual(['1', '2', '3']);
    expect(texts('p,,q,', { separator: ',', chunkSize: 1 })).toEqual(['p', 'q']);
    expect(texts('p,,q,', { separator: ',', chunkSize: 9 })).toEqual(['p,,q']);
  });

  it('refuses a list of separators instead of guessing', () => {
    // B082
    const list = ['\n\n', '\n'] as unknown as string;
    expect(() => byRecord({ separator: list })).toThrow(
      /separator is an array of 2; give a string that is not empty/,
    );
  });

  it('keeps what a pattern matched between the records, as it stood', () => {
    // B084
    expect(texts('one  two\tthree', { separator: /\s+/, chunkSize: 100 })).toEqual(['one  two\tthree']);
    expect(texts('one  two\tthree', { separator: /\s+/, chunkSize: 9 })).toEqual(['one  two', 'three']);
  });

  it('starts a record at every match of a lookahead', () => {
    const log = '2026-01-01 up\n  detail\n2026-01-02 down\n';
    expect(texts(log, { separator: /(?=^\d{4}-)/m, chunkSize: 24 })).toEqual([
      '2026-01-01 up\n  detail',
      '2026-01-02 down',
    ]);
  });

  it('keeps indentation and blank records inside a piece, and CRLF whole', () => {
    expect(texts('  a: 1\r\n\r\n  b: 2\r\n', { chunkSize: 40 })).toEqual(['  a: 1\r\n\r\n  b: 2']);
    expect(texts('  a: 1\r\n\r\n  b: 2\r\n', { chunkSize: 8 })).toEqual(['  a: 1', '  b: 2']);
  });

  it('cuts an overlong record at words, that record alone', () => {
    // B089, B093
    const row = `| ${'word '.repeat(56)}| 5,120 |`;
    const pieces = texts(`short one\n${row}\nshort two`, { chunkSize: 150 });
    expect(pieces[0]).toBe('short one');
    expect(pieces.at(-1)).toBe('short two');
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.filter((piece) => piece.includes('5,120')).length).toBe(1);

    const log = `${'line\n'.repeat(50)}${'x'.repeat(70_000)}\n${'line\n'.repeat(50)}`;
    const cut = split(log, { chunkSize: 1000 });
    expectRules(log, cut, { limit: 1000 });
    expect(cut.filter((piece) => piece.text.startsWith('x')).length).toBe(70);
  });

  it('says on which line a piece starts, whatever ends lines', () => {
    expect(split('a\nb\n\nc', { chunkSize: 1 }).map(({ line }) => line)).toEqual([1, 2, 4]);
    expect(split('a\r\nb\rc\nd', { chunkSize: 3 }).map(({ line }) => line)).toEqual([1, 2, 4]);
    expect(split('head\na\nb', { chunkSize: 1, header: true }).map(({ line }) => line)).toEqual([2, 3]);
  });

  it('has header lines whatever ends them', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const text = ['h1,h2', 'a,b', 'c,d'].join(end);
      for (const input of [text, new TextEncoder().encode(text)]) {
        const pieces = byRecord({ header: true, separator: end, chunkSize: 3 }).split({
          uri: 'a',
          text: input,
        });
        expect(pieces.map((piece) => [piece.context, piece.text])).toEqual([
          ['h1,h2', 'a,b'],
          ['h1,h2', 'c,d'],
        ]);
      }
    }
  });

  it('counts in a unit of its own', () => {
    const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
    const options = { chunkSize: 3, length: words, lengthId: 'words' };
    expect(texts('one two\nthree\nfour five\nsix seven eight nine', options)).toEqual([
      'one two\nthree',
      'four five',
      'six seven eight',
      'nine',
    ]);
    expect(byRecord(options).id).toBe('byRecord@2(separator="\\n",chunkSize=3,header=0,length=words)');
    for (const answer of [Number.NaN, -1, '3']) {
      expect(() => texts('a', { length: () => answer as number })).toThrow('The answer of length is');
    }
  });

  it('refuses options out of range by name, value and range', () => {
    for (const [options, message] of [
      [{ separator: '' }, 'separator is ""; give a string that is not empty, or a RegExp.'],
      [{ chunkSize: 0 }, 'chunkSize is 0; give a whole number, 1 or more.'],
      [{ chunkSize: 1.5 }, 'chunkSize is 1.5; give a whole number, 1 or more.'],
      [{ chunkSize: Number.NaN }, 'chunkSize is NaN; give a whole number, 1 or more.'],
      [{ header: -1 }, 'header is -1; give a whole number, 0 or more.'],
      [{ length: 5 }, 'length is 5; give a function of a text that answers a number.'],
    ] as const) {
      expect(() => byRecord(options as ByRecordOptions)).toThrow(ShelfmarkError);
      expect(() => byRecord(options as ByRecordOptions)).toThrow(message);
    }
  });
});

describe('splitDocuments', () => {
  it('gives ids, documents, indexes and hashes in order', () => {
    const chunks = splitDocuments(
      [
        { uri: 'a', text: 'one\ntwo' },
        { uri: 'b', text: ' ' },
        { uri: 'c', text: new TextEncoder().encode('three') },
      ],
      byRecord({ chunkSize: 3 }),
    );
    expect(chunks.map(({ id, docUri, index, text }) => [id, docUri, index, text])).toEqual([
      ['a#0', 'a', 0, 'one'],
      ['a#1', 'a', 1, 'two'],
      ['c#0', 'c', 0, 'thr'],
      ['c#1', 'c', 1, 'ee'],
    ]);
    expect(chunks[0]!.contentHash).toBe('7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed');
  });

  it('refuses a splitter whose offsets are not those of its text', () => {
    const wrong = { id: 'x', name: 'shifted', split: () => [{ text: 'bc', charStart: 0, charEnd: 2 }] };
    expect(() => splitDocuments([{ uri: 'a', text: 'abc' }], wrong)).toThrow(
      'Piece 0 of "a" from splitter "shifted" is not text.slice(0, 2)',
    );
    expect(splitDocuments([{ uri: 'a', text: 'abc' }], wrong, { verifyOffsets: false })).toHaveLength(1);
  });

  it('hands a splitter that knows nothing of bytes a string', () => {
    const own = {
      id: 'own',
      name: 'own',
      split: ({ text }: { text: string | Uint8Array }) => [
        { text: text as string, charStart: 0, charEnd: 3 },
      ],
    };
    expect(splitDocuments([{ uri: 'a', text: Uint8Array.of(97, 98, 99) }], own)[0]!.text).toBe('abc');
  });

  it('may be called from within a splitter', () => {
    const outer = {
      id: 'o',
      name: 'outer',
      split: ({ text }: { text: string | Uint8Array }) =>
        splitDocuments(
          [{ uri: 'inner', text: new TextEncoder().encode(text as string) }],
          byRecord({ chunkSize: 3 }),
        ),
    };
    expect(splitDocuments([{ uri: 'a', text: 'one\ntwo' }], outer).map(({ text }) => text)).toEqual([
      'one',
      'two',
    ]);
  });

  it('refuses documents without a name or a text, and two of one name, before cutting any', () => {
    const never = { id: 'n', name: 'never', split: () => expect.unreachable() };
    const good = { uri: 'a', text: 'x' };
    const bad: [unknown, string][] = [
      [{ text: 'x' }, "A document's uri is undefined"],
      [{ uri: '', text: 'x' }, `A document's uri is ""`],
      [{ uri: 'b', text: 5 }, 'The text of document "b" is 5; give a string or a Uint8Array of UTF-8.'],
      [{ uri: 'b', text: null }, 'The text of document "b" is null'],
      [{ uri: 'a', text: 'y' }, 'Two documents have the uri "a"'],
      [{ uri: 'b', text: 'y', pages: 'y' }, 'The pages of document "b" are no list of strings.'],
      [null, 'documents[1] is null; give an object'],
    ];
    for (const [document, message] of bad) {
      expect(() => splitDocuments([good, document as typeof good], never)).toThrow(message);
    }
  });
});
