import { describe, expect, it } from 'vitest';
import type { Index } from '../../src/open-index.ts';
import { counting, doc, found, freshName, gate, numbered, open, undo, unhandled, writes } from './watch.ts';

const three = [numbered(0), numbered(1), numbered(2)];
const CHUNKS = 7;

/** An index whose documents have their words and wait for their vectors. */
async function pending(documents = three): Promise<string> {
  const name = freshName();
  const index = await open(name);
  await index.add(documents);
  await index.close();
  return name;
}

const allStored = (index: Index) =>
  expect
    .poll(async () => (await index.documents()).map(({ vectors }) => vectors))
    .toEqual(three.map(() => 'stored'));

/** An embedder that is held at its first text until it is released. */
function held(id?: string) {
  const [begun, release] = [gate(), gate()];
  const embedder = counting({
    ...(id !== undefined && { id }),
    before: () => {
      begun.open();
      return release.opened;
    },
  });
  return { ...embedder, begun: begun.opened, release: release.open };
}

describe('documents whose vectors are to come', () => {
  it('get them in the background when the index was closed between their two commits', async () => {
    const name = freshName();
    const first = held();
    const index = await open(name, { embedder: first.embedder });
    const adding = index.add(three);
    await first.begun;
    await index.close();
    first.release();
    await expect(adding).rejects.toMatchObject({ code: 'STORE_CLOSED' });

    const { embedder, asked } = counting();
    const again = await open(name, { embedder });
    await allStored(again);
    expect(asked).toHaveLength(CHUNKS);
    expect((await found(again, 'number1', 'semantic')).length).toBe(CHUNKS);
    const stats = await again.stats();
    expect(stats).toMatchObject({ pending: 0, embedder: 'counting', dimensions: 26 });
    expect(stats.pendingError).toBeUndefined();
    // And nothing is left to do for whoever comes next.
    const count = writes();
    expect(await again.sync(three)).toMatchObject({ unchanged: 3, embedded: 0 });
    expect(count.count).toBe(0);
  });

  it('are embedded once although two tabs are open', async () => {
    const name = await pending();
    const { embedder, asked } = counting();
    const tabs = [await open(name, { embedder }), await open(name, { embedder })];
    for (const tab of tabs) await allStored(tab);
    expect([...asked].sort()).toEqual(three.flatMap(({ text }) => (text as string).split('\n')).sort());
  });

  it('are embedded by the other tab when the one at it is closed', async () => {
    const name = await pending();
    const first = held();
    const one = await open(name, { embedder: first.embedder });
    await first.begun;
    const second = counting();
    const two = await open(name, { embedder: second.embedder });
    expect((await two.stats()).pending).toBe(CHUNKS);
    expect(second.asked).toEqual([]);
    await one.close();
    await allStored(two);
    expect(second.asked).toHaveLength(CHUNKS);
    first.release();
  });

  it('get them without navigator.locks as well', async () => {
    withoutLocks();
    const name = await pending();
    const { embedder } = counting();
    await allStored(await open(name, { embedder }));
  });

  it('are embedded once where they are added while they are being embedded in the background', async () => {
    const name = await pending();
    const background = held();
    const index = await open(name, { embedder: background.embedder });
    await background.begun;
    const adding = index.sync(three);
    // Time in which it would embed them itself.
    await new Promise((resolve) => setTimeout(resolve, 50));
    background.release();
    expect(await adding).toMatchObject({ added: 0, changed: 0, unchanged: 3, failed: [] });
    await allStored(index);
    expect(background.asked).toHaveLength(CHUNKS);
  });

  it('are embedded once where they are added twice at a time', async () => {
    const { embedder, asked } = counting({ before: () => new Promise((done) => setTimeout(done, 5)) });
    const index = await open(freshName(), { embedder });
    const reports = await Promise.all([index.add(three), index.add(three), index.sync(three)]);
    expect(reports.flatMap(({ failed }) => failed)).toEqual([]);
    expect(asked).toHaveLength(CHUNKS);
    await allStored(index);
  });

  it('let a call that waits for them be aborted at once', async () => {
    const name = await pending();
    const background = held();
    const index = await open(name, { embedder: background.embedder });
    await background.begun;
    const stop = new AbortController();
    const reason = new Error('enough');
    const adding = index.add([numbered(5)], { signal: stop.signal });
    await expect.poll(async () => (await index.documents()).length).toBe(4);
    stop.abort(reason);
    await expect(adding).rejects.toBe(reason);
    // The one who was at it goes on.
    background.release();
    await expect.poll(async () => (await index.stats()).pending).toBe(2);
    expect(background.asked).toHaveLength(CHUNKS);
    expect(await index.add([numbered(5)])).toMatchObject({ documents: 1, embedded: 2 });
  });

  it('say in stats() why they could not be embedded, until they are', async () => {
    const name = await pending();
    let broken = true;
    const { embedder, asked } = counting({
      before: () => {
        if (broken) throw new Error('the model is out');
      },
    });
    const index = await open(name, { embedder });
    await expect.poll(async () => (await index.stats()).pendingError).toMatch('the model is out');
    expect((await index.stats()).pending).toBe(CHUNKS);
    expect((await found(index, 'number1')).map(([id]) => id)).toEqual(['d1#0']);
    broken = false;
    asked.length = 0;
    expect(await index.add(three)).toMatchObject({ documents: 3, embedded: CHUNKS });
    expect((await index.stats()).pendingError).toBeUndefined();
    expect(asked).toHaveLength(CHUNKS);
  });

  it('say so where the model cannot be loaded', async () => {
    const name = await pending();
    const { embedder, asked } = counting();
    const load = () => Promise.reject(new Error('404 for the model'));
    const index = await open(name, { embedder: { ...embedder, load } });
    await expect.poll(async () => (await index.stats()).pendingError).toMatch('404 for the model');
    expect(asked).toEqual([]);
  });

  it('are left to the embedder of the vectors that are there', async () => {
    const name = freshName();
    const index = await open(name, { embedder: counting().embedder });
    await index.add([numbered(0)]);
    await index.close();
    const words = await open(name);
    await words.add([numbered(1)]);
    await words.close();
    const { embedder, asked } = counting({ id: 'another' });
    const other = await open(name, { embedder });
    await expect(other.search('zebra')).rejects.toMatchObject({ code: 'EMBEDDER_MISMATCH' });
    expect((await other.documents()).map(({ vectors }) => vectors)).toEqual(['stored', 'pending']);
    expect(asked).toEqual([]);
  });
});

describe('closing an index that embeds in the background', () => {
  it('ends it: nothing is embedded or written afterwards, and nothing is rejected unheard', async () => {
    const many = Array.from({ length: 300 }, (_, at) => doc(`m${at}`, `zebra ${at}`));
    const name = await pending(many);
    const background = held();
    const lost = await unhandled(async () => {
      const index = await open(name, { embedder: background.embedder });
      await background.begun;
      await index.close();
      const [asked, count] = [background.asked.length, writes()];
      background.release();
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(background.asked).toHaveLength(asked);
      expect(count.count).toBe(0);
      await expect(index.stats()).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    });
    expect(lost).toEqual([]);
  });

  it('ends a turn that is waited for, too, and lets go of the database', async () => {
    const name = await pending();
    const background = held();
    const lost = await unhandled(async () => {
      const one = await open(name, { embedder: background.embedder });
      await background.begun;
      const second = counting();
      const two = await open(name, { embedder: second.embedder });
      await two.close();
      await one.destroy();
      background.release();
      expect(second.asked).toEqual([]);
    });
    expect(lost).toEqual([]);
    expect((await indexedDB.databases()).map((db) => db.name)).not.toContain(`shelfmark:${name}`);
    expect((await navigator.locks.query()).held!.filter((lock) => lock.name!.includes(name))).toEqual([]);
  });

  it('fails a call that waits for its turn, and embeds nothing for it', async () => {
    const first = held();
    const index = await open(freshName(), { embedder: first.embedder });
    const lost = await unhandled(async () => {
      const adds = [index.add([numbered(0)]), index.add([numbered(1)])];
      await first.begun;
      const settled = Promise.allSettled(adds);
      await index.close();
      first.release();
      expect(await settled).toMatchObject([
        { status: 'rejected', reason: { code: 'STORE_CLOSED' } },
        { status: 'rejected', reason: { code: 'STORE_CLOSED' } },
      ]);
    });
    expect(lost).toEqual([]);
    expect(first.asked).toEqual((numbered(0).text as string).split('\n'));
  });
});

/** A page served over plain http has none. */
function withoutLocks(): void {
  Object.defineProperty(navigator, 'locks', { configurable: true, value: undefined });
  undo.push(() => Reflect.deleteProperty(navigator, 'locks'));
}
