import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Index } from '../../src/open-index.ts';
import { IndexedDBVectorStore } from '../../src/store/idb.ts';
import { closeByBrowser } from './faults.ts';
import { counting, doc, found, freshName, numbered, open, reads, stateOf, undo } from './watch.ts';

/** A tab: the index, and its store to look into. */
interface Tab {
  index: Index;
  store: IndexedDBVectorStore;
}

/** @param before Passages are embedded after it. */
async function tab(
  name: string,
  vectors: 'f32' | 'int8' = 'f32',
  before?: () => Promise<void>,
): Promise<Tab> {
  const store = await IndexedDBVectorStore.open({ name, vectors });
  const { embedder } = counting({ ...(before && { before }) });
  return { store, index: await open('', { store, embedder }) };
}

/** All that a tab knows, vectors included. */
async function whole({ index, store }: Tab): Promise<unknown> {
  const state = await stateOf(index);
  const entries = [...store.entries.values()].sort((a, b) => a.rows[0]! - b.rows[0]!);
  return {
    ...state,
    entries,
    vectors: entries.map((entry) => Array.from(entry.rows, (_, at) => store.vectorAt({ entry, at }))),
  };
}

/** What whoever opens the index now finds. */
async function opened(name: string, vectors?: 'f32' | 'int8'): Promise<unknown> {
  // What waits for its vectors is to wait on, so that the states can be compared; questions are embedded.
  const fresh = await tab(name, vectors, () => new Promise(() => {}));
  const state = await whole(fresh);
  await fresh.index.close();
  return state;
}

/** Has a tab forget what it was told, as one that the browser has frozen. */
function freeze(): () => void {
  const original = Object.getOwnPropertyDescriptor(BroadcastChannel.prototype, 'onmessage')!;
  Object.defineProperty(BroadcastChannel.prototype, 'onmessage', { configurable: true, set() {} });
  const restore = () => Object.defineProperty(BroadcastChannel.prototype, 'onmessage', original);
  undo.push(restore);
  return restore;
}

/** A page served over plain http has none. */
function withoutLocks(): void {
  Object.defineProperty(navigator, 'locks', { configurable: true, value: undefined });
  undo.push(() => Reflect.deleteProperty(navigator, 'locks'));
}

const changes: [string, (writer: Tab) => Promise<unknown>][] = [
  ['added documents', ({ index }) => index.add([numbered(20), numbered(21)])],
  ['replaced one by a longer one', ({ index }) => index.add([doc('d1', 'zebra', 'a', 'b', 'gate2 c', 'd')])],
  ['removed one', ({ index }) => index.remove('d2')],
  [
    'removed one and added it again',
    async ({ index }) => {
      await index.remove('d2');
      await index.add([numbered(2)]);
    },
  ],
  ['patched metadata', ({ store }) => store.updateMetadata('d0', { lang: 'de' })],
  ['removed all', ({ index }) => index.sync([])],
  ['removed all and added others', ({ index }) => index.sync([numbered(30)])],
];

describe('a tab that reads', () => {
  it.each(changes)('follows another one that has %s', async (_, change) => {
    const name = freshName();
    const [reader, writer] = [await tab(name), await tab(name)];
    await writer.index.add(Array.from({ length: 8 }, (__, at) => numbered(at)));
    await whole(reader);
    await change(writer);
    expect(await whole(reader)).toEqual(await opened(name));
    expect(await whole(writer)).toEqual(await opened(name));
  });

  it('reads what was written since, and no more', async () => {
    const name = freshName();
    // Frozen, so that the reads are those of the call.
    const thaw = freeze();
    const [reader, writer] = [await tab(name), await tab(name)];
    await writer.index.add(Array.from({ length: 60 }, (_, at) => numbered(at)));
    await reader.index.search('zebra');
    await writer.index.add([numbered(70)]);
    const [vectors, words, texts] = [reads('vectors'), reads('lexical'), reads('texts')];
    expect((await found(reader.index, 'number70')).map(([id]) => id)).toEqual(['d70#0']);
    // Its segment of vectors, its words after each of the two commits at the most, and the hit's text.
    expect(vectors.count).toBe(1);
    expect(words.count).toBeLessThanOrEqual(2);
    expect(texts.count).toBe(1);
    thaw();
    expect(await whole(reader)).toEqual(await opened(name));
  });

  it('follows when the rows were numbered anew', async () => {
    const name = freshName();
    const [reader, writer] = [await tab(name), await tab(name)];
    const many = Array.from({ length: 30 }, (_, at) =>
      doc(`m${at}`, ...Array.from({ length: 40 }, (__, line) => `zebra ${at} line${line}`)),
    );
    await writer.index.add([numbered(1), ...many, numbered(2)]);
    expect((await reader.index.stats()).chunks).toBe(1204);
    await reader.index.search('zebra');
    await writer.index.remove(many.slice(0, 20).map(({ uri }) => uri));
    // 800 of 1204 rows are gone, more than are left.
    expect(Math.max(...writer.store.entries.get('d2')!.rows)).toBe(403);
    expect(await whole(reader)).toEqual(await opened(name));
    await reader.index.add([numbered(3)]);
    expect(await whole(writer)).toEqual(await opened(name));
  });

  it('reads everything when it has missed more removals than are remembered', async () => {
    const name = freshName();
    const thaw = freeze();
    const [reader, writer] = [await tab(name), await tab(name)];
    // An index that is not asked, since asking makes it follow.
    await writer.index.add([numbered(0)]);
    expect((await reader.index.stats()).documents).toBe(1);
    const many = Array.from({ length: 1100 }, (_, at) => ({
      id: `r${at}#0`,
      text: `t ${at}`,
      embedding: [at],
    }));
    const padded = many.map((one) => ({ ...one, embedding: [...one.embedding, ...Array(25).fill(1)] }));
    await writer.store.upsert(padded);
    await reader.index.stats();
    await writer.store.removeMany(many.slice(0, 1050).map(({ id }) => id.slice(0, -2)));
    await writer.index.add([numbered(1)]);
    expect(await whole(reader)).toEqual(await opened(name));
    expect((await reader.index.stats()).documents).toBe(52);
    thaw();
  });

  it('does not take a store that was deleted and filled anew for the one it knew', async () => {
    const name = freshName();
    freeze();
    const reader = await tab(name);
    await reader.index.add([doc('a', 'zebra')]);
    expect((await found(reader.index, 'zebra')).length).toBe(1);
    // As when the site's data was cleared: no event reaches the tab before it is asked again.
    closeByBrowser((await connectionsOf(reader))[0]!);
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.deleteDatabase(`shelfmark:${name}`);
      request.onsuccess = () => resolve();
      request.onerror = () => reject(request.error);
    });
    const other = await tab(name);
    await other.index.add([doc('a', 'otter')]);
    expect(await found(reader.index, 'zebra')).toEqual([]);
    expect((await found(reader.index, 'otter')).map(([id]) => id)).toEqual(['a#0']);
    expect(await whole(reader)).toEqual(await opened(name));
  });
});

/** The connection of a tab, caught at its next transaction. */
async function connectionsOf({ index }: Tab): Promise<IDBDatabase[]> {
  const all: IDBDatabase[] = [];
  const original = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...args) {
    all.push(this);
    return original.apply(this, args);
  };
  await index.documents();
  IDBDatabase.prototype.transaction = original;
  return all;
}

/** One thing that one of the two tabs does. */
const operation = fc.record({
  who: fc.nat(1),
  what: fc.oneof(
    fc.record({
      do: fc.constant('add' as const),
      n: fc.nat(11),
      salt: fc.constantFrom('', 'x', 'longer\nby lines'),
    }),
    fc.record({ do: fc.constant('remove' as const), n: fc.nat(11) }),
    fc.record({ do: fc.constant('patch' as const), n: fc.nat(11), salt: fc.constantFrom('en', 'de') }),
    fc.record({ do: fc.constant('sync' as const), n: fc.nat(11) }),
    fc.record({ do: fc.constant('words' as const), n: fc.nat(11), salt: fc.constantFrom('p', 'q') }),
    fc.record({ do: fc.constant('look' as const) }),
  ),
});
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

async function run(tabs: Tab[], { who, what }: Operation): Promise<void> {
  const { index, store } = tabs[who]!;
  if (what.do === 'add') await index.add([numbered(what.n, what.salt)]);
  else if (what.do === 'remove') await index.remove(`d${what.n}`);
  else if (what.do === 'patch') await store.updateMetadata(`d${what.n}`, { lang: what.salt });
  else if (what.do === 'sync') {
    await index.sync(Array.from({ length: what.n }, (_, at) => numbered(at, at % 2 === 0 ? '' : 'x')));
  } else if (what.do === 'words') {
    // Stored without vectors, as by a tab without an embedder.
    const words = await open('', { store });
    await words.add([numbered(what.n, what.salt)]);
  } else await index.search('zebra gate2');
}

describe('two tabs that write', () => {
  it.each(['f32', 'int8'] as const)(
    'know the same after whatever they did one after the other, %s',
    async (vectors) => {
      await fc.assert(
        fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 14 }), async (operations) => {
          const name = freshName();
          const tabs = [await tab(name, vectors), await tab(name, vectors)];
          const reader = await tab(name, vectors);
          for (const one of operations) await run(tabs, one);
          const expected = await opened(name, vectors);
          for (const one of [...tabs, reader]) expect(await whole(one)).toEqual(expected);
          for (const one of [...tabs, reader]) await one.index.close();
        }),
        { numRuns: 25 },
      );
    },
  );

  it.each([
    ['with locks', () => {}],
    ['without navigator.locks', withoutLocks],
  ])('lose none of what they write at once, %s', async (_, prepare) => {
    prepare();
    const name = freshName();
    const tabs = [await tab(name), await tab(name), await tab(name)];
    const all = Array.from({ length: 30 }, (__, at) => numbered(at));
    await Promise.all(all.map((one, at) => tabs[at % 3]!.index.add([one])));
    expect((await tabs[0]!.index.documents()).map(({ uri }) => uri).sort()).toEqual(
      all.map(({ uri }) => uri).sort(),
    );
    expect(await tabs[0]!.index.stats()).toMatchObject({ documents: 30, pending: 0 });
    await Promise.all([
      tabs[0]!.index.remove(['d0', 'd1']),
      tabs[1]!.index.add([numbered(2, 'anew')]),
      tabs[2]!.store.updateMetadata('d3', { lang: 'de' }),
    ]);
    const expected = await opened(name);
    for (const one of tabs) expect(await whole(one)).toEqual(expected);
    expect(await tabs[0]!.index.text('d2')).toBe(numbered(2, 'anew').text);
    expect((await tabs[1]!.index.chunks('d3'))[0]!.metadata).toEqual({ lang: 'de' });
    expect((await tabs[2]!.index.stats()).documents).toBe(28);
  });
});
