import { expect, it } from 'vitest';
import { naturalLog } from '../../src/kernel/logarithm.ts';

it('naturalLog is Math.log to the last bit or two', () => {
  const near = (x: number) => expect(Math.abs(naturalLog(x) / Math.log(x) - 1)).toBeLessThan(5e-16);
  for (let above = 2 ** -52; above < 2 ** 60; above *= 1.01) near(1 + above);
  for (let x = 2; x < 5000; x += 0.37) near(x);
  for (const x of [Math.SQRT2, 2, 4, 1e15, 1e300]) near(x);
  expect(naturalLog(1)).toBe(0);
});
