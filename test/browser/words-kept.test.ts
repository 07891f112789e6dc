import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Index } from '../../src/open-index.ts';
import type { OpenIndexOptions } from '../../src/open-index-options.ts';
import type { SplitterDocument } from '../../src/types.ts';
import { answer, doc, found, freshName, keysOf, numbered, open, reads, tamper } from './watch.ts';

const ten = Array.from({ length: 10 }, (_, at) => numbered(at));
const questions = ['zebra', 'gate2 meets otter', 'only every third', 'number7'];
const allFound = async (index: Index) => {
  const all: unknown[] = [];
  for (const question of questions) all.push(await found(index, question));
  return all;
};

/** Opens an index anew and expects that its first search reads the texts of its hits alone. */
async function reopened(name: string, options: OpenIndexOptions = {}): Promise<Index> {
  const index = await open(name, options);
  const texts = reads('texts');
  const hits = await index.search('number7 gate2', { topK: 3 });
  expect(hits.length).toBeGreaterThan(0);
  expect(texts.count).toBe(new Set(hits.map(({ docUri }) => docUri)).size);
  return index;
}

const stem = (token: string) => token.replace(/s$/, '');

describe('the words of an index that is kept', () => {
  const analyzers: [string, OpenIndexOptions['lexicon']][] = [
    ['as they are', undefined],
    ['by another analyser', { analyzer: 'ascii' }],
    ['without marks', { diacritics: false }],
    ['by a stemmer', { stem }],
  ];
  it.each(analyzers)('are there again after a reload without a text being read, %s', async (_, lexicon) => {
    const name = freshName();
    const first = await open(name, { lexicon });
    await first.add(ten);
    await first.add([numbered(3, 'anew'), doc('plural', 'otters and zebras')]);
    await first.remove('d4');
    const before = await allFound(first);
    await first.close();
    const index = await reopened(name, { lexicon });
    expect(await allFound(index)).toEqual(before);
    const plurals = await found(index, 'otter zebra');
    expect(plurals.map(([id]) => id).includes('plural#0')).toBe(lexicon?.stem !== undefined);
  });

  it('are read anew, once, by another analyser than they were stored with', async () => {
    const name = freshName();
    const first = await open(name);
    await first.add([...ten, doc('cafe', 'café')]);
    await first.close();
    const lexicon = { diacritics: false };
    const index = await open(name, { lexicon });
    expect(await found(index, 'cafe')).toEqual([]);
    expect((await found(index, 'café')).map(([id]) => id)).toEqual(['cafe#0']);
    const before = await allFound(index);
    // The next commit stores them.
    await index.add([numbered(20)]);
    await index.remove('d20');
    await index.close();
    const again = await reopened(name, { lexicon });
    expect(await allFound(again)).toEqual(before);
  });

  it('are found by two tabs with two analysers, each in its own way', async () => {
    const name = freshName();
    const [one, two] = [await open(name), await open(name, { lexicon: { diacritics: false } })];
    for (let n = 0; n < 6; n++) {
      await one.add([doc(`a${n}`, `café number${n}`)]);
      await two.add([doc(`b${n}`, `café number${n}`)]);
    }
    expect((await found(one, 'cafe')).length).toBe(12);
    expect(await found(two, 'cafe')).toEqual([]);
    expect((await found(two, 'café')).length).toBe(12);
  });

  it('are few segments however many documents came one by one', async () => {
    const name = freshName();
    const index = await open(name);
    let most = 0;
    for (let n = 0; n < 80; n++) {
      await index.add([numbered(n)]);
      most = Math.max(most, (await keysOf(name, 'lexical')).length);
    }
    expect(most).toBeGreaterThan(5);
    expect(most).toBeLessThanOrEqual(20);
    const before = await allFound(index);
    await index.close();
    const again = await reopened(name);
    expect(await allFound(again)).toEqual(before);
    const fresh = await open(freshName());
    await fresh.add(Array.from({ length: 80 }, (_, n) => numbered(n)));
    expect(await allFound(fresh)).toEqual(before);
  });

  it('leave no segment behind when all documents are removed', async () => {
    const name = freshName();
    const index = await open(name);
    await index.add(ten);
    expect(await keysOf(name, 'lexical')).toHaveLength(1);
    await index.sync([]);
    expect(await keysOf(name, 'lexical')).toEqual([]);
  });

  const step = fc.oneof(
    fc.record({
      do: fc.constant('add' as const),
      n: fc.nat(15),
      salt: fc.constantFrom('', 'x', 'more\nlines here'),
    }),
    fc.record({ do: fc.constant('remove' as const), n: fc.nat(15) }),
    fc.record({ do: fc.constant('many' as const), n: fc.nat(9) }),
    fc.record({ do: fc.constant('search' as const) }),
    fc.record({ do: fc.constant('reopen' as const) }),
  );
  it('score and order the same before and after a reload, and as in an index made at once, whatever was done', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
        const name = freshName();
        let index = await open(name);
        const held = new Map<string, SplitterDocument>();
        const put = async (...documents: SplitterDocument[]) => {
          await index.add(documents);
          for (const one of documents) held.set(one.uri, one);
        };
        for (const one of steps) {
          if (one.do === 'add') await put(numbered(one.n, one.salt));
          else if (one.do === 'remove') {
            await index.remove(`d${one.n}`);
            held.delete(`d${one.n}`);
          } else if (one.do === 'many') {
            await put(...Array.from({ length: one.n }, (_, at) => numbered(at * 2, 'many')));
          } else if (one.do === 'search') await index.search('zebra');
          else {
            await index.close();
            index = await open(name);
          }
        }
        const before = await allFound(index);
        await index.close();
        const texts = reads('texts');
        const again = await open(name);
        expect(await allFound(again)).toEqual(before);
        // Those of the hits, for each question.
        const documents = (before as [string, number][][]).map((hits) =>
          hits.map(([id]) => id.split('#')[0]),
        );
        expect(texts.count).toBe(documents.reduce((sum, uris) => sum + new Set(uris).size, 0));
        const fresh = await open('', { persist: false });
        await fresh.add([...held.values()]);
        const sorted = (all: unknown[]) =>
          (all as [string, number][][]).map((hits) => hits.map(String).sort());
        expect(sorted(before)).toEqual(sorted(await allFound(fresh)));
        await again.close();
      }),
      { numRuns: 25 },
    );
  });

  it('are not lost to a stemmer that throws for a while', async () => {
    const name = freshName();
    let broken = false;
    const moody = (token: string) => {
      if (broken) throw new Error('stemmer bug');
      return stem(token);
    };
    const first = await open(name, { lexicon: { stem: moody } });
    await first.add(ten);
    broken = true;
    expect(await first.add([doc('late', 'late otters')])).toMatchObject({ documents: 1, failed: [] });
    await expect(first.search('otter', { mode: 'lexical' })).rejects.toThrow('stemmer bug');
    await first.close();
    broken = false;
    const again = await open(name, { lexicon: { stem: moody } });
    expect((await found(again, 'late otter'))[0]![0]).toBe('late#0');
    await again.add([numbered(30)]);
    await again.close();
    await reopened(name, { lexicon: { stem: moody } });
  });

  it('are searched by two calls at a time when they are first wanted', async () => {
    const name = freshName();
    const index = await open(name, { lexicon: { stem } });
    await index.add(ten);
    await index.close();
    // Of another analyser, so that all is read from the texts.
    const other = await open(name);
    const expected = await open(freshName());
    await expected.add(ten);
    const hits = await Promise.all(questions.map((question) => found(other, question)));
    expect(hits).toEqual(await allFound(expected));
  });
});

describe('a damaged segment of words', () => {
  /** Three segments. */
  async function filled(): Promise<{ name: string; before: unknown[] }> {
    const name = freshName();
    const index = await open(name);
    await index.add(ten.slice(0, 4));
    await index.add(ten.slice(4, 7));
    await index.add(ten.slice(7));
    const before = await allFound(index);
    await index.close();
    return { name, before };
  }

  const changed = (change: (segment: Record<string, unknown>) => unknown) => async (tx: IDBTransaction) => {
    const store = tx.objectStore('lexical');
    const [, key] = await answer(store.getAllKeys());
    const segment = await answer(store.get(key!));
    store.put(change(segment), key!);
  };
  const inBytes = (change: (bytes: Uint8Array<ArrayBuffer>, view: DataView) => void) =>
    changed((segment) => {
      const bytes = segment['bytes'] as ArrayBuffer;
      change(new Uint8Array(bytes), new DataView(bytes));
      return segment;
    });
  const damages: [string, (tx: IDBTransaction) => Promise<void>][] = [
    ['that has a byte altered', inBytes((bytes) => (bytes[40]! ^= 1))],
    ['that lost its mark', inBytes((bytes) => bytes.fill(0, 0, 4))],
    ['without a version', inBytes((_, view) => view.setUint16(4, 0, true))],
    [
      'that was cut',
      changed((segment) => ({ ...segment, bytes: (segment['bytes'] as ArrayBuffer).slice(0, 50) })),
    ],
    ['that lists fewer documents', changed((segment) => ({ ...segment, ids: ['d4'] }))],
    ['that is something else', changed(() => 'words')],
    ['that is nothing', changed(() => null)],
    ['without its lists', changed(({ bytes }) => ({ bytes }))],
  ];
  it.each(damages)('%s is told of, everything is found, and repair makes it whole', async (_, damage) => {
    const { name, before } = await filled();
    await tamper(name, damage);
    const index = await open(name);
    expect((await index.stats()).damaged).toEqual([
      { part: 'words', segment: expect.any(Number), reason: expect.stringMatching(/.../), documents: [] },
    ]);
    expect(await allFound(index)).toEqual(before);
    expect(await index.repair()).toMatchObject({ removed: 0, failed: [] });
    expect((await index.stats()).damaged).toBeUndefined();
    await index.close();
    const again = await reopened(name);
    expect((await again.stats()).damaged).toBeUndefined();
    expect(await allFound(again)).toEqual(before);
  });

  it('that is gone is told of, costs reading texts, loses nothing, and repair makes it whole', async () => {
    const { name, before } = await filled();
    await tamper(name, async (tx) => {
      const store = tx.objectStore('lexical');
      store.delete((await answer(store.getAllKeys()))[1]!);
    });
    const index = await open(name);
    const gone = { part: 'words', segment: expect.any(Number), documents: [] };
    expect((await index.stats()).damaged).toEqual([
      { ...gone, reason: expect.stringMatching('is not there') },
    ]);
    expect(await allFound(index)).toEqual(before);
    await index.repair();
    expect((await index.stats()).damaged).toBeUndefined();
    await index.close();
    const again = await reopened(name);
    expect((await again.stats()).damaged).toBeUndefined();
    expect(await allFound(again)).toEqual(before);
  });

  it('is mended by whatever is added next, too', async () => {
    const { name } = await filled();
    await tamper(name, damages[0]![1]);
    const index = await open(name);
    await index.add([numbered(11)]);
    await index.close();
    const again = await reopened(name);
    expect((await again.stats()).damaged).toBeUndefined();
  });

  it('of a newer format makes the index refuse to open, and is left as it is', async () => {
    const { name } = await filled();
    await tamper(
      name,
      inBytes((_, view) => view.setUint16(4, 9, true)),
    );
    await expect(open(name)).rejects.toMatchObject({ code: 'FORMAT' });
    expect(await keysOf(name, 'lexical')).toHaveLength(3);
  });

  it('whose stream makes no sense although its checksum is right is read from the texts', async () => {
    const { name, before } = await filled();
    const spoiled = await open(name);
    await spoiled.close();
    // A segment of other documents in its place: well formed, and of the wrong number of chunks.
    await tamper(name, async (tx) => {
      const store = tx.objectStore('lexical');
      const keys = await answer(store.getAllKeys());
      const [one, two] = [await answer(store.get(keys[0]!)), await answer(store.get(keys[1]!))];
      store.put({ ...one, bytes: two.bytes }, keys[0]!);
    });
    const index = await open(name);
    expect((await index.stats()).damaged).toHaveLength(1);
    expect(await allFound(index)).toEqual(before);
  });
});
