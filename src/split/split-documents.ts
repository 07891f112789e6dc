import { invalidOption, ShelfmarkError, show } from '../errors.ts';
import { checkText } from '../kernel/kernel.ts';
import { sha256 } from '../kernel/load.ts';
import { optionsObject } from '../options.ts';
import type { Chunk, SplitPiece, Splitter, SplitterDocument } from '../types.ts';
import { checkSplitter } from './check-splitter.ts';
import { checkPages, documentText, ofDocument } from './spans.ts';

export interface SplitDocumentsOptions {
  /** Compares every piece with the slice its offsets name. Default true. */
  verifyOffsets?: boolean;
}

/**
 * Cuts documents into chunks, in order, each with an id (`<uri>#<index>`), its document and its hash.
 * Synchronous.
 *
 * @throws ShelfmarkError `INVALID_DOCUMENT` for a document without a uri or a text, or two of one uri, before
 * any is cut; `OFFSET_MISMATCH` naming a splitter whose piece is not the slice its offsets say; `INVALID_OPTION`
 * for what is no splitter, or one that answers with anything but pieces.
 */
export function splitDocuments(
  documents: readonly SplitterDocument[],
  splitter: Splitter,
  options: SplitDocumentsOptions = {},
): Chunk[] {
  const { verifyOffsets = true } = optionsObject(options);
  checkDocuments(documents);
  checkSplitter(splitter);
  return documents.flatMap((document) => splitOne(document, splitter, verifyOffsets));
}

/** Refuses documents without a name or a text, and two of one name, by name. */
export function checkDocuments(documents: readonly SplitterDocument[]): void {
  if (!Array.isArray(documents)) {
    throw new ShelfmarkError(
      'INVALID_DOCUMENT',
      `The documents are ${show(documents)}; give an array of them.`,
    );
  }
  const seen = new Set<string>();
  for (const [at, document] of documents.entries()) {
    if (document === null || typeof document !== 'object') {
      throw new ShelfmarkError(
        'INVALID_DOCUMENT',
        `documents[${at}] is ${show(document)}; give an object { uri, text, title?, metadata?, pages? }.`,
      );
    }
    const { uri }: { uri: unknown } = document;
    if (typeof uri !== 'string' || uri === '') {
      throw new ShelfmarkError(
        'INVALID_DOCUMENT',
        `A document's uri is ${show(uri)}; give each a string that is not empty.`,
      );
    }
    if (seen.has(uri)) {
      throw new ShelfmarkError(
        'INVALID_DOCUMENT',
        `Two documents have the uri ${show(uri)}; give each its own.`,
      );
    }
    seen.add(uri);
    checkText(document.text, ofDocument(uri));
    checkPages(document);
  }
}

/**
 * A document's pieces as the splitter gives them, each compared with the slice its offsets name.
 *
 * @throws ShelfmarkError `OFFSET_MISMATCH`; `INVALID_OPTION` where they are no pieces at all
 */
export function splitPieces(
  document: SplitterDocument,
  splitter: Splitter,
  verify = true,
): readonly SplitPiece[] {
  const given = splitter.acceptsBytes ? document : { ...document, text: documentText(document) };
  const pieces = splitter.split(given);
  checkPieces(pieces, splitter, document.uri);
  if (verify && pieces.length > 0) verifyPieces(documentText(document), pieces, splitter, document.uri);
  return pieces;
}

function splitOne(document: SplitterDocument, splitter: Splitter, verify: boolean): Chunk[] {
  return splitPieces(document, splitter, verify).map((piece, index) => ({
    ...piece,
    id: `${document.uri}#${index}`,
    docUri: document.uri,
    index,
    contentHash: sha256(piece.text),
  }));
}

/** What a piece may say beside its offsets, which are compared with the text. */
function checkPieces(pieces: readonly SplitPiece[], { name }: Splitter, uri: string): void {
  const from = `of ${show(uri)} from splitter ${show(name)}`;
  if (!Array.isArray(pieces))
    throw invalidOption(`The answer ${from}`, pieces, 'an array of pieces, at once');
  for (const [at, piece] of pieces.entries()) {
    const what = `Piece ${at} ${from}`;
    if (piece === null || typeof piece !== 'object') {
      throw invalidOption(what, piece, 'an object { text, charStart, charEnd }');
    }
    const refuse = (key: keyof SplitPiece, accepted: string) => {
      throw invalidOption(`${key} of ${what}`, piece[key], accepted);
    };
    const { text, headingPath = [] } = piece;
    if (typeof text !== 'string') refuse('text', 'a string');
    for (const key of ['heading', 'slug', 'context'] as const) {
      const { [key]: value = '' } = piece;
      if (typeof value !== 'string') refuse(key, 'a string');
    }
    for (const key of ['page', 'line'] as const) {
      const { [key]: value = 1 } = piece;
      if (!Number.isInteger(value) || value < 1) refuse(key, 'a whole number, 1 or more');
    }
    if (!Array.isArray(headingPath) || headingPath.some((title) => typeof title !== 'string')) {
      refuse('headingPath', 'an array of strings');
    }
  }
}

function verifyPieces(text: string, pieces: readonly SplitPiece[], splitter: Splitter, uri: string): void {
  pieces.forEach(({ charStart, charEnd, text: piece }, index) => {
    const whole = Number.isInteger(charStart) && Number.isInteger(charEnd);
    if (whole && charStart >= 0 && charEnd <= text.length && text.slice(charStart, charEnd) === piece) return;
    throw new ShelfmarkError(
      'OFFSET_MISMATCH',
      `Piece ${index} of ${show(uri)} from splitter ${show(splitter.name)} is not text.slice(${charStart}, ${charEnd}); pieces must be slices of the document.`,
    );
  });
}
