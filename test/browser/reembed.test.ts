import { describe, expect, it } from 'vitest';
import { MemoryVectorStore } from '../../src/store/memory.ts';
import type { VectorStore } from '../../src/types.ts';
import { patch } from './faults.ts';
import {
  answer,
  counting,
  doc,
  found,
  freshName,
  freshState,
  gate,
  keysOf,
  numbered,
  open,
  stateOf,
  tamper,
  undo,
} from './watch.ts';

const three = [numbered(0), numbered(1), numbered(2)];
const CHUNKS = 7;
/** More chunks than are embedded between two commits, so that an interruption leaves some done. */
const many = Array.from({ length: 600 }, (_, at) => doc(`m${at}`, `zebra number${at}`));

/** An index with the vectors of the old embedder. */
async function filled(documents = three) {
  const name = freshName();
  const index = await open(name, { embedder: counting().embedder });
  await index.add(documents);
  return { name, index };
}

/** The embedder to move to, of vectors of another length. */
const other = (before?: (texts: readonly string[]) => unknown) =>
  counting({ id: 'other', dimensions: 11, ...(before !== undefined && { before }) });

describe('reembed', () => {
  it('embeds once when two tabs ask for the same move', async () => {
    const { name, index } = await filled();
    await index.close();
    const { embedder, asked } = other();
    const [one, two] = [await open(name, { embedder }), await open(name, { embedder })];
    const reports = await Promise.all([one.reembed(), two.reembed()]);
    expect(reports.map(({ embedded }) => embedded).sort()).toEqual([0, CHUNKS]);
    expect(asked).toHaveLength(CHUNKS);
    for (const tab of [one, two]) {
      expect(await tab.stats()).toMatchObject({ embedder: 'other', pending: 0, documents: 3 });
    }
  });

  it('moves an index to another embedder of vectors of another length', async () => {
    const { name, index } = await filled();
    await index.close();
    const { embedder, asked } = other();
    const moved = await open(name, { embedder });
    await expect(moved.search('zebra')).rejects.toMatchObject({ code: 'EMBEDDER_MISMATCH' });
    const report = await moved.reembed();
    expect(report).toMatchObject({
      documents: 3,
      chunks: CHUNKS,
      embedded: CHUNKS,
      failed: [],
      embedder: 'other',
    });
    expect(asked).toHaveLength(CHUNKS);
    expect(await moved.stats()).toMatchObject({
      embedder: 'other',
      dimensions: 11,
      pending: 0,
      documents: 3,
    });
    const fresh = await open(freshName(), { embedder });
    await fresh.add(three);
    const question = 'zebra number0';
    for (const mode of ['semantic', 'lexical', 'hybrid'] as const) {
      expect(await found(moved, question, mode)).toEqual(await found(fresh, question, mode));
    }
    expect(await stateOf(moved)).toEqual(await freshState(name, { embedder }));
    expect(await keysOf(name, 'staged')).toEqual([]);
    // And from then on it is the embedder of the index.
    expect(await moved.sync([...three, numbered(3)])).toMatchObject({ added: 1, unchanged: 3, embedded: 3 });
  });

  it('of the same embedder makes all vectors anew, as after a model was mended', async () => {
    const { name, index } = await filled();
    await index.close();
    const { embedder, asked } = counting();
    const again = await open(name, { embedder });
    expect(await again.reembed()).toMatchObject({ embedded: CHUNKS });
    expect(asked).toHaveLength(CHUNKS);
    expect((await again.stats()).pending).toBe(0);
  });

  it('lets the old vectors answer in other tabs until all new ones are there, and then says why they do not', async () => {
    const { name, index } = await filled();
    const before = await found(index, 'zebra', 'semantic');
    const [begun, release] = [gate(), gate()];
    const { embedder } = other(() => {
      begun.open();
      return release.opened;
    });
    const moving = await open(name, { embedder });
    const moved = moving.reembed();
    await begun.opened;
    expect(await found(index, 'zebra', 'semantic')).toEqual(before);
    expect((await index.stats()).embedder).toBe('counting');
    release.open();
    await moved;
    await expect(index.search('zebra')).rejects.toMatchObject({ code: 'EMBEDDER_MISMATCH' });
    await expect(index.add([numbered(5)])).rejects.toMatchObject({ code: 'EMBEDDER_MISMATCH' });
    expect((await index.stats()).embedder).toBe('other');
    expect(await found(await open(name), 'number1')).toHaveLength(1);
    expect(await found(moving, 'zebra', 'semantic')).toHaveLength(CHUNKS);
  });

  it('takes in what other tabs add, change and remove meanwhile', async () => {
    const { name, index } = await filled();
    const [begun, release] = [gate(), gate()];
    const { embedder, asked } = other(() => {
      begun.open();
      return release.opened;
    });
    const moving = await open(name, { embedder });
    const moved = moving.reembed();
    await begun.opened;
    await index.add([numbered(1, 'anew'), numbered(4)]);
    await index.remove('d0');
    release.open();
    expect(await moved).toMatchObject({ documents: 3, chunks: 6, failed: [] });
    // Those of the first look, then one whose text is another and one that is new.
    expect(asked).toHaveLength(CHUNKS + 4);
    const wanted = [numbered(1, 'anew'), numbered(2), numbered(4)];
    const fresh = await open(freshName(), { embedder });
    await fresh.add(wanted);
    const sorted = async (...args: Parameters<typeof found>) =>
      (await found(...args)).sort(([a], [b]) => (a < b ? -1 : 1));
    for (const mode of ['lexical', 'semantic'] as const) {
      expect(await sorted(moving, 'zebra anew', mode)).toEqual(await sorted(fresh, 'zebra anew', mode));
    }
    expect(await keysOf(name, 'staged')).toEqual([]);
    expect(await moving.sync(wanted)).toMatchObject({ unchanged: 3, embedded: 0, removed: 0 });
  });

  it('gives vectors to documents that had none yet', async () => {
    const { name, index } = await filled();
    await index.close();
    const words = await open(name);
    await words.add([numbered(7)]);
    await words.close();
    const { embedder } = other();
    const moving = await open(name, { embedder });
    expect(await moving.reembed()).toMatchObject({ documents: 4, embedded: CHUNKS + 2 });
    expect((await moving.stats()).pending).toBe(0);
  });

  it('that is aborted leaves the old vectors, and is resumed without embedding anything twice', async () => {
    const { name, index } = await filled(many);
    const stop = new AbortController();
    const reason = new Error('enough');
    let calls = 0;
    const { embedder, asked } = other(() => {
      // Late enough for a group to be put aside.
      if (++calls === 12) stop.abort(reason);
    });
    const moving = await open(name, { embedder });
    await expect(moving.reembed({ signal: stop.signal })).rejects.toBe(reason);
    expect((await index.stats()).embedder).toBe('counting');
    expect(await found(index, 'zebra', 'semantic')).toHaveLength(600);
    const aside = (await keysOf(name, 'staged')).length;
    expect(aside).toBeGreaterThan(0);
    expect(aside).toBeLessThan(600);
    asked.length = 0;
    expect(await moving.reembed()).toMatchObject({ documents: 600, embedded: 600 - aside });
    expect(asked).toHaveLength(600 - aside);
    expect((await moving.stats()).embedder).toBe('other');
  });

  it('that ends with its tab is resumed by another, without embedding anything twice', async () => {
    const { name, index } = await filled(many);
    await index.close();
    let calls = 0;
    const [late, release] = [gate(), gate()];
    const first = other(() => {
      if (++calls < 12) return;
      late.open();
      return release.opened;
    });
    const moving = await open(name, { embedder: first.embedder });
    const moved = moving.reembed();
    await late.opened;
    await moving.close();
    release.open();
    await expect(moved).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    const aside = (await keysOf(name, 'staged')).length;
    expect(aside).toBeGreaterThan(0);
    const { embedder, asked } = other();
    const again = await open(name, { embedder });
    expect(await again.reembed()).toMatchObject({ documents: 600, embedded: 600 - aside });
    expect(asked).toHaveLength(600 - aside);
    expect(await again.stats()).toMatchObject({ embedder: 'other', pending: 0 });
  });

  it.each<[string, (one: { values: Float32Array; dimensions: number }) => object]>([
    ['are cut', ({ values }) => ({ values: values.slice(0, 3) })],
    ['are of no length that fits', () => ({ dimensions: 7 })],
    ['are no numbers', ({ values }) => ({ values: values.map(() => Number.NaN) })],
    [
      'are altered',
      ({ values }) => ({ values: values.map((value, at) => (at === 5 ? value + 0.25 : value)) }),
    ],
    ['have no checksum', () => ({ checksum: undefined })],
    ['are gone', () => ({ values: undefined })],
  ])('makes vectors again that were put aside and %s', async (_, damage) => {
    const name = freshName();
    const old = await open(name, { embedder: counting().embedder });
    // More than are put aside at once, so that the second time finds some.
    await old.add(Array.from({ length: 200 }, (__, at) => numbered(at)));
    const expected = await open('', { store: new MemoryVectorStore(), embedder: other().embedder });
    await expected.add(Array.from({ length: 200 }, (__, at) => numbered(at)));
    await old.close();
    const abort = new AbortController();
    let asked = 0;
    const before = (texts: readonly string[]) => {
      asked += texts.length;
      if (asked > 230) abort.abort();
    };
    const first = await open(name, {
      embedder: counting({ id: 'other', dimensions: 11, before }).embedder,
    });
    await expect(first.reembed({ signal: abort.signal })).rejects.toThrow();
    await first.close();
    await tamper(name, async (tx) => {
      const aside = tx.objectStore('staged');
      const [one] = await answer(aside.getAll());
      aside.put({ ...one, ...damage(one) });
    });
    const second = await open(name, { embedder: other().embedder });
    await second.reembed();
    expect(await second.stats()).toMatchObject({ embedder: 'other', dimensions: 11, pending: 0 });
    expect(await found(second, 'zebra', 'semantic')).toEqual(await found(expected, 'zebra', 'semantic'));
  });

  it('whose exchange fails leaves the old vectors, and is completed by the same call', async () => {
    const { name, index } = await filled();
    const before = await stateOf(index);
    const { embedder, asked } = other();
    const moving = await open(name, { embedder });
    const restore = patch(IDBObjectStore.prototype, 'put', (original) => {
      return function (this: IDBObjectStore, ...args: Parameters<IDBObjectStore['put']>) {
        const request = original.apply(this, args);
        const { transaction } = this;
        if (this.name === 'meta') request.addEventListener('success', () => transaction.abort());
        return request;
      };
    });
    undo.push(restore);
    await expect(moving.reembed()).rejects.toMatchObject({ code: 'ABORTED' });
    restore();
    expect(await stateOf(index)).toEqual(before);
    expect(await keysOf(name, 'staged')).toEqual(['d0', 'd1', 'd2']);
    expect(await moving.reembed()).toMatchObject({ documents: 3, embedded: 0 });
    expect(asked).toHaveLength(CHUNKS);
    expect(await stateOf(moving)).toEqual(await freshState(name, { embedder }));
  });

  it('names a document that the new embedder fails on, and stays with the old one until that is mended', async () => {
    const { name, index } = await filled();
    let cursed = true;
    const { embedder, asked } = other((texts) => {
      if (cursed && texts.some((text) => text.includes('number1'))) throw new Error('cannot read that');
    });
    const moving = await open(name, { embedder });
    expect(await moving.reembed()).toMatchObject({
      failed: [{ uri: 'd1', code: 'EMBEDDER_FAILED', reason: expect.stringContaining('cannot read that') }],
    });
    expect((await index.stats()).embedder).toBe('counting');
    expect(await found(index, 'zebra', 'semantic')).toHaveLength(CHUNKS);
    cursed = false;
    asked.length = 0;
    expect(await moving.reembed()).toMatchObject({ failed: [], documents: 3, embedded: 2 });
    expect(asked).toHaveLength(2);
    expect((await moving.stats()).embedder).toBe('other');
  });

  it('of an index without documents leaves it ready for the new embedder', async () => {
    const name = freshName();
    const index = await open(name, { embedder: counting().embedder });
    await index.sync(three);
    await index.sync([]);
    await index.close();
    const moving = await open(name, { embedder: other().embedder });
    expect(await moving.reembed()).toMatchObject({ documents: 0, embedded: 0, failed: [] });
    expect(await moving.add(three)).toMatchObject({ embedded: CHUNKS });
    expect(await moving.stats()).toMatchObject({ embedder: 'other', dimensions: 11 });
  });

  it('works in memory, where nobody else sees it', async () => {
    const store = new MemoryVectorStore();
    const index = await open('', { store, embedder: counting().embedder });
    await index.add(three);
    const moving = await open('', { store, embedder: other().embedder });
    expect(await moving.reembed()).toMatchObject({ documents: 3, embedded: CHUNKS });
    expect(await moving.stats()).toMatchObject({ embedder: 'other', dimensions: 11 });
    expect(await found(moving, 'number1 gate1', 'semantic')).toHaveLength(CHUNKS);
    await expect(index.search('zebra')).rejects.toMatchObject({ code: 'EMBEDDER_MISMATCH' });
  });

  it('needs an embedder, and a store that keeps two sets of vectors', async () => {
    const { name, index } = await filled();
    await index.close();
    const words = await open(name);
    await expect(words.reembed()).rejects.toMatchObject({ code: 'UNSUPPORTED', message: /embedder/ });
    const inner = new MemoryVectorStore();
    const store = new Proxy({} as VectorStore, {
      get: (_, key) => {
        const value = Reflect.get(inner, key);
        return typeof value === 'function' ? value.bind(inner) : value;
      },
    });
    const foreign = await open('', { store, embedder: counting().embedder });
    await foreign.add(three);
    await expect(foreign.reembed()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });
});
