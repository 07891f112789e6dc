/** The questions of `headings.ts` asked of the chunks that each splitter makes, with the same two retrievers. */
import type { RivalPiece } from '../bench/splitters.ts';
import { type Arm, allArms } from './arms.ts';
import { embedAll } from './embedding.ts';
import { type HeadingQuestion, questionsOf, readFolder } from './headings.ts';
import { convex, lexicalScores, semanticScores } from './legs.ts';
import { locate } from './locate.ts';
import { type TrueHeading, trueHeadings } from './markdown.ts';
import { mean, table } from './metrics.ts';

interface ArmChunk {
  uri: string;
  /** Where it stands in its document; absent where the document has no such text. */
  at?: { from: number; to: number } | undefined;
  text: string;
  /** Without its heading lines: what is indexed. */
  bare: string;
}

/** As an index of the library comes: k1 2, b 0.75, the bundled model's weight 0.1. */
const words = { k1: 2 };
const weight = 0.1;
/** Ranks beyond count as not found. */
const depth = 100;

/** The text of a piece that stands somewhere without the headings there; of one that stands nowhere, without lines like them. */
function bareText({ text }: RivalPiece, at: ArmChunk['at'], headings: readonly TrueHeading[]): string {
  if (at === undefined) {
    const titles = new Set(headings.map(({ title }) => title));
    return text
      .split('\n')
      .filter((line) => !titles.has(line.replace(/^#+[ \t]+|[ \t]+#*$/g, '')))
      .join('\n');
  }
  let [bare, from] = ['', at.from];
  for (const { offset, end } of headings) {
    if (end <= from || offset >= at.to) continue;
    bare += text.slice(from - at.from, Math.max(offset, from) - at.from);
    from = Math.min(end, at.to);
  }
  return bare + text.slice(from - at.from);
}

async function chunksBy(arm: Arm, documents: ReturnType<typeof readFolder>): Promise<ArmChunk[]> {
  const chunks: ArmChunk[] = [];
  for (const { uri, text: given } of documents) {
    const source = String(given);
    const headings = trueHeadings(source);
    for (const piece of locate(source, await arm.pieces(source), arm.overlap)) {
      chunks.push({ uri, at: piece.at, text: piece.text, bare: bareText(piece, piece.at, headings) });
    }
  }
  return chunks;
}

/** Rows that hold the question's sentence whole. */
function holders(question: HeadingQuestion, chunks: readonly ArmChunk[], sentence: string): number[] {
  return chunks.flatMap(({ uri, at, text }, row) => {
    if (uri !== question.uri) return [];
    const holds =
      at === undefined ? text.includes(sentence) : at.from <= question.start && at.to >= question.end;
    return holds ? [row] : [];
  });
}

/** Rank of the best of some rows among all with a score, equal ones in order; 0 where it has none. */
function rankAmong(scores: Float64Array, rows: readonly number[]): number {
  const best = rows.reduce((a, b) => (a < 0 || scores[b]! > scores[a]! ? b : a), -1);
  if (best < 0 || scores[best]! <= 0) return 0;
  let rank = 1;
  for (let row = 0; row < scores.length; row++) {
    if (scores[row]! > scores[best]! || (scores[row] === scores[best] && row < best)) rank++;
  }
  return rank > depth ? 0 : rank;
}

const reciprocalOf = (rank: number): number => (rank === 0 ? 0 : 1 / rank);

export interface Judged {
  question: HeadingQuestion;
  sentence: string;
  held: number[];
  /** By words, by meaning and by both. */
  ranks: [number, number, number];
}

/** All questions of a folder asked of one arm. */
export async function judgeArm(
  arm: Arm,
  documents: ReturnType<typeof readFolder>,
  questions: readonly HeadingQuestion[],
): Promise<{ chunks: ArmChunk[]; judged: Judged[] }> {
  const texts = new Map(documents.map(({ uri, text }) => [uri, String(text)]));
  const chunks = await chunksBy(arm, documents);
  const bare = chunks.map((chunk) => chunk.bare);
  const queries = questions.map(({ query }) => query);
  const bm25 = await lexicalScores(bare, queries, words);
  const semantic = semanticScores(await embedAll(bare, 'passage'), await embedAll(queries, 'query'));
  const judged = questions.map((question, at): Judged => {
    const sentence = texts.get(question.uri)!.slice(question.start, question.end);
    const held = holders(question, chunks, sentence);
    const [lexical, cosine] = [bm25[at]!, semantic[at]!];
    const fused = new Float64Array(lexical.length);
    for (const [place, row] of convex({ bm25: lexical, cosine }, { weight }).entries())
      fused[row] = 1 / (1 + place);
    return {
      question,
      sentence,
      held,
      ranks: [rankAmong(lexical, held), rankAmong(cosine, held), rankAmong(fused, held)],
    };
  });
  return { chunks, judged };
}

export async function reportSplitters(named: (name: string) => boolean): Promise<void> {
  const arms = (await allArms()).filter(({ name }) => named(name));
  console.log(
    `\n${table(
      ['splitter', 'settings'],
      arms.map(({ name, settings }) => [name, settings]),
    )}`,
  );
  for (const folder of ['rust-book', 'eslint']) {
    const documents = readFolder(folder);
    const questions = questionsOf(documents);
    const rows: { arm: Arm; mrr: number[]; cells: (string | number)[] }[] = [];
    for (const arm of arms) {
      const { chunks, judged } = await judgeArm(arm, documents, questions);
      const lengths = chunks.map(({ text }) => text.length).sort((a, b) => a - b);
      const mrr = ([0, 1, 2] as const).map((leg) =>
        mean(judged.map(({ ranks }) => reciprocalOf(ranks[leg]))),
      );
      rows.push({
        arm,
        mrr,
        cells: [
          arm.name,
          chunks.length,
          lengths[lengths.length >> 1] ?? 0,
          lengths.at(-1) ?? 0,
          chunks.filter(({ at }) => at === undefined).length,
          judged.filter(({ held }) => held.length === 0).length,
          ...mrr,
        ],
      });
    }
    const head = [
      'MRR',
      'chunks',
      'median',
      'longest',
      'not in the source',
      'answer cut',
      'words',
      'meaning',
      'both',
    ];
    console.log(
      `\n${folder}: ${questions.length} headings asked\n\n${table(
        head,
        rows.map(({ cells }) => cells),
      )}`,
    );
    // Longer chunks are found more easily, so each kind is held against its own.
    for (const [limited, name] of [
      [true, 'shelfmark byHeading'],
      [false, 'shelfmark byHeading, no limit'],
    ] as const) {
      const ours = rows.find(({ arm }) => arm.name === name);
      const theirs = rows.filter(({ arm }) => !arm.own && arm.limited === limited);
      if (ours === undefined || theirs.length === 0) continue;
      const verdicts = ['words', 'meaning', 'both'].map((leg, at) => {
        const best = Math.max(...theirs.map(({ mrr }) => mrr[at]!));
        const verdict = ours.mrr[at]! >= best ? 'best' : 'missed';
        return `${leg} ${ours.mrr[at]!.toFixed(4)} against ${best.toFixed(4)}, ${verdict}`;
      });
      console.log(`\n${name} against all ${limited ? 'with a' : 'without a'} limit: ${verdicts.join('; ')}`);
    }
  }
}
