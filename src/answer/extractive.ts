import { characterTables } from '../kernel/characters.ts';
import { tokenizeUnicode } from '../kernel/tokens.ts';
import { askingForNumber, tellingWords } from '../lexicon/telling.ts';
import { optionsObject, wholeNumber } from '../options.ts';
import type { CitedPassage } from '../retrieve/tool.ts';
import type { Excerpt, Generate, Piece } from './generate.ts';
import { type Sentence, sentencesOf } from './sentences.ts';

export interface ExtractiveOptions {
  /** Sentences at most, 1 to 20. Default 3; fewer where the others answer much less well than the best. */
  sentences?: number | undefined;
}

interface Candidate extends Excerpt {
  counts: ReadonlyMap<string, number>;
  length: number;
  /** Words of the headings above it. */
  above: ReadonlySet<string>;
  /** What its place speaks for it. */
  prior: number;
  score: number;
}

const k1 = 1.2;
/** Sentences are short of themselves, so length counts less than among passages. */
const b = 0.5;
/** Another sentence is told where it scores at least this share of the best one. */
const leastShare = 0.55;
/** Two that share more of their words say the same: chunks overlap. */
const mostShared = 0.8;
/** A word of the question that stands in a heading above the sentence. */
const headingWeight = 0.4;
/** A word that begins like one of the question: refunds, refunded. */
const beginningWeight = 0.7;
const shortestBeginning = 4;
const longestEnding = 3;

const number =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|twenty|thirty|sixty|hundred|daily|weekly|monthly|yearly|once|twice)\b/i;

const tokensOf = (text: string): string[] => {
  const tokens: string[] = [];
  tokenizeUnicode(text, characterTables(true), (token, _start, _end, isPart) => {
    if (isPart) tokens.push(token);
  });
  return tokens;
};

const countsOf = (tokens: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
};

/**
 * The generator that needs no model: the sentences of the passages that answer best, word for word, each with the id
 * of its passage. Sentences are weighed by BM25 among each other, by the headings above them and by the rank of their
 * passage.
 */
export function extractive(options: ExtractiveOptions = {}): Generate {
  const most = wholeNumber('sentences', optionsObject(options).sentences ?? 3, 1, 20);
  return function* ({ question, passages }): Iterable<Piece> {
    let isFirst = true;
    for (const excerpt of bestSentences(question, passages, most)) {
      if (!isFirst) yield '\n\n';
      isFirst = false;
      yield excerpt;
    }
  };
}

function bestSentences(question: string, passages: readonly CitedPassage[], most: number): Excerpt[] {
  const wanted = tellingWords(question, tokensOf);
  const wantsNumber = askingForNumber(question) !== undefined;
  const candidates = passages.flatMap((passage, rank) => {
    const { headingPath, heading } = passage;
    let above = new Set(tokensOf((headingPath ?? (heading === undefined ? [] : [heading])).join(' ')));
    return sentencesOf(passage.text).flatMap((sentence) => {
      if (sentence.kind !== 'heading') return [candidateOf(passage, rank, sentence, above, wantsNumber)];
      above = new Set([...above, ...tokensOf(passage.text.slice(sentence.start, sentence.end))]);
      return [];
    });
  });
  weigh(candidates, wanted);
  const ranked = [...candidates].sort((one, other) => other.score - one.score);
  const [best] = ranked;
  // Passages of headings alone.
  if (best === undefined)
    return passages.slice(0, 1).map(({ id, text }) => ({ id, start: 0, end: text.length }));
  // Found by meaning alone: the passage is the answer, and how it begins says what it is about.
  if (best.score === 0) return candidates.slice(0, 1);
  const chosen: Candidate[] = [];
  for (const candidate of ranked) {
    if (chosen.length === most || candidate.score < best.score * leastShare) break;
    if (!chosen.some((other) => sharedWords(other, candidate) > mostShared)) chosen.push(candidate);
  }
  return chosen;
}

function candidateOf(
  passage: CitedPassage,
  rank: number,
  { start, end, kind }: Sentence,
  above: ReadonlySet<string>,
  wantsNumber: boolean,
): Candidate {
  const text = passage.text.slice(start, end);
  const tokens = tokensOf(text);
  let prior = 1 / (1 + 0.15 * rank);
  // Where an overlap begins, it is mostly in the middle of a sentence.
  if (start === 0 && (passage.charStart ?? 0) > 0 && /^\p{Ll}/u.test(text)) prior *= 0.6;
  if (kind === 'code') prior *= 0.8;
  if (wantsNumber && number.test(text)) prior *= 1.25;
  return {
    id: passage.id,
    start,
    end,
    counts: countsOf(tokens),
    length: tokens.length,
    above,
    prior,
    score: 0,
  };
}

/** How well a word of a sentence stands for one of the question, 0 to 1. */
function likeness(wanted: string, token: string): number {
  if (wanted === token) return 1;
  const [short, long] = wanted.length < token.length ? [wanted, token] : [token, wanted];
  const isLike =
    short.length >= shortestBeginning &&
    long.length - short.length <= longestEnding &&
    long.startsWith(short.slice(0, Math.max(shortestBeginning, short.length - 1)));
  return isLike ? beginningWeight : 0;
}

function weigh(candidates: readonly Candidate[], wanted: readonly string[]): void {
  const average =
    candidates.reduce((sum, { length }) => sum + length, 0) / Math.max(1, candidates.length) || 1;
  for (const word of wanted) {
    const like = new Map<string, number>();
    const likenessOf = (token: string): number => {
      const known = like.get(token) ?? likeness(word, token);
      like.set(token, known);
      return known;
    };
    const found = candidates.map(({ counts, above }) => {
      let times = 0;
      for (const [token, count] of counts) times += count * likenessOf(token);
      return { times, isAbove: [...above].some((token) => likenessOf(token) > 0) };
    });
    const holding = found.filter(({ times }) => times > 0).length;
    const rarity = Math.log(1 + (candidates.length - holding + 0.5) / (holding + 0.5));
    for (const [at, candidate] of candidates.entries()) {
      const { times, isAbove } = found[at]!;
      const damping = k1 * (1 - b + (b * candidate.length) / average);
      const inside = (times * (k1 + 1)) / (times + damping);
      const share = times > 0 ? inside : isAbove ? headingWeight : 0;
      candidate.score += rarity * share * candidate.prior;
    }
  }
}

/** Words of the shorter one that the other has too, as a share. */
function sharedWords(one: Candidate, other: Candidate): number {
  const [few, many] = one.counts.size < other.counts.size ? [one, other] : [other, one];
  let shared = 0;
  for (const token of few.counts.keys()) if (many.counts.has(token)) shared++;
  return few.counts.size === 0 ? 0 : shared / few.counts.size;
}
