import { describe, expect, it } from 'vitest';
import { ShelfmarkError } from '../../src/errors.ts';
import { sha256 } from '../../src/kernel/load.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import { byParagraph } from '../../src/split/by-paragraph.ts';
import { hasLoneSurrogate, splitsPair } from '../../src/split/cut.ts';
import { fixedWithOverlap } from '../../src/split/fixed-with-overlap.ts';
import type { SplitPiece, Splitter, SplitterDocument } from '../../src/types.ts';
import { loadVectors, type VectorCase } from '../vectors.ts';

type Options = Record<string, unknown>;
type ExpectedChunk = Omit<SplitPiece, 'text'> & { id: string; contentHash: string };
type Expected = { chunks: ExpectedChunk[]; error?: undefined } | { error: { mentions: string[] } };
type Case = VectorCase<SplitterDocument & { text: string }, Options, Expected>;

const cutsPair = 'cuts inside a surrogate pair';
const compat = { compat: 'agentfootprint' } as const;

/** Runs a case as its family says. */
const families: Record<string, (options: Options) => Splitter> = {
  'by-heading': (options) => byHeading(options),
  'by-paragraph': (options) => byParagraph(options),
  'fixed-with-overlap': (options) => fixedWithOverlap(options),
};
/** Cases committed here; other people's text adds to them where it is present. */
const committed: Record<string, { letter: number; options: number; pairs: number }> = {
  'by-heading': { letter: 577, options: 30, pairs: 14 },
  'by-paragraph': { letter: 195, options: 11, pairs: 3 },
  'fixed-with-overlap': { letter: 184, options: 5, pairs: 1 },
};

const chunksOf = (splitter: Splitter, document: SplitterDocument): ExpectedChunk[] =>
  splitter.split(document).map(({ text, ...piece }, index) => ({
    id: `${document.uri}#${index}`,
    ...piece,
    contentHash: sha256(text),
  }));

/** The reference's pieces with every cut inside a pair moved to before it, as the library promises. */
function beforePairs(text: string, chunks: readonly ExpectedChunk[]): SplitPiece[] {
  const before = (at: number): number => (splitsPair(text, at) ? at - 1 : at);
  return chunks.flatMap(({ id: _, contentHash: __, ...piece }) => {
    const from = before(piece.charStart);
    const raw = text.slice(from, before(piece.charEnd));
    const charStart = from + raw.length - raw.trimStart().length;
    const slice = raw.trim();
    return slice === '' ? [] : [{ ...piece, text: slice, charStart, charEnd: charStart + slice.length }];
  });
}

function failure(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** The options of a case that are wrong, as the reference's own error or the kind of quirk says. */
const isRefused = ({ expected, quirk }: Case): boolean =>
  expected.error !== undefined || (quirk !== undefined && quirk !== cutsPair);

describe.each(Object.keys(families))('the reference cases of %s', (family) => {
  const make = families[family]!;
  const least = committed[family]!;
  const cases = async (): Promise<Case[]> => (await loadVectors(family)) as Case[];

  it('hold to the letter, from strings and from bytes', async () => {
    const literal = (await cases()).filter((one) => one.quirk === undefined && !isRefused(one));
    expect(literal.length).toBeGreaterThanOrEqual(least.letter);
    for (const { name, input, options, expected } of literal) {
      const { chunks } = expected as { chunks: ExpectedChunk[] };
      expect(chunksOf(make({ ...options, ...compat }), input), name).toStrictEqual(chunks);
      if (!hasLoneSurrogate(input.text)) {
        const text = new TextEncoder().encode(input.text);
        expect(
          chunksOf(make({ ...options, ...compat }), { ...input, text }),
          `${name} from bytes`,
        ).toStrictEqual(chunks);
      }
    }
  });

  it('with wrong options are refused by name, value and range', async () => {
    const refused = (await cases()).filter(isRefused);
    expect(refused.length).toBeGreaterThanOrEqual(least.options);
    for (const { name, options, expected } of refused) {
      const error = failure(() => make({ ...options, ...compat })) as ShelfmarkError;
      expect(error, name).toBeInstanceOf(ShelfmarkError);
      expect(error.code, name).toBe('INVALID_OPTION');
      expect(error.message, name).toMatch(/^(\w+) is .+; give .+\.$/);
      expect(Object.keys(options), name).toContain(/^\w+/.exec(error.message)?.[0]);
      for (const option of expected.error?.mentions ?? []) expect(error.message, name).toContain(option);
    }
  });

  it('that cut inside a surrogate pair are cut before it, and nowhere else otherwise', async () => {
    const cutting = (await cases()).filter(({ quirk }) => quirk === cutsPair);
    expect(cutting.length).toBeGreaterThanOrEqual(least.pairs);
    for (const { name, input, options, expected } of cutting) {
      const { chunks } = expected as { chunks: ExpectedChunk[] };
      const pieces = make({ ...options, ...compat }).split(input);
      expect(pieces, name).toStrictEqual(beforePairs(input.text, chunks));
      for (const { text, charStart, charEnd } of pieces) {
        expect(input.text.slice(charStart, charEnd), name).toBe(text);
        expect(
          [charStart, charEnd].filter((at) => splitsPair(input.text, at)),
          name,
        ).toEqual([]);
      }
    }
  });
});
