import { beforeAll, describe, expect, it } from 'vitest';
import { vectorKernel } from '../../src/kernel/load-index.ts';
import type { VectorFormat } from '../../src/types.ts';
import { clusteredVectors } from '../clustered.ts';

const [count, dimensions, k] = [10_000, 384, 10];

describe('the ten nearest of 10,000 clustered vectors', () => {
  const { rows, queries } = clusteredVectors({ count, dimensions, queries: 100, seed: 11 });
  const answers = async (format: VectorFormat) => {
    const kernel = await vectorKernel({ dimensions, format });
    kernel.reserve(count);
    for (let row = 0; row < count; row++) {
      kernel.set(row, rows.subarray(row * dimensions, (row + 1) * dimensions));
    }
    return queries.map((query) => kernel.search(query, k));
  };
  let exact: Awaited<ReturnType<typeof answers>>;
  beforeAll(async () => {
    exact = await answers('f32');
  });
  const recall = async (format: VectorFormat) => {
    let found = 0;
    for (const [at, { rows: near }] of (await answers(format)).entries()) {
      const right = new Set(exact[at]!.rows);
      for (const row of near) if (right.has(row)) found++;
    }
    return found / (k * queries.length);
  };

  it('are found in bytes but for a few at the end', async () => {
    expect(await recall('int8')).toBeGreaterThanOrEqual(0.97);
  });

  it('are found in bytes and floats, 99 of 100 at least, with the scores of the floats', async () => {
    expect(await recall('int8+f32')).toBeGreaterThanOrEqual(0.99);
    const both = await answers('int8+f32');
    expect(both[0]!.scores[0]).toBe(exact[0]!.scores[0]);
  });
});
