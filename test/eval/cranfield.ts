import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataDir } from '../data-server.ts';
import { meanQuality, type Quality, qualityOf } from './metrics.ts';

export interface Cranfield {
  ids: readonly string[];
  texts: readonly string[];
  queries: readonly { id: string; text: string }[];
  /** Gains by document, by query. */
  judged: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** `text` alone is read: it begins with the title. */
export function readCranfield(): Cranfield {
  const lines = (name: string): string[] =>
    readFileSync(join(dataDir, 'cranfield', name), 'utf8')
      .trimEnd()
      .split('\n');
  const docs = lines('docs.jsonl').map((line) => JSON.parse(line) as { id: string; text: string });
  const queries = lines('queries.jsonl').map((line) => JSON.parse(line) as { id: string; text: string });
  const judged = new Map(queries.map(({ id }) => [id, new Map<string, number>()]));
  for (const line of lines('qrels.tsv').slice(1)) {
    const [query, doc, relevance] = line.split('\t');
    if (Number(relevance) > 0) judged.get(query!)!.set(doc!, Number(relevance));
  }
  return { ids: docs.map(({ id }) => id), texts: docs.map(({ text }) => text), queries, judged };
}

/** Defaults are chosen on the queries with odd ids and reported on the others. */
export const isOdd = (id: string): boolean => Number(id) % 2 === 1;

export interface Split {
  odd: Quality;
  even: Quality;
  all: Quality;
}

/** @param rankings Rows, best first, a query each. */
export function judge({ ids, queries, judged }: Cranfield, rankings: readonly (readonly number[])[]): Split {
  const each = rankings.map((rows, at) => {
    const { id } = queries[at]!;
    const quality = qualityOf(
      rows.map((row) => ids[row]!),
      judged.get(id)!,
    );
    return { odd: isOdd(id), quality };
  });
  const of = (half: readonly { quality: Quality }[]): Quality =>
    meanQuality(half.map(({ quality }) => quality));
  return { odd: of(each.filter((one) => one.odd)), even: of(each.filter((one) => !one.odd)), all: of(each) };
}
