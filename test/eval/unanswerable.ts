/**
 * Whether an answer knows when the documents do not hold one. Floors are chosen on every other question, and judged on the
 * rest. `absent` is what nobody can answer; `present` and headings are answered by the section they name.
 */
import { answer } from '../../src/answer/answer.ts';
import { coverage } from '../../src/facade/floor.ts';
import { Lexicon } from '../../src/lexicon/lexicon.ts';
import { type Index, openIndex } from '../../src/open-index.ts';
import { defaults } from '../../src/options.ts';
import { readingOf } from '../../src/store/reading.ts';
import type { Hit, SplitterDocument } from '../../src/types.ts';
import { embedder } from './embedding.ts';
import { questionsOf, readFolder } from './headings.ts';
import { trueHeadings } from './markdown.ts';
import { table } from './metrics.ts';
import { type AbsentKind, absent } from './unanswerable-absent.ts';
import { present } from './unanswerable-present.ts';
import { areaUnder, chosen, type Judgement, type Signal, signals, sweepOf } from './unanswerable-signals.ts';

const folders = ['rust-book', 'eslint'] as const;
const modes = ['lexical', 'semantic', 'hybrid'] as const;
type Mode = (typeof modes)[number];
/** Of the headings as questions, every so many. */
const headingStep = 16;

export interface Asked {
  question: string;
  kind: AbsentKind | 'in own words' | 'heading';
  /** Whether it is one of those the floor is chosen on. */
  isChoosing: boolean;
  /** Where the answer stands; absent where there is none. */
  place?: { uri: string; start: number; end: number };
}

/** The section under a heading, told by its title or by the end of its path. */
function sectionOf({ uri, text }: SplitterDocument, heading: string): NonNullable<Asked['place']> {
  const headings = trueHeadings(String(text));
  const at = headings.findIndex(({ path }) => ` › ${path.join(' › ')}`.endsWith(` › ${heading}`));
  const own = headings[at];
  if (own === undefined) throw new Error(`${uri} has no heading ${heading}.`);
  const next = headings.slice(at + 1).find(({ level }) => level <= own.level);
  return { uri, start: own.offset, end: next?.offset ?? text.length };
}

function askedOf(documents: ReadonlyMap<string, SplitterDocument>): Asked[] {
  const alternating = (list: readonly Omit<Asked, 'isChoosing'>[]): Asked[] =>
    list.map((one, at) => ({ ...one, isChoosing: at % 2 === 1 }));
  const texts = [...documents.values()].map(({ text }) => String(text).toLowerCase());
  const unanswered = alternating(
    Object.entries(absent).flatMap(([kind, list]) =>
      list.map(([question, ...words]) => {
        const word = words.find((one) => texts.some((text) => text.includes(one.toLowerCase())));
        if (word !== undefined) throw new Error(`The documents say ${word}: “${question}” may be answered.`);
        return { question, kind: kind as AbsentKind };
      }),
    ),
  );
  const answered = folders.flatMap((folder) => [
    ...alternating(
      present[folder].map(([question, page, heading]) => ({
        question,
        kind: 'in own words',
        place: sectionOf(documents.get(`${folder}/${page}`)!, heading),
      })),
    ),
    ...alternating(
      questionsOf(readFolder(folder))
        .filter((_, at) => at % headingStep === 0)
        .map(({ query, uri, start, end }) => ({
          question: query,
          kind: 'heading',
          place: { uri: `${folder}/${uri}`, start, end },
        })),
    ),
  ]);
  return [...unanswered, ...answered];
}

const isRight = ({ place }: Asked, hit: Hit | undefined): boolean =>
  place !== undefined &&
  hit?.docUri === place.uri &&
  hit.charStart! < place.end &&
  hit.charEnd! > place.start;

const documentsOf = (): Map<string, SplitterDocument> =>
  new Map(
    folders.flatMap((folder) =>
      readFolder(folder).map(({ uri, text }): [string, SplitterDocument] => {
        const own = `${folder}/${uri}`;
        return [own, { uri: own, text }];
      }),
    ),
  );

/** The words of an index, told apart by the ids of its chunks. */
async function wordsOf(index: Index): Promise<{ lexicon: Lexicon; rows: Map<string, number> }> {
  const lexicon = await Lexicon.open(defaults.storeBm25);
  const rows = new Map<string, number>();
  for (const { uri } of await index.documents()) {
    for (const chunk of await index.chunks(uri)) {
      lexicon.add(rows.size, readingOf(chunk, chunk.text));
      rows.set(chunk.id, rows.size);
    }
  }
  return { lexicon, rows };
}

function reportSignals(mode: string, judged: readonly Judgement[]): void {
  const natural = judged.filter(({ kind }) => kind !== 'heading');
  const compared = (Object.keys(signals) as Signal[]).map((name) => {
    const { floor, onChoosing, onTest } = chosen(natural, name);
    const areas = (['off topic', 'same field', 'near miss'] as const).map((kind) =>
      areaUnder(
        natural.filter((one) => one.isAnswerable || one.kind === kind),
        name,
      ).toFixed(2),
    );
    const errors = [onChoosing, onTest].map(({ refused, answered }) => `${refused} + ${answered}`);
    return [name, areaUnder(natural, name).toFixed(3), ...areas, floor.toFixed(3), ...errors];
  });
  const kinds = ['off topic', 'same field', 'near miss'];
  const head = ['signal', 'AUC', ...kinds, 'floor', 'choosing half', 'test half'];
  console.log(`\n${mode}: refused wrongly + answered wrongly, of 50 and 50\n\n${table(head, compared)}`);
  const ours = mode === 'lexical' ? 'coverage' : mode === 'semantic' ? 'cosine' : 'both, each by its floor';
  console.log(`\n${mode}: ${ours}\n\n${sweepOf(judged, ours)}`);
}

/** What `answer` does with nothing but defaults. */
async function reportAnswers(index: Index, mode: Mode, asked: readonly Asked[]): Promise<void> {
  const retriever = index.retriever({ mode });
  const rows: (string | number)[][] = [];
  for (const kind of new Set(asked.map((one) => one.kind))) {
    const own = asked.filter((one) => one.kind === kind);
    let [known, onTest, right, free] = [0, 0, 0, 0];
    for (const one of own) {
      const [hit] = await index.search(one.question, { mode, topK: 1 });
      if (isRight(one, hit)) free++;
      const told = await answer(one.question, { retriever });
      if (!told.known) continue;
      known++;
      if (!one.isChoosing) onTest++;
      if (isRight(one, told.passages[0] as Hit)) right++;
    }
    const found = own[0]!.place === undefined ? ['–', '–'] : [right, free];
    const test = own.filter(({ isChoosing }) => !isChoosing).length;
    rows.push([kind, own.length, known, own.length - known, `${onTest} of ${test}`, ...found]);
  }
  const head = ['', 'questions', 'answered', 'refused', 'answered, test half'];
  const places = ['first passage right', 'without a floor'];
  console.log(`\n${mode}: answer(), extractive, as it comes\n\n${table([...head, ...places], rows)}`);
}

/** Indexes of a few pages, where a word that no page has weighs more. By words. */
async function reportSmall(documents: ReadonlyMap<string, SplitterDocument>, asked: readonly Asked[]) {
  const natural = asked.filter(({ kind }) => kind !== 'heading');
  const pages = [...new Set(natural.flatMap(({ place }) => place?.uri ?? []))];
  const rows: (string | number)[][] = [];
  for (const size of [1, 3, 10, 30]) {
    let [indexes, answerable, refused, elsewhere, others, none, wrongly] = [0, 0, 0, 0, 0, 0, 0];
    for (let from = 0; from + size <= pages.length && indexes < 12; from += size, indexes++) {
      const own = pages.slice(from, from + size);
      const index = await openIndex({ persist: false });
      await index.add(own.map((uri) => documents.get(uri)!));
      const retriever = index.retriever();
      for (const { question, place } of natural) {
        const { known } = await answer(question, { retriever });
        if (place === undefined) {
          none++;
          if (known) wrongly++;
        } else if (own.includes(place.uri)) {
          answerable++;
          if (!known) refused++;
        } else {
          elsewhere++;
          if (known) others++;
        }
      }
      await index.close();
    }
    const share = (count: number, of: number) => `${count} of ${of}`;
    rows.push([size, indexes, share(refused, answerable), share(wrongly, none), share(others, elsewhere)]);
  }
  const head = ['pages', 'indexes', 'refused wrongly', 'answered wrongly', 'answered, of other pages'];
  console.log(`\nSmall indexes, by words\n\n${table(head, rows)}`);
}

export async function reportUnanswerable(): Promise<void> {
  const documents = documentsOf();
  const index = await openIndex({ persist: false, embedder });
  await index.add([...documents.values()]);
  const { lexicon, rows } = await wordsOf(index);
  const asked = askedOf(documents);
  console.log(`\n${rows.size} chunks, ${asked.length} questions`);
  for (const mode of modes) {
    const judged: Judgement[] = [];
    for (const one of asked) {
      const { question, kind, isChoosing, place } = one;
      const hits = await index.search(question, { mode });
      const found = hits.map(({ id }) => rows.get(id)!);
      const held = hits.length === 0 ? [] : coverage(lexicon, question, false, false, found);
      const values = Object.entries(signals).map(([name, signal]) => [
        name,
        signal({ question, hits, held, lexicon }),
      ]);
      judged.push({
        kind,
        isChoosing,
        isAnswerable: place !== undefined,
        isRight: isRight(one, hits[0]),
        values: Object.fromEntries(values),
      });
    }
    reportSignals(mode, judged);
    await reportAnswers(index, mode, asked);
  }
  await index.close();
  await reportSmall(documents, asked);
}
