import { describe, expect, it } from 'vitest';
import { openIndex } from '../../src/open-index.ts';
import { byRecord } from '../../src/split/by-record.ts';
import { MemoryVectorStore } from '../../src/store/memory.ts';
import type { EmbedderLike, VectorStore } from '../../src/types.ts';
import { freshName, guide, open } from './index-helpers.ts';
import { letters } from './letters.ts';

const fixed = (id: string, vector: number[], delay = 0): EmbedderLike => ({
  id,
  embed: async (texts) => {
    await new Promise((done) => setTimeout(done, delay));
    return texts.map(() => vector);
  },
});

describe('an index that is treated badly', () => {
  it('never mixes the vectors of two embedders, whichever tab comes first', async () => {
    const name = freshName();
    const [a, b] = [
      await openIndex({ name, embedder: fixed('A', [1, 0], 5) }),
      await openIndex({ name, embedder: fixed('B', [0, 1], 15) }),
    ];
    const results = await Promise.allSettled([
      a.add([{ uri: 'a', text: 'alpha' }]),
      b.add([{ uri: 'b', text: 'beta' }]),
    ]);
    const failed = results.findIndex(({ status }) => status === 'rejected');
    expect(results[1 - failed]).toMatchObject({ status: 'fulfilled' });
    expect(results[failed]).toMatchObject({ reason: { code: 'EMBEDDER_MISMATCH' } });
    // The words of the other one are in; its vectors are to be made by the embedder that was first.
    // Whose words come first is nobody's promise.
    expect((await a.documents()).map(({ uri, vectors }) => [uri, vectors]).sort()).toEqual([
      ['a', failed === 1 ? 'stored' : 'pending'],
      ['b', failed === 0 ? 'stored' : 'pending'],
    ]);
    expect((await a.stats()).embedder).toBe(failed === 1 ? 'A' : 'B');
    await b.close();
    await a.destroy();
  });

  it('answers by words where the question has a vector of another length', async () => {
    const name = freshName();
    const first = await openIndex({ name, embedder: { embed: async (texts) => texts.map(() => [1, 2]) } });
    await first.add([guide]);
    await first.close();
    const index = await open({ name, embedder: { embed: async (texts) => texts.map(() => [1, 2, 3]) } });
    const hits = await index.search('zebra');
    expect(hits[0]!.heading).toBe('Zebras');
    expect(hits.legStates).toEqual({ lexical: 'used', semantic: 'failed' });
    await expect(index.search('zebra', { mode: 'semantic' })).rejects.toMatchObject({
      code: 'DIMENSION_MISMATCH',
    });
  });

  it('answers by one leg where a store of others fails in the other', async () => {
    const inner = new MemoryVectorStore();
    const store = new Proxy(inner as VectorStore, {
      get(target, key) {
        if (key === 'searchText') return async () => Promise.reject(new Error('no words today'));
        const value = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
      getPrototypeOf: () => Object.prototype,
    });
    const index = await open({ store, embedder: letters().embedder });
    await index.add([guide]);
    const hits = await index.search('zzz', { mode: 'hybrid' });
    expect(hits.length).toBeGreaterThan(0);
    expect(hits.legStates).toEqual({ lexical: 'failed', semantic: 'used' });
    expect(String(hits.legError)).toContain('no words today');
  });

  it('hears an abort while a model of somebody else loads for ever', async () => {
    const { embedder } = letters();
    const index = await open({ embedder: { ...embedder, load: () => new Promise<void>(() => undefined) } });
    const stop = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => stop.abort(reason), 20);
    await expect(index.add([guide], { signal: stop.signal })).rejects.toBe(reason);
  });

  it('rejects with what a progress callback throws, and blames no document', async () => {
    for (const stage of ['split', 'load-model', 'embed', 'store']) {
      const index = await open({ embedder: letters().embedder });
      const bug = new Error(`ui bug at ${stage}`);
      const onProgress = (progress: { stage: string }) => {
        if (progress.stage === stage) throw bug;
      };
      await expect(index.add([guide], { onProgress }), stage).rejects.toBe(bug);
    }
  });

  it('refuses words that cannot be weighed, and splitters that are none, before anything is written', async () => {
    const name = freshName();
    await expect(openIndex({ name, lexicon: { k1: Number.NaN } })).rejects.toThrow('k1 is NaN');
    await expect(openIndex({ name, lexicon: { b: 7 } })).rejects.toThrow('b is 7');
    await expect(openIndex({ name, splitter: {} as never })).rejects.toThrow('splitter');
    expect((await indexedDB.databases()).map((db) => db.name)).not.toContain(`shelfmark:${name}`);
  });

  it('reads words as the store does that was passed in', async () => {
    const store = new MemoryVectorStore({ lexicon: { analyzer: 'ascii' } });
    const index = await open({ store });
    await index.add([{ uri: 'a', text: 'Zurich' }]);
    expect((await index.stats()).analyzer).toBe('words@1(ascii)');
    const [hit] = await index.search('zurich rocks');
    expect(hit!.highlights).toEqual([[0, 6]]);
  });

  it('reads a document anew where the analyser is another, or a lone surrogate has changed', async () => {
    const name = freshName();
    const first = await openIndex({ name });
    await first.add([{ uri: 'a', text: 'key \ud83d end' }]);
    expect(await first.add([{ uri: 'a', text: 'key \ufffd end' }])).toMatchObject({
      documents: 1,
      skipped: 0,
    });
    expect(await first.text('a')).toBe('key \ufffd end');
    await first.close();
    const other = await open({ name, lexicon: { diacritics: false } });
    expect(await other.add([{ uri: 'a', text: 'key \ufffd end' }])).toMatchObject({
      documents: 1,
      skipped: 0,
    });
  });

  it('keeps a document although a stemmer throws, and says so when searched', async () => {
    let broken = false;
    const stem = (token: string) => {
      if (broken) throw new Error('stemmer bug');
      return token;
    };
    const index = await open({ lexicon: { stem } });
    await index.search('anything');
    broken = true;
    expect(await index.add([guide])).toMatchObject({ documents: 1 });
    await expect(index.search('zebra')).rejects.toThrow('stemmer bug');
    broken = false;
    expect((await index.search('zebra'))[0]!.heading).toBe('Zebras');
  });

  it('refuses a filter that is none, in place of letting everything through', async () => {
    const index = await open({ embedder: letters().embedder });
    await index.add([guide]);
    const store = new MemoryVectorStore();
    await store.upsert([{ id: 'a#0', text: 'zebra', embedding: [1] }]);
    for (const filter of [new Map([['lang', 'de']]), [], 5, true, null, new Date()] as never[]) {
      await expect(index.search('zebra', { filter })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
      await expect(index.search(' ', { filter })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
      await expect(store.search([1], { filter })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
      await expect(store.searchText('zebra', { filter })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    }
  });

  it('takes shared memory as bytes', async () => {
    if (typeof SharedArrayBuffer !== 'function') return;
    const bytes = new Uint8Array(new SharedArrayBuffer(5));
    bytes.set(new TextEncoder().encode('hello'));
    const index = await open();
    await index.add([{ uri: 'a', text: bytes }]);
    expect(await index.text('a')).toBe('hello');
  });
});

/** The flag of sets, which the language level of the sources does not know yet. */
const sets = 'v';

describe('byRecord', () => {
  it.each([/^/mu, /(?=^📅)/mu, /(?=📅)/u, /(?:)/u, new RegExp('(?=\\p{Emoji})', sets), /(?:)/gy])(
    'ends with %s',
    (separator) => {
      const text = '📅 mon\n📅 tue';
      const pieces = byRecord({ separator, chunkSize: 100 }).split({ uri: 'a', text });
      expect(pieces.map((piece) => piece.text).join('')).toContain('📅');
      for (const piece of pieces) expect(text.slice(piece.charStart, piece.charEnd)).toBe(piece.text);
    },
  );
});
