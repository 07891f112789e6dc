/**
 * Faults that users of other splitters met: headings, paths, offsets and lost text. The cuts are in
 * theme-a-cuts.test.ts; anchors (B070) stand with the sluggers, token windows (B068) with the index.
 */
import { describe, expect, it } from 'vitest';
import { openIndex } from '../../src/open-index.ts';
import { type ByHeadingOptions, byHeading } from '../../src/split/by-heading.ts';
import { markdownHeadings } from '../../src/split/markdown-headings.ts';
import { splitDocuments } from '../../src/split/split-documents.ts';
import type { SplitPiece } from '../../src/types.ts';
import { ownParts } from '../cut-rules.ts';
import { expectRules } from '../rules.ts';

const F3 = '```';
const F4 = '````';
const T3 = '~~~';
/** Every section a piece of its own, nothing repeated. */
const apart: ByHeadingOptions = { minChars: 0, overlapChars: 0 };

const headings = (text: string): [string, number][] =>
  markdownHeadings(text).map(({ title, offset }) => [title, offset]);

function split(text: string, options: ByHeadingOptions = apart): readonly SplitPiece[] {
  const pieces = byHeading(options).split({ uri: 'a.md', text });
  if (pieces.length > 0) expectRules(text, pieces, {});
  return pieces;
}

/** Titles and texts of sections. */
const sections = (text: string): [string | undefined, string][] =>
  split(text).map((piece) => [piece.heading, piece.text]);

describe('what is a heading', () => {
  it('B001: no comment in a fence is', () => {
    const text = `# Setup\n${F3}sh\n# install deps\nnpm i\n${F3}\n# Use\nrun\n`;
    expect(headings(text)).toEqual([
      ['Setup', 0],
      ['Use', 39],
    ]);
    expect(sections(text)).toEqual([
      ['Setup', `# Setup\n${F3}sh\n# install deps\nnpm i\n${F3}`],
      ['Use', '# Use\nrun'],
    ]);
  });

  it('B002: nor in a fence of tildes', () => {
    expect(headings(`# A\n${T3}py\n# not me\n${T3}\n# B\n`)).toEqual([
      ['A', 0],
      ['B', 23],
    ]);
  });

  it('B003: a longer fence is not ended by a shorter one', () => {
    expect(headings(`# A\n${F4}md\n${F3}\n# inner\n${F3}\n${F4}\n# B\n`)).toEqual([
      ['A', 0],
      ['B', 32],
    ]);
  });

  it('B006: nor by the other mark; indented code holds none; pieces are sections', () => {
    for (const text of [
      `# A\n${F3}\n${T3}\n# x\n${F3}\n# B\nb\n`,
      '# A\n\n    # code, four spaces\n\n# B\nb\n',
    ]) {
      expect(headings(text).map(([title]) => title)).toEqual(['A', 'B']);
      expect(split(text).map(({ heading }) => heading)).toEqual(['A', 'B']);
    }
  });

  it('B007: an info string may hold anything', () => {
    const text = `# A\n${F3}js {1,3} title="a.js"\n# x\n${F3}\n# B\ntail\n`;
    expect(headings(text)).toEqual([
      ['A', 0],
      ['B', 37],
    ]);
    expect(sections(text)[1]).toEqual(['B', '# B\ntail']);
  });

  it('B012: underlined lines are', () => {
    const found = markdownHeadings('Guide\n=====\n\nIntro\n\nInstall\n-------\nText\n');
    expect(found.map(({ title, level, offset, end }) => [title, level, offset, end])).toEqual([
      ['Guide', 1, 0, 11],
      ['Install', 2, 20, 35],
    ]);
  });

  it('B013: rules behind other blocks are not underlines', () => {
    for (const text of [
      '# A\n- item two\n---\ntail\n',
      '# A\n> quoted\n---\ntail\n',
      `# A\n${F3}\ncode\n${F3}\n---\ntail\n`,
      '# A\n---\ntail\n',
      '# A\n===\ntail\n',
    ]) {
      expect(headings(text), text).toEqual([['A', 0]]);
      expect(split(text).some((piece) => piece.text.includes('tail'))).toBe(true);
    }
  });

  it('B015: what is commented out makes no section, and is text like any other', () => {
    const text = '# A\n<!--\n## Draft\nsecret\n-->\n## B\nb\n';
    expect(headings(text)).toEqual([
      ['A', 0],
      ['B', 29],
    ]);
    const pieces = split(text);
    expect(pieces.flatMap(({ headingPath }) => headingPath)).toEqual(['A', 'A', 'B']);
    expect(pieces[0]!.text).toContain('secret');
  });

  it('B018 and B019: nothing in front matter is, and offsets count it', () => {
    const text = '---\ntitle: Demo\n# draft: true\n---\n# Real\nx\n';
    expect(headings(text)).toEqual([['Real', 34]]);
    expect(sections(text)).toEqual([
      [undefined, '---\ntitle: Demo\n# draft: true\n---'],
      ['Real', '# Real\nx'],
    ]);
    expect(headings('---\ntitle: Demo\nowner: docs\n---\n# Real\nx\n').map(([title]) => title)).toEqual([
      'Real',
    ]);
  });

  it('B021: a byte order mark hides neither a heading nor front matter', () => {
    const text = '\ufeff# First\nx\n# Second\n';
    const [first, second] = markdownHeadings(text);
    expect([first!.title, first!.offset, second!.title]).toEqual(['First', 1, 'Second']);
    expect(text.slice(first!.offset, first!.end)).toBe('# First');
    expect(headings('\ufeff---\nt: 1\n---\n# R\n').map(([title]) => title)).toEqual(['R']);
    expect(split(text)[0]).toMatchObject({ heading: 'First', charStart: 1 });
  });

  it('B022 and B023: lines end with CRLF as well, and titles without it', () => {
    const text = '# A\r\nalpha\r\n\r\n## B\r\nbeta\r\n';
    expect(headings(text)).toEqual([
      ['A', 0],
      ['B', 14],
    ]);
    expect(sections(text)).toEqual([
      ['A', '# A\r\nalpha'],
      ['B', '## B\r\nbeta'],
    ]);
    expect(headings('# A\r\n\r\n---\r\n\r\nx\r\n## B \t\r\ny\r\n').map(([title]) => title)).toEqual([
      'A',
      'B',
    ]);
  });

  it('B026: a form feed ends no line', () => {
    const text = `# A\nfoo\f# not\n${F3}\nxx\n${F3}\n# B\n`;
    const found = headings(text);
    expect(found.map(([title]) => title)).toEqual(['A', 'B']);
    expect(text.slice(found[1]![1], found[1]![1] + 3)).toBe('# B');
  });

  it('B027: a tag is none, and what stands before the first heading is kept', () => {
    const text = '#todo buy milk\n\n# Real\n#5 bolt\n';
    expect(headings(text)).toEqual([['Real', 16]]);
    expect(sections(text)[0]).toEqual([undefined, '#todo buy milk']);
  });

  it('B028: closing hashes go, letters stay', () => {
    expect(headings('## C#\na\n## F##\nb\n## Done ##\nc\n').map(([title]) => title)).toEqual([
      'C#',
      'F##',
      'Done',
    ]);
  });

  it('B030: a tab follows hashes as a space does, a no-break space does not, and six are the most', () => {
    expect(headings('#\tTabbed\ntext\n\n#\u00a0NBSP\n\n####### seven\n').map(([title]) => title)).toEqual([
      'Tabbed',
    ]);
  });
});

describe('where a piece stands', () => {
  it('B031: a deeper title leaves the path with its section', () => {
    const pieces = split('# Doc\n### Deep\np1\n## Side\np2\n');
    expect(pieces.find((piece) => piece.text.includes('p2'))!.headingPath).toEqual(['Doc', 'Side']);
  });

  it('B033: the path is a list, whatever the titles hold', () => {
    const [piece] = split('# Root\nr\n## 24/7 Support\nx\n').slice(1);
    expect(piece!.headingPath).toEqual(['Root', '24/7 Support']);
  });

  it('B040: sections begin where their headings do, not where their words are', () => {
    const text = '# Chapter 1\nSee Chapter 1 and Chapter 2 below.\n# Chapter 2\nx\n';
    const [first, second] = split(text);
    expect(second!.charStart).toBe(47);
    expect(first!.text).toContain('See Chapter 1 and Chapter 2 below.');
  });

  it('B043: one document and many give the same offsets', () => {
    const text = Array.from(
      { length: 40 },
      (_, i) => `## Part ${i}\nSome words of part ${i}, and more.\n`,
    ).join('\n');
    const splitter = byHeading({ maxChars: 300 });
    const offsets = (pieces: readonly SplitPiece[]) =>
      pieces.map(({ charStart, charEnd }) => [charStart, charEnd]);
    const many = splitDocuments(
      [
        { uri: 'a', text: 'other' },
        { uri: 'b', text },
      ],
      splitter,
    );
    expect(offsets(many.filter(({ docUri }) => docUri === 'b'))).toEqual(
      offsets(splitter.split({ uri: 'b', text })),
    );
  });

  it('B044: lines are those of the offsets, overlap or not', () => {
    const text = Array.from({ length: 600 }, (_, i) => `row ${i + 1}\n`).join('');
    const pieces = split(text, { maxChars: 200, overlapChars: 80 });
    expect(pieces.length).toBeGreaterThan(15);
    for (const { line, charStart } of pieces) {
      expect(line).toBe(text.slice(0, charStart).split('\n').length);
      expect(line).toBeLessThanOrEqual(600);
    }
  });

  it('B045: offsets count as slice does', () => {
    const text = 'Intro \u{1F98A}\u{1F98A}\n# After\nx\n';
    expect(headings(text)).toEqual([['After', 11]]);
    expect(split(text)[1]).toMatchObject({ charStart: 11, text: '# After\nx' });
  });
});

describe('what must not be lost', () => {
  it('B009: an open fence at the end', () => {
    const pieces = split('# A\nintro\n```\nSECRET_TOKEN_ROW = 1\n');
    expect(pieces.filter((piece) => piece.text.includes('SECRET_TOKEN_ROW'))).toHaveLength(1);
  });

  it('B035: text before the first heading, also where all sections are empty', () => {
    const text = 'Draft notes.\n\n# Agenda\n\n# Actions\n';
    const [piece, ...others] = split(text);
    expect(others).toEqual([]);
    expect(piece!.text).toContain('Draft notes.');
    expect(piece!.headingPath).toBeUndefined();
    expect([piece!.charStart, piece!.charEnd]).toEqual([0, text.trimEnd().length]);
  });

  it('B037: a title that has nothing under it gives nothing, one with a body is found', async () => {
    expect(split('# Only title\n', { maxChars: 10 })).toEqual([]);
    expect(split('# Only title\n\n## And another\n')).toEqual([]);
    const index = await openIndex({ persist: false });
    const report = await index.add([{ uri: 'only.md', text: '# Only title\n' }]);
    expect(report.failed).toMatchObject([{ uri: 'only.md', code: 'EMPTY_DOCUMENT' }]);
    await index.close();

    const pieces = split('# One\nbody\n', { maxChars: 10 });
    expect(pieces.length).toBeGreaterThan(0);
    for (const piece of pieces) expect(piece.headingPath).toEqual(['One']);
  });

  it('B038: text under headings that open no section', () => {
    for (const maxLevel of [0, 1, 2]) {
      const pieces = split('# Solo\ncontent line\n', { maxLevel });
      expect(pieces).toHaveLength(1);
      expect(pieces[0]!.text).toContain('content line');
    }
    expect(split('### Solo\ncontent line\n', { maxLevel: 2 })).toHaveLength(1);
  });

  it('B039: headings without text go with the section below them, and are found there', async () => {
    const text = '# API\n## Auth\n### Token\nUse the header.\n';
    expect(split(text).map((piece) => piece.text)).toEqual([text.trim()]);
    const index = await openIndex({ persist: false });
    await index.add([{ uri: 'api.md', text }]);
    const [hit] = await index.search('Auth');
    expect(hit!.text).toContain('Use the header.');
    await index.close();
  });

  it('B056: a section under the floor', () => {
    const text = `# A\nok\n# B\n${'long text '.repeat(80)}`;
    const pieces = split(text, { minChars: 50 });
    expect(pieces[0]!.text).toMatch(/^# A\nok\n# B\nlong text/);
    expect(pieces[0]!.heading).toBe('A');
    expect(ownParts(text, pieces)).toHaveLength(pieces.length);
  });
});
