import { describe, expect, it } from 'vitest';
import { abortAtTheEnd, abortForQuota } from './faults.ts';
import { counting, doc, found, freshName, lines, numbered, open, stateOf, writes } from './watch.ts';

const three = [numbered(0), numbered(1), numbered(2)];
/** What a search scores, in the order of the ids: rows of the two that are compared may differ. */
const scores = async (...args: Parameters<typeof found>) =>
  (await found(...args)).sort(([a], [b]) => (a < b ? -1 : 1));

describe('sync', () => {
  it('counts what is new, changed, unchanged and gone', async () => {
    const index = await open(freshName(), { embedder: counting().embedder });
    expect(await index.sync(three)).toMatchObject({
      ...{ added: 3, changed: 0, unchanged: 0, removed: 0 },
      ...{ documents: 3, chunks: 7, embedded: 7, skipped: 0, failed: [] },
    });
    const report = await index.sync([numbered(0), numbered(1, 'anew'), numbered(7), numbered(8)]);
    expect(report).toMatchObject({
      ...{ added: 2, changed: 1, unchanged: 1, removed: 1 },
      ...{ documents: 3, skipped: 1, failed: [] },
    });
    expect((await index.documents()).map(({ uri }) => uri)).toEqual(['d0', 'd1', 'd7', 'd8']);
  });

  it('embeds only the chunks that have changed, and nothing for a document that was renamed', async () => {
    const { embedder, asked } = counting();
    const index = await open(freshName(), { embedder });
    await index.sync([doc('a', 'zebra', 'otter', 'lynx'), doc('b', 'badger')]);
    asked.length = 0;
    expect(await index.sync([doc('a', 'zebra', 'otter bites', 'lynx'), doc('b', 'badger')])).toMatchObject({
      ...{ changed: 1, unchanged: 1, embedded: 1 },
    });
    expect(asked).toEqual(['otter bites']);
    const report = await index.sync([doc('a', 'zebra', 'otter bites', 'lynx'), doc('c', 'badger')]);
    expect(report).toMatchObject({ added: 1, removed: 1, unchanged: 1, embedded: 0 });
    expect(asked).toEqual(['otter bites']);
    expect((await found(index, 'badger', 'semantic'))[0]).toEqual(['c#0', expect.closeTo(1, 5)]);
    expect(await index.text('b')).toBeUndefined();
  });

  it('looks the chunks of a very long document up in time that grows as the document does', async () => {
    const { embedder, asked } = counting();
    const index = await open(freshName(), { embedder });
    const all = Array.from({ length: 16_000 }, (_, at) => `zebra line${at}`);
    await index.add([doc('long', ...all)]);
    asked.length = 0;
    // Each look-up once cut the hashes of the whole document apart: the better part of a minute.
    const { elapsedMs } = await index.sync([doc('long', ...all, 'quokka')]);
    expect(elapsedMs).toBeLessThan(8000);
    expect(asked).toEqual(['quokka']);
    expect((await found(index, 'quokka')).map(([id]) => id)).toEqual(['long#16000']);
  });

  it('of the same documents writes nothing and embeds nothing, also after a reload', async () => {
    const { embedder, asked } = counting();
    const name = freshName();
    const first = await open(name, { embedder });
    await first.sync(three);
    const count = writes();
    asked.length = 0;
    expect(await first.sync(three)).toMatchObject({ unchanged: 3, skipped: 3, documents: 0 });
    await first.close();
    const index = await open(name, { embedder });
    expect(await index.sync(three)).toMatchObject({ added: 0, changed: 0, unchanged: 3, removed: 0 });
    expect(await index.sync([...three].reverse())).toMatchObject({ unchanged: 3 });
    expect([count.count, asked]).toEqual([0, []]);
  });

  it('leaves no trace of what is gone: words weigh as in an index that never had it', async () => {
    const { embedder } = counting();
    const index = await open(freshName(), { embedder });
    const many = Array.from({ length: 30 }, (_, at) => numbered(at));
    await index.sync(many);
    await index.search('zebra');
    const rest = many.filter((_, at) => at % 4 !== 0);
    expect(await index.sync(rest)).toMatchObject({ removed: 8, unchanged: 22 });
    const fresh = await open(freshName(), { embedder });
    await fresh.add(rest);
    for (const question of ['zebra', 'number4', 'gate2 meets otter', 'only every third']) {
      expect(await scores(index, question)).toEqual(await scores(fresh, question));
      expect(await scores(index, question, 'semantic')).toEqual(await scores(fresh, question, 'semantic'));
    }
    expect(await found(index, 'number4')).toEqual([]);
  });

  it('empties the index when given nothing, and the index goes on working', async () => {
    const name = freshName();
    const index = await open(name, { embedder: counting().embedder });
    await index.sync(three);
    expect(await index.sync([])).toMatchObject({ added: 0, changed: 0, unchanged: 0, removed: 3 });
    expect(await index.stats()).toMatchObject({ documents: 0, chunks: 0, pending: 0 });
    expect(await index.search('zebra')).toEqual([]);
    expect(await index.sync([])).toMatchObject({ removed: 0 });
    expect(await index.sync(three)).toMatchObject({ added: 3, embedded: 7 });
    expect((await found(await open(name), 'number1')).map(([id]) => id)).toEqual(['d1#0']);
  });

  it('keeps what the index had of a document that it refuses, and blames it', async () => {
    const { embedder } = counting();
    const index = await open(freshName(), { embedder });
    await index.sync(three);
    const report = await index.sync([numbered(0), doc('d1', ''), numbered(3)]);
    expect(report).toMatchObject({
      ...{ added: 1, changed: 0, unchanged: 1, removed: 1 },
      failed: [{ uri: 'd1', code: 'EMPTY_DOCUMENT' }],
    });
    expect((await index.documents()).map(({ uri }) => uri)).toEqual(['d0', 'd1', 'd3']);
    expect(await index.text('d1')).toBe(numbered(1).text);
  });

  it('refuses all where a document is none, and removes nothing', async () => {
    const index = await open(freshName());
    await index.sync(three);
    await expect(index.sync([{ uri: 'x' } as never])).rejects.toMatchObject({ code: 'INVALID_DOCUMENT' });
    await expect(index.sync([numbered(0), numbered(0)])).rejects.toMatchObject({ code: 'INVALID_DOCUMENT' });
    expect((await index.stats()).documents).toBe(3);
  });

  it('counts a document whose embedding fails as failed alone, and finds it by words', async () => {
    const before = (texts: readonly string[]) => {
      if (texts.some((text) => text.includes('cursed'))) throw new Error('cannot read that');
    };
    const { embedder } = counting({ before });
    const index = await open(freshName(), { embedder });
    const report = await index.sync([numbered(0), doc('bad', 'a cursed text'), numbered(1)]);
    expect(report).toMatchObject({
      ...{ added: 2, changed: 0, unchanged: 0, removed: 0, documents: 3, unembedded: 1 },
      failed: [{ uri: 'bad', code: 'EMBEDDER_FAILED', reason: expect.stringContaining('cannot read that') }],
    });
    expect((await found(index, 'cursed')).map(([id]) => id)).toEqual(['bad#0']);
    expect((await index.documents()).map(({ vectors }) => vectors)).toEqual(['stored', 'pending', 'stored']);
    const again = await index.sync([numbered(0), doc('bad', 'a cursed text'), numbered(1)]);
    expect(again).toMatchObject({ added: 0, changed: 0, unchanged: 2, failed: [{ uri: 'bad' }] });
  });

  it('takes a document anew where its title, its metadata, the splitter or the analyser is another', async () => {
    const name = freshName();
    const { embedder, asked } = counting();
    const index = await open(name, { embedder });
    const one = doc('a', 'zebra', 'otter');
    await index.sync([one]);
    asked.length = 0;
    expect(await index.sync([{ ...one, metadata: { lang: 'en' } }])).toMatchObject({
      changed: 1,
      embedded: 0,
    });
    expect(await index.documents()).toMatchObject([{ metadata: { lang: 'en' } }]);
    // What is embedded names the title.
    expect(await index.sync([{ ...one, title: 'Animals' }])).toMatchObject({ changed: 1, embedded: 2 });
    expect(await index.documents()).toEqual([{ uri: 'a', title: 'Animals', chunks: 2, vectors: 'stored' }]);
    expect(asked).toEqual(['Animals\nzebra', 'Animals\notter']);
    await index.close();

    const titled = { ...one, title: 'Animals' };
    const splitter = { ...lines, id: 'lines@2' };
    const resplit = await open(name, { embedder, splitter });
    expect(await resplit.sync([titled])).toMatchObject({ changed: 1, unchanged: 0, embedded: 0 });
    expect((await resplit.stats()).splitter).toBe('lines@2');
    expect(await resplit.sync([titled])).toMatchObject({ changed: 0, unchanged: 1 });
    await resplit.close();
    const ascii = await open(name, { embedder, splitter, lexicon: { analyzer: 'ascii' } });
    expect(await ascii.sync([titled])).toMatchObject({ changed: 1, embedded: 0 });
    expect(await ascii.sync([titled])).toMatchObject({ unchanged: 1 });
    expect((await found(ascii, 'otter')).map(([id]) => id)).toEqual(['a#1']);
  });

  it.each([
    ['aborted', 'ABORTED', () => abortAtTheEnd(null)],
    ['out of space', 'QUOTA_EXCEEDED', () => abortForQuota(9)],
  ] as const)('that ends %s is resumed by the same call', async (_, code, fault) => {
    const { embedder, asked } = counting();
    const index = await open(freshName(), { embedder });
    await index.sync([...three, doc('gone', 'ibex')]);
    asked.length = 0;
    const wanted = [numbered(0, 'anew'), numbered(1), numbered(2), numbered(3), numbered(4)];
    const restore = fault();
    await expect(index.sync(wanted)).rejects.toMatchObject({ code });
    restore();
    expect((await index.documents()).map(({ uri }) => uri)).toContain('gone');
    await index.sync(wanted);
    const fresh = await open(freshName(), { embedder });
    await fresh.add(wanted);
    expect(await scores(index, 'zebra gate2')).toEqual(await scores(fresh, 'zebra gate2'));
    expect(await index.stats()).toMatchObject({ documents: 5, pending: 0 });
    expect(await index.sync(wanted)).toMatchObject({ unchanged: 5, removed: 0 });
  });

  it('whose embedder fails in the middle goes on where it was, embedding nothing twice', async () => {
    let left = 2;
    const stop = new AbortController();
    const { embedder, asked } = counting({
      before: () => {
        if (--left === 0) stop.abort(new Error('the model is gone'));
      },
    });
    const index = await open(freshName(), { embedder });
    // More chunks than are embedded between two commits.
    const many = Array.from({ length: 400 }, (_, at) => doc(`m${at}`, `zebra ${at}`));
    await expect(index.sync(many, { signal: stop.signal })).rejects.toThrow('the model is gone');
    const { pending } = await index.stats();
    expect(pending).toBeGreaterThan(0);
    asked.length = 0;
    expect(await index.sync(many)).toMatchObject({ added: 0, unchanged: 400, embedded: pending });
    expect(asked).toHaveLength(pending);
    expect((await stateOf(index))['stats']).toMatchObject({ documents: 400, pending: 0 });
  });

  it('sees what another tab has just added, and takes it out where it is not wanted', async () => {
    const name = freshName();
    const [one, two] = [await open(name), await open(name)];
    await one.sync(three);
    expect(await two.sync([numbered(1), numbered(9)])).toMatchObject({ added: 1, unchanged: 1, removed: 2 });
    expect((await one.documents()).map(({ uri }) => uri)).toEqual(['d1', 'd9']);
  });

  it('works in memory as it does in a store that is kept', async () => {
    const { embedder, asked } = counting();
    const index = await open('', { persist: false, embedder });
    expect(await index.sync(three)).toMatchObject({ added: 3, embedded: 7 });
    expect(await index.sync([numbered(1), numbered(5)])).toMatchObject({
      added: 1,
      unchanged: 1,
      removed: 2,
    });
    expect(asked).toHaveLength(9);
    expect((await index.documents()).map(({ uri }) => uri)).toEqual(['d1', 'd5']);
  });
});
