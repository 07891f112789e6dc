import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatContext } from '../../src/cite/context.ts';
import { fold } from '../../src/cite/fold.ts';
import { verifyQuotes } from '../../src/cite/quotes.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import { splitDocuments } from '../../src/split/split-documents.ts';
import { nastyText, runs } from '../arbitraries.ts';
import { markdownText } from '../markdown-text.ts';

const policy =
  '# Refunds\n\nRefunds take **five** working days, and `card` payments [go back](https://a.b/c_d) to the card.\n' +
  'We don’t refund gifts — never.\n\n| Kind | Days |\n|------|-----:|\n| Card | 5 |\n\n- First, write to us.\n- Then wait.\n\nUse `snake_case` &amp; R&D.';
const other = '# Delivery\n\nParcels arrive within two days. Refunds of postage take longer than that.';
const chunkOf = (docUri: string, index: number, text: string, charStart = 0) => ({
  id: `${docUri}#${index}`,
  docUri,
  text,
  charStart,
  charEnd: charStart + text.length,
});
const passages = [chunkOf('refunds.md', 0, policy, 40), chunkOf('delivery.md', 1, other)];

const checked = (answer: string, given: readonly unknown[] = passages, options = {}) =>
  verifyQuotes(answer, given, options).map(({ quote, citedId, status }) => [quote, citedId, status]);

describe('verifyQuotes', () => {
  it.each([
    ['“Parcels arrive within two days” [delivery.md#1].', 'delivery.md#1', 'verified'],
    ['"Parcels arrive within two days." (delivery.md#1)', 'delivery.md#1', 'verified'],
    ['According to delivery.md#1, "parcels arrive within two days".', 'delivery.md#1', 'verified'],
    ['« Parcels arrive » without a citation', undefined, 'verified'],
    ['„Parcels arrive“ [delivery.md#1]', 'delivery.md#1', 'verified'],
    ['> Parcels arrive within\n> two days. [delivery.md#1]', 'delivery.md#1', 'verified'],
    ['> Parcels arrive within two days.\n\n[delivery.md#1]', 'delivery.md#1', 'verified'],
    ['"Parcels arrive within two days" [refunds.md#0].', 'refunds.md#0', 'wrong-source'],
    ['"Parcels arrive within two days" [gone.md#7].', 'gone.md#7', 'wrong-source'],
    ['"Parcels arrive within three days" [delivery.md#1].', 'delivery.md#1', 'absent'],
    ['"Parcels arrive within two day" [delivery.md#1].', 'delivery.md#1', 'absent'],
    ['"arcels arrive" [delivery.md#1].', 'delivery.md#1', 'absent'],
    ['"Made up" [gone.md#7].', 'gone.md#7', 'absent'],
    ['"two days" [refunds.md#0, delivery.md#1]', 'delivery.md#1', 'verified'],
    ['"two days" [refunds.md#0] [delivery.md#1]', 'delivery.md#1', 'verified'],
  ])('%s', (answer, citedId, status) => {
    const [check, ...more] = verifyQuotes(answer, passages);
    expect(more).toEqual([]);
    expect([check!.citedId, check!.status]).toEqual([citedId, status]);
    expect(answer.slice(check!.answerStart, check!.answerEnd)).toBe(check!.quote);
  });

  it.each([
    [
      'Refunds take five working days, and card payments go back to the card.',
      'Refunds take **five** working days, and `card` payments [go back](https://a.b/c_d) to the card.',
    ],
    ["We don't refund gifts - never", 'We don’t refund gifts — never'],
    ['Kind Days Card 5', 'Kind | Days |\n|------|-----:|\n| Card | 5'],
    ['First, write to us. Then wait.', 'First, write to us.\n- Then wait.'],
    ['Use snake_case & R&amp;D', 'Use `snake_case` &amp; R&D'],
    ['Use `snake_case` &amp;amp; R&amp;D', 'Use `snake_case` &amp; R&D'],
    [
      'Refunds take … to the card',
      'Refunds take **five** working days, and `card` payments [go back](https://a.b/c_d) to the card',
    ],
    [
      'Refunds take [...] gifts',
      'Refunds take **five** working days, and `card` payments [go back](https://a.b/c_d) to the card.\nWe don’t refund gifts',
    ],
    [
      'refunds\u00a0take \u200b**five**  working\u00addays'.replace('\u00addays', ' days'),
      'Refunds take **five** working days',
    ],
  ])('folds %s', (quote, slice) => {
    const [check] = verifyQuotes(`“${quote}” [refunds.md#0]`, passages);
    expect(check!.status).toBe('verified');
    const document = 'x'.repeat(40) + policy;
    expect(document.slice(check!.charStart, check!.charEnd)).toBe(slice);
  });

  it.each(['two five working days', 'snakecase', 'Refunds take working days', 'to the card … Refunds take'])(
    'does not fold %s',
    (quote) => {
      expect(checked(`“${quote}” [refunds.md#0]`)[0]![2]).toBe('absent');
    },
  );

  it('keeps the citation of each quote apart', () => {
    const answer =
      'It says “five working days” [refunds.md#0]. Parcels take “two days”. Also “write to us” is there.\n\nLater [delivery.md#1] says “never”.';
    expect(checked(answer)).toEqual([
      ['five working days', 'refunds.md#0', 'verified'],
      ['two days', undefined, 'verified'],
      ['write to us', undefined, 'verified'],
      ['never', 'delivery.md#1', 'wrong-source'],
    ]);
  });

  it('reads no code, inches or marks that nothing closes', () => {
    const answer = '```js\nprint("two days")\n```\nA 5" screen, `"two days"`, and "unclosed words.\n\n“” "!"';
    expect(checked(answer)).toEqual([]);
  });

  const text = 'Alpha beta gamma delta epsilon zeta eta theta. '.repeat(1).trim();
  const one = chunkOf('a.md', 0, text.slice(0, 16));
  const two = chunkOf('a.md', 1, text.slice(11), 11);
  it('tells a quote that spans two chunks, by the passages alone or by the document', () => {
    const answer = '“beta gamma delta” [a.md#0]';
    expect(verifyQuotes(answer, [one, two])).toEqual([
      expect.objectContaining({
        status: 'spans-chunks',
        citedId: 'a.md#0',
        docUri: 'a.md',
        charStart: 6,
        charEnd: 22,
      }),
    ]);
    const documents = [{ uri: 'a.md', text }];
    expect(verifyQuotes(answer, [one], { documents })).toEqual([
      expect.objectContaining({ status: 'spans-chunks', docUri: 'a.md', charStart: 6, charEnd: 22 }),
    ]);
    expect(checked(answer, [one])[0]![2]).toBe('absent');
    expect(
      checked('“eta theta” [a.md#0]', [one], {
        documents: [{ id: 'a.md', text: new TextEncoder().encode(text) }],
      })[0]![2],
    ).toBe('wrong-source');
  });

  it('says where a real quote under the wrong id stands', () => {
    expect(verifyQuotes('“two days” [refunds.md#0]', passages)).toEqual([
      {
        quote: 'two days',
        answerStart: 1,
        answerEnd: 9,
        citedId: 'refunds.md#0',
        status: 'wrong-source',
        foundId: 'delivery.md#1',
        docUri: 'delivery.md',
        charStart: other.indexOf('two days'),
        charEnd: other.indexOf('two days') + 8,
      },
    ]);
  });

  it('verifies any run of words of a chunk, as the source or as an escaped context has it', () => {
    fc.assert(
      fc.property(markdownText, fc.nat(), fc.nat(), fc.boolean(), (document, from, length, escapes) => {
        const chunks = splitDocuments(
          [{ uri: 'a.md', text: document }],
          byHeading({ maxChars: 200, minChars: 10 }),
        );
        fc.pre(chunks.length > 0 && !/`{3}|~{3}/.test(document));
        const chunk = chunks[from % chunks.length]!;
        const words = [...chunk.text.matchAll(/[^\s"“”„«»‹›「」『』`~]+/g)];
        fc.pre(words.length > 0);
        const first = words[length % words.length]!;
        const last = words[Math.min(words.length - 1, (length % words.length) + (length % 5))]!;
        const quote = chunk.text.slice(first.index, last.index + last[0].length);
        // Marks of Markdown that the cut takes from their line or their partner are other text, and no words no quote.
        fc.pre(/\p{L}/u.test(quote) && !/[\n\r<>[\]()!#*_~`|&\\"“”„«»‹›=:-]|^\d+[.)]/.test(quote));
        const given = escapes
          ? formatContext([{ text: quote }]).replace(/^<source[^>]*>|<\/source>$/g, '')
          : quote;
        const [check] = verifyQuotes(`“${given}” [${chunk.id}]`, chunks);
        expect(check).toMatchObject({ status: 'verified', citedId: chunk.id, docUri: 'a.md' });
        const place = document.slice(check!.charStart, check!.charEnd);
        expect(fold(place).text.toLowerCase()).toBe(
          fold(
            quote.replace(/(?:[.,;:\s]|\.\.\.)+$/, (end) => (place.endsWith(end) ? end : '')),
          ).text.toLowerCase(),
        );
      }),
      { numRuns: Math.min(runs(), 3000) },
    );
  });

  it('folds with places that rise and lie in the source', () => {
    fc.assert(
      fc.property(nastyText, (source) => {
        const { text, at, end } = fold(source);
        expect(at.length).toBe(text.length);
        for (let unit = 0; unit < text.length; unit++) {
          expect(at[unit]!).toBeLessThan(end[unit]!);
          expect(end[unit]!).toBeLessThanOrEqual(source.length);
          if (unit > 0) expect(at[unit]!).toBeGreaterThanOrEqual(at[unit - 1]!);
        }
      }),
      { numRuns: runs() },
    );
  });

  it('takes time that grows with what it is given', () => {
    const units = [
      '[',
      '](',
      '](a(',
      '<a ',
      '<!--',
      '&amp;',
      '&lt;a ',
      '* ',
      '- ',
      '> ',
      '|-',
      '# ',
      '\\',
      '`',
      '~~~\n',
      '“',
      '"a',
      '" ',
      '--',
      ' ',
      '\n',
      'é',
      '1. ',
    ];
    for (const unit of units) {
      const hostile = unit.repeat(Math.ceil(100_000 / unit.length));
      const started = performance.now();
      verifyQuotes(hostile, [{ id: 'a#0', text: `x ${hostile}` }]);
      verifyQuotes('“Not there at all, here”', [{ id: 'a#0', text: `x ${hostile}` }]);
      expect(performance.now() - started, JSON.stringify(unit)).toBeLessThan(5000);
    }
  });
});
