/** Words that carry no meaning of their own; they are found, but not marked. */
const small = new Set(
  'a an and are as at be but by can do does for from get had has have how i if in is it its may my of on or our so that the their there they this to was we what when where which who why will with you your'.split(
    ' ',
  ),
);

/** Where a question's words stand in a passage, without those that every passage has. */
export function telling(
  text: string,
  highlights: readonly (readonly [number, number])[],
): [number, number][] {
  return highlights
    .filter(([start, end]) => !small.has(text.slice(start, end).toLowerCase()))
    .map(([start, end]) => [start, end]);
}

/** How rare each of a question's words is among the passages found: the rarer, the more it says of a place. */
export type Rarity = (word: string) => number;

/** Counts in how many of the passages found each word of the question stands. */
export function rarityIn(
  passages: readonly { text: string; highlights: readonly (readonly [number, number])[] }[],
): Rarity {
  const found = new Map<string, number>();
  for (const { text, highlights } of passages) {
    const words = new Set(highlights.map(([start, end]) => text.slice(start, end).toLowerCase()));
    for (const word of words) found.set(word, (found.get(word) ?? 0) + 1);
  }
  return (word) => Math.log(1 + passages.length / (found.get(word.toLowerCase()) ?? 1));
}

/** Where an excerpt would lie best: the place of its rarest word, and what its different words weigh together. */
function bestPlace(text: string, ranges: readonly [number, number][], size: number, rarity: Rarity): number {
  let [best, most] = [0, 0];
  ranges.forEach(([from], index) => {
    const words = new Map<string, { at: number; weight: number }>();
    for (let next = index; next < ranges.length && ranges[next]![1] <= from + size * 0.8; next++) {
      const [start, end] = ranges[next]!;
      const word = text.slice(start, end).toLowerCase();
      if (!words.has(word)) words.set(word, { at: start, weight: rarity(word) });
    }
    const sum = [...words.values()].reduce((total, { weight }) => total + weight, 0);
    if (sum <= most) return;
    most = sum;
    best = [...words.values()].reduce((a, b) => (b.weight > a.weight ? b : a)).at;
  });
  return best;
}

/** The part of a passage to show first: around the rarest word where most of them lie close together, from a word's beginning. */
export function excerpt(
  text: string,
  ranges: readonly [number, number][],
  rarity: Rarity = () => 1,
  size = 320,
): [number, number] {
  if (text.length <= size) return [0, text.length];
  const best = ranges.length === 0 ? 0 : bestPlace(text, ranges, size, rarity);
  let start = Math.max(0, Math.min(best - Math.floor(size * 0.4), text.length - size));
  if (start > 0) {
    const sentence = /[.!?]\s+|[。！？\n]\s*/g;
    sentence.lastIndex = Math.max(0, start - 60);
    const end = sentence.exec(text);
    // A sentence that begins close by is read from its beginning.
    if (end && end.index + end[0].length <= Math.min(best, start + 60)) start = end.index + end[0].length;
    else while (start > 0 && start < best && !/\s/.test(text[start - 1]!)) start++;
  }
  let stop = Math.min(text.length, start + size);
  while (stop < text.length && stop > start + size - 40 && !/\s/.test(text[stop]!)) stop--;
  if ((text.charCodeAt(stop) & 0xfc00) === 0xdc00) stop++;
  if ((text.charCodeAt(start) & 0xfc00) === 0xdc00) start--;
  return [start, stop];
}
