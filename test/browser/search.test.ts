import { describe, expect, it } from 'vitest';
import { openIndex } from '../../src/open-index.ts';
import { createRetrievalTool } from '../../src/retrieve/tool.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import type { EmbedderLike } from '../../src/types.ts';
import { freshName, guide, notes, open } from './index-helpers.ts';
import { letters } from './letters.ts';

const sections = byHeading({ maxChars: 120, minChars: 0, overlapChars: 0 });
const manual = {
  uri: 'manual.md',
  title: 'Manual',
  text: '# Pumps\n\nThe café pump starts by itself.\n\n# Valves\n\nCall `getPressure()` before max_chars is reached.\n\n# 水泵\n\n水泵会自动启动。\n',
};

describe('an index as a retriever', () => {
  it('answers as search does, with the options it was made with where a call has none', async () => {
    const index = await open({ splitter: sections });
    await index.add([{ ...manual, metadata: { lang: 'en' } }, guide]);
    const retriever = index.retriever({ mode: 'lexical', topK: 1, filter: { lang: 'en' } });
    const [passage, ...rest] = await retriever.retrieve('pump valves');
    expect(passage).toMatchObject({ docUri: 'manual.md' });
    expect(rest).toEqual([]);
    expect(await retriever.retrieve('pump valves', { topK: 5 })).toHaveLength(2);
    expect(await retriever.retrieve('pump', { filter: { lang: 'de' } })).toEqual([]);
    const reason = new Error('enough');
    await expect(retriever.retrieve('pump', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);

    const tool = createRetrievalTool(retriever);
    expect((await tool.execute({ query: 'café pump' })).passages[0]).toMatchObject({ docUri: 'manual.md' });
    expect(() => createRetrievalTool(index as never)).toThrow("index's is index.retriever()");
  });
});

describe('search by words', () => {
  it('needs no embedder, and tells where the words stand', async () => {
    const index = await open({ splitter: sections });
    await index.add([manual, guide]);
    const hits = await index.search('Where is the CAFE pump?');
    expect(hits[0]).toMatchObject({ docUri: 'manual.md', heading: 'Pumps', legs: { lexical: { rank: 1 } } });
    expect(hits[0]!.highlights.map(([start, end]) => hits[0]!.text.slice(start, end))).toEqual([
      'The',
      'café',
      'pump',
    ]);
    expect(hits.legStates).toEqual({ lexical: 'used', semantic: 'unused' });
  });

  it('finds identifiers whole and by part, other scripts, the words of title and heading', async () => {
    const index = await open({ splitter: sections });
    await index.add([manual]);
    for (const [query, heading] of [
      ['pressure', 'Valves'],
      ['getPressure', 'Valves'],
      ['maxChars', 'Valves'],
      ['自动', '水泵'],
      ['启', '水泵'],
      ['valves', 'Valves'],
    ] as const) {
      expect((await index.search(query))[0]?.heading, query).toBe(heading);
    }
    expect(await index.search('manual')).toHaveLength(3);
  });

  it('finds what is still being typed, and what was mistyped, where that is asked for', async () => {
    const index = await open({ splitter: sections });
    await index.add([manual]);
    expect(await index.search('autom valv')).toEqual([]);
    const [typed] = await index.search('valv', { prefix: true });
    expect(typed!.heading).toBe('Valves');
    expect(await index.search('pmup')).toEqual([]);
    const [mistyped] = await index.search('pmup', { typos: true });
    expect(mistyped!.text.slice(...mistyped!.highlights[0]!)).toBe('pump');
  });

  it('has the words of a document as soon as it is added, and no longer than it stays', async () => {
    for (const persist of [true, false]) {
      const name = freshName();
      const index = await openIndex({ name, persist, splitter: sections });
      expect(await index.search('pump')).toEqual([]);
      await index.add([manual]);
      expect(await index.search('pump')).toHaveLength(1);
      await index.add([{ ...manual, text: '# Taps\n\nOnly taps now.\n' }]);
      expect(await index.search('pump')).toEqual([]);
      expect(await index.search('taps')).toHaveLength(1);
      await index.remove('manual.md');
      expect(await index.search('taps')).toEqual([]);
      await index.destroy();
    }
  });

  it('is there again after a reload, and follows what another tab adds', async () => {
    const name = freshName();
    const first = await openIndex({ name, splitter: sections });
    await first.add([manual]);
    const second = await openIndex({ name, splitter: sections });
    expect(await second.search('pump')).toHaveLength(1);
    await first.add([{ uri: 'other.md', text: '# Other\n\nAnother pump.\n' }]);
    expect(await second.search('pump')).toHaveLength(2);
    await second.remove('manual.md');
    expect((await first.search('pump')).map(({ docUri }) => docUri)).toEqual(['other.md']);
    await first.close();
    await second.destroy();
  });

  it('filters before it ranks, in every mode (B156, B157)', async () => {
    const index = await open({ embedder: letters().embedder, splitter: sections });
    await index.add([
      ...Array.from({ length: 30 }, (_, n) => ({
        uri: `d${n}`,
        text: 'auth auth auth',
        metadata: { tag: 'draft' },
      })),
      ...Array.from({ length: 6 }, (_, n) => ({
        uri: `f${n}`,
        text: `auth and other words ${n}`,
        metadata: { tag: 'final' },
      })),
    ]);
    for (const mode of ['auto', 'hybrid', 'lexical', 'semantic'] as const) {
      const hits = await index.search('auth', { mode, topK: 5, filter: { tag: 'final' } });
      expect(
        hits.map(({ metadata }) => metadata!['tag']),
        mode,
      ).toEqual(Array(5).fill('final'));
      expect(await index.search('auth', { mode, filter: { tag: [] } }), mode).toEqual([]);
      expect(await index.search('auth', { mode, filter: { unknown: 1 } }), mode).toEqual([]);
    }
  });

  it('takes a query as words, never as syntax (B164, B165, B177)', async () => {
    const index = await open();
    await index.add([{ uri: 'a', text: 'php C++ foo and constructor toString __proto__ valueOf' }]);
    for (const query of ['php:', 'a~ php', 'foo AND (', 'C++', 'constructor', '__proto__', 'toString']) {
      expect(await index.search(query), query).toHaveLength(1);
    }
    for (const query of ['^', '-', '*', '', ' ', '?!', '「」'])
      expect(await index.search(query), query).toEqual([]);
  });
});

describe('both legs', () => {
  it('fuse by the formula of the docs, and every hit says what each leg made of it', async () => {
    const index = await open({ embedder: letters().embedder, splitter: sections, semanticWeight: 0.3 });
    await index.add([guide, notes, manual]);
    const hits = await index.search('refunds and pumps', { mode: 'hybrid', topK: 10 });
    const best = Math.max(...hits.map(({ legs }) => legs['lexical']?.score ?? 0));
    expect(best).toBeGreaterThan(0);
    for (const { score, legs } of hits) {
      const words = (legs['lexical']?.score ?? 0) / best;
      expect(score).toBeCloseTo(0.7 * words + 0.3 * Math.max(0, legs['semantic']!.score), 9);
    }
    expect(hits.map(({ score }) => score)).toEqual([...hits.map(({ score }) => score)].sort((a, b) => b - a));
    expect(hits.legStates).toEqual({ lexical: 'used', semantic: 'used' });
  });

  it('weights of 0 and 1 leave one leg to decide', async () => {
    for (const [semanticWeight, leg] of [
      [0, 'lexical'],
      [1, 'semantic'],
    ] as const) {
      for (const fusion of ['convex', 'rrf'] as const) {
        const index = await open({
          embedder: letters().embedder,
          splitter: sections,
          semanticWeight,
          fusion,
        });
        await index.add([guide, notes, manual]);
        const hybrid = await index.search('refunds pumps zoo', { mode: 'hybrid', topK: 3 });
        const alone = await index.search('refunds pumps zoo', { mode: leg, topK: 3 });
        const ids = alone.map(({ id }) => id).slice(0, hybrid.length);
        expect(
          hybrid.map(({ id }) => id),
          `${leg} ${fusion}`,
        ).toEqual(ids);
      }
    }
    await expect(open({ semanticWeight: 1.1 })).rejects.toThrow('semanticWeight is 1.1');
  });

  it('a perfect match by words is found although the model knows none of them (B154)', async () => {
    const index = await open({ embedder: letters().embedder });
    await index.add([{ uri: 'a', text: '12345 67890' }, guide]);
    const [hit] = await index.search('67890', { minScore: { semantic: 0.35 } });
    expect(hit!.docUri).toBe('a');
  });

  it('floors are held against a leg, never against the fused score (B153)', async () => {
    const index = await open({ embedder: letters().embedder, fusion: 'rrf', splitter: sections });
    await index.add([guide, notes, manual]);
    const hits = await index.search('refunds', { mode: 'hybrid', minScore: { semantic: 0.5 } });
    expect(hits.length).toBeGreaterThan(0);
    expect(hits[0]!.score).toBeLessThan(0.5);
    expect(await index.search('refunds', { mode: 'lexical', minScore: { lexical: 1e6 } })).toEqual([]);
  });

  it('a leg that fails does not sink the other, and the result says so', async () => {
    const broken: EmbedderLike = {
      ...letters().embedder,
      embed: async (texts, options) => {
        if (options?.kind === 'query') throw new Error('no model today');
        return letters().embedder.embed(texts, options);
      },
    };
    const index = await open({ embedder: broken, splitter: sections });
    await index.add([manual]);
    const hits = await index.search('pump', { mode: 'hybrid' });
    expect(hits).toHaveLength(1);
    expect(hits.legStates).toEqual({ lexical: 'used', semantic: 'failed' });
    expect(String(hits.legError)).toContain('no model today');
    await expect(index.search('pump', { mode: 'semantic' })).rejects.toMatchObject({
      code: 'EMBEDDER_FAILED',
    });
  });

  it('answers by words while the model loads, by both from then on', async () => {
    const { embedder } = letters();
    const name = freshName();
    const before = await openIndex({ name, embedder, splitter: sections });
    await before.add([manual]);
    await before.close();

    let arrive = (): void => undefined;
    const arrival = new Promise<void>((done) => {
      arrive = done;
    });
    const index = await openIndex({
      name,
      embedder: { ...embedder, load: () => arrival },
      splitter: sections,
    });
    const early = await index.search('pump');
    expect(early.legStates).toEqual({ lexical: 'used', semantic: 'loading' });
    expect(early).toHaveLength(1);
    arrive();
    await arrival;
    await new Promise((done) => setTimeout(done));
    const late = await index.search('pump');
    expect(late.legStates).toEqual({ lexical: 'used', semantic: 'used' });
    expect(late[0]!.legs['semantic']!.score).toBeGreaterThan(0);
    await index.destroy();
  });

  it('tells once that a model could not be loaded, and tries again', async () => {
    const { embedder } = letters();
    const name = freshName();
    const before = await openIndex({ name, embedder });
    await before.add([manual]);
    await before.close();
    let tries = 0;
    const load = async () => {
      await new Promise((done) => setTimeout(done, 20));
      if (++tries === 1) throw new Error('404');
    };
    const index = await openIndex({ name, embedder: { ...embedder, load } });
    expect((await index.search('pump')).legStates.semantic).toBe('loading');
    await new Promise((done) => setTimeout(done, 60));
    const second = await index.search('pump');
    expect(second.legStates.semantic).toBe('failed');
    expect(String(second.legError)).toContain('404');
    await new Promise((done) => setTimeout(done, 60));
    expect((await index.search('pump')).legStates.semantic).toBe('used');
    await index.destroy();
  });

  it('keeps equal scores in the order of adding, whatever the leg they come from (B159)', async () => {
    const index = await open({ splitter: sections });
    await index.add([...'zamb'].map((uri) => ({ uri, text: 'the same few words' })));
    for (let i = 0; i < 5; i++) {
      expect((await index.search('same words')).map(({ docUri }) => docUri)).toEqual([...'zamb']);
    }
  });

  it('hands over the chunks before and after a hit', async () => {
    const index = await open({ splitter: sections });
    await index.add([manual]);
    const [hit] = await index.search('valves');
    const { previous, next } = await hit!.neighbours();
    expect(previous!.text).toContain('# Pumps');
    expect(next!.text).toContain('# 水泵');
    const [last] = await index.search('水泵');
    expect(await last!.neighbours()).toEqual({ previous: expect.objectContaining({ id: 'manual.md#1' }) });
  });
});
