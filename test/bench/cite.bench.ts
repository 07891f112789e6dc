import { answer } from '../../src/answer/index.ts';
import { formatContext, openIndex, type Passage, verifyQuotes } from '../../src/index.ts';
import { consume, keep, type Row, race, raceQueries, unitVectors } from './harness.ts';
import { passages, questions, repeated } from './passages.ts';

const dimensions = 384;
const cited = 100;

/** The first passages of the corpora, as a search gives them. */
async function some(): Promise<Passage[]> {
  const { texts } = await passages();
  return texts.slice(0, cited).map((text, at) => {
    const docUri = `doc${at >> 2}.md`;
    const id = `${docUri}#${at % 4}`;
    return { id, docUri, text, score: 1, charStart: (at % 4) * 2000, charEnd: (at % 4) * 2000 + text.length };
  });
}

/** What stands between an index and a model, and behind the model: 100 passages, goal 5 ms each. */
export async function hundredPassages(): Promise<Row[]> {
  const all = await some();
  const own = all.slice(0, 10).map(({ id, text }) => `“${text.slice(20, 140).replaceAll('"', '')}” [${id}]`);
  const absent = all
    .slice(0, 10)
    .map(({ id }, at) => `“This sentence number ${at} stands in none of them.” [${id}]`);
  return race(
    [
      { what: 'formatContext', run: () => consume([formatContext(all)]) },
      {
        what: 'formatContext, 40,000 characters',
        run: () => consume([formatContext(all, { maxChars: 40_000 })]),
      },
      { what: 'verifyQuotes, ten that are there', run: () => keep(verifyQuotes(own.join(' '), all).length) },
      { what: 'verifyQuotes, ten that are not', run: () => keep(verifyQuotes(absent.join(' '), all).length) },
    ],
    15,
    3,
  );
}

/** An answer without a model from 10,000 chunks, after the question's vector: goal 30 ms. */
export async function extractive10k(): Promise<Row[]> {
  const all = await passages();
  const texts = repeated(all, 10_000);
  const vectors = unitVectors(texts.length, dimensions, 31);
  let at = 0;
  const embedder = {
    id: 'given',
    dimensions,
    embed: async (given: readonly string[]) =>
      given.map(() =>
        vectors.slice((at % texts.length) * dimensions, ((at++ % texts.length) + 1) * dimensions),
      ),
  };
  const index = await openIndex({ persist: false, embedder });
  const documents = texts.map((text, n) => ({ uri: `d${n}`, title: `Document ${n}`, text }));
  for (let from = 0; from < documents.length; from += 1000)
    await index.add(documents.slice(from, from + 1000));
  const asked = questions(all, 60);
  const retriever = index.retriever({ mode: 'hybrid' });
  const rows = await raceQueries(
    [
      {
        what: 'answer, extractive',
        run: async (n) => keep((await answer(asked[n]!, { retriever, floor: 0 })).text.length),
      },
      { what: 'of which search', run: async (n) => keep((await retriever.retrieve(asked[n]!)).length) },
    ],
    asked.length,
    3,
  );
  await index.destroy();
  return rows;
}
