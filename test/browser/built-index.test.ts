import { describe, expect, it } from 'vitest';
import { transformersEmbedder } from '../../src/embed/transformers.ts';
import { openIndex } from '../../src/open-index.ts';

const questions = [
  'are gift cards refunded',
  'late parcel',
  'Customs',
  'what does a record cost',
  'Refunds of the law of terms',
  'späte Fälle',
  '退款十四天',
];

const served = { modelPath: '/__cli/public/models/', wasmPaths: '/__cli/public/ort/' };

async function fromNode(question: string, mode: string, embed: boolean): Promise<unknown> {
  const query = new URLSearchParams({ question, mode, ...(embed && { embed: '' }) });
  const response = await fetch(`/__cli/query?${query}`);
  expect(response.status).toBe(200);
  return response.json();
}

/** As JSON has it, which keeps every bit of a number. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('an index that shelfmark build made in Node', () => {
  it('gives the same hits in the browser, to the last bit', async () => {
    const index = await openIndex({ from: '/__cli/docs.shelf' });
    let found = 0;
    for (const question of questions) {
      const hits = await index.search(question, { mode: 'lexical' });
      found += hits.length;
      expect(plain(hits)).toEqual(await fromNode(question, 'lexical', false));
    }
    expect(found).toBeGreaterThan(questions.length);
    await index.close();
  });

  it.each(['hybrid', 'semantic'] as const)(
    'gives the same %s hits with the model where copy-model put it',
    async (mode) => {
      const embedder = transformersEmbedder(served);
      const index = await openIndex({ from: '/__cli/docs.shelf?embed', embedder });
      for (const question of questions) {
        const hits = await index.search(question, { mode });
        expect(hits.legStates.semantic).toBe('used');
        expect(plain(hits)).toEqual(await fromNode(question, mode, true));
      }
      await index.close();
      await embedder.dispose?.();
    },
  );

  it('can be imported, and is searched alike', async () => {
    const name = `built-${crypto.randomUUID()}`;
    const index = await openIndex({ from: '/__cli/docs.shelf', name });
    for (const question of questions) {
      const hits = await index.search(question, { mode: 'lexical' });
      expect(plain(hits)).toEqual(await fromNode(question, 'lexical', false));
    }
    await index.destroy();
  });
});
