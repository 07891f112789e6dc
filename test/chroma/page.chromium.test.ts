import * as chromadb from 'chromadb';
import { expect, inject, it } from 'vitest';
import { ChromaVectorStore } from '../../src/chroma/index.ts';
import { openIndex } from '../../src/index.ts';
import { counting, doc, found, numbered } from '../browser/watch.ts';

const documents = [
  ...Array.from({ length: 12 }, (_, at) => numbered(at)),
  doc('last', 'a walrus on the ice', 'and a whale'),
];

it('an index in a page keeps its vectors on the server, and finds the same when it is opened again', async () => {
  const { embedder, asked } = counting();
  const collection = `page-${Date.now()}`;
  const openStore = () =>
    ChromaVectorStore.open({ url: inject('chroma'), collection, chromadb, embedder: embedder.id });
  const local = await openIndex({ persist: false, embedder });
  await local.add(documents);
  const index = await openIndex({ store: await openStore(), embedder });
  expect(await index.add(documents)).toMatchObject({ documents: 13, failed: [] });
  expect(await index.stats()).toMatchObject({ documents: 13, persistent: true, embedder: 'counting' });
  asked.length = 0;
  const again = await openIndex({ store: await openStore(), embedder });
  for (const one of [index, again]) {
    for (const mode of ['lexical', 'semantic', 'hybrid'] as const) {
      const [here, there] = [
        await found(local, 'walrus number7', mode),
        await found(one, 'walrus number7', mode),
      ];
      const best = (list: [string, number][]) =>
        list.slice(0, 3).map(([id, score]) => [id, Number(score.toFixed(5))]);
      expect(best(there), mode).toEqual(best(here));
    }
  }
  expect(await again.remove(['d0', 'last'])).toBe(2);
  expect((await again.documents()).map(({ uri }) => uri)).not.toContain('last');
  expect(asked).toEqual([]);
  await expect(
    ChromaVectorStore.open({ url: inject('chroma'), collection, chromadb, embedder: 'another' }),
  ).rejects.toMatchObject({ code: 'EMBEDDER_MISMATCH' });
});

it('a store without a server says how to start one and what a page needs', async () => {
  const nobody = ChromaVectorStore.open({
    url: 'http://127.0.0.1:9',
    collection: 'none',
    chromadb,
    retries: 0,
  });
  await expect(nobody).rejects.toMatchObject({
    code: 'STORE_FAILED',
    message: expect.stringMatching(/http:\/\/127\.0\.0\.1:9.*CHROMA_CORS_ALLOW_ORIGINS/),
  });
});
