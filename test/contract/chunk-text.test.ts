import { describe, expect, it } from 'vitest';
import { ShelfmarkError } from '../../src/errors.ts';
import { chunkDocuments } from '../../src/split/chunk-documents.ts';
import { type ChunkTextOptions, chunkText } from '../../src/split/chunk-text.ts';
import type { TextDocument } from '../../src/types.ts';
import { loadVectors, type VectorCase } from '../vectors.ts';

type Case = VectorCase<string | TextDocument[], ChunkTextOptions, unknown>;

const run = ({ fn, input, options }: Case): unknown =>
  fn === 'chunkText' ? chunkText(input as string, options) : chunkDocuments(input as TextDocument[], options);

/** Every cut of a chunk list falls between whole code points. */
const wellFormed = (chunks: readonly string[]): boolean =>
  chunks.every((chunk) => !/[\uD800-\uDBFF]$|^[\uDC00-\uDFFF]/.test(chunk));

/** Nothing but blanks and separators is lost: the chunks, found in order, leave no gap of another kind. */
function expectAllKept({ name, input, options }: Case, chunks: readonly string[]): void {
  const { separator = '' } = options;
  const bare = (text: string) =>
    (separator === '' ? text : text.replaceAll(separator, '')).replace(/\s/g, '');
  if (separator !== '') {
    expect(bare(chunks.join(separator)), name).toBe(bare(input as string));
    return;
  }
  const text = input as string;
  expect(text.trimEnd().endsWith(chunks.at(-1) ?? ''), name).toBe(true);
  if ((options.overlap ?? 100) === 0) {
    expect(bare(chunks.join('')), name).toBe(bare(text));
    return;
  }
  let from = 0;
  for (const chunk of chunks) {
    const at = text.indexOf(chunk, from);
    expect(at, `${name}: ${chunk}`).toBeGreaterThanOrEqual(from);
    from = at;
  }
}

describe.each(['chunk-text', 'record-packing'])('the reference cases of %s', (family) => {
  it('agree to the letter, from strings and from bytes', async () => {
    const cases = (await loadVectors(family)) as Case[];
    expect(cases.length).toBeGreaterThan(100);
    for (const one of cases.filter(({ quirk }) => quirk === undefined)) {
      expect(run(one), one.name).toEqual(one.expected);
      if (typeof one.input === 'string' && !/\p{Surrogate}/u.test(one.input)) {
        const bytes = new TextEncoder().encode(one.input);
        expect(chunkText(bytes, one.options), `${one.name} from bytes`).toEqual(one.expected);
      }
    }
  });

  it('with a quirk are refused by name, or cut beside the pair', async () => {
    const cases = ((await loadVectors(family)) as Case[]).filter(({ quirk }) => quirk !== undefined);
    expect(cases.length).toBeGreaterThan(10);
    for (const one of cases) {
      if (one.quirk === 'cuts inside a surrogate pair') {
        const chunks = run(one) as string[];
        // A separator that is half of a pair cuts pairs because it was asked to.
        if (!/[\uD800-\uDFFF]/.test(one.options.separator ?? ''))
          expect(wellFormed(chunks), one.name).toBe(true);
        expectAllKept(one, chunks);
      } else {
        expect(() => run(one), one.name).toThrow(ShelfmarkError);
        expect(() => run(one), one.name).toThrow(/chunkSize|overlap/);
      }
    }
  });
});
