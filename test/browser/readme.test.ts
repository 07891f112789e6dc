import { expect, it } from 'vitest';
import { openIndex } from '../../src/open-index.ts';

it('the example of the README runs as it stands', async () => {
  const { default: run } = await import('virtual:readme-example');
  const logged: unknown[][] = [];
  await run({ log: (...values: unknown[]) => logged.push(values) });
  const [uri, heading, start, end, text] = logged[0]!;
  expect([uri, heading, start]).toEqual(['refunds.md', 'Refunds', 0]);
  expect(text).toBe('# Refunds\n\nRefunds are issued within 14 days of the return.');
  expect(end).toBe((text as string).length);
  await (await openIndex({ name: 'handbook' })).destroy();
});
