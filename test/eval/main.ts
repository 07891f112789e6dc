import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stemmer } from 'stemmer';
import type { LexiconOptions } from '../../src/lexicon/lexicon.ts';
import { defaults } from '../../src/options.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import { byParagraph } from '../../src/split/by-paragraph.ts';
import { fixedWithOverlap } from '../../src/split/fixed-with-overlap.ts';
import { dataDir } from '../data-server.ts';
import { isOdd, judge, readCranfield, type Split } from './cranfield.ts';
import { embedAll } from './embedding.ts';
import {
  chunksOf,
  type HeadingChunk,
  type HeadingQuestion,
  questionsOf,
  rankOf,
  readFolder,
} from './headings.ts';
import { convex, type LegScores, lexicalScores, ranked, reciprocal, semanticScores } from './legs.ts';
import { mean, table } from './metrics.ts';
import { reportQuotes } from './quotes.ts';
import { reportSheet } from './sheet.ts';
import { reportUnanswerable } from './unanswerable.ts';

const stem: LexiconOptions = { stem: stemmer, stemId: 'porter@stemmer-2.0.1' };
const { k1, b } = defaults.bm25;
const weights = [0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7];

/** Ways to score by words, named by analyser, k1 and b. The first is `KeywordRetriever` as it comes. */
const lexicons: [string, LexiconOptions][] = [
  [`unicode ${k1}/${b}`, {}],
  ['unicode 1.2/0.75', { k1: 1.2 }],
  ['unicode 2/0.75', { k1: 2 }],
  ['unicode 2/0.8', { k1: 2, b: 0.8 }],
  [`unicode + stems ${k1}/${b}`, stem],
  ['unicode + stems 2/0.75', { ...stem, k1: 2 }],
  // The baseline of the collection: 0.4975.
  ['ascii 1.2/0.75', { analyzer: 'ascii', k1: 1.2 }],
  [`ascii ${k1}/${b}`, { analyzer: 'ascii' }],
];
/** Those that are also fused with the other leg. */
const fusedLexicons = [0, 2, 4] as const;

const splitHead = ['', 'nDCG@10 odd', 'nDCG@10 even', 'nDCG@10', 'MAP', 'Recall@100'];
const splitRow = (name: string, { odd, even, all }: Split): (string | number)[] => [
  name,
  odd.ndcg10,
  even.ndcg10,
  all.ndcg10,
  all.map,
  all.recall100,
];

async function cranfield(): Promise<void> {
  const set = readCranfield();
  const queries = set.queries.map(({ text }) => text);
  const bm25 = await Promise.all(lexicons.map(([, options]) => lexicalScores(set.texts, queries, options)));
  const rows = lexicons.map(([name], at) => splitRow(name, judge(set, bm25[at]!.map(ranked))));
  console.log(`\nCranfield by words\n\n${table(splitHead, rows)}`);

  const semantic = semanticScores(await embedAll(set.texts, 'passage'), await embedAll(queries, 'query'));
  const fused: (string | number)[][] = [splitRow('semantic', judge(set, semantic.map(ranked)))];
  for (const at of fusedLexicons) {
    const name = lexicons[at]![0];
    const legs = queries.map((_, query) => ({ bm25: bm25[at]![query]!, cosine: semantic[query]! }));
    const add = (how: string, rank: (leg: LegScores) => number[]) =>
      fused.push(splitRow(`${name}; ${how}`, judge(set, legs.map(rank))));
    for (const weight of weights) add(`convex ${weight}`, (leg) => convex(leg, { weight }));
    for (const floor of [0.3, 0.5, 0.7]) {
      add(`convex 0.3, floor ${floor}`, (leg) => convex(leg, { weight: 0.3, floor }));
    }
    add('RRF 0.25', (leg) => reciprocal(leg, 0.25));
  }
  console.log(`\nCranfield by words and by meaning\n\n${table(splitHead, fused)}`);
  await floors(set.queries, set.judged, set.ids, set.texts, semantic);
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;

/** Cosines of what is right, of what is not, and of the best there is for questions of another field altogether. */
async function floors(
  queries: readonly { id: string }[],
  judged: ReadonlyMap<string, ReadonlyMap<string, number>>,
  ids: readonly string[],
  texts: readonly string[],
  semantic: readonly Float64Array[],
): Promise<void> {
  const sample: Record<string, number[]> = { relevant: [], 'not relevant': [], 'best of a question': [] };
  for (const [at, { id }] of queries.entries()) {
    if (!isOdd(id)) continue;
    sample['best of a question']!.push(semantic[at]!.reduce((a, c) => Math.max(a, c), -1));
    for (const [row, doc] of ids.entries()) {
      sample[judged.get(id)!.has(doc) ? 'relevant' : 'not relevant']!.push(semantic[at]![row]!);
    }
  }
  const foreign = questionsOf(readFolder('rust-book')).map(({ query }) => query);
  const away = semanticScores(await embedAll(texts, 'passage'), await embedAll(foreign, 'query'));
  sample['best of a question on Rust'] = away.map((scores) => scores.reduce((a, c) => Math.max(a, c), -1));
  const shares = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];
  const rows = Object.entries(sample).map(([name, values]) => {
    const sorted = [...values].sort((a, c) => a - c);
    return [name, sorted.length, ...shares.map((share) => quantile(sorted, share))];
  });
  const head = ['cosine, odd queries', 'pairs', ...shares.map((share) => `${share * 100} %`)];
  console.log(`\nCosines of the bundled model on Cranfield\n\n${table(head, rows)}`);
}

function meanReciprocalRank(
  questions: readonly HeadingQuestion[],
  chunks: readonly HeadingChunk[],
  rank: (question: number) => readonly number[],
): number {
  const ranks = questions.map((question, at) => rankOf(question, chunks, rank(at).slice(0, 100)));
  return mean(ranks.map((place) => (place === 0 ? 0 : 1 / place)));
}

async function headings(folder: string): Promise<void> {
  const documents = readFolder(folder);
  const questions = questionsOf(documents);
  const queries = questions.map(({ query }) => query);
  const head = ['MRR', 'chunks', ...lexicons.map(([name]) => name)];
  const rows: (string | number)[][] = [];
  for (const splitter of [byHeading(), byParagraph(), fixedWithOverlap()]) {
    const chunks = chunksOf(documents, splitter);
    const row: (string | number)[] = [splitter.name, chunks.length];
    for (const [, options] of lexicons) {
      const bm25 = await lexicalScores(
        chunks.map(({ text }) => text),
        queries,
        options,
      );
      row.push(meanReciprocalRank(questions, chunks, (at) => ranked(bm25[at]!)));
    }
    rows.push(row);
  }
  console.log(`\n${folder}: ${questions.length} headings asked, by words\n\n${table(head, rows)}`);

  const chunks = chunksOf(documents, byHeading());
  const texts = chunks.map(({ text }) => text);
  const semantic = semanticScores(await embedAll(texts, 'passage'), await embedAll(queries, 'query'));
  const fusedHead = [
    'MRR, byHeading',
    'words',
    'meaning',
    ...weights.map((weight) => `convex ${weight}`),
    'RRF 0.25',
  ];
  const words = await Promise.all(fusedLexicons.map((at) => lexicalScores(texts, queries, lexicons[at]![1])));
  const fused = fusedLexicons.map((at, which) => {
    const bm25 = words[which]!;
    const mrr = (rank: (question: number) => readonly number[]) =>
      meanReciprocalRank(questions, chunks, rank);
    const legs = (question: number) => ({ bm25: bm25[question]!, cosine: semantic[question]! });
    return [
      lexicons[at]![0],
      mrr((question) => ranked(bm25[question]!)),
      mrr((question) => ranked(semantic[question]!)),
      ...weights.map((weight) => mrr((question) => convex(legs(question), { weight }))),
      mrr((question) => reciprocal(legs(question), 0.25)),
    ];
  });
  console.log(`\n${folder}: by words and by meaning\n\n${table(fusedHead, fused)}`);
}

/** Those against other splitters are loaded when wanted: what they measure against is installed by then. */
const parts: Record<string, (named: (arm: string) => boolean) => Promise<void>> = {
  sheet: reportSheet,
  cranfield,
  'rust-book': () => headings('rust-book'),
  eslint: () => headings('eslint'),
  structure: async (named) => (await import('./structure.ts')).reportStructure(named),
  headings: async (named) => (await import('./splitters.ts')).reportSplitters(named),
  quotes: async () => reportQuotes(),
  unanswerable: reportUnanswerable,
};

/** Runs the named parts, or all; `--arm=text` leaves out splitters whose name has no such text. */
export async function evaluate(given: readonly string[]): Promise<void> {
  const arms = given.flatMap((word) => (word.startsWith('--arm=') ? word.slice('--arm='.length) : []));
  const names = given.filter((word) => !word.startsWith('--arm='));
  const named = (arm: string): boolean => arms.length === 0 || arms.some((word) => arm.includes(word));
  const unknown = names.find((name) => !(name in parts));
  if (unknown !== undefined)
    throw new Error(`No part ${unknown}; there are ${Object.keys(parts).join(', ')}.`);
  if (!existsSync(join(dataDir, 'cranfield'))) {
    throw new Error('The evaluation needs the larger data: set SHELFMARK_DATA to its folder.');
  }
  for (const name of names.length > 0 ? names : Object.keys(parts)) await parts[name]!(named);
}
