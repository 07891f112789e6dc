import { afterEach, describe, expect, it } from 'vitest';
import { type OpenIndexOptions, openIndex } from '../../src/open-index.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import { MemoryVectorStore } from '../../src/store/memory.ts';
import type { Progress, VectorStore } from '../../src/types.ts';
import { letters } from './letters.ts';

type Index = Awaited<ReturnType<typeof openIndex>>;

const guide = {
  uri: 'guide.md',
  title: 'Guide',
  metadata: { lang: 'en' },
  text: `# Refunds\n\n${'Refunds are issued within fourteen days. '.repeat(10)}\n\n# Zebras\n\n${'Zzz zebra zoo zigzag. '.repeat(20)}\n`,
};
const notes = {
  uri: 'notes.md',
  text: `# Quokka\n\n${'Quick quokkas queue quietly. '.repeat(15)}`,
  metadata: { lang: 'la' },
};

let counter = 0;
const opened: Index[] = [];
const freshName = () => `open-index-${Date.now()}-${counter++}`;

async function open(options: OpenIndexOptions = {}): Promise<Index> {
  const index = await openIndex({ name: freshName(), ...options });
  opened.push(index);
  return index;
}

afterEach(async () => {
  for (const index of opened.splice(0)) await index.destroy();
});

describe('openIndex', () => {
  it('answers with the passage nearest to the question, where it stands and how it scored', async () => {
    const { embedder } = letters();
    const index = await open({ embedder });
    const report = await index.add([guide, notes]);
    expect(report).toMatchObject({
      documents: 2,
      skipped: 0,
      failed: [],
      unembedded: 0,
      embedder: 'letters',
    });
    expect(report.embedded).toBe(report.chunks);
    const [hit] = await index.search('zzz zigzag');
    expect(hit).toMatchObject({ docUri: 'guide.md', heading: 'Zebras', metadata: { lang: 'en' } });
    expect(guide.text.slice(hit!.charStart, hit!.charEnd)).toBe(hit!.text);
    expect(hit!.legs['semantic']).toEqual({ rank: 1, score: hit!.score });
  });

  it('finds the same after a reload, with nothing embedded and no model loaded', async () => {
    const name = freshName();
    const first = await openIndex({ name, embedder: letters().embedder });
    await first.add([guide, notes]);
    const before = await first.search('zzz', { topK: 10 });
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
    expect(await index.search('zzz', { topK: 10 })).toEqual(before);
    expect(again.asked).toEqual(['zzz']);
  });

  it('leaves an unchanged document alone', async () => {
    const { embedder, asked } = letters();
    const index = await open({ embedder });
    await index.add([guide, notes]);
    asked.length = 0;
    const report = await index.add([{ ...guide, metadata: { ...guide.metadata } }, notes]);
    expect(report).toMatchObject({ documents: 0, chunks: 0, embedded: 0, skipped: 2 });
    expect(asked).toEqual([]);
  });

  it('embeds only the chunks of a changed document that are new, and drops the old ones', async () => {
    const { embedder, asked } = letters();
    const index = await open({ embedder });
    await index.add([guide]);
    asked.length = 0;
    const text = guide.text.replace(/Zzz/g, 'Xxx');
    const report = await index.add([{ ...guide, text }]);
    expect(report).toMatchObject({ documents: 1, chunks: 2, embedded: 1 });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('Xxx');
    const all = await index.search('xxx', { topK: 10 });
    expect(all).toHaveLength(2);
    expect(all.every((hit) => !hit.text.includes('Zzz'))).toBe(true);
    expect(await index.text('guide.md')).toBe(text);
  });

  it('embeds nothing for a document that was only renamed', async () => {
    const { embedder, asked } = letters();
    const index = await open({ embedder });
    await index.add([guide]);
    asked.length = 0;
    const report = await index.add([{ ...guide, uri: 'renamed.md' }]);
    expect(report).toMatchObject({ documents: 1, chunks: 2, embedded: 0 });
    expect(asked).toEqual([]);
  });

  it('writes a changed title or metadata', async () => {
    const { embedder } = letters();
    const index = await open({ embedder });
    await index.add([guide]);
    expect((await index.add([{ ...guide, metadata: { lang: 'de' } }])).documents).toBe(1);
    expect((await index.search('zzz', { filter: { lang: 'de' } })).length).toBe(2);
    expect(await index.search('zzz', { filter: { lang: 'en' } })).toEqual([]);
    expect((await index.add([{ ...guide, metadata: { lang: 'de' }, title: 'Other' }])).documents).toBe(1);
  });

  it('cuts a document anew when the splitter changes', async () => {
    const name = freshName();
    const first = await openIndex({ name, embedder: letters().embedder });
    await first.add([guide]);
    await first.close();
    const index = await open({ name, embedder: letters().embedder, splitter: byHeading({ maxChars: 200 }) });
    const report = await index.add([guide]);
    expect(report.documents).toBe(1);
    expect((await index.chunks('guide.md')).length).toBe(report.chunks);
    expect(report.chunks).toBeGreaterThan(2);
  });

  it('lists chunks in order, each a slice of the text', async () => {
    const index = await open({ embedder: letters().embedder });
    await index.add([guide]);
    const chunks = await index.chunks('guide.md');
    expect(chunks.map(({ id, index: at }) => [id, at])).toEqual([
      ['guide.md#0', 0],
      ['guide.md#1', 1],
    ]);
    for (const { text, charStart, charEnd } of chunks)
      expect(guide.text.slice(charStart, charEnd)).toBe(text);
    expect(await index.chunks('nothing.md')).toEqual([]);
    expect(await index.text('nothing.md')).toBeUndefined();
  });

  it('reports a document without a passage and one the embedder fails on, and stores the others', async () => {
    const index = await open({ embedder: letters({ failOn: 'poison' }).embedder });
    const report = await index.add([
      { uri: 'empty.md', text: ' \n' },
      { uri: 'poison.md', text: 'This one is poison to the model.' },
      guide,
    ]);
    expect(report.documents).toBe(1);
    expect(report.failed.map(({ uri, code }) => [uri, code])).toEqual([
      ['empty.md', 'EMPTY_DOCUMENT'],
      ['poison.md', 'EMBEDDER_FAILED'],
    ]);
    expect((await index.documents()).map(({ uri }) => uri)).toEqual(['guide.md']);
  });

  it('refuses documents that are none, naming which, before anything is written', async () => {
    const index = await open({ embedder: letters().embedder });
    const refused = [
      [{ uri: '', text: 'a' }],
      [{ uri: 'a.md', text: 5 }],
      [{ uri: 'a.md', text: 'a', title: 7 }],
      [{ uri: 'a.md', text: 'a', metadata: { run: () => 1 } }],
      [guide, guide],
    ];
    for (const documents of refused) {
      await expect(index.add([notes, ...(documents as (typeof guide)[])])).rejects.toMatchObject({
        code: 'INVALID_DOCUMENT',
      });
    }
    await expect(index.add([guide, guide])).rejects.toThrow('guide.md');
    expect(await index.documents()).toEqual([]);
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
      for (const { uri, vectors } of await index.documents()) {
        expect(vectors).toBe('stored');
        expect(await index.text(uri)).toBe(big.find((one) => one.uri === uri)!.text);
      }
      const report = await index.add(big);
      expect(report.documents + report.skipped).toBe(60);
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

  it('tells how far it is', async () => {
    const seen: Progress[] = [];
    const index = await open({ embedder: letters().embedder });
    await index.add([guide, notes], { onProgress: (progress) => seen.push(progress) });
    expect(seen).toEqual([
      { stage: 'split', done: 1, total: 2 },
      { stage: 'split', done: 2, total: 2 },
      { stage: 'load-model', done: 26, total: 26, bytes: 26 },
      { stage: 'embed', done: 3, total: 3 },
      { stage: 'store', done: 2, total: 2 },
    ]);
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
    await expect(first.search('zzz')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    expect((await first.add([guide])).skipped).toBe(1);
    await first.close();
    const index = await open({ name, embedder: letters().embedder });
    expect(await index.search('zzz')).toEqual([]);
    expect(await index.add([guide])).toMatchObject({ documents: 1, embedded: 2 });
    expect((await index.search('zzz'))[0]!.heading).toBe('Zebras');
  });

  it('has nothing to say to a blank question, and embeds none (B177)', async () => {
    const { embedder, asked } = letters();
    const index = await open({ embedder });
    await index.add([guide]);
    asked.length = 0;
    for (const query of ['', '   ', '\n\t']) expect(await index.search(query)).toEqual([]);
    expect(asked).toEqual([]);
    expect(await index.search('!?')).toEqual([]);
  });

  it('refuses options out of range', async () => {
    const index = await open({ embedder: letters().embedder });
    for (const topK of [0, -1, 1.5, 10_001, Number.NaN, '5' as unknown as number]) {
      await expect(index.search('a', { topK })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    }
    await expect(index.search('a', { mode: 'fuzzy' as 'auto' })).rejects.toThrow('mode');
    await expect(index.search('a', { mode: 'lexical' })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    await expect(openIndex({})).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    await expect(openIndex({ name: 'x', persist: 'no' as 'auto' })).rejects.toThrow('persist');
  });

  it('puts a floor under the meaning leg', async () => {
    const index = await open({ embedder: letters().embedder });
    await index.add([guide, notes]);
    const all = await index.search('zoo queue refund', { topK: 10 });
    const floor = all[1]!.score;
    expect(await index.search('zoo queue refund', { topK: 10, minScore: { semantic: floor } })).toEqual(
      all.slice(0, 2),
    );
  });

  it('removes documents', async () => {
    const index = await open({ embedder: letters().embedder });
    await index.add([guide, notes]);
    expect(await index.remove(['guide.md', 'nothing.md'])).toBe(1);
    expect((await index.search('zzz', { topK: 10 })).map((hit) => hit.docUri)).toEqual(['notes.md']);
    expect(await index.stats()).toMatchObject({ documents: 1, chunks: 1, persistent: true });
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
