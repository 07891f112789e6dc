import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtWorkerEntry } from '../worker-entry-server.ts';

const root = join(import.meta.dirname, '..', '..');

it('the ready-made worker is one file, and imports nothing but what a page names', async () => {
  const [chunk, ...others] = await builtWorkerEntry();
  expect(others).toEqual([]);
  expect(chunk!.imports).toEqual([]);
  // What is fetched when it is needed elsewhere is in the file itself.
  const elsewhere = chunk!.dynamicImports.filter((name) => name !== chunk!.fileName);
  expect(elsewhere).toEqual(['@xenova/transformers']);
});

it('the code of docs/workers.md is what a browser test runs', () => {
  const docs = readFileSync(join(root, 'docs', 'workers.md'), 'utf8');
  const blocks = [...docs.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
  const run = ['rag.worker', 'page', 'ready'].map((name) => {
    const code = readFileSync(join(root, 'test', 'browser', 'docs', `${name}.ts`), 'utf8');
    return code
      .replace('../../../src/worker/index.ts', 'shelfmark/worker')
      .replace('../../../src/embed/transformers.ts', 'shelfmark/transformers');
  });
  expect(blocks).toEqual(run);
});
