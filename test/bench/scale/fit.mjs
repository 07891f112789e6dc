/** What may grow, and how to read it of a row. */
export const stages = {
  ingest: ({ ingestMs }) => ingestMs,
  open: ({ openMs }) => openMs,
  lexical: ({ lexical }) => lexical[0],
  semantic: ({ semantic }) => semantic[0],
  hybrid: ({ hybrid }) => hybrid[0],
  memory: ({ memoryBytes }) => memoryBytes,
  disk: ({ diskBytes }) => diskBytes,
};

/** Exponent of growth between each two neighbouring sizes, and by least squares over all: 1 is linear. */
export function growth(rows) {
  const found = [];
  for (const vectors of new Set(rows.map((row) => row.vectors))) {
    const own = rows.filter((row) => row.vectors === vectors && row.failed === undefined);
    if (own.length < 2) continue;
    for (const [stage, read] of Object.entries(stages)) {
      const points = own.map((row) => [Math.log(row.chunks), Math.log(read(row))]);
      const between = points.slice(1).map(([x, y], at) => (y - points[at][1]) / (x - points[at][0]));
      const mean = (axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
      const [meanX, meanY] = [mean(0), mean(1)];
      const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
      const below = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
      found.push({ vectors, stage, between, overall: above / below });
    }
  }
  return found;
}
