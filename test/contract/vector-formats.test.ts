import { describe, expect, it } from 'vitest';
import { vectorKernel } from '../../src/kernel/load-index.ts';
import { IndexedDBVectorStore } from '../../src/store/idb.ts';
import { MemoryVectorStore } from '../../src/store/memory.ts';
import type { RecordStore } from '../../src/store/record-store.ts';
import type { VectorFormat, VectorRecord } from '../../src/types.ts';
import { clusteredVectors } from '../clustered.ts';

const [count, dimensions] = [600, 20];
const { rows, queries } = clusteredVectors({ count, dimensions, queries: 5, seed: 3 });
const records: VectorRecord[] = Array.from({ length: count }, (_, row) => ({
  id: `d${row % 7}#${row}`,
  text: `passage ${row}`,
  embedding: rows.subarray(row * dimensions, (row + 1) * dimensions),
  metadata: { third: row % 3 === 0 },
}));
const hasDatabase = typeof indexedDB !== 'undefined';
let number = 0;
const fresh = () => `formats-${Date.now()}-${number++}`;

const kinds: [string, (vectors: VectorFormat) => Promise<RecordStore>][] = [
  ['MemoryVectorStore', async (vectors) => new MemoryVectorStore({ vectors })],
];
if (hasDatabase) {
  kinds.push(['IndexedDBVectorStore', (vectors) => IndexedDBVectorStore.open({ name: fresh(), vectors })]);
}

const find = async (store: RecordStore) =>
  Promise.all(
    queries.map(async (query) => {
      const hits = await store.search(query, { topK: 10, filter: { third: true } });
      return hits.map(({ id, score }) => ({ id, score }));
    }),
  );

describe.each(kinds)('%s', (_, open) => {
  it('says whether its search is exact', async () => {
    expect((await open('f32')).capabilities.exact).toBe(true);
    expect((await open('int8')).capabilities.exact).toBe(false);
    expect((await open('int8+f32')).capabilities.exact).toBe(false);
  });

  it('scores bytes nearly, and bytes with floats just as floats alone', async () => {
    const found = [];
    for (const format of ['f32', 'int8', 'int8+f32'] as const) {
      const store = await open(format);
      await store.upsert(records);
      await store.removeWhere({ third: false });
      found.push(await find(store));
    }
    const [floats, bytes, both] = found;
    expect(both).toEqual(floats);
    for (const [at, hits] of bytes!.entries()) {
      expect(hits).toHaveLength(10);
      for (const [rank, { score }] of hits.entries()) {
        expect(Math.abs(score - floats![at]![rank]!.score)).toBeLessThan(0.01);
      }
    }
  });

  it('keeps the bytes of the rows that stay when it is compacted', async () => {
    const store = await open('int8');
    await store.upsert(records);
    const before = (await store.search(queries[0]!, { topK: count })).filter(({ id }) =>
      id.startsWith('d3#'),
    );
    // More than a segment of tombstones, and more of them than of rows.
    await store.removeMany(['d0', 'd1', 'd2', 'd4', 'd5', 'd6']);
    expect(await store.search(queries[0]!, { topK: count })).toEqual(before);
  });
});

it('an unknown way to keep vectors is refused by name', () => {
  expect(() => new MemoryVectorStore({ vectors: 'f16' as 'f32' })).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining('"f16"') }),
  );
});

it('a kernel that gets no more memory says so, and goes on with what it has', async () => {
  const kernel = await vectorKernel({ dimensions: 65_536, format: 'f32' });
  kernel.set(0, new Float32Array(65_536).fill(1));
  // 128 MiB a segment, and linear memory ends at 4 GiB.
  if (kernel.kind === 'wasm') {
    expect(() => kernel.reserve(40 * 512)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }));
  }
  expect([...kernel.search(new Float32Array(65_536).fill(2), 3).rows]).toEqual([0]);
});

if (hasDatabase)
  describe('a stored index', () => {
    const open = (name: string, vectors?: VectorFormat) => IndexedDBVectorStore.open({ name, vectors });

    it.each<VectorFormat>(['f32', 'int8', 'int8+f32'])(
      'of %s is that again when it is opened',
      async (format) => {
        const name = fresh();
        const store = await open(name, format);
        await store.upsert(records);
        await store.remove('d5');
        await store.upsert([{ ...records[0]!, embedding: records[1]!.embedding }]);
        const before = await find(store);
        await store.close();
        const again = await open(name);
        expect(await find(again)).toEqual(before);
        expect(again.capabilities.exact).toBe(format === 'f32');
        await again.destroy();
      },
    );

    it('moves between floats alone and floats with bytes as it is told', async () => {
      const name = fresh();
      let store = await open(name, 'f32');
      await store.upsert(records);
      const found = await find(store);
      for (const format of ['int8+f32', 'f32'] as const) {
        await store.close();
        store = await open(name, format);
        expect(store.capabilities.exact).toBe(format === 'f32');
        expect(await find(store)).toEqual(found);
      }
      await store.destroy();
    });

    it.each<[VectorFormat, VectorFormat]>([
      ['int8', 'f32'],
      ['int8', 'int8+f32'],
      ['f32', 'int8'],
    ])('of %s is not opened as %s, and left as it is', async (stored, wanted) => {
      const name = fresh();
      const store = await open(name, stored);
      await store.upsert(records);
      const found = await find(store);
      await store.close();
      await expect(open(name, wanted)).rejects.toMatchObject({
        code: 'INVALID_OPTION',
        message: expect.stringContaining(`as '${stored}', not '${wanted}'`),
      });
      const again = await open(name);
      expect(await find(again)).toEqual(found);
      await again.destroy();
    });

    it('without vectors takes whatever way it is told', async () => {
      const name = fresh();
      const store = await open(name, 'int8');
      await store.upsert(records);
      await store.removeMany(await store.listDocumentIds());
      await store.close();
      const again = await open(name, 'f32');
      await again.upsert(records);
      expect(again.capabilities.exact).toBe(true);
      await again.destroy();
    });
  });
