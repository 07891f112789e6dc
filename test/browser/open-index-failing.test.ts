/** An embedder that never answers a vector: documents are stored and found by words, and everything says why. */
import { describe, expect, it } from 'vitest';
import { ShelfmarkError } from '../../src/errors.ts';
import { freshName, guide, notes, open } from './index-helpers.ts';

let broken = true;
const embedder = {
  id: 'broken',
  async embed(texts: readonly string[]) {
    if (broken) throw new Error('no device');
    return texts.map((text) => [text.length, 1]);
  },
};
const unloaded = {
  ...embedder,
  async load() {
    throw new ShelfmarkError('MODEL_LOAD_FAILED', 'The model is not there.');
  },
};

describe('an embedder that fails on every document', () => {
  it.each([true, false])(
    'leaves them stored and found by words, and says so (persist: %s)',
    async (persist) => {
      broken = true;
      const index = await open({ embedder, persist });
      const report = await index.add([guide, notes]);
      const { chunks } = await index.stats();
      expect(chunks).toBeGreaterThan(2);
      expect(report).toMatchObject({ documents: 2, chunks, embedded: 0, unembedded: chunks, skipped: 0 });
      expect(report.failed).toEqual(
        [guide, notes].map(({ uri }) => ({
          uri,
          code: 'EMBEDDER_FAILED',
          reason: expect.stringContaining('no device'),
        })),
      );
      expect(await index.stats()).toMatchObject({
        ...{ documents: 2, pending: chunks },
        pendingError: expect.stringContaining('no device'),
      });
      for (const mode of ['auto', 'hybrid'] as const) {
        const hits = await index.search('zebra', { mode });
        expect(hits[0]!.docUri).toBe('guide.md');
        expect(hits.legStates).toEqual({ lexical: 'used', semantic: 'failed' });
        expect(hits.legError).toMatchObject({
          code: 'EMBEDDER_FAILED',
          message: expect.stringContaining('no device'),
        });
      }
      await expect(index.search('zebra', { mode: 'semantic' })).rejects.toMatchObject({
        code: 'EMBEDDER_FAILED',
      });
      expect((await index.search('zebra', { mode: 'lexical' })).legStates.semantic).toBe('unused');

      // Given again: nothing is stored anew, and it fails as before.
      expect(await index.sync([guide, notes])).toMatchObject({
        ...{ documents: 0, added: 0, changed: 0, unchanged: 0 },
        failed: [{ uri: 'guide.md' }, { uri: 'notes.md' }],
      });
      // Other documents' removal mends nothing.
      await index.remove('notes.md');
      expect((await index.stats()).pendingError).toContain('no device');

      broken = false;
      const left = (await index.stats()).pending;
      expect(await index.add([guide])).toMatchObject({ documents: 1, embedded: left, failed: [] });
      const stats = await index.stats();
      expect(stats.pending).toBe(0);
      expect(stats.pendingError).toBeUndefined();
      const hits = await index.search('zebra', { mode: 'hybrid' });
      expect(hits.legStates).toEqual({ lexical: 'used', semantic: 'used' });
    },
  );

  it('is told by the next open as well', async () => {
    broken = true;
    const name = freshName();
    const first = await open({ name, embedder });
    await first.add([guide]);
    await first.close();
    const again = await open({ name, embedder });
    await expect.poll(async () => (await again.stats()).pendingError).toContain('no device');
    expect((await again.search('zebra')).legStates).toEqual({ lexical: 'used', semantic: 'failed' });
  });

  it('whose model cannot be had rejects, and what was stored by then is found by words', async () => {
    const index = await open({ embedder: unloaded });
    await expect(index.add([guide])).rejects.toMatchObject({ code: 'MODEL_LOAD_FAILED' });
    expect(await index.stats()).toMatchObject({ documents: 1, pendingError: 'The model is not there.' });
    const hits = await index.search('zebra', { mode: 'hybrid' });
    expect(hits[0]!.docUri).toBe('guide.md');
    expect(hits.legStates).toEqual({ lexical: 'used', semantic: 'failed' });
    expect(hits.legError).toMatchObject({ code: 'MODEL_LOAD_FAILED' });
  });

  it('is no fault of an index without documents', async () => {
    const index = await open({ embedder: unloaded });
    expect((await index.search('zebra')).legStates).toEqual({ lexical: 'used', semantic: 'unused' });
    expect((await index.stats()).pendingError).toBeUndefined();
  });
});
