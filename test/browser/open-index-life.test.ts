import { describe, expect, it } from 'vitest';
import { transformersEmbedder } from '../../src/embed/transformers.ts';
import { openIndex } from '../../src/open-index.ts';
import { MemoryVectorStore } from '../../src/store/memory.ts';
import type { Hit, Progress, VectorStore } from '../../src/types.ts';
import { abortForQuota } from './faults.ts';
import { freshName, guide, notes, open } from './index-helpers.ts';
import { letters } from './letters.ts';

describe('an index', () => {
  it('finds the same after a reload, with nothing embedded and no model loaded', async () => {
    const name = freshName();
    const first = await openIndex({ name, embedder: letters().embedder });
    await first.add([guide, notes]);
    const before = await first.search('zzz', { topK: 10, mode: 'hybrid' });
    await first.close();

    const again = letters();
    const index = await open({ name, embedder: again.embedder });
    expect(await index.documents()).toEqual([
      { uri: 'guide.md', title: 'Guide', chunks: 2, vectors: 'stored', metadata: { lang: 'en' } },
      { uri: 'notes.md', chunks: 1, vectors: 'stored', metadata: { lang: 'la' } },
    ]);
    expect(await index.text('guide.md')).toBe(guide.text);
    expect(again.asked).toEqual([]);
    expect(again.loads).toBe(0);
    const plain = ({ neighbours: _, ...hit }: Hit) => hit;
    const after = await index.search('zzz', { topK: 10, mode: 'hybrid' });
    expect(after.map(plain)).toEqual(before.map(plain));
    expect(again.asked).toEqual(['zzz']);
  });

  it('leaves whole documents only when aborted, at every stage', async () => {
    for (const stage of ['split', 'load-model', 'embed', 'store'] as const) {
      const { embedder } = letters({ delay: 1 });
      const index = await open({ embedder });
      const many = Array.from({ length: 60 }, (_, at) => ({
        ...guide,
        uri: `d${at}`,
        text: `${guide.text}${at}`,
      }));
      const stop = new AbortController();
      const reason = new Error(`enough at ${stage}`);
      const onProgress = (progress: Progress) => progress.stage === stage && stop.abort(reason);
      const big = many.map((one) => ({ ...one, text: one.text.repeat(6) }));
      await expect(index.add(big, { signal: stop.signal, onProgress })).rejects.toBe(reason);
      const kept = await index.documents();
      expect(kept.length === 0).toBe(stage === 'split');
      for (const { uri, chunks } of kept) {
        expect(await index.text(uri)).toBe(big.find((one) => one.uri === uri)!.text);
        expect(await index.chunks(uri)).toHaveLength(chunks);
      }
      const report = await index.add(big);
      expect(report.documents + report.skipped).toBe(60);
      expect((await index.documents()).every(({ vectors }) => vectors === 'stored')).toBe(true);
    }
  });

  it('embeds everything before a write transaction opens (B105)', async () => {
    const index = await open({ embedder: letters({ delay: 10 }).embedder });
    const many = Array.from({ length: 50 }, (_, at) => ({
      uri: `d${at}`,
      text: `Document number ${at} of fifty.`,
    }));
    expect((await index.add(many)).documents).toBe(50);
    expect((await index.stats()).documents).toBe(50);
  });

  it('refuses another embedder than the one its vectors came from, and says what to do (B147, B148)', async () => {
    const name = freshName();
    const first = await openIndex({ name, embedder: letters().embedder });
    await first.add([guide]);
    await first.close();
    const index = await open({ name, embedder: letters({ id: 'other' }).embedder });
    await expect(index.search('zzz')).rejects.toMatchObject({ code: 'EMBEDDER_MISMATCH' });
    await expect(index.add([guide])).rejects.toThrow('reembed()');
    expect((await index.documents()).length).toBe(1);
  });

  it('keeps documents without an embedder, and embeds them when one is given', async () => {
    const name = freshName();
    const first = await openIndex({ name });
    const report = await first.add([guide]);
    expect(report).toMatchObject({ documents: 1, chunks: 2, embedded: 0, unembedded: 2 });
    await expect(first.search('zzz', { mode: 'semantic' })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    expect((await first.search('zzz'))[0]!.heading).toBe('Zebras');
    expect((await first.add([guide])).skipped).toBe(1);
    await first.close();
    const again = letters();
    const index = await open({ name, embedder: again.embedder });
    expect((await index.add([guide])).failed).toEqual([]);
    // By this call or, before it, in the background.
    expect(again.asked).toHaveLength(2);
    expect(await index.stats()).toMatchObject({ pending: 0, embedder: 'letters' });
    expect((await index.search('zzz'))[0]!.heading).toBe('Zebras');
  });

  it('shows another index nothing, and leaves nothing behind when destroyed', async () => {
    const name = freshName();
    const one = await openIndex({ name, embedder: letters().embedder });
    const two = await open({ embedder: letters().embedder });
    await one.add([guide]);
    expect(await two.documents()).toEqual([]);
    await one.destroy();
    expect((await indexedDB.databases()).map((db) => db.name)).not.toContain(`shelfmark:${name}`);
    await expect(one.search('zzz')).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  });

  it('lives in memory with persist: false', async () => {
    const index = await open({ persist: false, embedder: letters().embedder });
    await index.add([guide]);
    expect((await index.search('zzz'))[0]!.heading).toBe('Zebras');
    expect(await index.text('guide.md')).toBe(guide.text);
    expect(await index.stats()).toMatchObject({ persistent: false });
  });

  it('sees what another tab has added and removed (B113)', async () => {
    const name = freshName();
    const one = await openIndex({ name, embedder: letters().embedder });
    const two = await open({ name, embedder: letters().embedder });
    await one.add([guide, notes]);
    expect((await two.search('zzz'))[0]!.docUri).toBe('guide.md');
    await two.remove('guide.md');
    expect((await one.search('zzz', { topK: 9, mode: 'semantic' })).map(({ docUri }) => docUri)).toEqual([
      'notes.md',
    ]);
    await Promise.all([one.add([guide]), two.add([{ ...guide, title: 'Other' }]), one.add([notes])]);
    expect((await two.documents()).map(({ uri }) => uri).sort()).toEqual(['guide.md', 'notes.md']);
    expect((await one.chunks('guide.md')).length).toBe(2);
    await one.close();
  });

  it('is as it was when the disk is full, at whatever group of documents, and goes on working (B095, B115)', async () => {
    const index = await open({ embedder: letters().embedder });
    await index.add([notes]);
    const many = Array.from({ length: 600 }, (_, at) => ({
      ...guide,
      uri: `d${at}`,
      text: `${guide.text}${at}`,
    }));
    // In the first group of documents, of 512 entries and as many texts, in the second, and among the segments of vectors.
    for (const puts of [300, 1100, 1206]) {
      const restore = abortForQuota(puts);
      await expect(index.add(many)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
      restore();
      expect(await index.documents()).toMatchObject([{ uri: 'notes.md', vectors: 'stored' }]);
      expect((await index.search('zzz', { mode: 'lexical' })).length).toBe(0);
    }
    expect(await index.add(many)).toMatchObject({ documents: 600, skipped: 0 });
    expect(await index.stats()).toMatchObject({ documents: 601, pending: 0 });
  });

  it('answers a question in other words than the text, with the bundled model, before and after a reload', async () => {
    const base = `/__faults/none/index-${Date.now()}/`;
    const embedder = transformersEmbedder({ modelPath: `${base}models/`, wasmPaths: `${base}ort/` });
    const name = freshName();
    const first = await openIndex({ name, embedder });
    const lines = [
      'Refunds are issued within 14 days of the return.',
      'The office is closed on public holidays.',
      'Passwords must have at least twelve characters.',
    ];
    await first.add(lines.map((text, at) => ({ uri: `${at}.md`, text })));
    expect((await first.search('How do I get my money back?'))[0]!.text).toBe(lines[0]);
    await first.close();
    const index = await open({ name, embedder });
    expect((await index.add(lines.map((text, at) => ({ uri: `${at}.md`, text })))).skipped).toBe(3);
    expect((await index.search('How do I get my money back?'))[0]!.text).toBe(lines[0]);
    expect(await index.search('qwxzy vbnmk')).toEqual([]);
    await embedder.dispose?.();
  });

  it('works over any other store', async () => {
    const inner = new MemoryVectorStore();
    const store: VectorStore = {
      capabilities: { exact: true, lexical: false, persistent: false },
      upsert: (records) => inner.upsert(records),
      search: (embedding, options) => inner.search(embedding, options),
      remove: (id) => inner.remove(id),
      removeMany: (ids) => inner.removeMany(ids),
      removeWhere: (filter) => inner.removeWhere(filter),
      updateMetadata: (id, patch) => inner.updateMetadata(id, patch),
      listDocuments: (filter) => inner.listDocuments(filter),
      listDocumentIds: (filter) => inner.listDocumentIds(filter),
      listChunks: (id, options) => inner.listChunks(id, options),
      countChunks: (filter) => inner.countChunks(filter),
    };
    const index = await open({ store, embedder: letters().embedder });
    await index.add([guide, notes]);
    expect((await index.search('zzz'))[0]).toMatchObject({ docUri: 'guide.md', heading: 'Zebras' });
    expect((await index.add([guide])).skipped).toBe(1);
    await index.add([{ ...guide, text: 'Something short about llamas.' }]);
    expect(await inner.countChunks()).toBe(2);
    const later = await open({ store, embedder: letters().embedder });
    expect((await later.documents()).map(({ uri }) => uri)).toEqual(['notes.md', 'guide.md']);
  });
});
