import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCitations } from '../../src/cite/citations.ts';
import { formatContext } from '../../src/cite/context.ts';
import type { ShelfmarkError } from '../../src/errors.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import { splitDocuments } from '../../src/split/split-documents.ts';
import { runs } from '../arbitraries.ts';
import { markdownText } from '../markdown-text.ts';

const refunds = {
  id: 'refunds.md#3',
  docUri: 'refunds.md',
  heading: 'Refund timing',
  page: 2,
  text: 'Refunds take 5 days.',
};

const unescaped = (text: string): string =>
  text.replace(
    /&(amp|lt|gt|quot);/g,
    (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name]!,
  );

/** The blocks of a context, read by its rules alone. */
function blocksOf(context: string): { attributes: Record<string, string>; body: string }[] {
  const block = /<source((?: \w+="[^"<>]*")*)>([^<>]*)<\/source>(?:\n\n(?=<source )|$)/y;
  const blocks = [];
  while (block.lastIndex < context.length) {
    const match = block.exec(context);
    if (match === null) throw new Error(`no block at ${context.slice(0, 80)}`);
    const attributes = Object.fromEntries(
      [...match[1]!.matchAll(/ (\w+)="([^"]*)"/g)].map((one) => [one[1]!, unescaped(one[2]!)]),
    );
    blocks.push({ attributes, body: unescaped(match[2]!) });
  }
  return blocks;
}

const failure = (call: () => unknown): ShelfmarkError => {
  try {
    call();
  } catch (error) {
    return error as ShelfmarkError;
  }
  throw new Error('nothing was thrown');
};

describe('formatContext', () => {
  it('gives a block with id, heading, page and the passage', () => {
    expect(formatContext([refunds])).toBe(
      '<source id="refunds.md#3" heading="Refund timing" page="2">Refunds take 5 days.</source>',
    );
    expect(formatContext([])).toBe('');
  });

  it('reads messages, documents and chunks', () => {
    const message = { role: 'user', content: 'From a message.', metadata: { source: 'chat.md' } };
    const document = { id: 'd1', content: 'From a document.', metadata: { docUri: 'doc.md', heading: 'H' } };
    expect(
      blocksOf(formatContext([message, document, refunds, { text: 'Bare.' }, { text: 'Barer.' }])),
    ).toEqual([
      { attributes: { id: 'chat.md' }, body: 'From a message.' },
      { attributes: { id: 'd1', uri: 'doc.md', heading: 'H' }, body: 'From a document.' },
      {
        attributes: { id: 'refunds.md#3', heading: 'Refund timing', page: '2' },
        body: 'Refunds take 5 days.',
      },
      { attributes: { id: 'source' }, body: 'Bare.' },
      { attributes: { id: 'source(2)' }, body: 'Barer.' },
    ]);
  });

  it('never has an empty body: a value without a passage is refused by name', () => {
    for (const value of [
      { id: 'a.md#0', body: 'under another key' },
      { id: 'a.md#0', text: ' \n' },
    ]) {
      const error = failure(() => formatContext([refunds, value]));
      expect(error).toMatchObject({ name: 'ShelfmarkError', code: 'EMPTY_DOCUMENT' });
      expect(error.message).toMatch(/^values\[1\], "a.md#0", has no passage/);
    }
    expect(failure(() => formatContext([null])).message).toMatch(/^values\[0\] has no passage/);
    expect(failure(() => formatContext('text' as never)).code).toBe('INVALID_OPTION');
  });

  it('no document can end its block or begin another', () => {
    const text = fc.string({
      unit: fc.constantFrom(
        '<',
        '>',
        '/',
        '"',
        "'",
        '&',
        'source',
        ' id="x"',
        '</source>',
        '&lt;',
        '&amp;',
        ']]>',
        '<!--',
        '\u202e',
        '\0',
        '\n',
        'a',
        ' ',
        '\ud800',
      ),
      maxLength: 30,
    });
    const value = fc.record({ id: text, docUri: text, heading: text, text: text.map((one) => `${one}.`) });
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), (values) => {
        const blocks = blocksOf(formatContext(values));
        expect(blocks.map(({ body }) => body)).toEqual(values.map((one) => one.text));
        blocks.forEach(({ attributes }, at) => {
          expect(Object.keys(attributes).every((name) => ['id', 'uri', 'heading'].includes(name))).toBe(true);
          if (values[at]!.heading !== '') {
            expect(attributes['heading']).toBe(values[at]!.heading.replace(/\s+/g, ' '));
          }
        });
      }),
      { numRuns: runs() },
    );
  });

  it('joins neighbours without what they share, and puts every passage in whole', () => {
    fc.assert(
      fc.property(
        markdownText,
        fc.integer({ min: 0, max: 30 }),
        fc.constantFrom('rank', 'document'),
        (text, overlapChars, order) => {
          const splitter = byHeading({ maxChars: 60, minChars: 10, overlapChars });
          const chunks = splitDocuments([{ uri: 'a b.md', text }], splitter);
          const blocks = blocksOf(formatContext([...chunks].reverse(), { order }));
          const ids = blocks.flatMap(({ attributes }) => (attributes['ids'] ?? attributes['id']!).split(' '));
          expect(ids.sort()).toEqual(chunks.map(({ id }) => id.replaceAll(' ', '%20')).sort());
          for (const { attributes, body } of blocks) {
            const parts = (attributes['ids'] ?? attributes['id']!)
              .split(' ')
              .map((id) => chunks.find((chunk) => chunk.id === decodeURIComponent(id))!);
            for (const part of parts) expect(body).toContain(part.text);
            const first = parts[0]!;
            const last = parts.at(-1)!;
            const bare = (one: string): string => one.replace(/\s/g, '');
            // Chunks of a document cover all but white space and headings alone, so neighbours are its own slice.
            if (parts.length > 1) expect(bare(body)).toBe(bare(text.slice(first.charStart, last.charEnd)));
          }
        },
      ),
      { numRuns: Math.min(runs(), 3000) },
    );
  });

  it('joins what overlaps or follows, and nothing else', () => {
    const at = (index: number, charStart: number, text: string, docUri = 'a.md') => ({
      id: `${docUri}#${index}`,
      docUri,
      charStart,
      charEnd: charStart + text.length,
      text,
    });
    const one = at(3, 100, 'one two three');
    expect(formatContext([at(4, 108, 'three four'), one])).toBe(
      '<source ids="a.md#3 a.md#4">one two three four</source>',
    );
    expect(formatContext([one, at(4, 114, 'four')])).toBe(
      '<source ids="a.md#3 a.md#4">one two three\nfour</source>',
    );
    expect(blocksOf(formatContext([one, at(5, 114, 'five')]))).toHaveLength(2);
    expect(blocksOf(formatContext([one, at(4, 108, 'three four', 'b.md')]))).toHaveLength(2);
    // Offsets that are not those of one text.
    expect(blocksOf(formatContext([one, at(4, 108, 'other four')]))).toHaveLength(2);
  });

  it('keeps to its budget with whole passages, in characters or by a length', () => {
    const values = ['a'.repeat(50), 'b'.repeat(400), 'c'.repeat(20)].map((text, at) => ({
      id: `x${at}`,
      text,
    }));
    for (let maxChars = 0; maxChars < 700; maxChars += 7) {
      const context = formatContext(values, { maxChars });
      expect(context.length).toBeLessThanOrEqual(maxChars);
      for (const { body } of blocksOf(context)) expect(values.map(({ text }) => text)).toContain(body);
    }
    const kept = (options: object) =>
      blocksOf(formatContext(values, options)).map(({ attributes }) => attributes['id']);
    expect(kept({ maxChars: 200 })).toEqual(['x0', 'x2']);
    expect(kept({ maxChars: 700 })).toEqual(['x0', 'x1', 'x2']);
    const length = (text: string) => Math.ceil(text.length / 4);
    expect(kept({ maxChars: 50, length })).toEqual(['x0', 'x2']);
    expect(kept({ maxChars: 0 })).toEqual([]);
    for (const maxChars of [-1, Number.NaN, '5']) {
      expect(failure(() => formatContext(values, { maxChars: maxChars as number })).code).toBe(
        'INVALID_OPTION',
      );
    }
    expect(failure(() => formatContext(values, { maxChars: 1, length: () => Number.NaN })).code).toBe(
      'INVALID_OPTION',
    );
    expect(failure(() => formatContext(values, { order: 'best' as never })).code).toBe('INVALID_OPTION');
  });

  it('orders by rank, or keeps each document together in its own order', () => {
    const chunk = (docUri: string, index: number) => ({
      id: `${docUri}#${index}`,
      docUri,
      charStart: index * 1000,
      charEnd: index * 1000 + 1,
      text: 'x',
    });
    const values = [chunk('b', 9), chunk('a', 5), chunk('b', 2), chunk('a', 1)];
    const ids = (order: 'rank' | 'document') =>
      blocksOf(formatContext(values, { order })).map(({ attributes }) => attributes['id']);
    expect(ids('rank')).toEqual(['b#9', 'a#5', 'b#2', 'a#1']);
    expect(ids('document')).toEqual(['b#2', 'b#9', 'a#1', 'a#5']);
  });
});

describe('parseCitations', () => {
  const passages = ['refunds.md#3', 'refunds.md#4', 'my notes/to do.md#0', 'guide.md'].map((id) => ({
    id,
    text: 't',
  }));
  it.each([
    ['They take 5 days [refunds.md#3].', ['refunds.md#3'], []],
    [
      'Both [refunds.md#3, refunds.md#4] say so, and [refunds.md#9] too.',
      ['refunds.md#3', 'refunds.md#4'],
      ['refunds.md#9'],
    ],
    [
      '(refunds.md#4) 【refunds.md#3】 [^refunds.md#3] {guide.md}',
      ['refunds.md#4', 'refunds.md#3', 'guide.md'],
      [],
    ],
    ['<source ids="refunds.md#3 refunds.md#4">', ['refunds.md#3', 'refunds.md#4'], []],
    [
      '[source: refunds.md#3] and [id: refunds.md#4; guide.md]',
      ['refunds.md#3', 'refunds.md#4', 'guide.md'],
      [],
    ],
    ['[my notes/to do.md#0] is [my%20notes/to%20do.md#0]', ['my notes/to do.md#0'], []],
    ['As refunds.md#3 says, not refunds.md#33.', ['refunds.md#3'], ['refunds.md#33']],
    ['`[refunds.md#3]` and **[refunds.md#4]**', ['refunds.md#3', 'refunds.md#4'], []],
    ['[the guide](guide.md) is cited by its link', ['guide.md'], []],
    ['See [a page](other.md), C# 7, issue#12, colour #123456, arr[0] and [1].', [], []],
    ['[prices.md] says nothing', [], ['prices.md']],
    ['Nothing is cited.', [], []],
  ])('%s', (answer, known, unknown) => {
    expect(parseCitations(answer, passages)).toEqual({ known, unknown });
  });

  it('finds every id of a context it is given back', () => {
    const id = fc.string({
      unit: fc.constantFrom('a', 'b', '.', '/', '-', ' ', 'é', '#', '('),
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 1, maxLength: 5 }), (names) => {
        const values = names.map((name, at) => ({ id: `x${name}x#${at}`, text: 'passage' }));
        expect(parseCitations(formatContext(values), values)).toEqual({
          known: values.map((one) => one.id),
          unknown: [],
        });
      }),
      { numRuns: runs() },
    );
  });

  it('takes time that grows with the answer', () => {
    for (const hostile of ['[', '(', '[a', '#', 'a#', '<source ', '[a, ', '【', '"', 'a']) {
      const answer = hostile.repeat(Math.ceil(200_000 / hostile.length));
      const started = performance.now();
      parseCitations(answer, passages);
      expect(performance.now() - started, hostile).toBeLessThan(5000);
    }
  });
});
