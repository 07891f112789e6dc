import type { PieceSizes } from '../size-options.ts';
import type { Span } from '../spans.ts';
import { mergeForward, pushOrFold, runtChars, type WeighedSpan } from './floors.ts';

const TAB = 0x09;
const LF = 0x0a;
const SPACE = 0x20;

/**
 * The blocks between blank lines, empty ones left out. A blank line is `\n[ \t]*\n`; CRLF and CR make none,
 * and of three line feeds the third begins the next block.
 */
function blocksOf(text: string, from: number, to: number): Span[] {
  const blocks: Span[] = [];
  let start = from;
  for (let at = from; at < to; at++) {
    if (text.charCodeAt(at) !== LF) continue;
    let next = at + 1;
    while (next < to && (text.charCodeAt(next) === SPACE || text.charCodeAt(next) === TAB)) next++;
    if (next >= to || text.charCodeAt(next) !== LF) {
      at = next - 1;
      continue;
    }
    if (at > start) blocks.push({ start, end: at });
    start = next + 1;
    at = next;
  }
  if (to > start) blocks.push({ start, end: to });
  return blocks;
}

/** Windows of `maxChars` that share `overlapChars`; the last one ends with the block. */
function cutHard({ start, end }: Span, sizes: PieceSizes, emit: (start: number, end: number) => void): void {
  const step = Math.max(1, sizes.maxChars - sizes.overlapChars);
  let at = start;
  for (; at + sizes.maxChars < end; at += step) emit(at, at + sizes.maxChars);
  emit(at, end);
}

/**
 * Packs the blocks of a stretch into spans of at most `maxChars`. A longer block stands alone, cut hard.
 *
 * @param headingEnd end of the heading line the stretch begins with: that line and the block after it are one
 * block, so that a heading is not packed away from its text. `from` where there is none.
 */
export function packParagraphs(
  text: string,
  from: number,
  to: number,
  headingEnd: number,
  sizes: PieceSizes,
  emit: (start: number, end: number) => void,
): void {
  const blocks = blocksOf(text, from, to);
  const [first, second] = blocks;
  if (second !== undefined && first!.end <= headingEnd) {
    second.start = first!.start;
    blocks.shift();
  }
  let open: Span | undefined;
  for (const block of blocks) {
    const fits = block.end - block.start <= sizes.maxChars;
    if (fits && open !== undefined && block.end - open.start <= sizes.maxChars) {
      open.end = block.end;
      continue;
    }
    if (open !== undefined) emit(open.start, open.end);
    open = fits ? block : undefined;
    if (!fits) cutHard(block, sizes, emit);
  }
  if (open !== undefined) emit(open.start, open.end);
}

/** The spans of a text without headings: packed, runts folded back, and then short ones merged forward. */
export function paragraphSpans(text: string, sizes: PieceSizes): Span[] {
  const spans: WeighedSpan[] = [];
  packParagraphs(text, 0, text.length, 0, sizes, (start, end) =>
    pushOrFold(spans, { start, end, weight: 0 }, runtChars),
  );
  for (const span of spans) span.weight = span.end - span.start;
  return mergeForward(spans, sizes.minChars);
}
