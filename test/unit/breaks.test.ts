import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSpace } from '../../src/kernel/js.ts';
import {
  afterSpace,
  Break,
  beforeSpace,
  breakRank,
  clusterStart,
  lastBreak,
  wordStart,
} from '../../src/split/breaks.ts';
import { runs } from '../arbitraries.ts';
import { readDataFile } from '../vectors.ts';

/** Marks where a sentence or more ends. */
const marked = (text: string): string =>
  [...text.split('').keys()]
    .map((at) => (at > 0 && breakRank(text, at) >= Break.Sentence ? '|' : '') + text[at])
    .join('');

const prose = fc.string({
  unit: fc.constantFrom(
    ...[
      'a',
      'b',
      'A',
      'é',
      'É',
      '1',
      ' ',
      ' ',
      '  ',
      '\n',
      '\r\n',
      '\n\n',
      '\t',
      '.',
      '.',
      '!',
      '?',
      '…',
      ',',
      '"',
      ')',
    ],
    ...[
      '(',
      '*',
      '漢',
      '字',
      '。',
      '！',
      '」',
      '「',
      'ー',
      '、',
      'ア',
      '한',
      'ก',
      '\u200b',
      '\u00a0',
      '\u0301',
      '\u200d',
    ],
    ...['😀', '🇦', '🇧', '\u{20000}', '\ud83d', '\ude00', '\u0600', 'Mr', 'e.g', '\ufe0f', '।'],
  ),
  maxLength: 60,
});
const window = fc.tuple(prose, fc.nat(59), fc.nat(40)).map(([text, from, size]) => {
  const start = Math.min(from, text.length);
  return {
    text,
    from: [...Array(start + 1).keys()].filter((at) => clusterStart(text, at)).at(-1)!,
    size: size + 1,
  };
});

describe('sentences', () => {
  it('end behind their marks and what closes them', () => {
    for (const text of [
      'One.| Two!| Three?| Four…| Five',
      'He said “Stop.”| Then (he left.)| Then *this.*| **That.**| Next',
      'Wait...| No.',
      'It was 1999.| Then 3.14 came. v1.2.3 is out.| The file a.txt stays.',
      'Line one\ngoes on. and on.|\nNext',
      'First block|\n\nsecond|\r\n\r\nthird\nsame',
      '第一句话。|第二句话！|第三句吗？|他说：「好。」|然后「走」。',
      'これは文です。|次の文（です。）|はい',
      'यह एक वाक्य है।| दूसरा।| तीसरा',
      'هل هذا سؤال؟| نعم.| انتهى',
      'Ünlü. über bleibt.| Ünlü folgt.| Весь текст. и дальше.| Дальше',
    ]) {
      expect(marked(text.replaceAll('|', ''))).toBe(text);
    }
  });

  it('do not end behind shortened words, single letters, numbers of a list, or inside a word', () => {
    for (const text of [
      'J. Smith and Dr. Watson met Mrs. Hudson, e.g. Monday, i.e. Tuesday, in the U.S. Senate',
      'See Fig. 3 and No. 7, vs. Brown',
      '1. First\n2. Second\n10. Tenth',
      'node.js is fast, so is a!b and x?y:z, isn’t it',
      'etc. (the rest) and so on. "all of it" too',
      'no mark at all\nover two lines',
    ]) {
      expect(marked(text)).toBe(text);
    }
  });

  it('agree with the sentence break test of Unicode 16, but for what is written down here', async () => {
    const data = new TextDecoder().decode((await readDataFile('unicode/sentence-break-test.txt'))!);
    let [count, same] = [0, 0];
    for (const line of data.trim().split('\n')) {
      let text = '';
      const theirs: number[] = [];
      for (const [, sign, point] of line.matchAll(/([÷×]) ([0-9A-F]+)/g)) {
        // Strings come once more with a word joiner between all characters. We look through no such characters,
        // nor through marks behind a full stop.
        if (point === '2060') continue;
        if (sign === '÷' && text !== '') theirs.push(text.length);
        text += String.fromCodePoint(Number.parseInt(point!, 16));
      }
      count++;
      if (/[.!].*(?:\u00ad|\u0300|\u0308)/.test(text)) continue;
      // A line break ends a sentence there, and U+0085 is one; here lines break inside sentences.
      if (/[\n\r\u0085]/.test(text)) continue;
      // There a mark ends a sentence without white space behind it: `a!b`.
      if (/[.!][^\s.!,"')\u3002’]/.test(text)) continue;
      // Here `。` ends one at the very end, and white space at the end of a text is none of its last sentence.
      if (/。$/.test(text) || /\s$/.test(text)) continue;
      const ours = [...Array(text.length).keys()].filter(
        (at) => at > 0 && breakRank(text, at) >= Break.Sentence,
      );
      // There the cut stands behind the white space.
      expect(ours, line).toEqual(theirs.map((at) => beforeSpace(text, 0, at)));
      same++;
    }
    expect(count).toBe(512);
    expect(same).toBeGreaterThan(240);
  });
});

describe('lastBreak', () => {
  /** By its own words: all ranks looked at, the best taken. */
  function naive(text: string, from: number, limit: number, lines: boolean): number {
    if (limit >= text.length) return text.length;
    const ranked = [...Array(limit - from).keys()].map(
      (at) => [limit - at, breakRank(text, limit - at, from)] as const,
    );
    const upper = ranked.filter(([at]) => at > from + ((limit - from) >> 1));
    const best = lines
      ? [[Break.Block, Break.Line], [Break.Sentence]]
      : [[Break.Block], [Break.Sentence], [Break.Line]];
    for (const ranks of best) {
      const found = upper.find(([, rank]) => (ranks as Break[]).includes(rank));
      if (found !== undefined) return found[0];
    }
    for (const least of [Break.Word, Break.Cluster]) {
      const found = ranked.find(([, rank]) => rank >= least);
      if (found !== undefined) return found[0];
    }
    let at = limit + 1;
    while (breakRank(text, at, from) === Break.None) at++;
    return at;
  }

  it('agrees with a search that ranks every place', () => {
    fc.assert(
      fc.property(window, fc.boolean(), ({ text, from, size }, lines) => {
        expect(lastBreak(text, from, from + size, lines)).toBe(naive(text, from, from + size, lines));
      }),
      { numRuns: runs() },
    );
  });

  it('cuts behind a sentence rather than a word, and a line only where that is wished', () => {
    const text = 'One sentence ends. Then comes\nanother line of it';
    expect(text.slice(0, lastBreak(text, 0, 33))).toBe('One sentence ends.');
    expect(text.slice(0, lastBreak(text, 0, 33, true))).toBe('One sentence ends. Then comes');
    expect(text.slice(0, lastBreak(text, 0, 40))).toBe('One sentence ends. Then comes');
    expect(text.slice(0, lastBreak(text, 0, 12))).toBe('One sentence');
    expect(text.slice(0, lastBreak(text, 0, 11))).toBe('One');
  });

  it('cuts Chinese between characters, but not before what clings to them', () => {
    expect(lastBreak('漢字漢字漢字', 0, 3)).toBe(3);
    expect(lastBreak('漢字、漢字', 0, 2)).toBe(1);
    expect(lastBreak('漢字（漢字', 0, 3)).toBe(2);
    expect(lastBreak('\u{20000}\u{20001}\u{20002}', 0, 3)).toBe(2);
    expect(lastBreak('ไทย\u200bไทย', 0, 5)).toBe(4);
  });

  it('gives a cluster longer than the window whole', () => {
    const family = '👨\u200d👩\u200d👧';
    expect(lastBreak(`${family}${family}`, 0, 3)).toBe(family.length);
    expect(lastBreak(`a${'\u0301'.repeat(20)}b`, 0, 10)).toBe(21);
    expect(lastBreak('\r\n\r\n', 0, 1)).toBe(2);
  });
});

describe('wordStart', () => {
  it('agrees with a search that ranks every place', () => {
    fc.assert(
      fc.property(window, fc.boolean(), ({ text, from, size }, sentence) => {
        const to = Math.min(text.length, from + size);
        const starts = [...Array(to - from).keys()]
          .map((at) => from + at)
          .filter((at) => !isSpace(text.charCodeAt(at)) && clusterStart(text, at));
        const rank = (at: number) => {
          const end = text.slice(0, at).trimEnd().length;
          if (at === 0) return Break.Block;
          // A word begins behind white space, also behind such as belongs to the cluster before it.
          return end < at
            ? Math.max(Break.Word, end === 0 ? Break.Word : breakRank(text, end))
            : breakRank(text, at);
        };
        const expected =
          (sentence ? starts.find((at) => rank(at) >= Break.Sentence) : undefined) ??
          starts.find((at) => rank(at) >= Break.Word) ??
          starts[0] ??
          to;
        expect(wordStart(text, from, to, sentence)).toBe(expected);
      }),
      { numRuns: runs() },
    );
  });

  it('finds sentences, words, characters', () => {
    const text = 'one two. Three four';
    expect(wordStart(text, 2, 19)).toBe(4);
    expect(wordStart(text, 2, 19, true)).toBe(9);
    expect(wordStart(text, 10, 19, true)).toBe(15);
    expect(wordStart(text, 16, 19)).toBe(16);
    expect(wordStart('aé\u0301bc', 2, 5)).toBe(3);
    expect(wordStart('漢字漢字', 1, 4)).toBe(1);
    expect(wordStart('a   ', 1, 4)).toBe(4);
  });
});

describe('white space', () => {
  it('is left out at both ends, but for what a cluster goes on into', () => {
    const text = ' a b \u0301c ';
    expect(afterSpace(text, 0, text.length)).toBe(1);
    // A space that carries an accent is a character to a reader.
    expect(afterSpace(text, 4, text.length)).toBe(4);
    expect(beforeSpace(text, 0, text.length)).toBe(text.length - 1);
    expect(beforeSpace('a\u0600 ', 0, 3)).toBe(3);
    expect(beforeSpace('  ', 0, 2)).toBe(0);
  });
});
