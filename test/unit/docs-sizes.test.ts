import { describe, expect, it } from 'vitest';
import { textOf } from '../docs-blocks.ts';
import { apps, markedTable, sizeTable } from '../size-apps.mjs';

const page = textOf('docs/sizes.md');
const rows = markedTable
  .exec(page)![0]
  .split('\n')
  .slice(2)
  .map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe('docs/sizes.md', () => {
  it('has the rows, limits and goals of npm run size, in its order', () => {
    expect(rows.map(([what, , , limit, goal]) => [what, limit, goal])).toEqual(
      apps.map(({ what, code, limit, goal }) => [`${what}: \`${code}\``, String(limit), String(goal ?? '')]),
    );
  });

  it('has figures under their limits', () => {
    for (const [what, atOnce, later, limit] of rows) {
      expect(Number(atOnce), what).toBeGreaterThan(0);
      expect(Number(atOnce), what).toBeLessThanOrEqual(Number(limit));
      expect(later === '' || Number(later) > 0, what).toBe(true);
    }
  });

  it('would be written the same again with the same figures', () => {
    const measured = new Map(
      apps.map(({ what }, at) => [
        what,
        { atOnce: Number(rows[at]![1]), later: rows[at]![2] === '' ? undefined : Number(rows[at]![2]) },
      ]),
    );
    expect(page).toContain(sizeTable(measured));
  });
});
