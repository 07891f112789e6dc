import { describe, expect, it } from 'vitest';
import { openIndex } from '../../src/open-index.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import { byParagraph } from '../../src/split/by-paragraph.ts';
import type { Progress } from '../../src/types.ts';
import { freshName, guide, notes, open } from './index-helpers.ts';
import { letters } from './letters.ts';

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
    const [hit] = await index.search('zzz zigzag', { mode: 'semantic' });
    expect(hit).toMatchObject({ docUri: 'guide.md', heading: 'Zebras', metadata: { lang: 'en' } });
    expect(guide.text.slice(hit!.charStart, hit!.charEnd)).toBe(hit!.text);
    expect(hit!.legs['semantic']).toEqual({ rank: 1, score: hit!.score });
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
    const all = await index.search('xxx', { topK: 10, mode: 'semantic' });
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
    expect((await index.search('zzz', { filter: { lang: 'de' }, mode: 'semantic' })).length).toBe(2);
    expect(await index.search('zzz', { filter: { lang: 'en' } })).toEqual([]);
    expect((await index.add([{ ...guide, metadata: { lang: 'de' }, title: 'Other' }])).documents).toBe(1);
  });

  it('notices metadata that its owner changed in place', async () => {
    for (const persist of [true, false]) {
      const index = await open({ embedder: letters().embedder, persist });
      const metadata = { tags: ['a'] };
      await index.add([{ ...guide, metadata }]);
      metadata.tags.push('b');
      expect((await index.documents())[0]!.metadata).toEqual({ tags: ['a'] });
      expect((await index.add([{ ...guide, metadata }])).documents).toBe(1);
      expect((await index.documents())[0]!.metadata).toEqual({ tags: ['a', 'b'] });
    }
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
    expect(report.documents).toBe(2);
    expect(report.failed.map(({ uri, code }) => [uri, code])).toEqual([
      ['empty.md', 'EMPTY_DOCUMENT'],
      ['poison.md', 'EMBEDDER_FAILED'],
    ]);
    // Its words are there; its vectors are made by the next call that can.
    expect((await index.documents()).map(({ uri, vectors }) => [uri, vectors])).toEqual([
      ['poison.md', 'pending'],
      ['guide.md', 'stored'],
    ]);
    expect((await index.search('poison', { mode: 'lexical' })).map(({ docUri }) => docUri)).toEqual([
      'poison.md',
    ]);
    expect(await index.search('model', { mode: 'semantic', topK: 10 })).toHaveLength(2);
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

  it('tells how far it is', async () => {
    const seen: Progress[] = [];
    const index = await open({ embedder: letters().embedder });
    await index.add([guide, notes], { onProgress: (progress) => seen.push(progress) });
    expect(seen).toEqual([
      { stage: 'split', done: 1, total: 2 },
      { stage: 'split', done: 2, total: 2 },
      { stage: 'store', done: 2, total: 2 },
      { stage: 'load-model', done: 26, total: 26, bytes: 26 },
      { stage: 'embed', done: 3, total: 3 },
    ]);
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
    await expect(index.search('a', { minScore: { lexical: -1 } })).rejects.toThrow('minScore.lexical');
    await expect(index.search('a', { minScore: { semantic: 2 } })).rejects.toThrow('minScore.semantic');
    await expect(openIndex({})).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    await expect(openIndex({ name: 'x', persist: 'no' as 'auto' })).rejects.toThrow('persist');
  });

  it('puts a floor under the meaning leg', async () => {
    const index = await open({ embedder: letters().embedder });
    await index.add([guide, notes]);
    const all = await index.search('zoo queue refund', { topK: 10, mode: 'semantic' });
    const floor = all[1]!.score;
    expect(
      await index.search('zoo queue refund', { topK: 10, mode: 'semantic', minScore: { semantic: floor } }),
    ).toMatchObject(all.slice(0, 2).map(({ id, score, legs }) => ({ id, score, legs })));
  });

  it('removes documents', async () => {
    const index = await open({ embedder: letters().embedder });
    await index.add([guide, notes]);
    expect(await index.remove(['guide.md', 'nothing.md'])).toBe(1);
    expect((await index.search('zzz', { topK: 10, mode: 'semantic' })).map((hit) => hit.docUri)).toEqual([
      'notes.md',
    ]);
    expect(await index.stats()).toMatchObject({ documents: 1, chunks: 1, persistent: true });
  });

  it('reads the title, the headings and the text of a chunk', async () => {
    const { embedder, asked } = letters();
    const index = await open({ embedder });
    await index.add([guide]);
    expect(asked[0]).toBe(`Guide\nRefunds\n${guide.text.slice(0, guide.text.indexOf('# Zebras')).trim()}`);
  });

  it('tells paragraphs apart that say the same (B176)', async () => {
    const index = await open({
      embedder: letters().embedder,
      splitter: byParagraph({ maxChars: 60, minChars: 0, overlapChars: 0 }),
    });
    const paragraph = 'The same paragraph, word for word, three times over.';
    await index.add([{ uri: 'a.md', text: [paragraph, paragraph, paragraph].join('\n\n') }]);
    const hits = await index.search('paragraph');
    expect(new Set(hits.map(({ id }) => id)).size).toBe(3);
    expect(new Set(hits.map(({ charStart }) => charStart)).size).toBe(3);
  });

  it('says which chunks the model cuts off, where their headings leave no room to cut (B130)', async () => {
    const { embedder } = letters();
    const counting = {
      ...embedder,
      maxInputTokens: 30,
      countTokens: (text: string) => text.split(/\s+/).length,
    };
    const index = await open({ embedder: counting });
    const crowded = { ...guide, title: 'word '.repeat(40).trim() };
    const report = await index.add([crowded, { uri: 'short.md', text: 'A short one.' }]);
    expect(report.truncated.map(({ id }) => id)).toEqual(['guide.md#0', 'guide.md#1']);
    expect(report.truncated[0]!.tokens).toBeGreaterThan(30);
  });
});
