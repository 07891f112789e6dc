import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterStart, unicodeVersion } from '../../src/split/breaks.ts';
import { runs } from '../arbitraries.ts';
import { readDataFile } from '../vectors.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Line by line, behind each of which there is a border: every segment that V8 gives holds its whole text anew. */
function theirs(text: string): number[] {
  const borders: number[] = [];
  let from = 0;
  while (from < text.length) {
    const to = text.indexOf('\n', from) + 1 || text.length;
    for (const { index } of segmenter.segment(text.slice(from, to))) borders.push(from + index);
    from = to;
  }
  return borders.slice(1);
}

/** Borders one by one, the last one known to each. */
function ours(text: string): number[] {
  const borders: number[] = [];
  for (let at = 1; at < text.length; at++) if (clusterStart(text, at, borders.at(-1))) borders.push(at);
  return borders;
}

const spelled = (text: string): string =>
  [...text].map((one) => one.codePointAt(0)!.toString(16).padStart(4, '0')).join(' ');

/** Engines before Unicode 15.1 cut Indic conjuncts (rule GB9c). */
const knowsConjuncts = theirs('\u0915\u094d\u0915').length === 0;
/** Node says which Unicode its own tables are of; what a browser's are of is not told. */
const isOurVersion = globalThis.process?.versions?.['unicode'] === unicodeVersion;

describe('clusterStart', () => {
  it('agrees with every line of the grapheme break test of Unicode 16', async () => {
    const lines = new TextDecoder()
      .decode((await readDataFile('unicode/grapheme-break-test.txt'))!)
      .split('\n');
    let count = 0;
    for (const line of lines) {
      let text = '';
      const borders: number[] = [];
      // U+2701 is no emoji any more since Unicode 17; its neighbour is one still.
      for (const [, sign, point] of line.replaceAll('2701', '2702').matchAll(/([÷×]) ([0-9A-F]+)/g)) {
        if (sign === '÷' && text !== '') borders.push(text.length);
        text += String.fromCodePoint(Number.parseInt(point!, 16));
      }
      expect(ours(text), line).toEqual(borders);
      count++;
    }
    expect(count).toBe(1093 + 1);
  });

  it('agrees with Intl.Segmenter on every character beside one of each class', () => {
    if (!isOurVersion) return;
    const faults: string[] = [];
    for (let base = 0; base < 0x110000; base += 0x1000) {
      // Past plane 1 only the tags and selectors of plane 14 have classes; samples do for the rest.
      const step = base < 0x20000 || base === 0xe0000 ? 1 : 0xff;
      let text = '';
      for (let point = base; point < base + 0x1000; point += step) {
        const one = String.fromCodePoint(point);
        text += `a${one}b\u0915\u094d${one}\u0301${one}\u{1f600}${one}\u200d\u{1f600}\u1100${one}\u11a8${one}\u1160${one}\u{1f1e6}${one}\u0600${one}\n`;
      }
      const [mine, other] = [new Set(ours(text)), new Set(theirs(text))];
      for (let at = 1; at < text.length; at++) {
        if (mine.has(at) !== other.has(at))
          faults.push(`${spelled(text.slice(at - 4, at))} | ${spelled(text.slice(at, at + 2))}`);
      }
    }
    expect(faults.slice(0, 20)).toEqual([]);
  });

  /** Of every class, and old enough for every engine to know them. */
  const pieces = [
    ...['a', 'é', '漢', ' ', '.', '\r', '\n', '\0', '\u00ad', '\u200b', '\u2028', '\ufeff'],
    ...[
      '\u0301',
      '\u0308',
      '\u200c',
      '\u200d',
      '\u200d',
      '\ufe0f',
      '\u20e3',
      '\u{1f3fd}',
      '\u{e0062}',
      '\u{e007f}',
    ],
    ...['\u0903', '\u0e33', '\u0600', '\u{110bd}', '\u1100', '\u1160', '\u11a8', '\uac00', '\uac01'],
    ...['\u00a9', '\u2764', '\u{1f600}', '\u{1f468}', '\u{1f469}', '\u{1f1e6}', '\u{1f1e7}', '\u{1f1e8}'],
    ...['\ud83d', '\ude00', '\udc00'],
  ];
  const conjuncts = ['\u0915', '\u0937', '\u094d', '\u093c', '\u0995', '\u09cd'];
  const soup = fc.string({
    unit: fc.constantFrom(...pieces, ...(knowsConjuncts ? [...conjuncts, ...conjuncts] : [])),
    maxLength: 40,
  });

  it('agrees with Intl.Segmenter on any mixture of all classes', () => {
    fc.assert(
      fc.property(soup, (text) => {
        expect(ours(text)).toEqual(theirs(text));
      }),
      { numRuns: runs() },
    );
  });

  it('says the same from whatever border it may look back to', () => {
    fc.assert(
      fc.property(soup, (text) => {
        const borders = [0, ...ours(text)];
        for (let at = 0; at <= text.length; at++) {
          const said = clusterStart(text, at);
          for (const floor of borders) if (floor <= at) expect(clusterStart(text, at, floor)).toBe(said);
        }
      }),
      { numRuns: Math.ceil(runs() / 10) },
    );
  });

  it('agrees with Intl.Segmenter on the corpus', async () => {
    const manifest = await readDataFile('corpus/manifest.jsonl');
    const lines = manifest === undefined ? [] : new TextDecoder().decode(manifest).trim().split('\n');
    for (const line of lines) {
      const { path } = JSON.parse(line) as { path: string };
      const text = new TextDecoder().decode((await readDataFile(`corpus/${path}`))!);
      expect(ours(text), path).toEqual(theirs(text));
    }
  });

  it('takes the ends of a text for borders, and lone surrogates for characters', () => {
    for (const text of ['', '\u0301', 'a', '\ud83d', '\ude00\ud83d']) {
      expect(clusterStart(text, 0)).toBe(true);
      expect(clusterStart(text, text.length)).toBe(true);
    }
    expect(ours('\ude00\ud83d\ud83d\ude00\ude00\u0301')).toEqual([1, 2, 4]);
  });
});
