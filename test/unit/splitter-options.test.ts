import { describe, expect, it } from 'vitest';
import { ShelfmarkError } from '../../src/errors.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import { byParagraph } from '../../src/split/by-paragraph.ts';
import { fixedWithOverlap } from '../../src/split/fixed-with-overlap.ts';
import type { Splitter } from '../../src/types.ts';

type Make = (options?: Record<string, unknown>) => Splitter;
const makers: [string, Make][] = [
  ['byHeading', byHeading],
  ['byParagraph', byParagraph],
  ['fixedWithOverlap', fixedWithOverlap],
];

const failure = (call: () => unknown): ShelfmarkError => {
  try {
    call();
  } catch (error) {
    return error as ShelfmarkError;
  }
  throw new Error('nothing was thrown');
};

describe('the id of a splitter', () => {
  it('spells name, version and every effective option, defaults included', () => {
    expect(byHeading().id).toBe('byHeading@1(maxChars=1000,overlapChars=150,maxLevel=6,minChars=250)');
    expect(byParagraph().id).toBe('byParagraph@1(maxChars=1000,overlapChars=150,minChars=250)');
    expect(fixedWithOverlap().id).toBe('fixedWithOverlap@1(chars=1000,overlapChars=150,wordWindow=40)');
  });

  it('tells compat apart, and derives the floor from the size', () => {
    expect(byHeading({ maxChars: 403, compat: 'agentfootprint' }).id).toBe(
      'byHeading@1(maxChars=403,overlapChars=150,maxLevel=6,minChars=100,compat=agentfootprint)',
    );
  });
});

describe.each(makers)('%s', (name, make) => {
  it('carries its name and takes bytes', () => {
    expect(make()).toMatchObject({ name, acceptsBytes: true });
  });

  it('takes undefined for the default, and refuses null', () => {
    expect(make({ overlapChars: undefined }).id).toBe(make().id);
    expect(failure(() => make({ overlapChars: null })).message).toMatch(
      /^overlapChars is null; give a whole/,
    );
  });

  it('refuses a compat it does not know', () => {
    expect(failure(() => make({ compat: 'langchain' })).message).toBe(
      'compat is "langchain"; give one of \'agentfootprint\'.',
    );
  });

  it('refuses a document whose text is no text', () => {
    for (const document of [{ uri: 'a.md', text: 5 }, { uri: 'a.md' }, null]) {
      const error = failure(() => make().split(document as never));
      expect(error).toBeInstanceOf(ShelfmarkError);
      expect(error.code).toBe('INVALID_DOCUMENT');
    }
  });

  it('keeps each emoji whole at the smallest size', () => {
    const size = name === 'fixedWithOverlap' ? { chars: 1 } : { maxChars: 1, minChars: 0 };
    const text = '# \u{1f600}\n\n\u{1f680}\u{1f680}\n\n\u{1f4a1}';
    const pieces = make({ ...size, overlapChars: 0 }).split({ uri: 'a', text });
    const blankless = (value: string): string => value.replace(/\s/g, '');
    expect(blankless(pieces.map((piece) => piece.text).join(''))).toBe(blankless(text));
    for (const piece of pieces) expect(piece.text).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
  });
});
