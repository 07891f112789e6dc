import * as BlockKind from '../kernel/block-kinds.ts';
import { type BlockList, beginRecords, pushRecord, takeRecords } from '../kernel/block-list.ts';
import { isBlankCode } from '../kernel/lines.ts';
import { finder } from './lines.ts';

/** The paragraphs of plain text, which blank lines divide. LF, CR and CRLF end a line. */
export function paragraphBlocks(text: string): BlockList {
  beginRecords();
  const nextFeed = finder(text, '\n');
  const nextReturn = finder(text, '\r');
  let from = -1;
  let to = 0;
  let first = 0;
  const push = (): void => {
    if (from >= 0) pushRecord(BlockKind.Paragraph, 0, from, to, 0, 0, 0, first);
    from = -1;
  };
  for (let start = 0, line = 1; start < text.length; line++) {
    const end = Math.min(nextFeed(start), nextReturn(start));
    let at = start;
    while (at < end && isBlankCode(text.charCodeAt(at))) at++;
    if (at === end) push();
    else {
      if (from < 0) {
        from = start;
        first = line;
      }
      to = end;
    }
    start = end + (text.charCodeAt(end) === 0x0d && text.charCodeAt(end + 1) === 0x0a ? 2 : 1);
  }
  push();
  return takeRecords();
}
