import { seeded } from './bench/harness.ts';

export interface ClusterOptions {
  count: number;
  dimensions: number;
  queries: number;
  seed: number;
}

/**
 * Vectors in a hundred or so clusters, as embeddings of the passages of some subjects are, and queries near to one
 * of them each. Not normalised.
 */
export function clusteredVectors({ count, dimensions, queries, seed }: ClusterOptions): {
  rows: Float32Array;
  queries: Float32Array[];
} {
  const random = seeded(seed);
  /** Near enough to normally distributed. */
  const noise = () => random() + random() + random() - 1.5;
  const centres = Array.from({ length: Math.ceil(Math.sqrt(count)) }, () =>
    Float32Array.from({ length: dimensions }, noise),
  );
  const near = (target: Float32Array, spread: number) => {
    const centre = centres[Math.floor(random() * centres.length)]!;
    for (let i = 0; i < dimensions; i++) target[i] = centre[i]! + spread * noise();
  };
  const rows = new Float32Array(count * dimensions);
  for (let row = 0; row < count; row++) near(rows.subarray(row * dimensions, (row + 1) * dimensions), 0.8);
  return {
    rows,
    queries: Array.from({ length: queries }, () => {
      const query = new Float32Array(dimensions);
      near(query, 0.8);
      return query;
    }),
  };
}
