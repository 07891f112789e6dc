import type { Lexicon } from '../lexicon/lexicon.ts';
import type { Filter, LegScore } from '../types.ts';
import { checkLength } from '../vectors/check.ts';
import type { Place, Table } from './table.ts';

export interface LegsRequest {
  /** Words to look for; without, the words are not asked. */
  query?: string | undefined;
  /** Vector to look near; without, the vectors are not asked. */
  vector?: Float32Array | undefined;
  /** Candidates each leg may propose. */
  fetch: number;
  filter?: Filter | undefined;
  /** Least score at which a leg proposes. */
  floors?: { lexical?: number | undefined; semantic?: number | undefined } | undefined;
  /** Told of a leg that failed, which then proposes nothing; without it, the failure rejects. */
  onLegError?: ((leg: 'lexical' | 'semantic', error: unknown) => void) | undefined;
  prefix?: boolean | undefined;
  typos?: boolean | undefined;
}

/** What the legs say of a candidate. */
export interface Judged {
  legs: Record<string, LegScore>;
}

/**
 * Orders candidates, best first, and may leave some out.
 *
 * @param best the highest score by words of all records the filter allows, whatever the floor; 0 where none has any
 */
export type Choose = <C extends Judged>(candidates: readonly C[], best: number) => (C & { score: number })[];

/** A record that a leg proposed, with what both say of it. */
interface Candidate extends Place, Judged {
  row: number;
}

/** Cosines come from f32 rows and can be this much off; a floor on them allows for it. */
export const COSINE_SLACK = 1e-6;

/**
 * What each leg proposes of the allowed rows, best first, each candidate with the scores of both. A leg's rank is
 * that among all candidates; a leg that has nothing to say of a record has no entry.
 */
export function searchLegs(
  table: Table,
  lexicon: Lexicon | undefined,
  request: LegsRequest,
): { candidates: Candidate[]; best: number } {
  const { query, vector, fetch, filter, floors, prefix, typos } = request;
  const allowed = table.allowed(filter);
  const proposed = new Set<number>();
  let best = 0;

  if (lexicon !== undefined && query !== undefined) {
    const found = lexicon.search(query, { topK: fetch, allowed: allowed?.words, prefix, typos });
    best = found.scores[0] ?? 0;
    found.rows.forEach((row, at) => {
      if (found.scores[at]! >= (floors?.lexical ?? 0)) proposed.add(row);
    });
  }
  if (vector !== undefined && table.rows.count > 0) {
    checkLength(vector.length, table.rows.dimensions, 'the query');
    const floor = (floors?.semantic ?? Number.NEGATIVE_INFINITY) - COSINE_SLACK;
    for (const { row, score } of table.rows.search(vector, fetch, allowed)) {
      if (score >= floor) proposed.add(row);
    }
  }

  const candidates: Candidate[] = [];
  for (const row of proposed) {
    const place = table.at(row);
    if (place !== undefined) candidates.push({ ...place, row, legs: {} });
  }
  if (lexicon !== undefined && query !== undefined) {
    rank(candidates, 'lexical', (row) => {
      const score = lexicon.scoreOf(row);
      return score > 0 ? score : undefined;
    });
  }
  if (vector !== undefined && table.rows.count > 0) {
    const cosines = table.rows.cosines(
      vector,
      candidates.map(({ row }) => row),
    );
    const byRow = new Map(candidates.map(({ row }, at) => [row, cosines[at]!]));
    rank(candidates, 'semantic', (row) => (table.rows.has(row) ? byRow.get(row) : undefined));
  }
  return { candidates, best };
}

/** Gives every candidate that has a score in a leg its rank there, equal scores by the order of insertion. */
function rank(
  candidates: readonly Candidate[],
  leg: string,
  scoreOf: (row: number) => number | undefined,
): void {
  candidates
    .map((candidate) => ({ candidate, score: scoreOf(candidate.row) }))
    .filter((entry): entry is { candidate: Candidate; score: number } => entry.score !== undefined)
    .sort((a, b) => b.score - a.score || a.candidate.row - b.candidate.row)
    .forEach(({ candidate, score }, at) => {
      candidate.legs[leg] = { rank: at + 1, score };
    });
}
