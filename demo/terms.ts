/** Words that carry no meaning of their own; they are not marked in a passage. */
const small = new Set(
  'a an and are as at be but by can do does for from had has have how i if in is it its may my of on or our so that the their there they this to was we what when where which who why will with you your'.split(
    ' ',
  ),
);

/** The words of a question worth marking, in lower case; Chinese and its like also by pairs of characters. */
export function termsOf(question: string): string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const terms = new Set<string>();
  for (const word of words) {
    if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(word)) {
      const letters = [...word];
      if (letters.length === 1) terms.add(word);
      for (let at = 0; at + 1 < letters.length; at++) terms.add(letters[at]! + letters[at + 1]!);
    } else if (!small.has(word)) {
      terms.add(word);
    }
  }
  return [...terms];
}

/** Ranges of `text` where a term stands as a word, in order and apart. */
export function matchRanges(text: string, terms: readonly string[]): [number, number][] {
  if (terms.length === 0) return [];
  const wanted = new Set(terms);
  const ranges: [number, number][] = [];
  for (const match of text.matchAll(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+|[\p{L}\p{N}]+/gu)) {
    const word = match[0];
    const start = match.index;
    if (wanted.has(word.toLowerCase())) {
      ranges.push([start, start + word.length]);
      continue;
    }
    for (const term of terms) {
      if (!/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(term)) continue;
      for (let at = word.indexOf(term); at >= 0; at = word.indexOf(term, at + 1)) {
        ranges.push([start + at, start + at + term.length]);
      }
    }
  }
  return joined(ranges.sort((a, b) => a[0] - b[0]));
}

function joined(ranges: readonly [number, number][]): [number, number][] {
  const out: [number, number][] = [];
  for (const [start, end] of ranges) {
    const last = out.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else out.push([start, end]);
  }
  return out;
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
