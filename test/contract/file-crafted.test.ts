import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/kernel/load.ts';
import { decodeFile, encodeFile, type Snapshot } from '../../src/store/file.ts';
import { runs } from '../arbitraries.ts';
import { type CraftedSection, craft, sectionsOf } from '../crafted.ts';
import { expectSameGraph, segmentOver, snapshotOf } from '../snapshots.ts';

const text = '# Refunds\nTwo weeks. \u00e9 \ud83d';
const document = {
  id: 'guide/refunds.md',
  heads: [
    { id: 'guide/refunds.md#0', heading: 'Refunds', charStart: 0, charEnd: 10, metadata: { lang: ['en'] } },
    { id: 'guide/refunds.md#1', heading: 'How long', charStart: 10, charEnd: 22, line: 2 },
  ],
  texts: { text },
  rows: [0, 1],
  info: {
    source: sha256(JSON.stringify(text)),
    hashes: `${sha256('Refunds\n# Refunds\n').slice(0, 32)}${sha256('How long\nTwo weeks. \u00e9').slice(0, 32)}`,
    metadata: { at: new Date(0), map: new Map([[1, /x/g]]), bytes: new Uint16Array(2), big: 5n },
  },
};
const small = snapshotOf({
  documents: [
    document,
    { ...document, id: 'other', heads: [{ id: 'y' }], texts: { texts: ['x'] }, rows: [5] },
  ],
  dimensions: 2,
  format: 'int8',
  words: [segmentOver([document], 'a')],
});
const [META, , , WORDS, VECTORS] = [0, 1, 2, 3, 4];

/** A snapshot of documents alone. */
const bare = (): Snapshot => snapshotOf({ documents: [document] });

async function expectRefused(bytes: Uint8Array<ArrayBuffer>, words: string | RegExp = ''): Promise<void> {
  await expect(decodeFile(bytes, 'docs.shelf')).rejects.toMatchObject({
    code: 'FORMAT',
    message: expect.stringMatching(words),
  });
}

describe('a file made to deceive, with checksums that hold', () => {
  let sections: CraftedSection[];
  beforeAll(async () => {
    sections = await sectionsOf(await encodeFile(small));
  });

  it('is read where it says what was written', async () => {
    const { hash: _, ...back } = await decodeFile(await craft(sections), 'f');
    expectSameGraph(back, small, 'any order');
  });

  it('is refused, or holds an index that could have been written, wherever its content is altered', async () => {
    const numRuns = Math.min(Math.ceil(runs() / 4), 20_000);
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.nat(sections.length - 1),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 3 }),
        async (at, changes) => {
          const content = sections[at]!.content.slice();
          for (const [place, change] of changes) content[place % content.length]! ^= change;
          const bytes = await craft(sections.map((one, i) => (i === at ? { ...one, content } : one)));
          try {
            const { hash: _, ...read } = await decodeFile(bytes, 'f');
            await encodeFile(read);
          } catch (error) {
            expect(error).toMatchObject({ code: 'FORMAT' });
            refused++;
          }
        },
      ),
      { numRuns },
    );
    expect(refused).toBeGreaterThan(numRuns / 3);
  });

  it('is refused where a section is cut or longer than it should be', async () => {
    for (const [at, one] of sections.entries()) {
      for (const content of [one.content.slice(0, -1), new Uint8Array([...one.content, 0])]) {
        // The packed words are the rest of their section, and checked by who unpacks them.
        if (at !== WORDS)
          await expectRefused(await craft(sections.map((s, i) => (i === at ? { ...s, content } : s))));
      }
    }
  });

  it('is refused where sections are missing, twice there, unknown or out of order', async () => {
    for (let at = 0; at < VECTORS; at++) {
      if (at !== WORDS) await expectRefused(await craft(sections.filter((_, i) => i !== at)));
      await expectRefused(await craft([...sections.slice(0, at), sections[at]!, ...sections.slice(at)]));
    }
    await expectRefused(
      await craft([...sections, { kind: 6, number: 0, content: new Uint8Array(4) }]),
      'unknown',
    );
    await expectRefused(await craft([...sections].reverse()));
  });

  it('does not make it set memory aside', async () => {
    const claims = sections.map((one, i) => (i === 2 ? { ...one, rawBytes: 2 ** 31 } : one));
    await expectRefused(await craft(claims), 'said to be 2147483648');
    const bomb = { kind: 3, number: 0, content: new Uint8Array(50_000_000), rawBytes: 1000 };
    await expectRefused(
      await craft(sections.map((one, i) => (i === 2 ? bomb : one))),
      'more than 1000 bytes',
    );
    const more = { ...bomb, content: new Uint8Array(900) };
    await expectRefused(await craft(sections.map((one, i) => (i === 2 ? more : one))), '900 bytes came out');
  });

  it.each([
    ['[]', 'vectors are kept as'],
    ['null', 'vectors are kept as'],
    ['{', 'does not hold an index'],
    [`${'['.repeat(200_000)}`, 'does not hold an index'],
    ['{"vectors":"f64","dimensions":2,"rowCount":6}', 'kept as "f64"'],
    ['{"vectors":"int8","dimensions":-1,"rowCount":6}', '-1 values'],
    ['{"vectors":"int8","dimensions":3,"rowCount":6}', 'vectors of 2 values'],
    ['{"vectors":"f32","dimensions":2,"rowCount":6}', 'kind of values'],
    ['{"vectors":"int8","dimensions":2,"rowCount":5}', 'not one document'],
    ['{"vectors":"int8","dimensions":2,"rowCount":4000000000}', '4000000000 rows for 3 records'],
    ['{"vectors":"int8","dimensions":2,"rowCount":6,"embedder":{}}', 'no string'],
  ])('is refused with a description like %.60s', async (json, words) => {
    const content = new TextEncoder().encode(json);
    await expectRefused(
      await craft(sections.map((one, i) => (i === META ? { ...one, content } : one))),
      words,
    );
  });
});

describe('what would not be read is not written', () => {
  const entry = bare().entries[0]!;
  const withEntry = (change: object, more: Partial<Snapshot> = {}): Snapshot => ({
    ...bare(),
    entries: [{ ...entry, ...change }],
    ...more,
  });
  it.each<[string, Snapshot, string]>([
    ['a document twice', { ...bare(), entries: [entry, entry] }, 'there twice'],
    ['no texts', { ...bare(), texts: new Map() }, 'texts are missing'],
    ['too few texts', { ...bare(), texts: new Map([[entry.id, { texts: ['x'] }]]) }, 'not a text for each'],
    ['no text at all', { ...bare(), texts: new Map([[entry.id, {}]]) }, 'have no texts'],
    ['rows beyond the last', withEntry({ rows: Uint32Array.of(0, 2) }), 'not one document'],
    ['a row twice', withEntry({ rows: Uint32Array.of(1, 1) }), 'not one document'],
    ['too many rows', withEntry({ rows: Uint32Array.of(0), pending: [0] }), 'another length'],
    ['no vector', withEntry({ pending: [0] }), 'vector of row 1 is missing'],
    ['a vector to come of no record', withEntry({ pending: [0, 1, 2] }), 'still to come'],
    ['vectors to come in no order', withEntry({ pending: [1, 0] }), 'still to come'],
    ['a version that is none', withEntry({ version: -1 }), 'no number of a commit'],
    ['vectors without a length', { ...bare(), vectors: small.vectors }, 'without a length'],
    [
      'segments beyond the last row',
      { ...small, vectors: [...small.vectors, ...small.vectors] },
      'of no row',
    ],
  ])('%s', async (_, snapshot, words) => {
    await expect(encodeFile(snapshot)).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining(words),
    });
  });
});
