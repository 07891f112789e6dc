import type { SplitPiece, Splitter } from '../types.ts';
import { documentText } from './spans.ts';

/**
 * One piece a document: all of it, white space at the ends included. A blank document gives none. For texts
 * that are short by nature, such as answers or product names.
 */
export function wholeDocument(): Splitter {
  return {
    id: 'wholeDocument@1',
    name: 'wholeDocument',
    acceptsBytes: true,
    split(document) {
      const text = documentText(document);
      if (text.trim() === '') return [];
      const piece: SplitPiece = { text, charStart: 0, charEnd: text.length };
      if (document.pages !== undefined) piece.page = 1;
      return [piece];
    },
  };
}
