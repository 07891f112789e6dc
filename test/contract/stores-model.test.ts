import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyMetadataPatch, matchesFilter } from '../../src/store/metadata.ts';
import type { RecordStore } from '../../src/store/record-store.ts';
import type { Filter, Metadata, VectorRecord } from '../../src/types.ts';
import { storeKinds } from './store-kinds.ts';

/** What a store is to do, in the fewest words: a list of records, scanned each time. */
class NaiveStore {
  records: VectorRecord[] = [];

  upsert(records: VectorRecord[]): void {
    for (const record of records) {
      const at = this.records.findIndex(({ id }) => id === record.id);
      if (at < 0) this.records.push(record);
      else this.records[at] = record;
    }
  }

  removeMany(ids: string[]): void {
    this.records = this.records.filter(({ id }) => !ids.includes(documentOf(id)));
  }

  removeWhere(filter: Filter): number {
    const before = this.records.length;
    this.records = this.records.filter(({ metadata }) => !matchesFilter(metadata, filter));
    return before - this.records.length;
  }

  updateMetadata(id: string, patch: Metadata): number {
    if (Object.values(patch).every((value) => value === undefined)) return 0;
    let count = 0;
    this.records = this.records.map((record) => {
      if (documentOf(record.id) !== id) return record;
      count++;
      return { ...record, metadata: applyMetadataPatch(record.metadata, patch) };
    });
    return count;
  }

  search(query: number[], topK: number, filter: Filter | undefined) {
    return this.records
      .filter(({ metadata }) => matchesFilter(metadata, filter))
      .map(({ embedding, ...rest }) => ({ ...rest, score: cosine(query, embedding as number[]) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, topK);
  }
}

const documentOf = (id: string) => /^(.*)#\d+$/s.exec(id)?.[1] ?? id;

function cosine(a: number[], b: number[]): number {
  const dot = a.reduce((sum, value, at) => sum + value * b[at]!, 0);
  const scale = Math.hypot(...a) * Math.hypot(...b);
  return scale === 0 ? 0 : dot / scale;
}

const id = fc.constantFrom('a#0', 'a#1', 'a#10', 'a', 'b#0', 'b#2', 'c#1', 'c', '#0', 'x#1#0', 'x#1');
const metadata = fc.option(
  fc.dictionary(
    fc.constantFrom('k', 't', '__proto__'),
    fc.constantFrom<unknown>(1, 'x', null, ['x', 'y'], true),
  ),
  { nil: undefined },
);
const filter = fc.dictionary(fc.constantFrom('k', 't'), fc.constantFrom<unknown>(1, 'x', ['x', 1], [], null));
const patch = fc.dictionary(
  fc.constantFrom('k', 't', 'n'),
  fc.constantFrom<unknown>(2, 'y', null, undefined),
);
const vector = fc.tuple(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -2, max: 2 }));
const record = fc.record({ id, text: fc.stringMatching(/^[a-z]{1,8}$/), embedding: vector, metadata }).map(
  ({ metadata: given, ...rest }): VectorRecord => ({
    ...rest,
    ...(given !== undefined && { metadata: given }),
  }),
);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ op: fc.constant('upsert' as const), records: fc.array(record, { maxLength: 5 }) }),
  },
  fc.record({
    op: fc.constant('remove' as const),
    ids: fc.array(fc.constantFrom('a', 'b', 'c', '', 'x', 'x#1'), { maxLength: 3 }),
  }),
  fc.record({ op: fc.constant('removeWhere' as const), filter }),
  fc.record({ op: fc.constant('update' as const), document: fc.constantFrom('a', 'b', 'x#1', 'no'), patch }),
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('search' as const), query: vector, topK: fc.nat(6), filter }),
  },
  fc.record({ op: fc.constant('reopen' as const) }),
);

const runs = 60;
const kinds = await storeKinds();

describe.each(kinds)('$name and a naive list of records', ({ open, reopen, dispose }) => {
  it('say the same after any calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 16 }), async (steps) => {
        let store: RecordStore = await open();
        const naive = new NaiveStore();
        for (const one of steps) {
          if (one.op === 'upsert') {
            await store.upsert(one.records);
            naive.upsert(one.records);
          } else if (one.op === 'remove') {
            await store.removeMany(one.ids);
            naive.removeMany(one.ids);
          } else if (one.op === 'removeWhere') {
            if (Object.keys(one.filter).length === 0) continue;
            expect(await store.removeWhere(one.filter)).toBe(naive.removeWhere(one.filter));
          } else if (one.op === 'update') {
            const counted = await store.updateMetadata(one.document, one.patch);
            expect(counted).toBe(naive.updateMetadata(one.document, one.patch));
          } else if (one.op === 'search') {
            await compareSearch(store, naive, one);
          } else store = await reopen(store);
        }
        await compareLists(store, naive);
        await dispose(store);
      }),
      { numRuns: runs },
    );
  });
});

async function compareSearch(
  store: RecordStore,
  naive: NaiveStore,
  { query, topK, filter: by }: { query: [number, number]; topK: number; filter: Filter },
): Promise<void> {
  const actual = await store.search(query, { topK, filter: by });
  const whole = naive.search(query, naive.records.length, by);
  expect(actual).toHaveLength(Math.min(topK, whole.length));
  for (const [at, { score, ...rest }] of actual.entries()) {
    expect(score).toBeCloseTo(whole[at]!.score, 6);
    const same = whole.find((one) => one.id === rest.id)!;
    expect(rest).toEqual({ ...same, score: undefined });
    expect(same.score).toBeCloseTo(score, 6);
  }
}

async function compareLists(store: RecordStore, naive: NaiveStore): Promise<void> {
  const documents = [...new Set(naive.records.map((one) => documentOf(one.id)))];
  expect(await store.listDocumentIds()).toEqual(documents);
  expect(await store.countChunks()).toBe(naive.records.length);
  expect(await store.listDocuments()).toEqual(
    documents.map((name) => {
      const first = naive.records.find((one) => documentOf(one.id) === name)!;
      return { id: name, ...(first.metadata !== undefined && { metadata: first.metadata }) };
    }),
  );
  for (const name of documents) {
    const chunks = naive.records
      .filter((one) => documentOf(one.id) === name)
      .map(({ embedding: _, ...rest }) => ({ ...rest, index: Number(/#(\d+)$/.exec(rest.id)?.[1] ?? 0) }))
      .sort((a, b) => a.index - b.index);
    expect(await store.listChunks(name)).toEqual(chunks);
  }
}
