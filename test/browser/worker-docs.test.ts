import { expect, it, vi } from 'vitest';
import { openIndex } from '../../src/open-index.ts';

/** What a module logs while it runs. */
async function logged(run: () => Promise<unknown>): Promise<unknown[][]> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await run();
    return log.mock.calls;
  } finally {
    log.mockRestore();
  }
}

it('the page and worker of docs/workers.md run as they stand there', async () => {
  const lines = await logged(() => import('./docs/page.ts'));
  expect(lines).toContainEqual(['embed', 1, 1]);
  expect(lines.at(-1)).toEqual(['refunds.md', 'Refunds', 0, 59]);
  const kept = await openIndex({ name: 'handbook-in-a-worker' });
  expect(await kept.stats()).toMatchObject({ documents: 1, dimensions: 100, pending: 0 });
  await kept.destroy();
});

it('the ready-made worker, as built, embeds with the transformers.js it is told of', async () => {
  expect(await logged(() => import('./docs/ready.ts'))).toEqual([['zoo.md', 'used']]);
  const kept = await openIndex({ name: 'ready-made' });
  expect(await kept.stats()).toMatchObject({ documents: 1, pending: 0 });
  await kept.destroy();
});
