import { afterEach, describe, expect, it } from 'vitest';
import { type Index, openIndex } from '../../src/open-index.ts';
import type { OpenIndexOptions, SearchIndexOptions } from '../../src/open-index-options.ts';
import { MemoryVectorStore } from '../../src/store/memory.ts';
import type { Explanation, Hit, VectorStore } from '../../src/types.ts';

/** Counts of letters: near in meaning is what is spelled alike. */
const letters = {
  id: 'letters',
  embed: async (texts: readonly string[]) =>
    texts.map((text) => {
      const counts = new Float32Array(26);
      for (const letter of text.toLowerCase()) {
        const at = letter.charCodeAt(0) - 97;
        if (at >= 0 && at < 26) counts[at]!++;
      }
      return counts;
    }),
};

const documents = [
  {
    uri: 'refunds.md',
    title: 'Shop',
    metadata: { lang: 'en', tags: 'money' },
    text: '# Refunds\n\nRefunds are issued within fourteen days. A refund of a deposit takes longer.\n',
  },
  {
    uri: 'deposits.md',
    metadata: { lang: 'en' },
    text: '# Deposits\n\nA deposit is paid at the counter. Refunds of deposits need the receipt, days later.\n',
  },
  { uri: 'erstattung.md', metadata: { lang: 'de' }, text: '# Refunds\n\nRefunds days refunds days.\n' },
  { uri: 'zebra.md', metadata: { lang: 'en' }, text: '# Zebras\n\nZebras graze all day.\n' },
  { uri: 'tea.md', metadata: { lang: 'zh' }, text: '# 茶\n\n绿茶要用八十度的水。\n' },
];

const opened: Index[] = [];
afterEach(async () => {
  for (const index of opened.splice(0)) await index.close();
});

async function open(options: OpenIndexOptions = {}): Promise<Index> {
  const index = await openIndex({ persist: false, ...options });
  opened.push(index);
  await index.add(documents);
  return index;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Every hit with what is told of it. */
async function explained(
  index: Index,
  query: string,
  options: SearchIndexOptions = {},
): Promise<[Hit, Explanation][]> {
  const hits = await index.search(query, options);
  expect(hits.length).toBeGreaterThan(0);
  return Promise.all(
    hits.map(async (hit): Promise<[Hit, Explanation]> => {
      const told = await index.explain(hit, query, options);
      if (told === undefined) throw new Error(`${hit.id} is a hit and is not explained`);
      return [hit, told];
    }),
  );
}

const cases: [what: string, open: OpenIndexOptions, search: SearchIndexOptions, query: string][] = [
  ['words alone', {}, {}, 'refunds of a deposit'],
  ['both legs', { embedder: letters }, {}, 'refunds of a deposit'],
  ['both legs, words barely', { embedder: letters, semanticWeight: 0.9 }, {}, 'how many days'],
  ['ranks', { embedder: letters, fusion: 'rrf' }, {}, 'refunds of a deposit'],
  ['the meaning alone', { embedder: letters }, { mode: 'semantic' }, 'refunds'],
  ['words by name', { embedder: letters }, { mode: 'lexical' }, 'refunds'],
  ['a filter', { embedder: letters }, { filter: { lang: 'en' } }, 'refunds days'],
  ['a word being typed', {}, { prefix: true }, 'depos'],
  ['typing errors', {}, { typos: true }, 'refumds depossit'],
  ['a floor', { embedder: letters }, { minScore: { lexical: 0.5, semantic: 0.5 } }, 'refunds of a deposit'],
  ['pairs of characters', {}, {}, '茶'],
  ['other weights of words', { lexicon: { k1: 0.9, b: 0.1 } }, {}, 'refunds days deposit'],
  ['the ASCII analyser', { lexicon: { analyzer: 'ascii' } }, {}, 'refunds days deposit'],
  [
    'a stemmer',
    { lexicon: { stem: (token) => token.replace(/s$/, ''), stemId: 's' } },
    {},
    'refund day deposits',
  ],
];

describe('why a passage is found', () => {
  it.each(cases)('%s: the parts sum to the scores of the hit', async (_what, how, options, query) => {
    const index = await open(how);
    for (const [hit, told] of await explained(index, query, options)) {
      expect(told.id).toBe(hit.id);
      expect(told.score).toBe(hit.score);
      expect(told.fusion.lexical + told.fusion.semantic).toBeCloseTo(hit.score, 9);
      expect(told.semantic).toEqual(hit.legs['semantic']);
      const { lexical } = told;
      expect(lexical && { rank: lexical.rank, score: lexical.score }).toEqual(hit.legs['lexical']);
      if (lexical === undefined) continue;
      expect(Math.abs(sum(lexical.terms!.map(({ score }) => score)) - lexical.score)).toBeLessThan(1e-9);
      expect(lexical.terms!.every(({ score, times, chunks }) => score > 0 && times > 0 && chunks > 0)).toBe(
        true,
      );
    }
  });

  it('the ranks are those of the search', async () => {
    const index = await open({ embedder: letters });
    const all = await explained(index, 'refunds of a deposit', { topK: 10 });
    expect(all.map(([, { rank }]) => rank)).toEqual(all.map((_, at) => at + 1));
    expect(new Set(all.map(([, { candidates }]) => candidates))).toEqual(new Set([all.length]));
  });

  it('a term is told with its rarity, its times and what it stands for', async () => {
    const index = await open();
    const [[, told]] = (await explained(index, 'zebras day')) as [[Hit, Explanation]];
    // Title and heading are read too: "Zebras" stands in the heading, and in the text.
    expect(told.lexical!.terms).toEqual([
      {
        term: 'zebras',
        query: 'zebras',
        weight: 1,
        rarity: Math.log(1 + (5 - 1 + 0.5) / 1.5),
        chunks: 1,
        times: expect.any(Number),
        score: expect.any(Number),
      },
      expect.objectContaining({ term: 'day', chunks: 1, times: 1 }),
    ]);
    const times = told.lexical!.terms![0]!.times;
    const text = (await index.chunks('zebra.md'))[0]!;
    const read = [text.heading, text.text].join('\n').match(/zebras/gi)!;
    expect(times).toBe(read.length);
  });

  it('each score is BM25 of what is told: without length (b = 0) nothing else counts', async () => {
    const k1 = 1.2;
    const index = await open({ lexicon: { k1, b: 0 } });
    for (const [, told] of await explained(index, 'refunds days deposit')) {
      for (const { weight, rarity, times, score } of told.lexical!.terms!) {
        expect(score).toBeCloseTo((weight * rarity * (k1 + 1) * times) / (times + k1), 9);
      }
    }
  });

  it('a longer or misspelt word counts less, and is named', async () => {
    const index = await open();
    const [[, typed]] = (await explained(index, 'depos', { prefix: true })) as [[Hit, Explanation]];
    expect(typed.lexical!.terms!.every(({ query, weight }) => query === 'depos' && weight < 1)).toBe(true);
    expect(typed.lexical!.terms!.map(({ term }) => term).sort()).toEqual(['deposit', 'deposits']);
    const [[, wrong]] = (await explained(index, 'zebrsa', { typos: true })) as [[Hit, Explanation]];
    expect(wrong.lexical!.terms).toEqual([
      expect.objectContaining({ term: 'zebras', query: 'zebrsa', weight: 0.4 }),
    ]);
  });

  it('the numbers of the convex sum are those of its formula', async () => {
    const index = await open({ embedder: letters, semanticWeight: 0.3 });
    for (const [{ legs }, { fusion }] of await explained(index, 'refunds days', { topK: 10 })) {
      expect(fusion).toEqual({
        kind: 'convex',
        semanticWeight: 0.3,
        best: fusion.best,
        lexical: 0.7 * ((legs['lexical']?.score ?? 0) / fusion.best!),
        semantic: 0.3 * Math.max(0, legs['semantic']?.score ?? 0),
      });
    }
  });

  it('the numbers of reciprocal ranks are those of their formula', async () => {
    const index = await open({ embedder: letters, fusion: 'rrf', semanticWeight: 0.25 });
    for (const [{ legs }, { fusion }] of await explained(index, 'refunds days')) {
      expect(fusion).toEqual({
        kind: 'rrf',
        semanticWeight: 0.25,
        damping: 60,
        lexical: legs['lexical'] === undefined ? 0 : 0.75 / (60 + legs['lexical'].rank),
        semantic: legs['semantic'] === undefined ? 0 : 0.25 / (60 + legs['semantic'].rank),
      });
    }
  });

  it('says what the filter kept out, and how much of that would have come before', async () => {
    const index = await open();
    const query = 'refunds days';
    const everywhere = await index.search(query, { topK: 10 });
    expect(everywhere[0]!.docUri).toBe('erstattung.md');
    const filter = { lang: 'en' };
    const all = await explained(index, query, { filter, topK: 10 });
    for (const [hit, { filtered }] of all) {
      const before = everywhere.slice(
        0,
        everywhere.findIndex(({ id }) => id === hit.id),
      );
      expect(filtered).toEqual({
        chunks: 2,
        better: before.filter(({ metadata }) => metadata?.['lang'] !== 'en').length,
      });
    }
    expect(all[0]![1].filtered.better).toBe(1);
    for (const none of [undefined, {}]) {
      const [[, open]] = (await explained(index, query, { filter: none })) as [[Hit, Explanation]];
      expect(open.filtered).toEqual({ chunks: 0, better: 0 });
    }
  });

  it('explains nothing that the search does not find', async () => {
    const index = await open();
    expect(await index.explain({ id: 'zebra.md#0' }, 'refunds')).toBeUndefined();
    expect(await index.explain({ id: 'nowhere#7' }, 'refunds')).toBeUndefined();
    expect(await index.explain({ id: 'refunds.md#0' }, '?!')).toBeUndefined();
    expect(
      await index.explain({ id: 'refunds.md#0' }, 'refunds', { filter: { lang: 'de' } }),
    ).toBeUndefined();
    await index.remove('refunds.md');
    expect(await index.explain({ id: 'refunds.md#0' }, 'refunds')).toBeUndefined();
  });

  it('refuses what the search refuses, and what is no hit', async () => {
    const index = await open();
    const hit = { id: 'refunds.md#0' };
    const refusal = async (work: Promise<unknown>) =>
      work.then(
        () => 'answered',
        (error) => error.code,
      );
    expect(await refusal(index.explain(undefined as never, 'refunds'))).toBe('INVALID_OPTION');
    expect(await refusal(index.explain('refunds.md#0' as never, 'refunds'))).toBe('INVALID_OPTION');
    expect(await refusal(index.explain(hit, 7 as never))).toBe('INVALID_OPTION');
    expect(await refusal(index.explain(hit, 'refunds', { topk: 3 } as never))).toBe('INVALID_OPTION');
    expect(await refusal(index.explain(hit, 'refunds', { mode: 'semantic' }))).toBe('UNSUPPORTED');
    const reason = new Error('enough');
    await expect(index.explain(hit, 'refunds', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await index.close();
    expect(await refusal(index.explain(hit, 'refunds'))).toBe('STORE_CLOSED');
  });

  it('over a store of others tells legs, fusion and filter, and no terms', async () => {
    const memory = new MemoryVectorStore();
    const store = new Proxy({} as VectorStore, {
      get: (_, name) => {
        const value = (memory as unknown as Record<string | symbol, unknown>)[name];
        return typeof value === 'function' ? value.bind(memory) : value;
      },
    });
    const index = await open({ store, embedder: letters });
    for (const [hit, told] of await explained(index, 'refunds days', { filter: { lang: 'en' } })) {
      expect(told.fusion.lexical + told.fusion.semantic).toBeCloseTo(hit.score, 9);
      expect(told.lexical?.terms).toBeUndefined();
      expect(told.lexical).toEqual(hit.legs['lexical']);
      expect(told.filtered.chunks).toBe(2);
    }
  });
});
