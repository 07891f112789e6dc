/** A stretch of text, and whether the question's words stand there. */
export interface Segment {
  text: string;
  marked: boolean;
}

/** Characters a snippet shows at most, about three lines. */
const SIZE = 200;
/** Characters of the source that are looked at for them: marks of Markdown are not shown. */
const WINDOW = 600;
/** A run without a blank is no word from here on: an address, a picture written as text. */
const LONGEST = 48;

/** Words that every text has: found, but not worth a mark. */
const small = new Set(
  'a an and are as at be by can do does for from how i if in is it my of on or that the this to was we what when where who why with you your'.split(
    ' ',
  ),
);

/** Marks of Markdown: a heading with its title, code with what is in it, a link with its label, then bare marks. */
const marks =
  /^[ \t]*#{1,6}[ \t]+(?<title>[^\n]{1,300}?)[ \t#]*$|(?<fence>`{1,2})(?<code>[^`\n]{1,300})\k<fence>|!?\[(?<label>[^\]\n]{0,300})\](?:\([^()\s]{0,600}[^()\n]{0,100}\)|\[[^\]\n]{0,80}\])|\*{1,3}(?=[^\s*])|(?<=[^\s*])\*{1,3}|(?<![\p{L}\p{N}_])_{1,2}(?=[^\s_])|(?<=[^\s_])_{1,2}(?![\p{L}\p{N}_])|^[ \t]*(?:>[ \t]?|```.*|~~~.*|\|?[ \t:|-]*-{3}[ \t:|-]*$)|`+|[ \t]*\|[ \t]*|\\(?=[!-/:-@[-`{-~])|<!--[^>]{0,300}-->/gmu;

/** A heading as it reads, without marks of Markdown. */
export const plain = (title: string): string =>
  read(title, 0, Math.min(title.length, WINDOW), [])
    .map(({ text }) => text)
    .join('')
    .trim();

/**
 * What to show of a passage: from where most of the question's words stand close together, as it reads, without marks
 * of Markdown. What stands up to the heading of the passage is left out where the rest has words of the question, too:
 * it is the end of what came before, and the heading is shown above.
 */
export function snippet(
  text: string,
  highlights: readonly (readonly [number, number])[],
  heading?: string,
): Segment[] {
  const telling = highlights.filter(([start, end]) => !small.has(text.slice(start, end).toLowerCase()));
  let body = bodyStart(text, heading);
  let ranges = telling.filter(([start]) => start >= body);
  if (ranges.length === 0) {
    body = bodyStart(text, undefined);
    ranges = telling.filter(([start]) => start >= body);
  }
  const start = startOf(text, body, ranges);
  const segments = read(text, start, Math.min(text.length, start + WINDOW), ranges);
  if (start > body) segments.unshift({ text: '… ', marked: false });
  return cut(segments, text.length > start + WINDOW);
}

/** Where a passage begins to say something its headings don't; its very beginning where it has nothing else. */
function bodyStart(text: string, heading: string | undefined): number {
  const head = text.slice(0, WINDOW);
  const lead = (from: number): number =>
    from + (/^(?:\s*#{1,6}[ \t][^\n]*(?:\n|$))*\s*/.exec(head.slice(from))?.[0].length ?? 0);
  const own =
    heading === undefined ? -1 : head.search(new RegExp(`^#{1,6}[ \\t]+${escaped(heading)}[ \\t#]*$`, 'm'));
  const start = lead(Math.max(0, own));
  return start >= text.length ? 0 : start;
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** The best place to begin: a sentence's or a word's first character, shortly before the closest matches. */
function startOf(text: string, body: number, ranges: readonly (readonly [number, number])[]): number {
  let [best, most] = [body, 0];
  for (let index = 0, end = 0; index < ranges.length; index++) {
    const [from] = ranges[index]!;
    while (end < ranges.length && ranges[end]![1] <= from + SIZE * 0.7) end++;
    if (end - index > most) [best, most] = [from, end - index];
  }
  if (best - body < SIZE / 2) return body;
  const from = best - Math.floor(SIZE / 3);
  const before = text.slice(from, best);
  const sentence = before.search(/(?<=[.!?。！？\n]\s*)[^\s.!?。！？][^.!?。！？\n]*$/u);
  const word = before.search(/(?<=\s)\S/);
  const at = from + Math.max(0, sentence >= 0 ? sentence : word);
  return isLow(text, at) ? at + 1 : at;
}

const isLow = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** What is read between two places, marks left out, blanks and overlong runs drawn together. */
function read(
  text: string,
  from: number,
  to: number,
  ranges: readonly (readonly [number, number])[],
): Segment[] {
  const out: Segment[] = [];
  const window = text.slice(from, to);
  const put = (start: number, end: number): void => {
    let at = start;
    for (const [low, high] of ranges) {
      if (high <= at || low >= end) continue;
      push(out, text.slice(at, Math.max(at, low)), false);
      push(out, text.slice(Math.max(at, low), Math.min(high, end)), true);
      at = Math.min(high, end);
    }
    push(out, text.slice(at, end), false);
  };
  let at = from;
  for (const match of window.matchAll(marks)) {
    const start = from + match.index;
    put(at, start);
    const [whole] = match;
    const { title, code, label } = match.groups!;
    const inner = title ?? code ?? label;
    if (title !== undefined || (inner === undefined && whole.includes('|'))) push(out, ' · ', false);
    if (inner !== undefined) {
      const from = start + whole.indexOf(inner, label === undefined ? 0 : whole.indexOf('[') + 1);
      put(from, from + inner.length);
    }
    if (title !== undefined) push(out, ' · ', false);
    at = start + whole.length;
  }
  put(at, to);
  return tidied(out);
}

function push(out: Segment[], text: string, marked: boolean): void {
  if (text === '') return;
  const last = out.at(-1);
  if (last?.marked === marked) last.text += text;
  else out.push({ text, marked });
}

function tidied(segments: Segment[]): Segment[] {
  let isBlank = true;
  for (const segment of segments) {
    segment.text = segment.text
      .replace(new RegExp(`[^\\s]{${LONGEST},}`, 'gu'), (run) =>
        /[^\u0000-\u007f]/.test(run) ? run : `${run.slice(0, 16)}…`,
      )
      .replace(/\s+/gu, ' ')
      .replace(/(?: ·)+(?: ·)/g, ' ·');
    if (isBlank) segment.text = segment.text.replace(/^[ ·]+/, '');
    isBlank = segment.text === '' ? isBlank : segment.text.endsWith(' ');
  }
  return segments.filter(({ text }) => text !== '');
}

/** No longer than a snippet is, and with an ellipsis where something follows. */
function cut(segments: Segment[], more: boolean): Segment[] {
  let room = SIZE;
  const out: Segment[] = [];
  for (const segment of segments) {
    if (segment.text.length > room) {
      const end = Math.max(segment.text.lastIndexOf(' ', room), room - LONGEST / 2, 0);
      const text = segment.text.slice(0, isLow(segment.text, end) ? end - 1 : end).trimEnd();
      return [...out, { text, marked: segment.marked }, { text: ' …', marked: false }];
    }
    room -= segment.text.length;
    out.push(segment);
  }
  const last = out.at(-1);
  if (last !== undefined) last.text = last.text.trimEnd();
  if (more) out.push({ text: ' …', marked: false });
  return out;
}
