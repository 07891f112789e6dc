import { afterEach, describe, expect, it } from 'vitest';
import { openIndex } from '../../src/open-index.ts';
import type { Hit } from '../../src/types.ts';
import { freshName, guide, notes, open } from './index-helpers.ts';
import { letters } from './letters.ts';

const plain = ({ neighbours: _, ...hit }: Hit) => hit;
const urls: string[] = [];
const address = (file: Blob): string => {
  const url = URL.createObjectURL(file);
  urls.push(url);
  return url;
};
afterEach(() => {
  for (const url of urls.splice(0)) URL.revokeObjectURL(url);
});

/** All that an index says of itself and answers. */
async function all(index: Awaited<ReturnType<typeof open>>) {
  const documents = await index.documents();
  const chunks = [];
  for (const { uri } of documents) chunks.push(await index.chunks(uri), await index.text(uri));
  const hits = [];
  for (const mode of ['lexical', 'semantic', 'hybrid'] as const) {
    for (const query of ['refunds', 'zebra zoo', 'quick quokkas']) {
      hits.push((await index.search(query, { mode, topK: 10 })).map(plain));
    }
  }
  const { embedder, splitter, dimensions, analyzer, pending } = await index.stats();
  return { documents, chunks, hits, stats: { embedder, splitter, dimensions, analyzer, pending } };
}

describe('an index in a file', () => {
  for (const vectors of ['f32', 'int8', 'int8+f32'] as const) {
    it(`is the same again from bytes, a Blob and an address, and imported, with ${vectors} vectors`, async () => {
      const { embedder } = letters();
      const index = await open({ embedder, vectors });
      await index.add([notes, guide, { uri: 'gone.md', text: 'Nothing stays.' }]);
      await index.remove('gone.md');
      const before = await all(index);
      const file = await index.export();
      const bytes = new Uint8Array(await file.arrayBuffer());
      for (const from of [file, bytes, bytes.buffer, address(file), new URL(address(file))]) {
        const read = await openIndex({ from, embedder });
        expect(await all(read)).toEqual(before);
        expect((await read.stats()).persistent).toBe(false);
        await read.close();
      }
      const name = freshName();
      const imported = await open({ from: file, name, embedder });
      expect(await all(imported)).toEqual(before);
      await imported.close();
      const again = await open({ name, embedder });
      expect(await all(again)).toEqual(before);
      // And it is an index like any other.
      expect(await again.add([notes, guide])).toMatchObject({ skipped: 2 });
      const copy = new Uint8Array(await (await again.export()).arrayBuffer());
      expect(await all(await open({ from: copy, embedder, persist: false }))).toEqual(before);
    });
  }

  it('is read-only, and says how it would not be', async () => {
    const index = await open({ embedder: letters().embedder });
    await index.add([guide]);
    const read = await openIndex({ from: await index.export(), embedder: letters().embedder });
    const refused = { code: 'UNSUPPORTED', message: expect.stringContaining('give openIndex a name') };
    await expect(read.add([notes])).rejects.toMatchObject(refused);
    await expect(read.sync([])).rejects.toMatchObject(refused);
    await expect(read.remove('guide.md')).rejects.toMatchObject(refused);
    await expect(read.repair()).rejects.toMatchObject(refused);
    await expect(read.reembed()).rejects.toMatchObject(refused);
    expect((await read.documents()).map(({ uri }) => uri)).toEqual(['guide.md']);
    await read.close();
    await expect(read.search('refunds')).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  });

  it('is searched by words of another analyser than it was written with', async () => {
    const index = await open();
    await index.add([{ uri: 'menu.md', text: 'A café menu' }]);
    const file = await index.export();
    const ascii = await openIndex({ from: file, lexicon: { analyzer: 'ascii' } });
    expect(await ascii.search('cafe')).toEqual([]);
    expect(await ascii.search('caf')).toHaveLength(1);
    const unicode = await openIndex({ from: file });
    expect(await unicode.search('cafe')).toHaveLength(1);
  });

  it('refuses another embedder than its vectors came from', async () => {
    const index = await open({ embedder: letters().embedder });
    await index.add([guide]);
    const other = { ...letters().embedder, id: 'other' };
    const read = await openIndex({ from: await index.export(), embedder: other });
    await expect(read.search('refunds')).rejects.toMatchObject({ code: 'EMBEDDER_MISMATCH' });
  });

  it('is refused by name where it was cut, altered, or is something else', async () => {
    const index = await open();
    await index.add([guide]);
    const bytes = new Uint8Array(await (await index.export()).arrayBuffer());
    const altered = bytes.slice();
    altered[bytes.length >> 1]! ^= 1;
    const name = freshName();
    for (const from of [bytes.slice(0, -1), altered, new Blob(['<!doctype html>']), new Uint8Array(0)]) {
      await expect(openIndex({ from })).rejects.toMatchObject({ code: 'FORMAT' });
      await expect(openIndex({ from, name })).rejects.toMatchObject({ code: 'FORMAT' });
    }
    await expect(openIndex({ from: './nothing-there.shelf' })).rejects.toMatchObject({ code: 'FORMAT' });
    await expect(openIndex({ from: 'http://localhost:1/none' })).rejects.toMatchObject({
      code: 'FORMAT',
      message: expect.stringContaining('http://localhost:1/none'),
    });
    for (const from of [5, {}, null]) {
      await expect(openIndex({ from: from as never })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    }
    const left = await open({ name });
    expect(await left.documents()).toEqual([]);
  });

  it('is imported once, replaced by a newer file, and kept where it has documents of its own', async () => {
    const name = freshName();
    const source = await open();
    await source.add([guide]);
    const first = await source.export();
    await source.sync([notes]);
    const second = await source.export();

    const one = await open({ from: first, name });
    expect((await one.documents()).map(({ uri }) => uri)).toEqual(['guide.md']);
    await one.close();
    const two = await open({ from: second, name });
    expect((await two.documents()).map(({ uri }) => uri)).toEqual(['notes.md']);
    expect(await two.search('refunds')).toEqual([]);
    await two.add([{ uri: 'mine.md', text: 'My own note' }]);
    await two.close();
    // The same file is not imported again, so nothing is lost.
    const three = await open({ from: second, name });
    expect((await three.documents()).map(({ uri }) => uri)).toEqual(['notes.md', 'mine.md']);
    await three.close();
    await expect(openIndex({ from: first, name })).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('mine.md'),
    });
  });

  it('serves what was imported before where its address cannot be reached', async () => {
    const name = freshName();
    const source = await open();
    await source.add([guide]);
    const url = address(await source.export());
    await (await open({ from: url, name })).close();
    URL.revokeObjectURL(url);
    const offline = await open({ from: url, name });
    expect((await offline.search('refunds'))[0]?.docUri).toBe('guide.md');
    await expect(openIndex({ from: url, name: freshName() })).rejects.toMatchObject({ code: 'FORMAT' });
  });

  it('is imported whole or not at all', async () => {
    const name = freshName();
    const source = await open({ embedder: letters().embedder });
    await source.add([guide, notes]);
    const file = await source.export();
    const { failPut } = await import('./faults.ts');
    for (const n of [1, 3, 5]) {
      const undo = failPut(n, (store) => store.transaction.abort());
      await expect(openIndex({ from: file, name })).rejects.toThrow('nothing was written');
      undo();
      const left = await open({ name });
      expect(await left.documents()).toEqual([]);
      await left.close();
    }
  });

  it('goes on in memory where nothing can be kept', async () => {
    const source = await open();
    await source.add([guide]);
    const from = await source.export();
    const { patch } = await import('./faults.ts');
    const undo = patch(IDBFactory.prototype, 'open', () => () => {
      throw new DOMException('denied', 'SecurityError');
    });
    const index = await openIndex({ from, name: freshName(), persist: 'auto' }).finally(undo);
    expect(await index.stats()).toMatchObject({ persistent: false, unkept: expect.any(String) });
    expect(await index.search('refunds')).not.toEqual([]);
  });
});
