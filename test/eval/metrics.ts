/** How good one ranking is. `gains` holds every judged document that is any use, with its relevance. */
export interface Quality {
  ndcg10: number;
  map: number;
  recall100: number;
}

/** Gain = relevance, discount log2(rank + 1), ideal over all judged. */
export function ndcg(ranking: readonly string[], gains: ReadonlyMap<string, number>, depth: number): number {
  const sum = (values: readonly number[]): number =>
    values.slice(0, depth).reduce((total, gain, at) => total + gain / Math.log2(at + 2), 0);
  const ideal = sum([...gains.values()].sort((a, b) => b - a));
  return ideal === 0 ? 0 : sum(ranking.map((id) => gains.get(id) ?? 0)) / ideal;
}

/** Mean of the precision at each relevant document, over all relevant ones; those not found count 0. */
export function averagePrecision(ranking: readonly string[], gains: ReadonlyMap<string, number>): number {
  let found = 0;
  let sum = 0;
  for (const [at, id] of ranking.entries()) {
    if (!gains.has(id)) continue;
    found++;
    sum += found / (at + 1);
  }
  return gains.size === 0 ? 0 : sum / gains.size;
}

export function recall(
  ranking: readonly string[],
  gains: ReadonlyMap<string, number>,
  depth: number,
): number {
  const found = ranking.slice(0, depth).filter((id) => gains.has(id)).length;
  return gains.size === 0 ? 0 : found / gains.size;
}

export const qualityOf = (ranking: readonly string[], gains: ReadonlyMap<string, number>): Quality => ({
  ndcg10: ndcg(ranking, gains, 10),
  map: averagePrecision(ranking, gains),
  recall100: recall(ranking, gains, 100),
});

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((total, value) => total + value, 0) / values.length;
}

export const meanQuality = (all: readonly Quality[]): Quality => ({
  ndcg10: mean(all.map(({ ndcg10 }) => ndcg10)),
  map: mean(all.map(({ map }) => map)),
  recall100: mean(all.map(({ recall100 }) => recall100)),
});

/** `cells` under `head`, as a Markdown table; numbers to four digits. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) =>
    row.map((cell) =>
      typeof cell === 'string' ? cell : Number.isInteger(cell) ? String(cell) : cell.toFixed(4),
    ),
  );
  const widths = head.map((title, at) => Math.max(title.length, ...cells.map((row) => row[at]!.length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`;
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...cells.map(line)].join(
    '\n',
  );
}
