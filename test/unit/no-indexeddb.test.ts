import { expect, it } from 'vitest';
import { openIndex } from '../../src/open-index.ts';

it('An index that is to be kept says that Node has no IndexedDB, and what to do', async () => {
  await expect(openIndex({ name: 'x' })).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    message:
      "Node has no IndexedDB, so nothing can be kept; use openIndex({ persist: 'auto' }) to go on in memory.",
  });
  const index = await openIndex({ name: 'x', persist: 'auto' });
  expect(await index.stats()).toMatchObject({
    persistent: false,
    unkept:
      'Node has no IndexedDB, so nothing can be kept; the index is in memory and goes with the process, export() keeps it in a file.',
  });
});
