/** Where a passage stands in the text that its page shows, and words that point there and nowhere else. */
import { inWord, joined, spaceless, whole } from './words.ts';

/** A page's text with white space single, and in lower case: as browsers compare it. Both have the same offsets. */
interface Page {
  /** `\n` where a block or a cell ends. */
  shown: string;
  text: string;
}

/** Where a block of the passage lies on the page. */
interface Piece {
  from: number;
  to: number;
}

/** The parts of a text directive, as they are shown. */
export interface DirectiveParts {
  prefix?: string;
  start: string;
  end?: string;
  suffix?: string;
}

/** Longer texts are given by their first and last words. In UTF-16 code units. */
export const longestExact = 300;
/** Words at either end, before more are needed to be unique. */
export const endWords = 5;
/** Words at most, to be unique. */
export const mostWords = 40;

/** What pages put between two blocks, a mark to link to a title for example, in UTF-16 code units. */
const anchorChars = 24;
/** What may lie between two blocks of a passage where some of it could not be read. */
const gapChars = 400;
/** Begin of a block that is looked up. */
const probeChars = 40;
/** Words that are given up at the start of a passage which begins inside of an address or a tag. */
const mostSkipped = 60;
const mostPlaces = 500;
/** Shorter ends of blocks may stand anywhere, in UTF-16 code units. */
const shortTail = 4;

export const same = (text: string): string => text.replace(/\s+/g, ' ').toLowerCase();

function readPage(pageText: string): Page {
  const shown = pageText.replace(/\s+/g, (blank) => (/[\n\r\t]/.test(blank) ? '\n' : ' '));
  const text = same(shown);
  // Some letters are several in lower case.
  return text.length === shown.length ? { shown, text } : { shown: text, text };
}

/** Where words begin and end: at white space, and in scripts without spaces where a dictionary has them. */
function wordsOf(text: string): Piece[] {
  const parts = [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    from: index,
    to: index + word.length,
  }));
  const segmenter =
    spaceless.test(text) && 'Segmenter' in Intl
      ? new Intl.Segmenter(undefined, { granularity: 'word' })
      : undefined;
  if (segmenter === undefined) return parts;
  return parts.flatMap(({ from, to }) => {
    const words: Piece[] = [];
    for (const { segment, index, isWordLike } of segmenter.segment(text.slice(from, to))) {
      // Punctuation stays with the word in front of it.
      if (isWordLike || words.length === 0) words.push({ from: from + index, to: 0 });
      words.at(-1)!.to = from + index + segment.length;
    }
    return words;
  });
}

const isInside = (text: string, at: number): boolean =>
  at > 0 && at < text.length && spaceless.test(text[at - 1]!) && spaceless.test(text[at]!);

/** The next place from `at` on, or before it, that is not within a word of a script without spaces. */
function atWord(text: string, at: number, step: 1 | -1): number {
  if (!isInside(text, at) || !('Segmenter' in Intl)) return at;
  let begin = at;
  while (at - begin < 200 && isInside(text, begin)) begin--;
  const run = text.slice(begin, at + 60);
  const edges = [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(run)].map(
    ({ index }) => begin + index,
  );
  return (step > 0 ? edges.find((edge) => edge >= at) : edges.filter((edge) => edge <= at).at(-1)) ?? at;
}

/** How much of `block` stands at `at`, to the end of a word, in UTF-16 code units. */
function commonLength(page: Page, at: number, block: string): number {
  let length = 0;
  while (length < block.length && page.text[at + length] === block[length]) length++;
  while (length > 0 && length < block.length && joined(block[length - 1], block[length])) length--;
  return block.slice(0, length).trimEnd().length;
}

/** The last words of a block. */
function tailWords(block: string): string {
  const end = block.slice(-gapChars);
  return end.slice(wordsOf(end).slice(-endWords)[0]?.from ?? 0);
}

/** The end of a block that begins at `from`: where its last words are, if not all between is as it was read. */
function endOf(page: Page, from: number, block: string): number {
  const common = commonLength(page, from, block);
  if (common === block.length) return from + common;
  const tail = tailWords(block);
  const within = page.text.slice(0, from + block.length + anchorChars * 4);
  const at = within.lastIndexOf(tail);
  return tail !== '' && at >= from + common && whole(within, tail, at) === at
    ? at + tail.length
    : from + common;
}

/** The first whole words of a block. */
function probeOf(block: string): string {
  const end = block.length > probeChars ? block.lastIndexOf(' ', probeChars) : -1;
  return end > 0 ? block.slice(0, end) : block.slice(0, spaceless.test(block) ? probeChars : 4 * probeChars);
}

/** The blocks that follow a place, each where it is found. */
function walk(page: Page, blocks: readonly string[], first: Piece, gap: number, most: number): Piece[] {
  const pieces = [first];
  for (const block of blocks.slice(0, most)) {
    const { to } = pieces.at(-1)!;
    const probe = probeOf(block);
    const window = page.text.slice(to, to + gap + probe.length);
    const at = whole(window, probe, 0);
    if (at >= 0) pieces.push({ from: to + at, to: endOf(page, to + at, block) });
    else if (gap > anchorChars) {
      // What it begins with may be a tag that nobody could read.
      const tail = tailWords(block);
      const rest = whole(page.text.slice(to, to + gap + block.length), tail, 0);
      if (rest >= 0 && tail.length > shortTail) pieces.push({ from: to + rest, to: to + rest + tail.length });
    }
  }
  return pieces;
}

const lengthOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, { from, to }) => sum + to - from, 0);

/** Of the places where a text stands, that which is followed by the most of the passage. */
function bestPlace(page: Page, probe: string, rest: string, after: readonly string[]): number {
  let [best, most, count] = [-1, -1, 0];
  for (
    let at = whole(page.text, probe, 0);
    at >= 0 && count < mostPlaces;
    at = whole(page.text, probe, at + 1)
  ) {
    const pieces = walk(
      page,
      after,
      { from: at, to: at + commonLength(page, at, rest.slice(0, 1000)) },
      anchorChars,
      12,
    );
    const length = lengthOf(pieces);
    if (length > most) [best, most] = [at, length];
    count++;
  }
  return best;
}

/** The passage on the page, block by block; undefined where nothing of it is found. */
function locate(page: Page, given: readonly string[]): Piece[] | undefined {
  const blocks = given.map((block) =>
    // Of `[label]` a passage does not say whether it is a link.
    same(block).replace(/\[([^[\]]*)\]/g, (all, inner: string) => (page.text.includes(all) ? all : inner)),
  );
  for (const [at, block] of blocks.slice(0, mostWords).entries()) {
    const words = wordsOf(block.slice(0, 4000)).slice(0, mostSkipped + endWords);
    for (const [skipped, { from }] of words.slice(0, mostSkipped).entries()) {
      const probe = block.slice(from, words[Math.min(skipped + endWords, words.length) - 1]!.to);
      if (skipped > 0 && probe.length < 8) break;
      const rest = block.slice(from);
      const place = bestPlace(page, probe, rest, blocks.slice(at + 1));
      if (place < 0) continue;
      const first = { from: place, to: endOf(page, place, rest) };
      return walk(page, blocks.slice(at + 1), first, gapChars, blocks.length);
    }
  }
  return undefined;
}

/** Words in front of a place, on their own line, that make it the first of its kind. */
function prefixOf(page: Page, from: number, text: string): string | undefined {
  const begin = Math.max(0, from - 300);
  const line = page.shown.slice(begin, from).trimEnd().split('\n').at(-1)!;
  for (const { from: at } of wordsOf(line).slice(-mostWords).reverse()) {
    const prefix = line.slice(at);
    const gap = /\s$/.test(page.shown.slice(0, from)) ? ' ' : '';
    const all = `${same(prefix)}${gap}${text}`;
    if (whole(page.text, all, 0) === from - prefix.length - gap.length) return prefix;
  }
  return undefined;
}

/** Words behind a place, on their own line, that tell `text` from those that stand between `after` and it. */
function suffixOf(page: Page, after: number, to: number, text: string): string | undefined {
  const gap = /^\s/.test(page.shown.slice(to, to + 1)) ? 1 : 0;
  const line = page.shown.slice(to + gap, to + gap + 300).split('\n')[0]!;
  for (const { to: length } of wordsOf(line).slice(0, mostWords)) {
    const all = page.text.slice(to - text.length, to + gap + length);
    if (whole(page.text, all, after) === to - text.length) return line.slice(0, length);
  }
  return undefined;
}

interface Start {
  from: number;
  to: number;
  prefix?: string;
}

/** First words of a piece that point to it, alone or with words in front of them; undefined where none do. */
function startOf(page: Page, { from, to }: Piece, most: number): Start | undefined {
  const ends = wordsOf(page.shown.slice(from, Math.min(to, from + 4000))).slice(0, Math.min(most, mostWords));
  for (const end of ends.slice(Math.min(endWords, ends.length) - 1)) {
    const text = page.text.slice(from, from + end.to);
    if (whole(page.text, text, 0) === from) return { from, to: from + end.to };
  }
  const short = ends[Math.min(endWords, ends.length) - 1];
  if (short === undefined) return undefined;
  const prefix = prefixOf(page, from, page.text.slice(from, from + short.to));
  return prefix === undefined ? undefined : { from, to: from + short.to, prefix };
}

interface End {
  from: number;
  to: number;
  suffix?: string;
}

/** Last words of a piece to which browsers mark from `after` on: they take the first place they find. */
function tailOf(page: Page, { from, to }: Piece, after: number, most: number): End | undefined {
  const begin = Math.max(from, to - 4000, after);
  const starts = wordsOf(page.shown.slice(begin, to)).slice(-Math.min(most, mostWords)).reverse();
  const placed = starts.map((start) => begin + start.from);
  for (const at of placed.slice(Math.min(endWords, placed.length) - 1)) {
    if (whole(page.text, page.text.slice(at, to), after) === at) return { from: at, to };
  }
  const at = placed[Math.min(endWords, placed.length) - 1];
  if (at === undefined) return undefined;
  const suffix = suffixOf(page, after, to, page.text.slice(at, to));
  return suffix === undefined ? undefined : { from: at, to, suffix };
}

/**
 * What of a page to point to for a passage; undefined where the page does not have it.
 *
 * @param blocks of the passage as it is rendered
 */
export function partsOnPage(blocks: readonly string[], pageText: string): DirectiveParts | undefined {
  const page = readPage(pageText);
  const pieces = locate(page, blocks)?.map(({ from, to }) => ({
    from: atWord(page.text, from, 1),
    to: atWord(page.text, to, -1),
  }));
  const worded = pieces?.filter(({ from, to }) => inWord.test(page.text.slice(from, to)));
  const [first, second] = worded ?? [];
  if (worded === undefined || first === undefined) return undefined;
  const text = page.shown.slice(first.from, first.to);
  const line = /^[^\n]*/.exec(text)![0];
  if (second === undefined && text.length <= longestExact && line === text) {
    const isFirst = whole(page.text, page.text.slice(first.from, first.to), 0) === first.from;
    const prefix = isFirst ? undefined : prefixOf(page, first.from, page.text.slice(first.from, first.to));
    return { start: text, ...(prefix !== undefined && { prefix }) };
  }
  // One long block must not begin and end with the same words.
  const most =
    second === undefined ? Math.max(1, Math.floor(wordsOf(text.slice(0, 4000)).length / 2)) : mostWords;
  let start: Start | undefined;
  for (const piece of worded.slice(0, 4)) start ??= startOf(page, lineOf(page, piece, 1), most);
  const short = wordsOf(line.slice(0, 4000))[Math.min(endWords, most) - 1]?.to ?? line.length;
  start ??= { from: first.from, to: first.from + short };
  let end: End | undefined;
  for (const piece of worded.slice(-mostWords).reverse()) {
    if (piece.to > start.to) end ??= tailOf(page, lineOf(page, piece, -1), start.to, most);
  }
  return {
    start: page.shown.slice(start.from, start.to),
    ...(start.prefix !== undefined && { prefix: start.prefix }),
    ...(end !== undefined && { end: page.shown.slice(end.from, end.to) }),
    ...(end?.suffix !== undefined && { suffix: end.suffix }),
  };
}

/** The first line of a piece, or the last one: no words go from one block into another. */
function lineOf({ shown }: Page, { from, to }: Piece, step: 1 | -1): Piece {
  const text = shown.slice(from, to);
  if (step < 0) return { from: from + text.lastIndexOf('\n') + 1, to };
  const at = text.indexOf('\n');
  return { from, to: at < 0 ? to : from + at };
}
