import { expect, it } from 'vitest';
import { MemoryVectorStore } from '../../src/store/memory.ts';
import { decodeSegment } from '../../src/vectors/format.ts';

const records = (word: string, embedding: number[]) =>
  Array.from({ length: 20 }, (_, at) => ({ id: `d${at}#0`, text: `${word} ${at}`, embedding }));

it('a snapshot holds the vectors of its texts, whatever is written while it is taken', async () => {
  let [before, after] = [0, 0];
  for (let wait = 0; wait < 120; wait += 3) {
    const store = new MemoryVectorStore();
    await store.upsert(records('old', [1, 0]));
    const taking = store.snapshot();
    for (let turn = 0; turn < wait; turn++) await undefined;
    const writing = store.upsert(records('new', [0, 1]));
    const { entries, texts, vectors, meta } = await taking;
    await writing;
    const { values } = decodeSegment(vectors[0], meta.dimensions, meta.vectors, 'The segment');
    for (const { id, rows } of entries) {
      const isOld = texts.get(id)!.texts![0]!.startsWith('old');
      expect([...values.subarray(rows[0]! * 2, rows[0]! * 2 + 2)]).toEqual(isOld ? [1, 0] : [0, 1]);
      if (isOld) before++;
      else after++;
    }
  }
  // Both must have been met, or nothing was tried.
  expect(before).toBeGreaterThan(0);
  expect(after).toBeGreaterThan(0);
});
