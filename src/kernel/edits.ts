/** Edits, a swap of neighbours being one (optimal string alignment); `most + 1` where there are more. */
export function edits(a: readonly string[], b: readonly string[], most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      let cost = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      cost = Math.min(cost, last[j]! + 1, current[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, before[j - 2]! + 1);
      current.push(cost);
    }
    if (Math.min(...current) > most + 1) return most + 1;
    before = last;
    last = current;
  }
  return last[b.length]!;
}
