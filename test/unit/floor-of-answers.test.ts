import { afterEach, describe, expect, it } from 'vitest';
import { answer } from '../../src/answer/answer.ts';
import { coverage } from '../../src/facade/floor.ts';
import { Lexicon } from '../../src/lexicon/lexicon.ts';
import { tellingWords } from '../../src/lexicon/telling.ts';
import { type Index, openIndex } from '../../src/open-index.ts';
import type { OpenIndexOptions } from '../../src/open-index-options.ts';
import { MemoryVectorStore } from '../../src/store/memory.ts';
import type { VectorStore } from '../../src/types.ts';

const documents = [
  {
    uri: 'refunds.md',
    text: '# Refunds\n\nRefunds are issued within fourteen days. Ask the shop with the receipt in hand.\n',
  },
  { uri: 'deposits.md', text: '# Deposits\n\nA deposit is paid at the counter, in cash or by card.\n' },
  { uri: 'zoo.md', text: '# Zebras\n\nZebras graze all day behind the shop.\n' },
];

/** Near in meaning is what begins with the same letters: one dimension a letter. */
const initials = (minScore?: number) => ({
  id: `initials ${minScore}`,
  minScore,
  embed: async (texts: readonly string[]) =>
    texts.map((text) => {
      const counts = new Float32Array(26);
      for (const [letter] of text.toLowerCase().matchAll(/\b[a-z]/g)) counts[letter.charCodeAt(0) - 97]!++;
      return counts;
    }),
});

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

/** Shares one word with a document, of four that say something. */
const foreign = 'Which shop sells garden furniture?';

describe('the floor of a search', () => {
  it('is none unless one is asked for', async () => {
    const index = await open();
    const hits = await index.search(foreign);
    expect(hits.map(({ docUri }) => docUri).sort()).toEqual(['refunds.md', 'zoo.md']);
    expect(await index.search(foreign, { floor: 0 })).toHaveLength(2);
    const none = await index.search(foreign, { floor: 1 });
    expect(none).toHaveLength(0);
    expect(none.legStates).toEqual({ lexical: 'used', semantic: 'unused' });
    expect(await index.search('refunds within days', { floor: 1 })).toEqual(
      (await index.search('refunds within days')).map((hit) => ({
        ...hit,
        neighbours: expect.any(Function),
      })),
    );
  });

  it('grows with the number, and does not heed how many passages are wanted', async () => {
    const index = await open();
    // "shop" and "receipt" of three words that say something, about two thirds of their weight.
    const question = 'shop receipt furniture';
    for (const topK of [1, 2, 10]) {
      expect(await index.search(question, { floor: 1, topK })).toHaveLength(Math.min(topK, 2));
      expect(await index.search(question, { floor: 1.6, topK })).toHaveLength(0);
    }
  });

  it('is explained as it is searched', async () => {
    const index = await open();
    const [hit] = await index.search(foreign);
    expect(await index.explain(hit!, foreign)).toMatchObject({ rank: 1 });
    expect(await index.explain(hit!, foreign, { floor: 1 })).toBeUndefined();
  });

  it('holds nothing against a model that states no minScore, nor against a store of others', async () => {
    const index = await open({ embedder: initials() });
    for (const mode of ['hybrid', 'semantic'] as const) {
      const hits = await index.search(foreign, { mode, floor: 1 });
      expect(hits).toHaveLength((await index.search(foreign, { mode })).length);
      expect(hits.length).toBeGreaterThan(0);
    }
    // Words alone are held against theirs, whatever the model.
    expect(await index.search(foreign, { mode: 'lexical', floor: 1 })).toHaveLength(0);

    const inner = new MemoryVectorStore();
    const store = new Proxy({} as VectorStore, {
      get(_, name) {
        const value: unknown = Reflect.get(inner, name);
        return typeof value === 'function' ? value.bind(inner) : value;
      },
    });
    const others = await open({ store, embedder: initials(0.9) });
    expect((await others.search(foreign, { floor: 1 })).length).toBeGreaterThan(0);
  });

  it('by meaning is the model’s minScore, and by both weighs as the fusion does', async () => {
    const index = await open({ embedder: initials(0.9), semanticWeight: 0.5 });
    const best = async (query: string) =>
      (await index.search(query, { mode: 'semantic' }))[0]!.legs['semantic']!.score;
    const near = 'ripe iron wafts from dry rock all in white';
    expect(await best(foreign)).toBeLessThan(0.9);
    expect(await index.search(foreign, { mode: 'semantic', floor: 1 })).toHaveLength(0);
    const cosine = await best(near);
    const semantic = (floor: number) => index.search(near, { mode: 'semantic', floor });
    expect((await semantic(cosine / 0.9 - 0.001)).length).toBeGreaterThan(0);
    expect(await semantic(cosine / 0.9 + 0.001)).toHaveLength(0);
    // No word is shared, so that by both it has half of that.
    const hybrid = (floor: number) => index.search(near, { mode: 'hybrid', floor });
    expect((await hybrid(cosine / 1.8 - 0.001)).length).toBeGreaterThan(0);
    expect(await hybrid(cosine / 1.8 + 0.001)).toHaveLength(0);
  });

  it.each([-1, Number.NaN, '1', null])('refuses a floor of %s', async (floor) => {
    const index = await open();
    const wrong = { floor: floor as number };
    await expect(index.search('shop', wrong)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    const asked = answer('shop', { retriever: index.retriever(), ...wrong });
    if (floor === null) expect((await asked).known).toBe(true);
    else await expect(asked).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });
});

describe('an answer', () => {
  it('is not known where no passage reaches the floor', async () => {
    const index = await open();
    const retriever = index.retriever();
    expect(await answer('When are refunds issued?', { retriever })).toMatchObject({ known: true });
    const told = await answer(foreign, { retriever });
    expect(told).toMatchObject({ known: false, passages: [], citations: [] });
    expect(await answer(foreign, { retriever, floor: 0 })).toMatchObject({ known: true });
  });

  it('keeps to the floors of its retriever', async () => {
    const index = await open();
    const own = (options: Parameters<Index['retriever']>[0]) =>
      answer(foreign, { retriever: index.retriever(options) });
    expect(await own({ floor: 0 })).toMatchObject({ known: true });
    expect(await own({ minScore: { lexical: 0.1 } })).toMatchObject({ known: true });
    expect(await own({ minScore: { lexical: 0.1 }, floor: 1 })).toMatchObject({ known: false });
    expect(await own({ minScore: { lexical: 99 }, floor: 0 })).toMatchObject({ known: false });
  });
});

describe('how much of a question a passage holds', () => {
  const weight = (holding: number, of: number) => 1 + Math.log(1 + (of - holding + 0.5) / (holding + 0.5));
  async function lexiconOf(texts: readonly string[]): Promise<Lexicon> {
    const lexicon = await Lexicon.open({});
    for (const [row, text] of texts.entries()) lexicon.add(row, text);
    return lexicon;
  }

  it('is the share of the weight of its words, which is 1 and their rarity', async () => {
    const lexicon = await lexiconOf(['the red pump', 'the blue pump', 'a valve']);
    const [pump, red, sealed] = [weight(2, 3), weight(1, 3), weight(0, 3)];
    const held = coverage(lexicon, 'Is the red pump sealed?', false, false, [0, 1, 2]);
    const total = pump + red + sealed;
    expect(held.map((share) => share.toFixed(12))).toEqual(
      [(pump + red) / total, pump / total, 0].map((share) => share.toFixed(12)),
    );
  });

  it('counts longer and misspelt words as much as a search for them does', async () => {
    const lexicon = await lexiconOf(['refunds', 'deposit']);
    expect(coverage(lexicon, 'refund', false, false, [0])).toEqual([0]);
    const [typed] = coverage(lexicon, 'refund', true, false, [0]);
    expect(typed).toBeCloseTo(6 / 7, 12);
    const [misspelt] = coverage(lexicon, 'depozit', false, true, [1]);
    expect(misspelt).toBeCloseTo(0.4, 12);
  });

  it('passes over pairs of characters that reach over the end of a word', async () => {
    const lexicon = await lexiconOf(['可以修改文件', '路由的文件', '茶']);
    // 修改 | 路由: no text has 改路.
    const both = coverage(lexicon, '修改路由', false, false, [0, 1]);
    for (const share of both) expect(share).toBeCloseTo(0.5, 12);
    expect(coverage(lexicon, '如何修改？', false, false, [0])).toEqual([1]);
    expect(coverage(lexicon, '红烧肉', false, false, [0])).toEqual([0]);
  });

  it('is nothing of a question without a word', async () => {
    const lexicon = await lexiconOf(['the red pump']);
    expect(coverage(lexicon, '?!', false, false, [0])).toEqual([0]);
  });
});

describe('the words of a question that say something', () => {
  const tokensOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  it.each([
    ['How long do refunds take?', ['refunds']],
    ['What is it?', ['what', 'is', 'it']],
    ['Wie lange dauert die Rückerstattung?', ['dauert', 'rückerstattung']],
    ['Quand est-ce que les colis partent ?', ['colis', 'partent']],
    ['Como devolvo uma encomenda?', ['devolvo', 'encomenda']],
    ['Kuinka kauan palautus kestää?', ['kuinka', 'kauan', 'palautus', 'kestää']],
    ['Is a pump a pump?', ['pump']],
    ['怎么配置？', ['配置']],
    ['什么', ['什么']],
  ])('of %s are %j', (question, words) => {
    expect(tellingWords(question, tokensOf)).toEqual(words);
  });
});
