import { describe, expect, it } from 'vitest';
import { ShelfmarkError } from '../../src/errors.ts';
import type { IndexedDBVectorStore } from '../../src/store/idb.ts';
import { abortAtTheEnd, abortForQuota, failPut } from './faults.ts';
import { open, record, stateOf, three, undo } from './idb-helpers.ts';

const mutations: [string, (store: IndexedDBVectorStore) => Promise<unknown>][] = [
  ['upsert', (store) => store.upsert([record('a#0', [0, 2], { text: 'new' }), record('c#0', [1, 1])])],
  ['remove', (store) => store.remove('a')],
  ['removeWhere', (store) => store.removeWhere({ k: 1 })],
  ['updateMetadata', (store) => store.updateMetadata('a', { k: 2 })],
];

/** All but what only removes, which is done on a full disk, too: see full-disk.test.ts. */
const writing = mutations.filter(([name]) => name !== 'remove');

describe('an IndexedDBVectorStore whose disk fails', () => {
  it.each(writing)(
    'is as it was when %s runs out of space without a request failing (B095, B096)',
    async (_, change) => {
      const store = await open();
      await store.upsert(three);
      const before = await stateOf(store);
      for (const n of [1, 2]) {
        const restore = abortForQuota(n);
        const failed = change(store);
        await expect(failed).rejects.toBeInstanceOf(ShelfmarkError);
        await expect(failed).rejects.toMatchObject({
          code: 'QUOTA_EXCEEDED',
          cause: expect.objectContaining({ name: 'QuotaExceededError' }),
          message: expect.stringMatching(/space.*MB of .* MB/),
          estimate: { usage: expect.any(Number), quota: expect.any(Number) },
        });
        restore();
        expect(await stateOf(store)).toEqual(before);
      }
      await change(store);
      const after = await stateOf(store);
      expect(after).not.toEqual(before);
      await store.close();
      expect(await stateOf(await open(store.name))).toEqual(after);
    },
  );

  it.each(mutations)(
    'is as it was when %s fails after its requests succeeded (B097)',
    async (name, change) => {
      const store = await open();
      await store.upsert(three);
      const before = await stateOf(store);
      const full = new DOMException('The disk is full.', 'QuotaExceededError');
      for (const [error, code] of [
        [null, 'ABORTED'],
        [full, 'QUOTA_EXCEEDED'],
      ] as const) {
        if (error === full && name === 'remove') continue;
        const restore = abortAtTheEnd(error);
        await expect(change(store)).rejects.toMatchObject({ code });
        restore();
      }
      expect(await stateOf(store)).toEqual(before);
    },
  );

  it('is as it was when a write throws, whatever it throws', async () => {
    const store = await open();
    await store.upsert(three);
    const before = await stateOf(store);
    for (const [error, code] of [
      [new DOMException('no room', 'QuotaExceededError'), 'QUOTA_EXCEEDED'],
      [new DOMException('disk trouble', 'UnknownError'), 'STORE_CORRUPT'],
      [new Error('boom'), 'STORE_CORRUPT'],
    ] as const) {
      const restore = failPut(2, () => {
        throw error;
      });
      await expect(store.upsert([record('c#0', [2, 2])])).rejects.toMatchObject({ code, cause: error });
      restore();
      expect(await stateOf(store)).toEqual(before);
    }
  });

  it('shows nothing of a change before it is committed', async () => {
    const store = await open();
    await store.upsert(three);
    let during: Promise<string[]> | undefined;
    undo.push(
      failPut(1, () => {
        during = store.listDocumentIds();
      }),
    );
    await store.upsert([record('c#0', [2, 2])]);
    expect(await during).toEqual(['a', 'b']);
    expect(await store.listDocumentIds()).toEqual(['a', 'b', 'c']);
  });
});
