/* Fetched when a floor is first asked for. */
import type { QueryToken } from '../kernel/lexical.ts';
import { naturalLog } from '../kernel/logarithm.ts';
import type { Lexicon } from '../lexicon/lexicon.ts';
import { tellingWords } from '../lexicon/telling.ts';
import { defaults } from '../options.ts';
import type { Choose, Judged, LegsRequest } from '../store/legs.ts';

export interface Floor {
  /** Of 1: what was chosen from data. */
  floor: number;
  request: Pick<LegsRequest, 'query' | 'vector' | 'prefix' | 'typos'>;
  /** Absent where words are not asked, or the store does not show them. */
  lexicon: Lexicon | undefined;
  /** Of the meaning, 0 to 1: its share of what is held against the floor. */
  weight: number;
  /** The model's own floor on cosines. */
  minScore: number | undefined;
}

/** How many of the passages may bear the answer, however many are wanted. */
const depth = defaults.topK;

/** Chooses as `choose` does, and nothing where none of the first passages is likely to answer. */
export function floored(choose: Choose, { floor, request, lexicon, weight, minScore }: Floor): Choose {
  const { query, prefix = false, typos = false } = request;
  return (candidates, best) => {
    const chosen = choose(candidates, best);
    const first = chosen.slice(0, depth) as ((typeof chosen)[number] & { row?: number })[];
    const wordsShare = 1 - weight;
    // What cannot be measured cannot be found wanting.
    if (weight > 0 && minScore === undefined) return chosen;
    if (wordsShare > 0 && (lexicon === undefined || query === undefined)) return chosen;
    const rows = first.map(({ row }) => row);
    if (wordsShare > 0 && rows.includes(undefined)) return chosen;
    const held = wordsShare > 0 ? coverage(lexicon!, query!, prefix, typos, rows as number[]) : [];
    const reaches = ({ legs }: Judged, at: number): boolean => {
      const words = wordsShare > 0 ? (wordsShare * held[at]!) / defaults.coverage : 0;
      const meaning = weight > 0 ? (weight * (legs['semantic']?.score ?? 0)) / minScore! : 0;
      return words + meaning >= floor;
    };
    return first.some(reaches) ? chosen : [];
  };
}

/**
 * Of each row, which share of the words of a question it holds. A word weighs 1 and its inverse document frequency: by
 * that alone, the rarest word would decide in an index of a few pages. Ends the lexicon's present query.
 */
export function coverage(
  lexicon: Lexicon,
  query: string,
  prefix: boolean,
  typos: boolean,
  rows: readonly number[],
): number[] {
  const unknown = naturalLog(1 + (lexicon.size + 0.5) / 0.5);
  const telling = tellingWords(query, (text) => wholeWords(lexicon.tokenize(text)));
  const held = rows.map(() => 0);
  let total = 0;
  const parts = lexicon.parts(query, prefix, typos);
  for (const word of telling) {
    const own = parts.filter(({ token }) => token === word);
    const exact = own.find(({ weight }) => weight === 1);
    const worth = 1 + (exact?.rarity ?? unknown);
    total += worth;
    const best = rows.map(() => 0);
    for (const part of own) {
      rows.forEach((row, at) => {
        // Scored once; then it can be read of each row.
        const score = at === 0 ? part.alone(row) : lexicon.scoreOf(row);
        if (score > 0) best[at] = Math.max(best[at]!, part.weight);
      });
    }
    best.forEach((share, at) => {
      held[at]! += worth * share;
    });
  }
  return held.map((sum) => (total === 0 ? 0 : sum / total));
}

/**
 * Without the pairs of characters that no text holds between two that texts do: they reach over the end of a word, in
 * scripts without spaces.
 */
function wholeWords(tokens: readonly QueryToken[]): string[] {
  const isPair = (token: string | undefined): token is string => token?.length === 2;
  return tokens.flatMap(({ token, term }, at) => {
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    const isAcross =
      term === 0 &&
      isPair(token) &&
      isPair(before?.token) &&
      isPair(after?.token) &&
      before.term > 0 &&
      after.term > 0 &&
      before.token[1] === token[0] &&
      after.token[0] === token[1];
    return isAcross ? [] : [token];
  });
}
