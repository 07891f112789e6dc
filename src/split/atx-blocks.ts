import * as BlockKind from '../kernel/block-kinds.ts';
import { BLOCK_WORDS, type BlockList, beginRecords, pushRecord, takeRecords } from '../kernel/block-list.ts';
import { isBlankCode } from '../kernel/lines.ts';
import type { AtxHeading } from '../types.ts';

/**
 * The blocks of a text whose headings are read as `atxHeadings` does: those of Markdown are text, and whatever holds
 * one of these, a fence as well, is divided by it. Lines of what is made here are unknown (0).
 */
export function withAtxHeadings(text: string, blocks: BlockList, headings: readonly AtxHeading[]): BlockList {
  const { words, count } = blocks;
  beginRecords();
  let next = 0;
  for (let block = 0; block < count * BLOCK_WORDS; block += BLOCK_WORDS) {
    const [kind, depth, start, end, a, b, c, line] = words.subarray(
      block,
      block + BLOCK_WORDS,
    ) as unknown as [number, number, number, number, number, number, number, number];
    const isHeading = kind <= BlockKind.Setext;
    const push = (from: number, to: number): void => {
      const first = from === start ? line : 0;
      if (isHeading) pushRecord(BlockKind.Paragraph, depth, from, to, 0, 0, 0, first);
      else pushRecord(kind, depth, from, to, a, b, c, first);
    };
    if (kind === BlockKind.Item) {
      push(start, end);
      continue;
    }
    let from = start;
    for (; next < headings.length && headings[next]!.offset < end; next++) {
      const { offset, end: stop, level, title } = headings[next]!;
      if (from < offset) push(from, offset);
      let at = offset + level;
      while (at < stop - 1 && isBlankCode(text.charCodeAt(at))) at++;
      pushRecord(BlockKind.Atx, 0, offset, stop, level, at, at + title.length, 0);
      from = stop;
    }
    if (from < end) push(from, end);
  }
  return takeRecords();
}
