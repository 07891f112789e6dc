/**
 * The natural logarithm of a number of 1 or more, to about one unit in the last place. The language leaves the last
 * bit of `Math.log` open, and engines differ in it; this gives the same in all of them.
 */
export function naturalLog(x: number): number {
  let halvings = 0;
  let rest = x;
  for (; rest > Math.SQRT2; rest /= 2) halvings++;
  // ln(rest) = 2 · artanh(s), whose terms are below the last bit of the sum from the twelfth on.
  const s = (rest - 1) / (rest + 1);
  let sum = 0;
  for (let n = 23; n > 0; n -= 2) sum = sum * s * s + 1 / n;
  return halvings * Math.LN2 + 2 * s * sum;
}
