import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as chromadb from 'chromadb';
import { describe, expect, inject, it } from 'vitest';
import { ChromaVectorStore } from '../../src/chroma/index.ts';
import { openIndex } from '../../src/open-index.ts';
import { papers } from '../browser/push-helpers.ts';
import { shelfmark } from '../cli-run.ts';
import { lettersEmbedder } from '../letters-embedder.ts';

const documents = papers(40);
const url = inject('chroma');
let counter = 0;
const fresh = () => `push-${Date.now()}-${counter++}`;

async function filled() {
  const embedder = lettersEmbedder();
  const index = await openIndex({ persist: false, embedder });
  await index.add(documents);
  return { index, embedder, chunks: (await index.stats()).chunks };
}

describe('an index that is pushed to a Chroma server', () => {
  it('is searched there by both legs, and pushed again writes nothing', async () => {
    const { index, embedder, chunks } = await filled();
    const store = await ChromaVectorStore.open({ url, collection: fresh(), chromadb, embedder: 'letters' });
    const report = await index.pushTo(store);
    expect(report).toMatchObject({ documents: 40, chunks, skipped: 0, sampled: 20 });
    expect(report.recall).toBeGreaterThan(0.9);
    expect(await index.pushTo(store)).toMatchObject({ documents: 0, chunks: 0, skipped: 40 });
    const there = await openIndex({ store, embedder });
    expect(await there.stats()).toMatchObject({ lexical: 'local', chunks, embedder: 'letters' });
    for (const filter of [undefined, { tags: ['olive'] }]) {
      const of = async (one: typeof index) =>
        (await one.search('middle 17', { mode: 'lexical', filter })).map(({ id, score }) => [id, score]);
      expect(await of(there)).toEqual(await of(index));
    }
    const best = async (one: typeof index) => (await one.search('olive kelp', { mode: 'hybrid' }))[0]?.id;
    expect(await best(there)).toBe(await best(index));
  });

  it('comes from a file at the command line too, and is gone on with', async () => {
    const { index, chunks } = await filled();
    const collection = fresh();
    const path = join(tmpdir(), `${collection}.shelf`);
    writeFileSync(path, new Uint8Array(await (await index.export()).arrayBuffer()));
    try {
      const first = await shelfmark(['push', path, '--to', url, '--header', 'x-a: 1', '--header', 'x-b: 2']);
      expect(first.notes).toBe('Storing …\n');
      expect(first.code).toBe(0);
      expect(first.out[0]).toContain(`40 documents with ${chunks} chunks pushed, 0 unchanged`);
      const again = await shelfmark(['push', path, '--to', url, '--collection', collection]);
      expect([again.code, again.out[0]]).toEqual([
        0,
        expect.stringContaining('0 chunks pushed, 40 unchanged'),
      ]);
      const store = await ChromaVectorStore.open({ url, collection, chromadb });
      expect([await store.countChunks(), store.embedder]).toEqual([chunks, 'letters']);
      const control = new AbortController();
      control.abort(new Error('enough'));
      expect((await shelfmark(['push', path, '--to', url], { signal: control.signal })).code).toBe(130);
    } finally {
      rmSync(path);
    }
  });
});
