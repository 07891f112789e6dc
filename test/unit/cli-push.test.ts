import { expect, it } from 'vitest';
import { openIndex } from '../../src/open-index.ts';
import type { EmbedderLike } from '../../src/types.ts';
import { Folder, shelfmark } from '../cli-run.ts';
import { lettersEmbedder } from '../letters-embedder.ts';

async function fileBy(embedder: EmbedderLike | undefined): Promise<Uint8Array> {
  const index = await openIndex({ persist: false, embedder });
  await index.add([{ uri: 'a.md', text: 'Refunds are issued within fourteen days.' }]);
  return new Uint8Array(await (await index.export()).arrayBuffer());
}

it('push says what it lacks: vectors, a file, the client of Chroma', async () => {
  using folder = new Folder({
    'words.shelf': await fileBy(undefined),
    'vectors.shelf': await fileBy(lettersEmbedder()),
  });
  const push = (name: string) =>
    shelfmark(['push', name, '--to', 'http://localhost:1'], { cwd: folder.path });
  expect(await push('words.shelf')).toEqual({
    code: 1,
    out: [],
    notes: 'words.shelf has no vectors to push; build it with --embed. (UNSUPPORTED)\n',
  });
  expect(await push('none.shelf')).toMatchObject({
    code: 1,
    notes: expect.stringContaining('There is no file'),
  });
  expect(await push('vectors.shelf')).toEqual({
    code: 1,
    out: [],
    notes: 'push needs the client of Chroma: npm install chromadb. (UNSUPPORTED)\n',
  });
});
