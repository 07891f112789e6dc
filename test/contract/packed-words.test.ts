import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { jsLexical } from '../../src/kernel/js-lexical.ts';
import { type AnalyzerOptions, LEFT_OUT, type LexicalKernel, MOST_ROWS } from '../../src/kernel/lexical.ts';
import { compileSource, type WasmModule } from '../../src/kernel/wasm.ts';
import { wasmLexical } from '../../src/kernel/wasm-lexical.ts';
import { checkWords, encodeWords } from '../../src/lexicon/format.ts';
import { Lexicon } from '../../src/lexicon/lexicon.ts';
import { nastyText, runs } from '../arbitraries.ts';
import { readBuild } from '../build-file.ts';

const unicode: AnalyzerOptions = { kind: 'unicode', diacritics: true };

const words = [
  'alpha',
  'beta',
  'betas',
  'gamma',
  'getElementById',
  'max_chars',
  '東京都',
  'かな',
  'café',
  'Ωμέγα',
  '𐐀𐐁',
  'sixteen-and-more',
  'donaudampfschifffahrt',
  'x'.repeat(90),
  'again '.repeat(300),
  'often '.repeat(254),
];
const someText = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((list) => list.join(' ')),
  },
  { weight: 1, arbitrary: nastyText },
  { weight: 1, arbitrary: fc.constant('') },
);
/** What is packed together: texts, which of them are removed before, which are left out when they are taken in. */
const someSegment = fc.array(fc.record({ text: someText, removed: fc.boolean(), leftOut: fc.boolean() }), {
  maxLength: 8,
});
const queries = [...words, 'alph', '京', 'betta', 'donaudampfschiffart'];

const numbers = (...list: number[]) => Uint32Array.from(list);
const counted = (length: number, from = 0) => Uint32Array.from({ length }, (_, i) => from + i);
const bytesOf = (token: string) => [...new TextEncoder().encode(token)];

/** All that can be seen of a kernel that does not depend on how it names terms, nor on the order in which it met them. */
function seen(kernel: LexicalKernel, rows: number) {
  const near = (found: { term: number; distance: number }[]) =>
    found
      .map(({ term, distance }) => [kernel.frequency(term), distance])
      .sort(([a, b], [c, d]) => a! - c! || b! - d!);
  return {
    counts: [kernel.documents, kernel.tokens, kernel.terms, kernel.dead],
    has: [...counted(rows)].map(kernel.has),
    queries: queries.map((query) => {
      const tokens = kernel.tokenize(query.slice(0, 60));
      kernel.begin();
      for (const { term } of tokens)
        if (term > 0) kernel.score(term, 1 + kernel.frequency(term) / 7, 0.375, 0.1);
      const { rows: found, scores } = kernel.select(1000, 0);
      const { token } = tokens[0]!;
      return {
        tokens: tokens.map(({ term, token: own }) => [own, term > 0 && kernel.frequency(term)]),
        found: [...found],
        scores: [...scores],
        of: [...counted(rows)].map(kernel.scoreOf),
        near: [kernel.affixed(token, false), kernel.affixed(token, true), kernel.similar(token, 2)].map(near),
      };
    }),
  };
}

describe.each(['debug', 'release'])('packed words, %s', (build) => {
  let module: WasmModule;
  beforeAll(async () => {
    module = await compileSource(await readBuild(`index.${build}.wasm`));
  });
  const both = (options = unicode) => [wasmLexical(module, options), jsLexical(options)] as const;

  /** The stream that both kernels make of the same texts. */
  function packed(texts: readonly { text: string; removed?: boolean }[], options = unicode) {
    const streams = both(options).map((kernel) => {
      for (const [row, { text }] of texts.entries()) kernel.add(row, text);
      for (const [row, { removed }] of texts.entries()) if (removed) kernel.remove(row);
      return kernel.pack();
    });
    expect(streams[0]).toEqual(streams[1]);
    return streams[0]!;
  }

  /** What both kernels answer to a stream; each must still pack and search what it took. */
  function answers(stream: Uint8Array, rows: Uint32Array): boolean {
    const [wasm, js] = both();
    const taken = wasm.unpack(stream, rows);
    expect(js.unpack(stream, rows)).toBe(taken);
    if (taken) {
      expect(wasm.pack()).toEqual(js.pack());
      expect(seen(wasm, 10)).toEqual(seen(js, 10));
      for (const row of rows) wasm.remove(row);
      wasm.compact();
      expect(wasm.pack()).toEqual(numbersOf(0, 0));
    }
    return taken;
  }
  const numbersOf = (...list: number[]) => Uint8Array.from(list);

  it('make a kernel that is as though the texts had been added', () => {
    const scene = fc.record({
      before: fc.array(someText, { maxLength: 3 }),
      segments: fc.array(someSegment, { maxLength: 4 }),
      after: fc.array(someText, { maxLength: 3 }),
      removed: fc.array(fc.nat({ max: 40 }), { maxLength: 12 }),
      // Rows neither rise nor begin at 0.
      step: fc.constantFrom(1, 3, 7, 19),
    });
    fc.assert(
      fc.property(scene, ({ before, segments, after, removed, step }) => {
        const models = both();
        const kernels = both();
        let next = 0;
        const row = () => (next++ * step) % 41;
        const add = (text: string) => {
          const at = row();
          for (const kernel of [...models, ...kernels]) kernel.add(at, text);
        };
        const compare = () => {
          const expected = seen(models[1], 41);
          for (const kernel of [models[0], ...kernels]) expect(seen(kernel, 41)).toEqual(expected);
          expect(kernels[0].pack()).toEqual(kernels[1].pack());
        };
        for (const text of before) add(text);
        for (const segment of segments) {
          const live = segment.filter((chunk) => !chunk.removed);
          const rows = Uint32Array.from(live, ({ leftOut }) => (leftOut ? LEFT_OUT : row()));
          const stream = packed(segment);
          for (const kernel of kernels) expect(kernel.unpack(stream, rows)).toBe(true);
          for (const kernel of models) {
            for (const [i, { text }] of live.entries()) if (rows[i] !== LEFT_OUT) kernel.add(rows[i]!, text);
          }
        }
        compare();
        for (const text of after) add(text);
        for (const one of removed) for (const kernel of [...models, ...kernels]) kernel.remove(one);
        compare();
        for (const kernel of [...models, ...kernels]) kernel.compact();
        compare();
        add('alpha again beta 東京');
        compare();
      }),
      { numRuns: Math.ceil(runs() / 20) },
    );
  });

  it.each([
    unicode,
    { kind: 'unicode', diacritics: false },
    { kind: 'ascii', diacritics: true },
  ] satisfies AnalyzerOptions[])(
    'packed again are the same bytes, and merged in order those of one kernel: $kind, diacritics folded $diacritics',
    (options) => {
      fc.assert(
        fc.property(fc.array(someSegment, { maxLength: 3 }), (segments) => {
          const merged = both(options);
          let rows = 0;
          for (const segment of segments) {
            const stream = packed(segment, options);
            const live = segment.filter(({ removed }) => !removed).length;
            for (const kernel of both(options)) {
              expect(kernel.unpack(stream, counted(live))).toBe(true);
              expect(kernel.pack()).toEqual(stream);
            }
            const whole = packed(
              segment.map(({ text }) => ({ text })),
              options,
            );
            for (const kernel of merged)
              expect(kernel.unpack(whole, counted(segment.length, rows))).toBe(true);
            rows += segment.length;
          }
          const expected = packed(
            segments.flat().map(({ text }) => ({ text })),
            options,
          );
          for (const kernel of merged) expect(kernel.pack()).toEqual(expected);
        }),
        { numRuns: Math.ceil(runs() / 20) },
      );
    },
  );

  it('hold many texts and large counts, over memory that grows', () => {
    const texts = [1, 2, 253, 254, 255, 256, 257, 70_000].map((count) => ({ text: 'many '.repeat(count) }));
    for (let i = 0; i < 3000; i++) {
      texts.push({ text: `common ${i % 3 === 0 ? 'third '.repeat((i % 7) + 1) : ''}word${i % 500} own${i}` });
    }
    const stream = packed(texts);
    const model = jsLexical(unicode);
    const kernels = both();
    for (let part = 0; part < 5; part++) {
      const from = part * texts.length;
      for (const [i, { text }] of texts.entries()) model.add(from + i, text);
      for (const kernel of kernels) expect(kernel.unpack(stream, counted(texts.length, from))).toBe(true);
      for (const kernel of [model, ...kernels]) {
        for (let i = 0; i < 500; i++) kernel.remove(from + i * 3);
        if (part === 3) kernel.compact();
      }
    }
    const expected = model.pack();
    for (const kernel of kernels) expect(kernel.pack()).toEqual(expected);
  });

  it('stems that UTF-8 cannot say are packed like any other', () => {
    const options: AnalyzerOptions = { ...unicode, stem: (token) => `\0${token.slice(0, 1)}` };
    const [a, b] = [jsLexical(options), jsLexical(options)];
    a.add(0, '𐐀𐐁 alpha');
    expect(b.unpack(a.pack(), numbers(0))).toBe(true);
    expect(b.pack()).toEqual(a.pack());
    expect(b.tokenize('𐐂 𐐃 apple').every(({ term }) => b.frequency(term) === 1)).toBe(true);
  });

  it('cut off anywhere are refused', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ text: someText }), { maxLength: 3 }),
        fc.array(fc.nat()),
        (texts, cuts) => {
          const stream = packed(texts);
          const ends = stream.length < 100 ? counted(stream.length) : cuts.map((cut) => cut % stream.length);
          for (const end of ends) expect(answers(stream.subarray(0, end), counted(texts.length))).toBe(false);
          expect(answers(Uint8Array.of(...stream, 0), counted(texts.length))).toBe(false);
          expect(answers(stream, counted(texts.length))).toBe(true);
        },
      ),
      { numRuns: Math.ceil(runs() / 100) },
    );
  });

  it('with bytes changed are taken or refused by both kernels alike, and never trap', () => {
    const change = fc.record({
      at: fc.nat(),
      byte: fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(0, 1, 127, 128, 255)),
    });
    const changed = fc.array(change, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(
        fc.array(fc.record({ text: someText }), { maxLength: 4 }),
        changed,
        fc.boolean(),
        (texts, changes, leave) => {
          const stream = packed(texts);
          for (const { at, byte } of changes) stream[at % stream.length] = byte;
          const rows = counted(texts.length);
          if (leave && rows.length > 1) rows[1] = LEFT_OUT;
          expect(typeof answers(stream, rows)).toBe('boolean');
        },
      ),
      { numRuns: Math.ceil(runs() / 4) },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 30 }), fc.nat({ max: 4 }), (stream, count) => {
        expect(typeof answers(stream, counted(count))).toBe('boolean');
      }),
      { numRuns: Math.ceil(runs() / 4) },
    );
  });

  // Chunks {tokens, terms}, then terms {length, bytes, postings}.
  const a = bytesOf('a');
  it.each<[string, number[], Uint32Array, boolean]>([
    ['two chunks with one word', [2, 1, 1, 1, 1, 1, 1, ...a, 2, 0, 0], numbers(5, 3), true],
    ['two chunks, the first left out', [2, 1, 1, 1, 1, 1, 1, ...a, 2, 0, 0], numbers(LEFT_OUT, 3), true],
    ['two chunks in one row', [2, 1, 1, 1, 1, 1, 1, ...a, 2, 0, 0], numbers(3, 3), false],
    ['a row beyond all rows', [1, 1, 1, 1, 1, ...a, 1, 0], numbers(MOST_ROWS), false],
    ['fewer rows than chunks', [2, 1, 1, 1, 1, 1, 1, ...a, 2, 0, 0], numbers(3), false],
    ['more rows than chunks', [2, 1, 1, 1, 1, 1, 1, ...a, 2, 0, 0], numbers(3, 4, 5), false],
    ['a chunk that is not there', [1, 1, 1, 1, 1, ...a, 1, 2], numbers(3), false],
    ['more postings than chunks', [1, 1, 1, 1, 1, ...a, 2, 0, 0], numbers(3), false],
    ['a term without postings', [1, 0, 0, 1, 1, ...a, 0], numbers(3), false],
    ['a term without bytes', [1, 1, 1, 1, 0, 1, 0], numbers(3), false],
    ['a term twice', [2, 1, 1, 1, 1, 2, 1, ...a, 1, 0, 1, ...a, 1, 2], numbers(3, 4), false],
    ['fewer terms than a chunk has', [1, 1, 2, 1, 1, ...a, 1, 0], numbers(3), false],
    ['fewer terms than a left-out chunk has', [1, 1, 2, 1, 1, ...a, 1, 0], numbers(LEFT_OUT), false],
    ['more terms than a chunk has', [1, 1, 0, 1, 1, ...a, 1, 0], numbers(3), false],
    ['a count of 300', [1, 1, 1, 1, 1, ...a, 1, 1, 0xaa, 2], numbers(3), true],
    ['a count of 32 bits', [1, 1, 1, 1, 1, ...a, 1, 1, 0xfd, 255, 255, 255, 15], numbers(3), true],
    ['a count of 33 bits', [1, 1, 1, 1, 1, ...a, 1, 1, 0xfe, 255, 255, 255, 15], numbers(3), false],
    ['a number of 33 bits', [1, 255, 255, 255, 255, 31, 1, 1, 1, ...a, 1, 0], numbers(3), false],
    ['a number without an end', [1, 1, 1, 1, 1, ...a, 1, ...Array(20).fill(128)], numbers(3), false],
    ['a length like that of the dead', [1, 255, 255, 255, 255, 15, 1, 1, 1, ...a, 1, 0], numbers(3), false],
    ['more terms than bytes', [1, 1, 255, 255, 255, 255, 15, 0], numbers(3), false],
    ['a token with a zero', [1, 1, 1, 1, 2, ...a, 0, 1, 0], numbers(3), false],
    ['a token that ends within a character', [1, 1, 1, 1, 2, 0xe6, 0x9d, 1, 0], numbers(3), false],
    ['half a surrogate pair', [1, 1, 1, 1, 3, 0xed, 0xa0, 0x80, 1, 0], numbers(3), false],
    ['a character in too many bytes', [1, 1, 1, 1, 3, 0xe0, 0x81, 0x81, 1, 0], numbers(3), false],
    ['a character beyond Unicode', [1, 1, 1, 1, 4, 0xf4, 0x90, 0x80, 0x80, 1, 0], numbers(3), false],
    ['nothing at all', [], numbers(), false],
    ['no chunks', [0, 0], numbers(), true],
  ])('%s', (_, stream, rows, taken) => {
    expect(answers(Uint8Array.from(stream), rows)).toBe(taken);
  });

  it('are not put into a row that holds a text', () => {
    for (const kernel of both()) {
      kernel.add(7, 'alpha');
      expect(kernel.unpack(packed([{ text: 'beta' }]), numbers(7))).toBe(false);
    }
  });

  it('go from one lexicon into another, with their scores', () => {
    for (const [at, kernel] of both().entries()) {
      const from = new Lexicon({}, kernel);
      for (const [row, word] of words.entries()) from.add(row, `${word} common`);
      from.remove(3);
      const bytes = from.pack();
      expect(bytes.byteLength % 4).toBe(0);
      expect(checkWords(bytes, 'w').chunks).toBe(words.length - 1);
      const to = new Lexicon({}, both()[1 - at]!);
      const rows = counted(words.length).filter((row) => row !== 3);
      to.unpack(bytes, rows, 'w');
      for (const query of ['common alpha', '京', 'getElement']) {
        const options = { topK: 20, prefix: true, typos: true };
        expect(to.search(query, options)).toEqual(from.search(query, options));
      }
      expect(new Uint8Array(to.pack())).toEqual(new Uint8Array(bytes));
    }
  });
});

describe('stored words', () => {
  const good = () => encodeWords(Uint8Array.of(1, 1, 1, 1, 1, 97, 1, 0), 1);
  const fault = (change: (header: DataView) => void) => {
    const bytes = good();
    change(new DataView(bytes));
    return bytes;
  };
  it.each<[string, unknown, string, string]>([
    ['no bytes', undefined, 'STORE_CORRUPT', 'is not a block of bytes'],
    ['a view', new Uint8Array(40), 'STORE_CORRUPT', 'is not a block of bytes'],
    ['half a header', good().slice(0, 31), 'STORE_CORRUPT', 'is 31 bytes long, shorter than its header'],
    [
      'the mark of vectors',
      fault((h) => h.setUint32(0, 0x53564d53, true)),
      'STORE_CORRUPT',
      'the mark of stored words',
    ],
    ['no version', fault((h) => h.setUint16(4, 0, true)), 'STORE_CORRUPT', 'has no version'],
    [
      'a newer version',
      fault((h) => h.setUint16(4, 2, true)),
      'FORMAT',
      'version 2 of the format, this library reads up to 1',
    ],
    ['a missing end', good().slice(0, 36), 'STORE_CORRUPT', 'is 36 bytes long instead of 40'],
    [
      'a length that wraps',
      fault((h) => h.setUint32(16, 0xffffffff, true)),
      'STORE_CORRUPT',
      'instead of 4294967328',
    ],
    ['another count', fault((h) => h.setUint32(12, 2, true)), 'STORE_CORRUPT', 'does not match its checksum'],
    ['another word', fault((h) => h.setUint8(37, 98)), 'STORE_CORRUPT', 'does not match its checksum'],
  ])('%s: refused by name', (_, bytes, code, message) => {
    expect(() => checkWords(bytes, 'Segment 7')).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(/^Segment 7 .*(index|it)\.$/) }),
    );
    expect(() => checkWords(bytes, 'Segment 7')).toThrow(message);
  });

  it('that are whole and yet no words are refused too', async () => {
    const lexicon = await Lexicon.open();
    const bytes = encodeWords(Uint8Array.of(1, 1, 1, 1, 1, 97, 1, 2), 1);
    expect(() => lexicon.unpack(bytes, numbers(0), 'Segment 7')).toThrow(
      expect.objectContaining({ code: 'STORE_CORRUPT', message: expect.stringContaining('Segment 7') }),
    );
  });

  it('may be of any length', () => {
    for (let length = 0; length < 9; length++) {
      const stream = Uint8Array.from({ length }, (_, i) => i + 1);
      const { chunks, stream: back } = checkWords(encodeWords(stream, 3), 'w');
      expect([chunks, ...back]).toEqual([3, ...stream]);
    }
  });
});
