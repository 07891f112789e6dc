/** Cases from public bug reports of lexical, vector and hybrid search, each with the right value. */
import { describe, expect, it } from 'vitest';
import { transformersEmbedder } from '../../src/embed/transformers.ts';
import { openIndex } from '../../src/open-index.ts';
import { EmbeddingRetriever } from '../../src/retrieve/embedding.ts';
import { HybridRetriever } from '../../src/retrieve/hybrid.ts';
import { KeywordRetriever, type KeywordRetrieverOptions } from '../../src/retrieve/keyword.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import { MemoryVectorStore } from '../../src/store/memory.ts';
import type { Embedder, EmbedderLike, SplitterDocument } from '../../src/types.ts';
import { lettersEmbedder } from '../letters-embedder.ts';

function keyword(texts: readonly string[], options: KeywordRetrieverOptions = {}): KeywordRetriever {
  const retriever = new KeywordRetriever(options);
  retriever.add(texts.map((text, n) => ({ id: `d${n}`, text })));
  return retriever;
}

async function found(retriever: KeywordRetriever, query: string): Promise<string[]> {
  const passages = await retriever.retrieve(query, { topK: 10 });
  for (const { score } of passages) expect(Number.isFinite(score) && score > 0).toBe(true);
  return passages.map(({ id }) => id);
}

async function indexOf(documents: readonly SplitterDocument[], embedder: EmbedderLike | Embedder) {
  const index = await openIndex({ persist: false, embedder, splitter: byHeading({ minChars: 1 }) });
  await index.add(documents);
  return index;
}

const refunds = [
  { uri: 'refunds.md', text: 'Refunds are issued within 14 days.' },
  { uri: 'trees.md', text: 'Oaks grow slowly and live for centuries.' },
  { uri: 'code.md', text: 'Call xqzv_frobnicate before qqzzyx.' },
];
/** Share no word with the text that answers them. */
const reworded = 'How do I get my money back?';
const rewordedNear = 'when do customers get their money back';

describe('thresholds and fusion', () => {
  const model = transformersEmbedder();

  it('finds a re-worded question by meaning, with nothing but defaults (B152)', async () => {
    const index = await indexOf(refunds, model);
    const hits = await index.search(reworded);
    expect(hits[0]).toMatchObject({ docUri: 'refunds.md', legs: { semantic: { rank: 1 } } });
    expect(hits[0]!.legs['lexical']).toBeUndefined();
    expect(hits.legStates).toEqual({ lexical: 'used', semantic: 'used' });
  });

  it('holds a floor for cosines against cosines, never against fused scores (B153)', async () => {
    const store = new MemoryVectorStore();
    const retriever = keyword(refunds.map(({ text }) => text));
    const vectors = await model.embed(refunds.map(({ text }) => text));
    await store.upsert(refunds.map(({ text }, n) => ({ id: `d${n}`, text, embedding: vectors[n]! })));
    const meaning = new EmbeddingRetriever(model, store, { minScore: 0.5 });
    const [first, ...rest] = await new HybridRetriever({ words: retriever, meaning }).retrieve(rewordedNear);
    expect(first).toMatchObject({ id: 'd0', legs: { meaning: { rank: 1 } } });
    expect(first!.score).toBeLessThan(0.05);
    expect(first!.legs!['meaning']!.score).toBeGreaterThanOrEqual(0.5);
    expect(rest).toEqual([]);
    const index = await indexOf(refunds, model);
    const hits = await index.search(rewordedNear, { minScore: { semantic: 0.5 } });
    expect(hits.map(({ docUri }) => docUri)).toEqual(['refunds.md']);
  });

  it('keeps a perfect match of words that the model does not know (B154)', async () => {
    const index = await openIndex({ persist: false, embedder: model, semanticWeight: 0.7 });
    await index.add(refunds);
    const hits = await index.search('xqzv_frobnicate', { mode: 'hybrid', minScore: { semantic: 0.35 } });
    expect(hits.map(({ docUri }) => docUri)).toEqual(['code.md']);
  });

  it('runs a search of its own for every question (B155)', async () => {
    const embedder: EmbedderLike & { asked: string[] } = {
      asked: [],
      // Tells nothing apart, as a model does with a language it was not trained on.
      async embed(texts) {
        this.asked.push(...texts);
        return texts.map(() => [1, 0]);
      },
    };
    const index = await indexOf(
      [
        { uri: 'a', text: '猫が好き' },
        { uri: 'b', text: '犬が好き' },
      ],
      embedder,
    );
    expect((await index.search('猫', { topK: 1 }))[0]!.docUri).toBe('a');
    expect((await index.search('犬', { topK: 1 }))[0]!.docUri).toBe('b');
    expect(embedder.asked.slice(-2)).toEqual(['猫', '犬']);
  });
});

describe('filters', () => {
  const near = Array.from({ length: 100 }, (_, n) => ({
    id: `b${n}`,
    text: 'auth auth auth',
    metadata: { tag: 'B' },
  }));
  const far = Array.from({ length: 10 }, (_, n) => ({
    id: `a${n}`,
    text: 'auth among quite a few other words',
    metadata: { tag: 'A' },
  }));

  it('choose before the best are taken, in either leg and both (B156, B157)', async () => {
    const embedder = lettersEmbedder();
    const words = new KeywordRetriever();
    const store = new MemoryVectorStore();
    const all = [...near, ...far];
    words.add(all);
    const vectors = await embedder.embed(all.map(({ text }) => text));
    await store.upsert(all.map((one, at) => ({ ...one, embedding: vectors[at]! })));
    const meaning = new EmbeddingRetriever(embedder, store);
    for (const retriever of [words, meaning, new HybridRetriever({ words, meaning })]) {
      const passages = await retriever.retrieve('auth', { topK: 5, filter: { tag: 'A' } });
      expect(passages.map(({ id }) => id[0])).toEqual(['a', 'a', 'a', 'a', 'a']);
      expect(await retriever.retrieve('auth', { filter: { tag: 'draft' } })).toEqual([]);
      expect(await retriever.retrieve('auth', { filter: { tag: [] } })).toEqual([]);
    }
  });

  it('hold in every mode of an index (B156, B157)', async () => {
    const documents = [...near, ...far].map(({ id, ...rest }) => ({ uri: id, ...rest }));
    const index = await indexOf(documents, lettersEmbedder());
    for (const mode of ['auto', 'hybrid', 'lexical', 'semantic'] as const) {
      const hits = await index.search('auth', { topK: 5, mode, filter: { tag: 'A' } });
      expect(hits.map(({ docUri }) => docUri[0])).toEqual(['a', 'a', 'a', 'a', 'a']);
    }
  });
});

describe('order', () => {
  it('is the same every time, equal scores by leg and then by rank (B159)', async () => {
    const one = (id: string) => ({ retrieve: async () => [{ id, text: id, score: 1 }] });
    const hybrid = new HybridRetriever([one('z'), one('a')]);
    for (let run = 0; run < 100; run++) {
      expect((await hybrid.retrieve('q')).map(({ id }) => id)).toEqual(['z', 'a']);
    }
    const texts = Array.from({ length: 30 }, () => 'same words');
    const order = texts.map((_, n) => `d${n}`).slice(0, 10);
    for (let run = 0; run < 100; run++) expect(await found(keyword(texts), 'words')).toEqual(order);
  });
});

describe.each(['unicode', 'ascii'] as const)('words (%s)', (analyzer) => {
  it('of half of the documents still count (B149)', async () => {
    const retriever = keyword(['a key', 'nothing', 'the key', 'more'], { analyzer });
    expect(await found(retriever, 'key')).toEqual(['d0', 'd2']);
  });

  it('that are common are found like any other (B162)', async () => {
    const retriever = keyword(['How to get to the moon', 'something else'], { analyzer });
    expect(await found(retriever, 'How to get to the moon')).toEqual(['d0']);
    expect(await found(retriever, 'to the')).toEqual(['d0']);
  });

  it('are never syntax (B164)', async () => {
    const retriever = keyword(['php and foo', 'C++ code', 'a tilde'], { analyzer });
    expect(await found(retriever, 'php:')).toEqual(['d0']);
    expect(await found(retriever, 'a~')).toEqual(['d2']);
    expect(await found(retriever, 'foo AND (')).toEqual(['d0']);
    expect(await found(retriever, 'C++')).toEqual(['d1']);
    for (const query of ['^', '-', '*', '"', '\\', '+-!(){}[]^"~*?:/']) {
      expect(await found(retriever, query), query).toEqual([]);
    }
  });

  it('may be names of built-in members (B165)', async () => {
    const words = ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf'];
    const retriever = keyword([words.join(' '), 'other'], { analyzer });
    for (const word of words) expect(await found(retriever, word), word).toEqual(['d0']);
  });

  it('of a removed document are gone, and leave no holes (B167)', async () => {
    const retriever = keyword(['one tea', 'two tea', 'three tea', 'four tea', 'five tea'], { analyzer });
    retriever.remove('d2');
    expect(await found(retriever, 'tea three')).toEqual(['d0', 'd1', 'd3', 'd4']);
  });

  it('of a changed document are the new ones only (B169)', async () => {
    const retriever = new KeywordRetriever({ analyzer });
    retriever.add([{ id: 'd', text: 'old words' }]);
    retriever.add([{ id: 'd', text: 'new words' }]);
    expect(await found(retriever, 'old')).toEqual([]);
    expect(await found(retriever, 'new')).toEqual(['d']);
  });

  it('are wanted: a blank question has no answer (B177)', async () => {
    const retriever = keyword(['some text', ''], { analyzer });
    for (const query of ['', '   ', '\n\t', '…?!']) expect(await found(retriever, query)).toEqual([]);
  });
});

describe('words of other scripts', () => {
  it('are found where a script has no spaces (B170)', async () => {
    const retriever = keyword(['地域の住民が町づくりを進める', '別の文書']);
    expect(await found(retriever, '住民')).toEqual(['d0']);
  });

  it('match whether accents are composed or not, and are cited as they stand (B172)', async () => {
    const forms = ['cafe\u0301 menu', 'caf\u00e9 menu'];
    for (const query of ['caf\u00e9', 'cafe\u0301', 'CAFE']) {
      expect(await found(keyword(forms), query)).toHaveLength(2);
    }
    const index = await openIndex({ persist: false });
    await index.add([{ uri: 'd', text: forms[0]! }]);
    const [hit] = await index.search('caf\u00e9');
    expect(forms[0]!.slice(hit!.charStart, hit!.charEnd)).toBe(hit!.text);
    expect(hit!.highlights.map(([start, end]) => hit!.text.slice(start, end))).toEqual(['cafe\u0301']);
  });
});

describe('an index', () => {
  it('finds a word at each step of typing it (B160)', async () => {
    const index = await openIndex({ persist: false });
    await index.add([{ uri: 'd', text: 'Notes on installation.' }]);
    for (const query of ['inst', 'install', 'installa', 'installation']) {
      expect(await index.search(query, { prefix: true }), query).toHaveLength(1);
    }
  });

  it('has no answer to a blank question and embeds none (B177)', async () => {
    const embedder = lettersEmbedder();
    const index = await indexOf(refunds, embedder);
    const before = embedder.calls;
    for (const query of ['', '   ', '\n\t']) expect([...(await index.search(query))]).toEqual([]);
    expect(embedder.calls).toBe(before);
  });
});
