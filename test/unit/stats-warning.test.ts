import { expect, it } from 'vitest';
import { openIndex } from '../../src/index.ts';
import { tabChunks } from '../../src/options.ts';
import type { ChunkRecord, LexicalVectorStore } from '../../src/types.ts';

/** A store of one document of so many chunks, which answers words itself. */
const storeOf = (count: number): LexicalVectorStore => ({
  capabilities: { exact: false, lexical: true, persistent: true },
  upsert: async () => {},
  search: async () => [],
  searchText: async () => [],
  remove: async () => {},
  removeMany: async () => {},
  removeWhere: async () => 0,
  updateMetadata: async () => 0,
  listDocuments: async () => [{ id: 'log' }],
  listDocumentIds: async () => ['log'],
  listChunks: async () =>
    Array.from({ length: count }, (_, index): ChunkRecord & { index: number } => ({
      id: `log#${index}`,
      text: 'x',
      index,
    })),
  countChunks: async () => count,
});

it('stats() warns of more chunks than one tab is meant for, and of no fewer', async () => {
  const just = await openIndex({ store: storeOf(tabChunks) });
  expect((await just.stats()).warning).toBeUndefined();
  const more = await openIndex({ store: storeOf(tabChunks + 1) });
  const { chunks, warning } = await more.stats();
  expect(chunks).toBe(tabChunks + 1);
  expect(warning).toContain('250001 chunks are more than the 250000');
  expect(warning).toMatch(/divide .* pushTo\(\)/);
});
