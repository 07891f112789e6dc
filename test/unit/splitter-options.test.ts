import { describe, expect, it } from 'vitest';
import { ShelfmarkError } from '../../src/errors.ts';
import { atxHeadings } from '../../src/kernel/load.ts';
import { unicodeVersion } from '../../src/split/breaks.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import { byParagraph } from '../../src/split/by-paragraph.ts';
import { byRecord } from '../../src/split/by-record.ts';
import { fixedWithOverlap } from '../../src/split/fixed-with-overlap.ts';
import { markdownHeadings } from '../../src/split/markdown-headings.ts';
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
    const unicode = `unicode=${unicodeVersion}`;
    expect(byHeading().id).toBe(
      `byHeading@2(maxChars=1000,overlapChars=150,maxLevel=6,minChars=250,headings=markdown,keepWhole=fence+table,slugger=github,frontMatter=true,${unicode})`,
    );
    expect(byParagraph().id).toBe(`byParagraph@2(maxChars=1000,overlapChars=150,minChars=250,${unicode})`);
    expect(fixedWithOverlap().id).toBe(
      `fixedWithOverlap@2(chars=1000,overlapChars=150,wordWindow=40,${unicode})`,
    );
  });

  it('tells every option apart, also what cannot be spelled', () => {
    const tokens = (text: string) => text.length / 4;
    const anchor = (title: string) => title;
    const ids = [
      byHeading(),
      byHeading({ headings: 'atx' }),
      byHeading({ keepWhole: [] }),
      byHeading({ keepWhole: ['table'] }),
      byHeading({ slugger: 'mdbook' }),
      byHeading({ slugger: anchor }),
      byHeading({ frontMatter: false }),
      byHeading({ length: tokens, lengthId: 'tokens@1' }),
      byHeading({ length: () => 1 }),
      byHeading({ slugger: Object.assign(() => 'x', { id: 'x@1' }) }),
    ].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    // By no function's name: a minifier changes it with every build of an app.
    expect(ids[5]).toContain('slugger=custom');
    expect(ids[7]).toContain('length=tokens@1');
    expect(ids[8]).toContain('length=custom');
    expect(ids[9]).toContain('slugger=x@1');
    const counted = Object.assign(tokens, { id: 'model@2' });
    for (const make of [byHeading, byParagraph, fixedWithOverlap]) {
      expect(make({ length: counted }).id).toContain('length=model@2');
      expect(make({ length: counted, lengthId: 'mine' }).id).toContain('length=mine');
      expect(() => make({ length: tokens, lengthId: '' })).toThrow('lengthId is ""; give a string');
    }
  });

  it('are an object or nothing, and a slugger answers strings', () => {
    for (const make of [byHeading, byParagraph, fixedWithOverlap, byRecord]) {
      for (const options of [null, 5]) expect(() => make(options as never)).toThrow('options');
    }
    expect(() => byRecord({ chunkSize: null as never })).toThrow('chunkSize is null');
    expect(() => byRecord({ header: null as never })).toThrow('header is null');
    const splitter = byHeading({ slugger: () => 5 as never });
    expect(() => splitter.split({ uri: 'a', text: '# A\n\nb' })).toThrow('The answer of slugger is 5');
  });

  it('tells compat apart, and derives the floor from the size', () => {
    expect(byHeading({ maxChars: 403, compat: 'agentfootprint' }).id).toBe(
      'byHeading@1(maxChars=403,overlapChars=150,maxLevel=6,minChars=100,compat=agentfootprint)',
    );
  });
});

describe('byHeading', () => {
  it('refuses options of its own by name, value and range', () => {
    const wrong: [Record<string, unknown>, string][] = [
      [{ headings: 'setext' }, "headings is \"setext\"; give one of 'markdown', 'atx'."],
      [{ keepWhole: ['list'] }, "keepWhole is \"list\"; give an array of 'fence' and 'table', [] for none."],
      [{ keepWhole: 'fence' }, "keepWhole is \"fence\"; give an array of 'fence' and 'table', [] for none."],
      [{ frontMatter: 'yes' }, 'frontMatter is "yes"; give true or false.'],
      [{ maxLevel: 7 }, 'maxLevel is 7; give a whole number from 0 to 6.'],
      [{ maxChars: 0 }, 'maxChars is 0; give a whole number, 1 or more, or Infinity.'],
      [{ minChars: 1000 }, 'minChars is 1000; give a number from 0 to below maxChars, which is 1000.'],
    ];
    for (const [options, message] of wrong) {
      const error = failure(() => (byHeading as Make)(options));
      expect(error.code).toBe('INVALID_OPTION');
      expect(error.message).toBe(message);
    }
    expect(failure(() => (byHeading as Make)({ slugger: 'hugo' })).message).toMatch(
      /^slugger is "hugo"; give/,
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
      /^overlapChars is null; give a whole number from 0 to below/,
    );
  });

  it('refuses a compat it does not know', () => {
    expect(failure(() => make({ compat: 'langchain' })).message).toBe(
      'compat is "langchain"; give one of \'agentfootprint\'.',
    );
  });

  it('refuses an overlap that is no part of a piece, and by default takes at most half', () => {
    const size = name === 'fixedWithOverlap' ? 'chars' : 'maxChars';
    for (const overlapChars of [-1, 0.5, 512, 600, Number.POSITIVE_INFINITY, Number.NaN]) {
      const { code, message } = failure(() => make({ [size]: 512, overlapChars }));
      expect(code).toBe('INVALID_OPTION');
      expect(message).toBe(
        `overlapChars is ${overlapChars}; give a whole number from 0 to below ${size}, which is 512.`,
      );
    }
    expect(make({ [size]: 512, overlapChars: 511 }).id).toContain('overlapChars=511');
    expect(make({ [size]: 512 }).id).toContain('overlapChars=150');
    expect(make({ [size]: 101 }).id).toContain('overlapChars=50');
    expect(make({ [size]: 1 }).id).toContain('overlapChars=0');
  });

  it('refuses a length that is no function, or answers no length', () => {
    expect(failure(() => make({ length: 4 })).message).toMatch(/^length is 4; give a function/);
    for (const answer of [Number.NaN, -1, Number.POSITIVE_INFINITY, '3', undefined]) {
      const splitter = make({ length: () => answer });
      const error = failure(() => splitter.split({ uri: 'a.md', text: '# a\n\nSome text.\n\nMore.' }));
      expect(error.code).toBe('INVALID_OPTION');
      expect(error.message).toContain('length');
    }
  });

  it('refuses what the reference does not know, together with compat', () => {
    const error = failure(() => make({ compat: 'agentfootprint', length: () => 1 }));
    expect(error.code).toBe('INVALID_OPTION');
    expect(error.message).toMatch(/^length is .+; give it without compat/);
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

describe('a text that is none, and pages that are none', () => {
  it.each([[5], [null], [['# a']]])('are refused by name: %j', (given) => {
    const none = given as never;
    for (const call of [
      () => atxHeadings(none),
      () => markdownHeadings(none),
      () => byHeading().split(none),
    ]) {
      expect(failure(call)).toMatchObject({ name: 'ShelfmarkError', code: 'INVALID_DOCUMENT' });
      expect(failure(call).message).toMatch(/^The text/);
    }
    const pages = given === null ? none : ([none] as never);
    const refused = failure(() => byHeading().split({ uri: 'a.md', text: 'a', pages }));
    expect(refused).toMatchObject({ code: 'INVALID_DOCUMENT' });
    expect(refused.message).toMatch(/^The pages of document "a.md"/);
  });
});
