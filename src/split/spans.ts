import { ShelfmarkError, show } from '../errors.ts';
import { isSpace } from '../kernel/js.ts';
import { checkText, decodeText } from '../kernel/kernel.ts';
import type { SplitterDocument } from '../types.ts';

/** A stretch of a text: half-open, in UTF-16 code units. */
export interface Span {
  start: number;
  end: number;
  /** Title of the heading it stands under; none before the first one. */
  heading?: string | undefined;
}

export const ofDocument = (uri: unknown): string => ` of document ${show(uri)}`;

/** Throws `INVALID_DOCUMENT` for pages that are no texts. */
export function checkPages({ uri, pages }: SplitterDocument): void {
  if (pages !== undefined && (!Array.isArray(pages) || pages.some((page) => typeof page !== 'string'))) {
    throw new ShelfmarkError(
      'INVALID_DOCUMENT',
      `The pages of document ${show(uri)} are no list of strings.`,
    );
  }
}

/** The string a document's text means. Throws `INVALID_DOCUMENT` where it is neither a string nor bytes. */
export function documentText(document: SplitterDocument): string {
  const text: unknown = document?.text;
  checkText(text, ofDocument(document?.uri));
  checkPages(document);
  return decodeText(text);
}

/** Finds where spans of one text begin and end without the white space around them. */
export interface Trimmer {
  /** The first offset from `at` on that is no white space, or the text's end. */
  start(at: number): number;
  /** The end of what stands before `at`, its trailing white space left out; 0 where there is nothing. */
  end(at: number): number;
}

/**
 * A trimmer for spans that overlap. One run of blanks can lie in thousands of them, so the last run is kept:
 * while offsets rise from call to call, no character is read twice.
 */
export function spanTrimmer(text: string): Trimmer {
  const leading = { from: text.length, to: text.length };
  const trailing = { from: 0, to: 0 };
  const knows = (run: { from: number; to: number }, at: number): boolean => run.from <= at && at <= run.to;

  return {
    start(at) {
      if (!knows(leading, at)) {
        let stop = at;
        while (stop < text.length && isSpace(text.charCodeAt(stop))) stop++;
        leading.from = at;
        leading.to = stop;
      }
      return leading.to;
    },
    end(at) {
      if (!knows(trailing, at)) {
        let stop = at;
        while (stop > 0 && isSpace(text.charCodeAt(stop - 1))) {
          stop = stop - 1 === trailing.to ? trailing.from : stop - 1;
        }
        trailing.from = stop;
        trailing.to = at;
      }
      return trailing.from;
    },
  };
}
