import { init, kernelInfo } from '../../src/kernel/load.ts';
import { vectorKernel } from '../../src/kernel/load-index.ts';
import { naturalLog } from '../../src/kernel/logarithm.ts';
import type { LexiconOptions } from '../../src/lexicon/lexicon.ts';
import { openIndex } from '../../src/open-index.ts';
import type { SearchIndexOptions } from '../../src/open-index-options.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import { byRecord } from '../../src/split/by-record.ts';
import { splitDocuments } from '../../src/split/split-documents.ts';
import { MemoryVectorStore } from '../../src/store/memory.ts';
import type { EmbedderLike, Hit, Splitter, VectorFormat, VectorRecord } from '../../src/types.ts';
import { Bitmap } from '../../src/vectors/bitmap.ts';
import { documents, madeUpTexts, queries, questions, randomNumbers, sentences } from './texts.ts';

/** What was done to a list of results. Numbers are as JSON writes them, which loses no bit. */
export type Section = Record<string, unknown[]>;
/** Vectors of the bundled model, by their texts. */
export type GivenVectors = Record<string, number[]>;

/** JSON has no −0. */
const exact = (value: number): number | string => (Object.is(value, -0) ? '-0' : value);

/** Stands for every bit of a list of numbers, where the list is too long to keep. */
function digest(values: Float64Array): string {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  for (const word of words) {
    a = Math.imul(a ^ word, 0x01000193);
    b = Math.imul(b ^ (word >>> 13) ^ (word << 7), 0x85ebca6b) + (a >>> 16);
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

/** Vectors of the three-letter sequences of a text. Whole numbers and one division, so they are the same everywhere. */
const sequences: EmbedderLike = {
  id: 'sequences',
  async embed(texts) {
    return texts.map((text) => {
      const vector = new Float64Array(48);
      for (let at = 0; at + 2 < text.length; at++) {
        let hash = 0x811c9dc5;
        for (let i = at; i < at + 3; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
        vector[hash % 48]! += ((hash >>> 16) & 1 ? 1 : -1) / (1 + ((hash >>> 8) % 13));
      }
      return Float32Array.from(vector);
    });
  },
};

const splitters: Record<string, Splitter> = {
  byHeading: byHeading(),
  'byHeading small': byHeading({ maxChars: 200, overlapChars: 40 }),
  byRecord: byRecord({ chunkSize: 300, header: true }),
};

function chunks(): Section {
  return Object.fromEntries(
    Object.entries(splitters).map(([name, splitter]) => [
      name,
      splitDocuments(documents, splitter).map(({ id, charStart, charEnd, contentHash, heading }) =>
        [id, charStart, charEnd, contentHash.slice(0, 16), heading ?? ''].join(' '),
      ),
    ]),
  );
}

/** Some texts written twice, some taken away, and more taken away than are left. */
async function lexicon(): Promise<Section> {
  const kinds: Record<string, LexiconOptions> = {
    unicode: {},
    diacritics: { diacritics: false, k1: 1.2, b: 0.4 },
    ascii: { analyzer: 'ascii' },
  };
  const real = splitDocuments(documents, splitters['byHeading small']!).map(({ text }) => text);
  const texts = [...real, ...madeUpTexts(1500, 3)].filter((text) => text.trim() !== '');
  const record = (text: string, at: number): VectorRecord => ({ id: `t${at}#0`, text, embedding: [1] });
  const section: Section = {};
  for (const [name, options] of Object.entries(kinds)) {
    const store = new MemoryVectorStore({ lexicon: options });
    const search = async (stage: string) => {
      const list: unknown[] = [];
      for (const query of queries) {
        for (const how of [{}, { prefix: true }, { typos: true }]) {
          const found = await store.searchText(query, { topK: 4, ...how });
          list.push([query, Object.keys(how).join(), ...found.map(({ id, score }) => [id, exact(score)])]);
        }
      }
      section[`${name}, ${stage}`] = list;
    };
    await store.upsert(texts.map(record));
    await search('all');
    const longer = texts.map((text, at) => record(`${text} ${texts[(at * 31) % texts.length]}`, at));
    await store.upsert(longer.filter((_, at) => at % 7 === 0));
    await store.removeMany(
      texts.map((_, at) => `t${at}`).filter((_, at) => at >= real.length && at % 8 !== 0),
    );
    await search('changed');
  }
  return section;
}

const hitOf = ({ id, score, legs, highlights }: Hit): unknown[] => [
  id,
  exact(score),
  ...[legs['lexical'], legs['semantic']].map((leg) =>
    leg === undefined ? '' : [leg.rank, exact(leg.score)],
  ),
  highlights.map((range) => range.join('-')).join(' '),
];

async function index(): Promise<Section> {
  const section: Section = {};
  const asked: SearchIndexOptions[] = [
    { mode: 'lexical', typos: true, prefix: true },
    { mode: 'semantic' },
    { mode: 'hybrid' },
    { mode: 'hybrid', filter: { lang: ['zh', 'many'] }, minScore: { semantic: 0.2 } },
  ];
  for (const [name, fusion, vectors] of [
    ['byHeading', 'convex', 'f32'],
    ['byRecord', 'rrf', 'f32'],
    ['byHeading small', 'convex', 'int8'],
  ] as const) {
    const options = { persist: false, splitter: splitters[name]!, embedder: sequences, fusion, vectors };
    const made = await openIndex(options);
    await made.add(documents);
    for (const how of asked) {
      const hits: unknown[] = [];
      for (const query of queries) {
        const found = await made.search(query, { topK: 3, ...how });
        hits.push([query, ...found.map(hitOf)]);
      }
      section[`${name}, ${fusion}, ${vectors}, ${JSON.stringify(how)}`] = hits;
    }
  }
  return section;
}

/** The sentences, with the vectors the bundled model has been seen to give. */
async function fused(given: GivenVectors): Promise<Section> {
  const embedder = {
    id: 'given',
    embed: async (texts: readonly string[]) => texts.map((text) => given[text]!),
  };
  const made = await openIndex({ persist: false, embedder });
  await made.add(sentences.map((text, at) => ({ uri: `s${at}`, text })));
  const hits: unknown[] = [];
  for (const query of questions) hits.push([query, ...(await made.search(query)).map(hitOf)]);
  return { hybrid: hits };
}

/** Rows of many sizes, some alike, some zero, some taken away. */
async function vectors(): Promise<Section> {
  const section: Section = {};
  for (const dimensions of [1, 7, 100, 384]) {
    for (const format of ['f32', 'int8', 'int8+f32'] satisfies VectorFormat[]) {
      const random = randomNumbers(dimensions);
      const vector = (scale: number) =>
        Float32Array.from({ length: dimensions }, () => scale * (random() - 0.5));
      const kernel = await vectorKernel({ dimensions, format });
      const allowed = new Bitmap(600);
      for (let row = 0; row < 600; row++) {
        const zero = row % 97 === 0;
        kernel.set(row, zero ? new Float32Array(dimensions) : vector([1, 1e-3, 7e5, 1e-20, 1e18][row % 5]!));
        if (row % 50 === 49) kernel.set(row, kernel.read(row - 5));
        if (row % 11 === 3) kernel.delete(row);
        if (random() < 0.3) allowed.add(row);
      }
      const every = Uint32Array.from({ length: 600 }, (_, row) => row);
      section[`${dimensions}, ${format}`] = [1, 1e-6, 1e6].map((scale) => {
        const query = vector(scale);
        const best = (words?: Uint32Array) => {
          const { rows, scores } = kernel.search(query, 5, undefined, words);
          return Array.from(rows, (row, at) => [row, exact(scores[at]!)]);
        };
        return [best(), best(allowed.words), digest(kernel.scoreRows(query, every))];
      });
    }
  }
  return section;
}

/** The logarithm in a score, over what it can be asked: engines differ in the last bit of `Math.log`. */
function rarities(): Section {
  const section: Section = {};
  for (let from = 1; from < 1200; from += 100) {
    const values: number[] = [];
    for (let all = from; all < from + 100; all++) {
      for (let n = 1; n <= all; n++) values.push(naturalLog(1 + (all - n + 0.5) / (n + 0.5)));
    }
    section[`${from} documents and more`] = [digest(Float64Array.from(values))];
  }
  return section;
}

export interface Work {
  chunks: Section;
  lexicon: Section;
  index: Section;
  fused: Section;
  vectors: Section;
  rarities: Section;
}

/** Splits, indexes and searches, and answers plain JSON that has to be the same in every engine with either kernel. */
export async function work(kernel: 'wasm' | 'js', given: GivenVectors): Promise<Work> {
  await init(kernel === 'js' ? { kernel } : {});
  try {
    const done = {
      chunks: chunks(),
      lexicon: await lexicon(),
      index: await index(),
      fused: await fused(given),
      vectors: await vectors(),
      rarities: rarities(),
    };
    const { text, index: used } = kernelInfo();
    if (text.kernel !== kernel || used?.kernel !== kernel) {
      throw new Error(`The kernels were to be ${kernel}: ${JSON.stringify(kernelInfo())}`);
    }
    return JSON.parse(JSON.stringify(done)) as Work;
  } finally {
    await init();
  }
}

/** What the bundled model makes of the sentences and questions, to nine decimals. */
export async function modelVectors(): Promise<GivenVectors> {
  const { transformersEmbedder } = await import('../../src/embed/transformers.ts');
  const inPage = typeof document !== 'undefined';
  const embedder = transformersEmbedder(inPage ? { modelPath: '/models/', wasmPaths: '/ort/' } : {});
  const texts = [...sentences, ...questions];
  const made = await embedder.embed(texts);
  await embedder.dispose?.();
  return Object.fromEntries(
    texts.map((text, at) => [text, Array.from(made[at]!, (value) => Number(value.toFixed(9)))]),
  );
}
