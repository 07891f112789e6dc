import { MemoryVectorStore, openIndex } from '../../src/index.ts';
import type { VectorFormat } from '../../src/types.ts';
import { type Asked, keep, type Row, raceQueries, seeded, unitVectors, yielded } from './harness.ts';
import { passages, questions, repeated } from './passages.ts';

const dimensions = 384;
const k = 10;
const batch = 1000;

interface Data {
  texts: string[];
  vectors: Float32Array;
  /** Each with a vector near to some passage's, at a cosine of about 0.9. */
  asked: { question: string; vector: Float32Array }[];
}

async function make(count: number): Promise<Data> {
  const all = await passages();
  const vectors = unitVectors(count, dimensions, 5);
  const noise = unitVectors(200, dimensions, 6);
  const random = seeded(12);
  const asked = questions(all, 200).map((question, q) => {
    const row = Math.floor(random() * count);
    const vector = vectors.slice(row * dimensions, (row + 1) * dimensions);
    for (let i = 0; i < dimensions; i++) vector[i] = vector[i]! * 0.9 + noise[q * dimensions + i]! * 0.43;
    return { question, vector };
  });
  return { texts: repeated(all, count), vectors, asked };
}

const vectorOf = ({ vectors }: Data, row: number): Float32Array =>
  vectors.subarray(row * dimensions, (row + 1) * dimensions);

/** What a user calls, with an embedder that has the vector at hand: passages with their texts and highlights. */
async function ours(data: Data, format: VectorFormat): Promise<Asked> {
  const start = performance.now();
  const store = new MemoryVectorStore({ vectors: format });
  for (let from = 0; from < data.texts.length; from += batch) {
    const records = data.texts.slice(from, from + batch).map((text, i) => ({
      id: `d${from}#${i}`,
      text,
      embedding: vectorOf(data, from + i),
    }));
    await store.upsert(records);
    await yielded();
  }
  let given: Float32Array = data.asked[0]!.vector;
  const index = await openIndex({
    store,
    embedder: { id: 'given', dimensions, embed: async (texts: readonly string[]) => texts.map(() => given) },
  });
  const ask = async (i: number): Promise<number> => {
    const { question, vector } = data.asked[i]!;
    given = vector;
    const hits = await index.search(question, { topK: k, mode: 'hybrid' });
    for (const { id, score, text } of hits) keep(id.length + score + text.length);
    return hits.length;
  };
  return checked(`shelfmark, openIndex, ${format}`, ask, data, start);
}

async function orama(data: Data, similarity: number): Promise<Asked> {
  const { create, insertMultiple, search } = await import('@orama/orama');
  const start = performance.now();
  const index = create({ schema: { text: 'string', v: `vector[${dimensions}]` } });
  for (let from = 0; from < data.texts.length; from += batch) {
    const records = data.texts.slice(from, from + batch).map((text, i) => ({
      id: String(from + i),
      text,
      v: Array.from(vectorOf(data, from + i)),
    }));
    await insertMultiple(index, records, batch);
    await yielded();
  }
  const ask = async (i: number): Promise<number> => {
    const { question: term, vector: value } = data.asked[i]!;
    const vector = { value, property: 'v' };
    const { hits } = await search(index, { mode: 'hybrid', term, vector, similarity, limit: k });
    for (const { id, score } of hits) keep(id.length + score);
    return hits.length;
  };
  return checked(`Orama, hybrid, similarity ${similarity}`, ask, data, start);
}

async function checked(
  what: string,
  run: (i: number) => Promise<number>,
  { asked }: Data,
  start: number,
): Promise<Asked> {
  // The first question may still have words to take in.
  await run(0);
  const seconds = (performance.now() - start) / 1000;
  let answered = 0;
  for (let i = 0; i < asked.length; i++) if ((await run(i)) === k) answered++;
  if (answered < asked.length / 2) throw new Error(`${what}: ${answered} of ${asked.length} whole answers`);
  return {
    what,
    run,
    note: `${k} hits for ${answered} of ${asked.length}, built in ${seconds.toFixed(1)} s`,
  };
}

async function hybrid(count: number): Promise<Row[]> {
  const data = await make(count);
  const contenders = [
    // Its default: nearer than that is what its vector leg proposes, which is least work.
    await orama(data, 0.8),
    await ours(data, 'f32'),
    await ours(data, 'int8+f32'),
  ];
  return raceQueries(contenders, data.asked.length, 3);
}

export const hybridQuery20k = (): Promise<Row[]> => hybrid(20_000);
export const hybridQuery100k = (): Promise<Row[]> => hybrid(100_000);
