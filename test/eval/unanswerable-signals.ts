/** What might tell a question that the documents answer from one that they do not, and how well it does. */

import { bundled } from '../../src/embed/bundled.ts';
import { naturalLog } from '../../src/kernel/logarithm.ts';
import type { Lexicon } from '../../src/lexicon/lexicon.ts';
import { tellingWords } from '../../src/lexicon/telling.ts';
import { defaults } from '../../src/options.ts';
import type { Hit } from '../../src/types.ts';
import { table } from './metrics.ts';

export interface Evidence {
  question: string;
  /** The first five. */
  hits: readonly Hit[];
  /** Of each, which share of the question it holds; see `coverage`. */
  held: readonly number[];
  lexicon: Lexicon;
}

const best = (values: readonly (number | undefined)[]): number =>
  values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);

/** Inverse document frequency of each distinct word, by the word. */
function raritiesOf({ question, lexicon }: Evidence): Map<string, number> {
  const rarity = (n: number) => naturalLog(1 + (lexicon.size - n + 0.5) / (n + 0.5));
  return new Map(
    lexicon
      .tokenize(question)
      .map(({ token, term }) => [token, rarity(term > 0 ? lexicon.frequency(term) : 0)]),
  );
}

/** Share of the words that a passage holds, each by its weight. */
function shareOf({ lexicon }: Evidence, hit: Hit | undefined, words: ReadonlyMap<string, number>): number {
  if (hit === undefined) return 0;
  const title = hit.title === undefined ? [] : [hit.title];
  const own = new Set(
    lexicon
      .tokenize([...title, ...(hit.headingPath ?? []), hit.context ?? '', hit.text].join('\n'))
      .map(({ token }) => token),
  );
  const total = [...words.values()].reduce((sum, weight) => sum + weight, 0);
  const held = [...words].reduce((sum, [word, weight]) => sum + (own.has(word) ? weight : 0), 0);
  return total === 0 ? 0 : held / total;
}

const tellingOf = (evidence: Evidence, weigh: (rarity: number) => number): Map<string, number> => {
  const rarities = raritiesOf(evidence);
  const tokensOf = (text: string) => evidence.lexicon.tokenize(text).map(({ token }) => token);
  return new Map(tellingWords(evidence.question, tokensOf).map((word) => [word, weigh(rarities.get(word)!)]));
};

const bestShare = (evidence: Evidence, words: ReadonlyMap<string, number>): number =>
  best(evidence.hits.map((hit) => shareOf(evidence, hit, words)));

const fusedBy =
  (weight: number) =>
  ({ hits, held }: Evidence): number =>
    best(
      hits.map(
        ({ legs }, at) =>
          ((1 - weight) * held[at]!) / defaults.coverage +
          (weight * (legs['semantic']?.score ?? 0)) / bundled.minScore,
      ),
    );

const shareOfMost = (evidence: Evidence): number => {
  const most = [...raritiesOf(evidence).values()].reduce((sum, rarity) => sum + rarity, 0);
  return best(evidence.hits.map(({ legs }) => legs['lexical']?.score)) / ((defaults.storeBm25.k1 + 1) * most);
};

export const signals = {
  cosine: ({ hits }: Evidence) => best(hits.map(({ legs }) => legs['semantic']?.score)),
  BM25: ({ hits }: Evidence) => best(hits.map(({ legs }) => legs['lexical']?.score)),
  'BM25 / the most there could be': shareOfMost,
  'gap from the first to the second': ({ hits: [first, second] }: Evidence) =>
    first === undefined ? 0 : (first.score - (second?.score ?? 0)) / first.score,
  'idf share, all words, first passage': (evidence: Evidence) =>
    shareOf(evidence, evidence.hits[0], raritiesOf(evidence)),
  'idf share, all words': (evidence: Evidence) => bestShare(evidence, raritiesOf(evidence)),
  'idf share, telling words': (evidence: Evidence) =>
    bestShare(
      evidence,
      tellingOf(evidence, (rarity) => rarity),
    ),
  'share of telling words': (evidence: Evidence) =>
    bestShare(
      evidence,
      tellingOf(evidence, () => 1),
    ),
  coverage: ({ held }: Evidence) => best(held),
  'coverage + BM25 / the most': (evidence: Evidence) => best(evidence.held) + shareOfMost(evidence),
  'coverage + cosine': ({ hits, held }: Evidence) =>
    best(hits.map(({ legs }, at) => held[at]! + (legs['semantic']?.score ?? 0))),
  'both, each by its floor': fusedBy(bundled.semanticWeight),
  'both, weight 0.3': fusedBy(0.3),
} satisfies Record<string, (evidence: Evidence) => number>;

export type Signal = keyof typeof signals;

export interface Judgement {
  kind: string;
  isAnswerable: boolean;
  isChoosing: boolean;
  /** Whether the first passage is of the section that answers. */
  isRight: boolean;
  values: Record<Signal, number>;
}

/** Chance that an answerable question has more of a signal than one that is not. */
export function areaUnder(judged: readonly Judgement[], signal: Signal): number {
  const answerable = judged.filter(({ isAnswerable }) => isAnswerable);
  const others = judged.filter(({ isAnswerable }) => !isAnswerable);
  let wins = 0;
  for (const { values: one } of answerable) {
    for (const { values: other } of others) {
      wins += one[signal] > other[signal] ? 1 : one[signal] === other[signal] ? 0.5 : 0;
    }
  }
  return wins / (answerable.length * others.length);
}

/** Answerable ones refused, and others answered. */
function errorsOf(judged: readonly Judgement[], signal: Signal, floor: number) {
  const count = (isAnswerable: boolean, isReached: boolean) =>
    judged.filter((one) => one.isAnswerable === isAnswerable && one.values[signal] >= floor === isReached)
      .length;
  return { refused: count(true, false), answered: count(false, true) };
}

/** The floor with the fewest errors on the one half, the middle of those with as few; and what it does on the other. */
export function chosen(judged: readonly Judgement[], signal: Signal) {
  const choosing = judged.filter(({ isChoosing }) => isChoosing);
  const floors = [...new Set(choosing.map(({ values }) => values[signal]))].sort((a, b) => a - b);
  const errors = floors.map((floor) => {
    const { refused, answered } = errorsOf(choosing, signal, floor);
    return refused + answered;
  });
  const fewest = Math.min(...errors);
  const ties = floors.filter((_, at) => errors[at] === fewest);
  const floor = ties[Math.floor(ties.length / 2)]!;
  const test = judged.filter(({ isChoosing }) => !isChoosing);
  return {
    floor,
    onChoosing: errorsOf(choosing, signal, floor),
    onTest: errorsOf(test, signal, floor),
  };
}

/** Errors at a row of floors, on both halves. */
export function sweepOf(judged: readonly Judgement[], signal: Signal): string {
  const all = judged.filter(({ kind }) => kind !== 'heading');
  const isRatio = signal.startsWith('both');
  const floors = Array.from({ length: 13 }, (_, at) => (isRatio ? 0.7 + at * 0.05 : 0.2 + at * 0.05));
  const rows = floors.map((floor) => {
    const halves = [true, false].flatMap((isChoosing) => {
      const { refused, answered } = errorsOf(
        all.filter((one) => one.isChoosing === isChoosing),
        signal,
        floor,
      );
      return [refused, answered];
    });
    const headings = judged.filter(({ kind, values }) => kind === 'heading' && values[signal] < floor).length;
    const right = all.filter(({ isRight, values }) => isRight && values[signal] >= floor).length;
    return [floor.toFixed(2), ...halves, headings, right];
  });
  const head = [
    'floor',
    'choosing half: refused of 50',
    'answered of 50',
    'test half: refused of 50',
    'answered of 50',
    'headings refused',
    'first passage right, of 100',
  ];
  return table(head, rows);
}
