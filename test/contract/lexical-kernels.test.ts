import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { jsLexical } from '../../src/kernel/js-lexical.ts';
import type { AnalyzerOptions, LexicalKernel, NearTerm } from '../../src/kernel/lexical.ts';
import { compileSource, type WasmModule } from '../../src/kernel/wasm.ts';
import { wasmLexical } from '../../src/kernel/wasm-lexical.ts';
import { runs } from '../arbitraries.ts';
import { readBuild } from '../build-file.ts';

const unicode: AnalyzerOptions = { kind: 'unicode', diacritics: true };

const letters = [
  'a',
  'b',
  'e',
  'A',
  'B',
  'Z',
  '0',
  '7',
  '_',
  '.',
  ' ',
  ' ',
  '-',
  "'",
  'é',
  'É',
  'e\u0301',
  '\u0301',
  'ß',
  'İ',
  'ı',
  'K',
  'Å',
  'ﬁ',
  'Ａ',
  '９',
  '漢',
  '字',
  'か',
  'ア',
  '한',
  '글',
  'ก',
  'ා',
  'न',
  'मि',
  // Two characters in the composed form, which is longer than what was given.
  '\u0958',
  '\u200d',
  '\u00ad',
  'Ω',
  'ж',
  'Ж',
  '𐐀',
  '𠀀',
  '😀',
  '\ud83d',
  '\udc00',
  '\n',
];
const someText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...letters), maxLength: 60 }),
  fc
    .array(fc.tuple(fc.constantFrom(...letters), fc.integer({ min: 1, max: 80 })), { maxLength: 6 })
    .map((parts) => parts.map(([letter, count]) => letter.repeat(count)).join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
  // Over several blocks of the 64 bytes that are looked at together.
  fc.string({ unit: fc.constantFrom('a', 'b', 'A', '7', '_', '.', ' ', 'é'), minLength: 60, maxLength: 200 }),
);
const words = [
  'alpha',
  'beta',
  'gamma',
  'getElementById',
  'max_chars',
  'fs.readFile',
  '東京都',
  'café',
  'a'.repeat(90),
];
const someWords = fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((list) => list.join(' '));

const tokens = (kernel: LexicalKernel, text: string) => kernel.tokenize(text).map(({ token }) => token);

describe.each(['debug', 'release'])('the lexical kernel in WASM, %s, and its twin', (build) => {
  let module: WasmModule;
  beforeAll(async () => {
    module = await compileSource(await readBuild(`index.${build}.wasm`));
  });

  it.each([
    { kind: 'unicode', diacritics: true },
    { kind: 'unicode', diacritics: false },
    { kind: 'ascii', diacritics: true },
  ] satisfies AnalyzerOptions[])('make the same tokens: $kind, diacritics folded $diacritics', (options) => {
    const wasm = wasmLexical(module, options);
    const js = jsLexical(options);
    fc.assert(
      fc.property(someText, (text) => {
        expect(tokens(wasm, text)).toEqual(tokens(js, text));
      }),
      { numRuns: runs() },
    );
  });

  it('count, remove, score and select alike, to the last bit', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ add: fc.oneof(someWords, someText) }) },
      { weight: 1, arbitrary: fc.record({ remove: fc.nat({ max: 40 }) }) },
      { weight: 1, arbitrary: fc.constant({ compact: true }) },
    );
    const query = fc.record({
      text: fc.oneof(someWords, someText),
      k: fc.integer({ min: 0, max: 12 }),
      floor: fc.constantFrom(0, 0.5),
      allowed: fc.option(fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { minLength: 0, maxLength: 2 })),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.array(query, { maxLength: 4 }), (steps, queries) => {
        const kernels = [wasmLexical(module, unicode), jsLexical(unicode)];
        let row = 0;
        for (const one of steps) {
          if ('add' in one) {
            for (const kernel of kernels) kernel.add(row, one.add);
            row++;
          } else if ('compact' in one) {
            for (const kernel of kernels) kernel.compact();
          } else {
            const [a, b] = kernels.map((kernel) => kernel.remove(one.remove));
            expect(a).toBe(b);
          }
        }
        const [wasm, js] = kernels as [LexicalKernel, LexicalKernel];
        for (const key of ['documents', 'tokens', 'terms', 'dead'] as const) expect(wasm[key]).toBe(js[key]);
        for (const { text, k, floor, allowed } of queries) {
          const bits = allowed === null ? undefined : Uint32Array.from(allowed);
          const results = kernels.map((kernel) => {
            kernel.begin();
            const wanted = kernel.tokenize(text);
            for (const { term } of wanted) {
              if (term > 0) kernel.score(term, 1 + kernel.frequency(term) / 7, 0.375, 0.1);
            }
            const { rows, scores } = kernel.select(k, floor, bits);
            // Kernels name terms differently; how many documents hold one tells them apart well enough.
            const named = (found: NearTerm[]) => found.map((n) => [kernel.frequency(n.term), n.distance]);
            const near = wanted
              .slice(0, 3)
              .map(({ token }) => [
                named(kernel.affixed(token, false)),
                named(kernel.affixed(token, true)),
                named(kernel.similar(token, 2)),
              ]);
            return {
              wanted: wanted.map(({ token, term }) => [token, term > 0 && kernel.frequency(term)]),
              rows: [...rows],
              scores: [...scores],
              near,
              of: [...Array(row).keys()].map(kernel.scoreOf),
            };
          });
          expect(results[0]).toEqual(results[1]);
        }
      }),
      { numRuns: Math.ceil(runs() / 5) },
    );
  });

  it('hold postings over many blocks, and give them back whole', () => {
    const kernels = [wasmLexical(module, unicode), jsLexical(unicode)];
    for (const count of [1, 253, 254, 255, 256, 257, 70_000]) {
      for (const kernel of kernels) kernel.add(100_000 + count, 'many '.repeat(count));
    }
    for (let row = 0; row < 20_000; row++) {
      const text = `common ${row % 3 === 0 ? 'third '.repeat((row % 7) + 1) : ''}word${row % 500}`;
      for (const kernel of kernels) kernel.add(row, text);
      if (row % 11 === 0) for (const kernel of kernels) kernel.remove(row - 5);
    }
    for (const word of [
      'common',
      'third',
      'word499',
      'word0',
      'compact',
      'common',
      'third',
      'word499',
      'word0',
    ]) {
      if (word === 'compact') {
        for (const kernel of kernels) kernel.compact();
        continue;
      }
      const [a, b] = kernels.map((kernel) => {
        kernel.begin();
        const { term } = kernel.tokenize(word)[0]!;
        kernel.score(term, 1.5, 0.3, 0.2);
        const { rows, scores } = kernel.select(100_000, 0);
        return { rows: [...rows], scores: [...scores], frequency: kernel.frequency(term) };
      });
      expect(a!.rows.length).toBe(a!.frequency);
      expect(a).toEqual(b);
    }
  });
});
