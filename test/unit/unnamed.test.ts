import { describe, expect, it } from 'vitest';
import { ingestDocuments } from '../../src/ingest/records.ts';
import { openIndex } from '../../src/open-index.ts';
import { MemoryVectorStore } from '../../src/store/memory.ts';
import type { EmbedderLike } from '../../src/types.ts';

/** An embedder without an id, which counts letters from `first` on. */
function unnamed(first = 'a', length = 26) {
  const asked: string[] = [];
  const embedder: EmbedderLike = {
    async embed(texts) {
      asked.push(...texts);
      return texts.map((text) => {
        const vector = new Float32Array(length);
        for (const letter of text.toLowerCase()) {
          const at = letter.charCodeAt(0) - 97;
          if (at >= 0 && at < 26) vector[(at + first.charCodeAt(0) - 97) % length]! += 1;
        }
        return vector;
      });
    },
  };
  return { embedder, asked };
}

const refunds = { uri: 'refunds.md', text: 'Refunds are issued within fourteen days.' };
const zebras = { uri: 'zebras.md', text: 'Zebras zigzag over the plain.' };

/** A store as a closed index leaves it. */
async function filled(vectors: 'f32' | 'int8' = 'f32'): Promise<MemoryVectorStore> {
  const store = new MemoryVectorStore({ vectors });
  await (await openIndex({ store, embedder: unnamed().embedder })).add([refunds]);
  return store;
}

const mismatch = { code: 'EMBEDDER_MISMATCH', message: expect.stringMatching(/no id.*reembed\(\)/) };

describe('an embedder without an id', () => {
  it.each(['f32', 'int8'] as const)(
    'goes on where it left off, in another session too (%s)',
    async (vectors) => {
      const store = await filled(vectors);
      const { embedder, asked } = unnamed();
      const index = await openIndex({ store, embedder });
      expect(await index.add([refunds])).toMatchObject({ skipped: 1, embedded: 0 });
      expect(asked, 'nothing is asked of it while nothing is to be embedded').toEqual([]);
      expect(await index.add([zebras])).toMatchObject({ embedded: 1, failed: [] });
      expect((await index.search('zebra', { mode: 'semantic' }))[0]!.docUri).toBe('zebras.md');
      // One text was embedded again, to see that it is the same.
      expect(asked.filter((text) => text === refunds.text)).toHaveLength(1);
    },
  );

  it('is told from another one that makes vectors as long, before any are mixed', async () => {
    const store = await filled();
    const index = await openIndex({ store, embedder: unnamed('n').embedder });
    await expect(index.add([zebras])).rejects.toMatchObject(mismatch);
    expect(store.entries.get('zebras.md')!.pending, 'its words are in, its vectors are not').toEqual([0]);
    await expect(index.search('refunds', { mode: 'semantic' })).rejects.toMatchObject(mismatch);
    const hits = await index.search('refunds');
    expect([hits[0]!.docUri, hits.legStates.semantic]).toEqual(['refunds.md', 'failed']);
    expect(hits.legError).toMatchObject(mismatch);
  });

  it('may take over by reembed', async () => {
    const store = await filled();
    const index = await openIndex({ store, embedder: unnamed('n').embedder });
    expect(await index.reembed()).toMatchObject({ embedded: 1, failed: [] });
    expect(await index.add([zebras])).toMatchObject({ embedded: 1 });
    expect((await index.search('zebra', { mode: 'semantic' }))[0]!.docUri).toBe('zebras.md');
    const before = await openIndex({ store, embedder: unnamed().embedder });
    await expect(before.search('zebra', { mode: 'semantic' })).rejects.toMatchObject(mismatch);
  });

  it('is told apart by ingestDocuments too', async () => {
    const store = await filled();
    const ingest = (embedder: EmbedderLike) =>
      ingestDocuments([{ id: 'zebras.md', text: zebras.text }], { embedder, store });
    await expect(ingest(unnamed('n').embedder)).rejects.toMatchObject({ code: 'EMBEDDER_MISMATCH' });
    expect(await ingest(unnamed().embedder)).toBe(1);
  });
});

describe('an index that never had an embedder', () => {
  it('waits for no vectors', async () => {
    const store = new MemoryVectorStore();
    const index = await openIndex({ store });
    expect(await index.add([refunds, zebras])).toMatchObject({ unembedded: 2 });
    expect(await index.stats()).toMatchObject({ chunks: 2, pending: 0 });
    expect((await index.documents()).map(({ vectors }) => vectors)).toEqual(['none', 'none']);
    const other = await openIndex({ store, embedder: unnamed().embedder });
    await other.add([refunds, zebras]);
    expect(await other.stats()).toMatchObject({ pending: 0, dimensions: 26 });
    // From then on the vectors of whatever is added by words alone are to come.
    await index.add([{ uri: 'new.md', text: 'Something new.' }]);
    expect(await index.stats()).toMatchObject({ pending: 1 });
    expect((await index.documents()).at(-1)).toMatchObject({ uri: 'new.md', vectors: 'pending' });
  });
});

describe('what a newcomer gets wrong', () => {
  it('is told with what would be right', async () => {
    await expect(openIndex({})).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringMatching(/name.*persist: false.*from/),
    });
    const index = await openIndex({ persist: false });
    for (const document of ['# hi', 1, null, undefined]) {
      await expect(index.sync([document as never])).rejects.toMatchObject({
        code: 'INVALID_DOCUMENT',
        message: expect.stringContaining('documents[0]'),
      });
      await expect(index.sync([document as never])).rejects.toThrow(/\{ uri, text, title\?/);
    }
  });
});
