import { describe, expect, it } from 'vitest';
import { IndexedDBVectorStore } from '../../src/store/idb.ts';
import { openRaw } from './faults.ts';
import { now, older, schemaOf } from './older-layout.ts';
import {
  answer,
  counting,
  doc,
  found,
  freshName,
  freshState,
  numbered,
  open,
  stateOf,
  tamper,
} from './watch.ts';

const scores = async (...args: Parameters<typeof found>) =>
  (await found(...args)).sort(([a], [b]) => (a < b ? -1 : 1));

describe.each([2, 3, 4] as const)('an index of version %i of the layout', (version) => {
  it.each(['f32', 'int8'] as const)(
    'opens with everything in it and finds as before, %s',
    async (vectors) => {
      const { embedder, asked } = counting();
      const name = await older(version, vectors);
      const index = await open(name, { embedder });
      expect(await index.stats()).toMatchObject({ documents: 5, chunks: 12, pending: 0, dimensions: 26 });
      expect((await index.stats()).damaged).toBeUndefined();
      for (const { uri, text } of now) expect(await index.text(uri)).toBe(text);
      const fresh = await open(freshName(), { embedder, vectors });
      await fresh.add(now);
      asked.length = 0;
      for (const mode of ['lexical', 'semantic', 'hybrid'] as const) {
        expect(await scores(index, 'zebra number3', mode)).toEqual(
          await scores(fresh, 'zebra number3', mode),
        );
      }
      expect(await index.sync(now)).toMatchObject({ added: 0, changed: 0, unchanged: 5, removed: 0 });
      expect(asked).toEqual([]);
      expect(await stateOf(index)).toEqual(await freshState(name, { embedder }));
    },
  );

  it('is only of version 5 once something was written to it, and then keeps its words', async () => {
    const { embedder } = counting();
    const name = await older(version);
    const index = await open(name, { embedder });
    expect(await schemaOf(name)).toBe(version);
    expect(await index.add([numbered(6)])).toMatchObject({ documents: 1 });
    expect(await schemaOf(name)).toBe(5);
    const db = await openRaw(`shelfmark:${name}`);
    expect(db.version).toBe(5);
    expect([...db.transaction('documents').objectStore('documents').indexNames]).toEqual(['generation']);
    expect([...db.objectStoreNames].join()).toBe('directory,documents,lexical,meta,staged,texts,vectors');
    db.close();
    const before = await stateOf(index);
    await index.close();
    const store = await IndexedDBVectorStore.open({ name });
    const again = await open('', { store, embedder });
    expect(await stateOf(again)).toEqual(before);
    expect((await found(again, 'number3')).map(([id]) => id)).toEqual(['d3#0']);
  });

  it('is read and written by two tabs', async () => {
    const { embedder } = counting();
    const name = await older(version);
    const [one, two] = [await open(name, { embedder }), await open(name, { embedder })];
    expect(await stateOf(two)).toEqual(await stateOf(one));
    await one.add([numbered(1, 'by one'), numbered(6)]);
    expect(await stateOf(two)).toEqual(await freshState(name, { embedder }));
    await two.remove('d0');
    await two.add([numbered(7)]);
    expect(await stateOf(one)).toEqual(await freshState(name, { embedder }));
    await Promise.all([one.remove('d2'), two.add([doc('last', 'the last one')])]);
    expect((await one.documents()).map(({ uri }) => uri).sort()).toEqual([
      'd1',
      'd3',
      'd4',
      'd6',
      'd7',
      'last',
    ]);
    expect(await stateOf(two)).toEqual(await freshState(name, { embedder }));
  });

  it('says of the same documents that their vectors are still to come, before and after it is written to', async () => {
    const name = await older(version, 'f32', 'none');
    const index = await open(name);
    const before = await index.documents();
    await index.remove('d0');
    await index.add([numbered(6)]);
    await index.close();
    const { embedder, asked } = counting();
    const again = await IndexedDBVectorStore.open({ name });
    const pending = [...again.entries].map(([id, entry]) => [
      id,
      entry.pending?.length === entry.rows.length,
    ]);
    const left = [...before.map(({ uri }) => uri).filter((uri) => uri !== 'd0'), 'd6'].sort();
    expect(pending).toEqual(left.map((id) => [id, true]));
    await again.close();
    await (await open(name, { embedder })).sync([...now.slice(1), numbered(6)]);
    const chunks = (await (await open(name)).stats()).chunks;
    expect(asked).toHaveLength(chunks);
    expect((await (await open(name)).stats()).pending).toBe(0);
  });

  it('gets the vectors that were still to come', async () => {
    const name = await older(version, 'f32', 'none');
    const { embedder, asked } = counting();
    const index = await open(name, { embedder });
    await expect.poll(async () => (await index.stats()).pending).toBe(0);
    expect(asked).toHaveLength(12);
    expect(await stateOf(index)).toEqual(await freshState(name, { embedder }));
  });

  it('moves to another embedder', async () => {
    const name = await older(version);
    const { embedder } = counting({ id: 'other', dimensions: 7 });
    const index = await open(name, { embedder });
    expect(await index.reembed()).toMatchObject({ documents: 5, embedded: 12 });
    expect(await index.stats()).toMatchObject({ embedder: 'other', dimensions: 7 });
    expect(await stateOf(index)).toEqual(await freshState(name, { embedder }));
  });

  it('is repaired where its vectors are damaged', async () => {
    const name = await older(version);
    await tamper(name, async (tx) => {
      const bytes: ArrayBuffer = await answer(tx.objectStore('vectors').get(0));
      new Uint8Array(bytes)[60]! ^= 1;
      tx.objectStore('vectors').put(bytes, 0);
    });
    const words = await open(name);
    expect(await words.stats()).toMatchObject({ documents: 5, pending: 12, damaged: [{ segment: 0 }] });
    await words.close();
    const { embedder, asked } = counting();
    const index = await open(name, { embedder });
    expect(await index.sync(now)).toMatchObject({ unchanged: 5, failed: [] });
    expect(asked).toHaveLength(12);
    expect(await index.stats()).toMatchObject({ pending: 0 });
    expect((await index.stats()).damaged).toBeUndefined();
  });

  it('is a closed one to a tab of the older library, which is told so', async () => {
    const name = await older(version);
    const old = await openRaw(`shelfmark:${name}`, version);
    let told = 0;
    // As the older library does, so that the newer one is not kept waiting.
    old.onversionchange = () => {
      told++;
      old.close();
    };
    const index = await open(name);
    expect(told).toBe(1);
    expect((await index.stats()).documents).toBe(5);
    await expect(openRaw(`shelfmark:${name}`, version)).rejects.toMatchObject({ name: 'VersionError' });
  });
});
