import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DirectoryPage } from '../../src/store/idb-schema.ts';
import type { SplitterDocument } from '../../src/types.ts';
import { older } from './older-layout.ts';
import { answer, counting, freshName, freshState, numbered, open, reads, stateOf, tamper } from './watch.ts';

const many = (count: number): SplitterDocument[] => Array.from({ length: count }, (_, at) => numbered(at));

/** The pages of the directory, as they are stored. */
async function pagesOf(name: string): Promise<DirectoryPage[]> {
  let pages: DirectoryPage[] = [];
  await tamper(name, async (tx) => {
    pages = await answer(tx.objectStore('directory').getAll());
  });
  return pages;
}

const listed = async (name: string): Promise<string[]> =>
  (await pagesOf(name)).flatMap(({ entries }) => entries.map(({ id }) => id)).sort();

const ids = (documents: readonly SplitterDocument[]): string[] => documents.map(({ uri }) => uri).sort();

/** A closed index of so many documents, and what it showed. */
async function kept(count: number) {
  const name = freshName();
  const { embedder } = counting();
  const index = await open(name, { embedder });
  await index.add(many(count));
  const state = await stateOf(index);
  await index.close();
  return { name, embedder, state };
}

describe('the directory', () => {
  it('lists all documents once an index is closed, and is read in place of the entries', async () => {
    const { name, embedder, state } = await kept(300);
    expect(await listed(name)).toEqual(ids(many(300)));
    expect((await pagesOf(name)).map(({ entries }) => entries.length)).toEqual([256, 44]);
    const count = reads('documents');
    expect(await freshState(name, { embedder })).toEqual(state);
    expect(count.count).toBe(0);
  });

  it('is written while an index stays open, when nothing has been added for a while', async () => {
    const name = freshName();
    const index = await open(name);
    await index.add(many(80));
    await expect.poll(() => listed(name), { timeout: 10_000 }).toEqual(ids(many(80)));
  });

  it('is not there for a few documents, which are as quickly read one by one', async () => {
    const { name } = await kept(63);
    expect(await pagesOf(name)).toEqual([]);
  });

  it('is written after opening an index that has none, and says nothing new where it has one', async () => {
    const { name, embedder, state } = await kept(70);
    await tamper(name, (tx) => void tx.objectStore('directory').clear());
    expect(await freshState(name, { embedder })).toEqual(state);
    const pages = await pagesOf(name);
    expect(await listed(name)).toEqual(ids(many(70)));
    expect(await freshState(name, { embedder })).toEqual(state);
    expect(await pagesOf(name)).toEqual(pages);
  });

  it('stays where a few are added, which are read beside it; and is written anew where many are', async () => {
    const { name, embedder } = await kept(70);
    const index = await open(name, { embedder });
    await index.add([numbered(100)]);
    await index.close();
    expect(await listed(name)).toEqual(ids(many(70)));
    const state = await freshState(name, { embedder });
    expect(state['documents']).toHaveLength(71);
    const again = await open(name, { embedder });
    await again.add(many(135));
    await again.close();
    expect(await listed(name)).toEqual(ids([...many(135)]));
    expect((await freshState(name, { embedder }))['documents']).toHaveLength(135);
  });

  it.each([
    ['removed', (index: Awaited<ReturnType<typeof open>>) => index.remove('d5')],
    ['changed', (index: Awaited<ReturnType<typeof open>>) => index.add([numbered(5, 'anew')])],
  ])('keeps nothing of a document that was %s', async (_, change) => {
    const { name, embedder } = await kept(70);
    const index = await open(name, { embedder });
    await change(index);
    // In the same commit, so before anything else is written.
    expect(await pagesOf(name)).toEqual([]);
    expect(await freshState(name, { embedder })).toEqual(await stateOf(index));
    await index.close();
    const entry = (await pagesOf(name)).flatMap(({ entries }) => entries).find(({ id }) => id === 'd5');
    expect(entry === undefined).toBe(_ === 'removed');
    expect(await freshState(name, { embedder })).toEqual(await freshState(name, { embedder }));
  });

  it.each<[string, (tx: IDBTransaction) => void | Promise<void>]>([
    ['a page is missing', (tx) => void tx.objectStore('directory').delete(1)],
    [
      'a page is of another state',
      async (tx) => {
        const store = tx.objectStore('directory');
        const page = await answer<DirectoryPage>(store.get(1));
        store.put({ ...page, generation: page.generation - 1 }, 1);
      },
    ],
    [
      'it is another index’s',
      async (tx) => {
        const store = tx.objectStore('directory');
        for (const key of [0, 1]) {
          store.put({ ...(await answer<DirectoryPage>(store.get(key))), lineage: 'other' }, key);
        }
      },
    ],
    [
      'it is of a state that never was',
      async (tx) => {
        const store = tx.objectStore('directory');
        for (const key of [0, 1]) {
          store.put({ ...(await answer<DirectoryPage>(store.get(key))), generation: 1e6 }, key);
        }
      },
    ],
    [
      'an entry is missing',
      async (tx) => {
        const store = tx.objectStore('directory');
        for (const key of [0, 1]) {
          const page = await answer<DirectoryPage>(store.get(key));
          const entries = key === 0 ? page.entries : page.entries.slice(1);
          store.put({ ...page, entries, documents: page.documents - 1 }, key);
        }
      },
    ],
  ])('is left aside where %s', async (_, change) => {
    const { name, embedder, state } = await kept(300);
    await tamper(name, change);
    const count = reads('documents');
    expect(await freshState(name, { embedder })).toEqual(state);
    expect(count.count).toBeGreaterThan(0);
    expect(await listed(name)).toEqual(ids(many(300)));
  });

  it('says nothing of what is pending, which an older layout says in the entries alone', async () => {
    const name = await older(3);
    const { embedder } = counting();
    const index = await open(name, { embedder });
    await index.close();
    expect(await pagesOf(name)).toEqual([]);
    const failing = counting({
      before: () => {
        throw new Error('no');
      },
    });
    const waiting = freshName();
    const half = await open(waiting, { embedder: failing.embedder });
    await half.add(many(70));
    const { pending } = await half.stats();
    expect(pending).toBeGreaterThan(70);
    await half.close();
    expect((await pagesOf(waiting)).flatMap(({ entries }) => entries).some((one) => 'pending' in one)).toBe(
      false,
    );
    const lexical = await open(waiting);
    expect((await lexical.documents()).every(({ vectors }) => vectors !== 'stored')).toBe(true);
    await lexical.close();
  });

  it('follows two tabs that add, change and remove', async () => {
    const change = fc.oneof(
      fc.record({
        kind: fc.constant('add' as const),
        from: fc.nat(150),
        count: fc.integer({ min: 1, max: 90 }),
      }),
      fc.record({
        kind: fc.constant('change' as const),
        from: fc.nat(150),
        count: fc.integer({ min: 1, max: 3 }),
      }),
      fc.record({
        kind: fc.constant('remove' as const),
        from: fc.nat(150),
        count: fc.integer({ min: 1, max: 90 }),
      }),
      fc.record({ kind: fc.constant('reopen' as const), from: fc.constant(0), count: fc.constant(0) }),
    );
    const steps = fc.array(fc.record({ tab: fc.nat(1), change }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        const name = freshName();
        const tabs = [await open(name), await open(name)];
        const model = new Map<string, string>();
        for (const { tab, change } of steps) {
          const { kind, from, count } = change;
          const documents = Array.from({ length: count }, (_, at) =>
            numbered(from + at, kind === 'change' ? 'x' : ''),
          );
          if (kind === 'reopen') {
            await tabs[tab]!.close();
            tabs[tab] = await open(name);
          } else if (kind === 'remove') {
            await tabs[tab]!.remove(ids(documents));
            for (const { uri } of documents) model.delete(uri);
          } else {
            await tabs[tab]!.add(documents);
            for (const { uri, text } of documents) model.set(uri, text as string);
          }
        }
        for (const tab of tabs) await tab.close();
        const index = await open(name);
        const found: [string, string | undefined][] = [];
        for (const { uri } of await index.documents()) found.push([uri, await index.text(uri)]);
        expect(new Map(found)).toEqual(model);
        const held = (await pagesOf(name)).flatMap(({ entries }) => entries.map(({ id }) => id));
        expect(held.filter((id) => !model.has(id))).toEqual([]);
        await index.destroy();
      }),
      { numRuns: 20 },
    );
  });
});
