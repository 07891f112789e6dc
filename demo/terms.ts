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

/** The part of a passage to show first: where most matches lie close together, from a word's beginning. */
export function excerpt(text: string, ranges: readonly [number, number][], size = 320): [number, number] {
  if (text.length <= size) return [0, text.length];
  let best = 0;
  let most = 0;
  ranges.forEach(([from], index) => {
    let inside = 0;
    while (index + inside < ranges.length && ranges[index + inside]![1] <= from + size * 0.8) inside++;
    if (inside > most) [best, most] = [from, inside];
  });
  let start = Math.max(0, Math.min(best - 60, text.length - size));
  if (start > 0) {
    const sentence = /[.!?。！？\n]\s*/g;
    sentence.lastIndex = Math.max(0, start - 40);
    const end = sentence.exec(text);
    if (end && end.index + end[0].length <= best) start = end.index + end[0].length;
    else while (start > 0 && start < best && !/\s/.test(text[start - 1]!)) start++;
  }
  let stop = Math.min(text.length, start + size);
  while (stop < text.length && stop > start + size - 40 && !/\s/.test(text[stop]!)) stop--;
  if ((text.charCodeAt(stop) & 0xfc00) === 0xdc00) stop++;
  if ((text.charCodeAt(start) & 0xfc00) === 0xdc00) start--;
  return [start, stop];
}
