import { expect, it } from 'vitest';
import { answer } from '../../src/answer/index.ts';
import { openIndex } from '../../src/index.ts';
import { blocksIn } from '../docs-blocks.ts';

it('docs/answers.md: the first block answers what stands behind it', async () => {
  const [code, text] = blocksIn('docs/answers.md');
  const body = code!.code.replace(/^import .*$/gm, '').replace('console.log(told.text);', 'return told;');
  const run = new Function('openIndex', 'answer', `return (async () => {${body}})();`);
  const told = await run((options: object) => openIndex({ ...options, persist: false }), answer);
  expect(told.text).toBe(text!.code.trim());
  expect(told).toMatchObject({ known: true, unsupported: [] });
  expect(told.citations[0].link).toBe(
    'https://example.com/docs/refunds.md#refunds:~:text=A%20refund%20takes%20five%20working%20days.',
  );
});
