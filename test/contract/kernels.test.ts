import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { jsText } from '../../src/kernel/js.ts';
import { decodeText, type TextKernel } from '../../src/kernel/kernel.ts';
import { compileSource } from '../../src/kernel/wasm.ts';
import { wasmText } from '../../src/kernel/wasm-text.ts';
import type { AtxHeading } from '../../src/types.ts';
import { nastyText, runs, wholeText } from '../arbitraries.ts';
import { readBuild } from '../build-file.ts';
import { loadVectors } from '../vectors.ts';

const pattern = /^(#{1,6})[ \t]+(.+?)[ \t]*$/gm;

const byPattern = (text: string): AtxHeading[] =>
  [...text.matchAll(pattern)].map((match) => ({
    offset: match.index,
    end: match.index + match[0].length,
    level: match[1]!.length,
    title: match[2]!,
  }));

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const hex = (buffer: ArrayBuffer): string =>
  [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

describe.each(['js', 'debug', 'release'])('the text kernel, %s', (build) => {
  let kernel: TextKernel;

  beforeAll(async () => {
    kernel = build === 'js' ? jsText : wasmText(await compileSource(await readBuild(`text.${build}.wasm`)));
  });

  it('reads the headings of every reference case, from strings and from bytes', async () => {
    const cases = await loadVectors<string, object, AtxHeading[]>('atx-headings');
    expect(cases.length).toBeGreaterThan(400);
    for (const { name, input, expected } of cases) {
      expect(kernel.atxHeadings(input), name).toEqual(expected);
      if (decodeText(bytesOf(input)) === input) {
        expect(kernel.atxHeadings(bytesOf(input)), `${name} from bytes`).toEqual(expected);
      }
    }
  });

  it('finds exactly what the pattern matches, whatever the text', () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        const expected = byPattern(text);
        expect(kernel.atxHeadings(text)).toEqual(expected);
        expect(kernel.atxHeadings(bytesOf(text))).toEqual(byPattern(decodeText(bytesOf(text))));
      }),
      { numRuns: runs() },
    );
  });

  it('reads any bytes as TextDecoder does', () => {
    const soup = fc.array(
      fc.oneof(
        fc.constantFrom(
          0x23,
          0x20,
          0x0a,
          0x61,
          0x80,
          0xbf,
          0xc0,
          0xc2,
          0xe0,
          0xe2,
          0xed,
          0xa0,
          0xef,
          0xf0,
          0xf4,
          0xf5,
          0xff,
        ),
        fc.integer({ min: 0, max: 255 }),
      ),
      { maxLength: 80 },
    );
    fc.assert(
      fc.property(soup, (numbers) => {
        const bytes = Uint8Array.from(numbers);
        expect(kernel.atxHeadings(bytes)).toEqual(byPattern(decodeText(bytes)));
      }),
      { numRuns: runs() },
    );
  });

  it('packs records like its twin, from strings and from bytes', () => {
    const separator = fc.oneof(
      fc.constantFrom('\n', '\r\n', '\n\n', '---', ' ', '\n#', '😀', 'é', '\uFFFD', '\ud83d', '\u2028'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
    );
    fc.assert(
      fc.property(
        nastyText,
        separator,
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        (text, mark, size, sliced) => {
          const options = { separator: mark, size, sliced };
          expect(kernel.packRecords(text, options)).toEqual(jsText.packRecords(text, options));
          const bytes = bytesOf(text);
          expect(kernel.packRecords(bytes, options)).toEqual(jsText.packRecords(decodeText(bytes), options));
        },
      ),
      { numRuns: runs() },
    );
  });

  it('hashes like Web Crypto', async () => {
    const sizes = [0, 1, 3, 54, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 1000, 100_000];
    const texts = [
      ...sizes.map((size) => 'aé😀'.repeat(size).slice(0, size)),
      'a\ud83d',
      '\udc00',
      '\u0000',
      '漢字',
    ];
    for (const text of texts) {
      expect(kernel.sha256(text)).toBe(
        hex(await crypto.subtle.digest('SHA-256', bytesOf(text) as BufferSource)),
      );
    }
    await fc.assert(
      fc.asyncProperty(wholeText, async (text) => {
        expect(kernel.sha256(text)).toBe(
          hex(await crypto.subtle.digest('SHA-256', bytesOf(text) as BufferSource)),
        );
      }),
      { numRuns: Math.min(runs(), 5000) },
    );
  });

  it('keeps its place after a text far larger than the memory it had', () => {
    const small = '# A\nx\n# B\n';
    const large = `${'line of prose é\n'.repeat(200_000)}# Last 😀\n`;
    expect(kernel.atxHeadings(small)).toEqual(byPattern(small));
    expect(kernel.atxHeadings(large)).toEqual(byPattern(large));
    expect(kernel.atxHeadings(bytesOf(large))).toEqual(byPattern(large));
    expect(kernel.atxHeadings(small)).toEqual(byPattern(small));
  });

  it('reads a document of 100 MB, whose memory is not kept', () => {
    const unit = '## Heading é\nsome prose without end, and a little more of it to fill the line\n';
    const count = Math.ceil(100_000_000 / bytesOf(unit).length);
    const bytes = bytesOf(unit.repeat(count));
    const headings = kernel.atxHeadings(bytes);
    expect(headings.length).toBe(count);
    expect(headings.at(-1)).toEqual({
      offset: (count - 1) * unit.length,
      end: (count - 1) * unit.length + '## Heading é'.length,
      level: 2,
      title: 'Heading é',
    });
    const pieces = kernel.packRecords(bytes, { separator: '\n', size: 800, sliced: true });
    expect(pieces.length).toBeGreaterThan(count / 20);
    expect(pieces.at(-1)!.charEnd).toBe(count * unit.length - 1);
  });

  it('keeps NULs, lone surrogates and what stands behind them in place', () => {
    const text = 'ab\ud83dcd # x\n# H\0\udc00\n\0# no\n# Z\0';
    expect(kernel.atxHeadings(text)).toEqual(byPattern(text));
    expect(
      kernel.packRecords(text, { separator: '\n', size: 8, sliced: true }).map(({ text: t }) => t),
    ).toEqual(['ab\ud83dcd # x', '# H\0\udc00', '\0# no', '# Z\0']);
  });
});
