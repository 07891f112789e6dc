// What is measured at each size, and how it grows from one to the next.

/** A line of the table: how it is called, read from a measurement and written. */
export const stages = [
  {
    what: 'ingest',
    unit: 'chunks/s',
    of: ({ chunks, ingestMs }) => chunks / (ingestMs / 1000),
    cost: (one) => one.ingestMs,
  },
  ...['lexical', 'semantic', 'hybrid'].map((mode) => ({
    what: `${mode} query`,
    unit: 'ms, p50 and p95',
    of: (one) => one[mode],
    cost: (one) => one[mode][0],
  })),
  { what: 'open, first hits', unit: 'ms', of: ({ openMs }) => openMs, cost: (one) => one.openMs },
  {
    what: 'memory',
    unit: 'MB',
    of: (one) => (one.vectorBytes + one.wordBytes + one.heapBytes) / 1e6,
    cost: (one) => one.vectorBytes + one.wordBytes + one.heapBytes,
  },
  { what: 'disk', unit: 'MB', of: ({ diskBytes }) => diskBytes / 1e6, cost: (one) => one.diskBytes },
];

/** The exponent `e` of `cost ~ chunks^e` that fits the measurements best: 1 is linear. */
export function exponent(points) {
  const logs = points.map(([chunks, cost]) => [Math.log(chunks), Math.log(cost)]);
  const mean = (at) => logs.reduce((sum, log) => sum + log[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const over = logs.reduce((sum, log) => sum + (log[0] - x) * (log[1] - y), 0);
  return over / logs.reduce((sum, log) => sum + (log[0] - x) ** 2, 0);
}

/** The exponent of each stage from 50,000 chunks on, where there are two such sizes: below, what is constant hides it. */
export function growth(measured) {
  const large = measured.filter(({ chunks }) => chunks >= 45_000);
  const from = large.length > 1 ? large : measured;
  return stages.map(({ what, cost }) => ({
    what,
    exponent: from.length > 1 ? exponent(from.map((one) => [one.chunks, cost(one)])) : undefined,
  }));
}
