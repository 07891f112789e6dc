import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tabChunks } from '../../src/options.ts';
// @ts-expect-error A script without types.
import { marked, plot, readResults, table } from '../bench/scale/report.mjs';

const docs = join(import.meta.dirname, '../../docs');
const page = readFileSync(join(docs, 'scale.md'), 'utf8');

describe('docs/scale.md', () => {
  it('says what was measured, and shows it', () => {
    const results = readResults();
    expect(page.match(marked)?.[0]).toBe(table(results));
    expect(readFileSync(join(docs, 'scale.svg'), 'utf8')).toBe(plot(results));
  });

  it('has both formats at every size, and measured what it says', () => {
    const { rows } = readResults() as { rows: { vectors: string; size: number; chunks: number }[] };
    for (const vectors of ['int8', 'f32']) {
      const own = rows.filter((row) => row.vectors === vectors);
      expect(own.map(({ size }) => size)).toEqual([10_000, 50_000, 100_000, 250_000, 500_000]);
      for (const { size, chunks } of own) expect(Math.abs(chunks / size - 1)).toBeLessThan(0.02);
    }
  });

  it('names the limit that stats() warns of', () => {
    expect(page).toContain(`**${tabChunks.toLocaleString('en-US')} chunks**`);
  });
});
