import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { init, kernelInfo } from '../../src/kernel/load.ts';
import { openIndex } from '../../src/open-index.ts';
import { KeywordRetriever } from '../../src/retrieve/keyword.ts';
import { IndexedDBVectorStore } from '../../src/store/idb.ts';
import type { Hits, SplitterDocument, VectorFormat } from '../../src/types.ts';
import { lettersEmbedder } from '../letters-embedder.ts';

const documents: SplitterDocument[] = [
  {
    uri: 'refunds.md',
    text: '# Refunds\n\nWe pay within fourteen days, naïve as it is.\n\n# Zebras\n\nA zoo.',
  },
  {
    uri: 'code.md',
    text: '# Code\n\nCall getElementById from 東京都, or max_chars.',
    metadata: { kind: 'code' },
  },
];
const question = 'who pays the naive zebra in getElement 東京';

/** Makes parts of WebAssembly refuse with an error; answers how to take it back. */
function refuse(parts: readonly ('Module' | 'Instance')[], error: Error): () => void {
  const originals = parts.map((part) => [part, WebAssembly[part]] as const);
  const put = (part: string, value: unknown) =>
    Object.defineProperty(WebAssembly, part, { value, configurable: true, writable: true });
  const refusing = class {
    constructor() {
      throw error;
    }
  };
  for (const part of parts) put(part, refusing);
  return () => {
    for (const [part, original] of originals) put(part, original);
  };
}

/** A page that refuses to compile; an instance as well, since a module may have been compiled before. */
const refuseWebAssembly = () => refuse(['Module', 'Instance'], new EvalError('no wasm-unsafe-eval'));

/** What is found, without the functions a hit carries. */
const plain = (hits: Hits) =>
  hits.map(({ id, text, score, legs, highlights }) => ({ id, text, score, legs, highlights }));

let counter = 0;

describe('where WebAssembly is refused', () => {
  let restore = () => {};

  beforeEach(async () => {
    await init();
  });
  afterEach(() => restore());

  async function ask(vectors: VectorFormat, prepare: () => unknown) {
    await init();
    await prepare();
    const index = await openIndex({ persist: false, vectors, embedder: lettersEmbedder() });
    await index.add(documents);
    const how = { prefix: true, typos: true };
    const found = [
      await index.search(question, how),
      await index.search(question, { mode: 'lexical', ...how }),
      await index.search(question, { mode: 'semantic', filter: { kind: 'code' } }),
    ];
    await index.remove('refunds.md');
    found.push(await index.search(question, how));
    await index.close();
    return { found: found.map(plain), kernel: kernelInfo().index };
  }

  const ways: [string, string, () => unknown][] = [
    [
      'the module',
      'no wasm-unsafe-eval',
      () => {
        restore = refuseWebAssembly();
      },
    ],
    [
      'memory for an instance',
      'out of memory',
      () => {
        restore = refuse(['Instance'], new RangeError('out of memory'));
      },
    ],
    ['WebAssembly by init()', 'chosen by init()', () => init({ kernel: 'js' })],
  ];

  it.each(ways)('an index finds the same, refused %s', async (_what, reason, prepare) => {
    for (const vectors of ['f32', 'int8', 'int8+f32'] as const) {
      const wasm = await ask(vectors, () => {});
      const twin = await ask(vectors, prepare);
      restore();
      expect(wasm.kernel).toEqual({ kernel: 'wasm' });
      expect(twin.kernel).toEqual({ kernel: 'js', reason });
      expect(wasm.found[0]!.length).toBeGreaterThan(1);
      expect(twin.found).toEqual(wasm.found);
    }
  });

  it('a retriever that is filled at once is, by the twin', async () => {
    restore = refuseWebAssembly();
    const retriever = new KeywordRetriever();
    retriever.add([{ id: 'a#0', text: 'zebra' }]);
    expect((await retriever.retrieve('zebra')).map(({ id }) => id)).toEqual(['a#0']);
  });

  if (typeof indexedDB !== 'undefined')
    it('a store that outlives the page is filled by one kernel and read by the other', async () => {
      const name = `refused-${Date.now()}-${counter++}`;
      const vector = (letter: string) => Float32Array.from('abcdefgh', (one) => Number(one >= letter));
      const records = Array.from('abcdefgh', (letter, at) => ({
        id: `d${at % 2}#${at}`,
        text: `letter ${letter}`,
        embedding: vector(letter),
      }));
      const answers: unknown[] = [];
      for (const refused of [true, false, true]) {
        await init();
        if (refused) restore = refuseWebAssembly();
        const store = await IndexedDBVectorStore.open({ name, vectors: 'int8' });
        if (answers.length === 0) await store.upsert(records);
        answers.push([await store.search(vector('d'), { topK: 3 }), await store.searchText('c')]);
        expect(kernelInfo().index?.kernel).toBe(refused ? 'js' : 'wasm');
        restore();
        if (answers.length === 3) await store.destroy();
        else await store.close();
      }
      expect(answers[0]).toMatchObject([[{ id: 'd1#3', score: 1 }, {}, {}], [{ id: 'd0#2' }]]);
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[2]).toEqual(answers[0]);
    });
});
