import { ShelfmarkError, show } from '../errors.ts';
import { sha256 } from '../kernel/load.ts';
import { hasLoneSurrogate } from '../split/cut.ts';
import { checkDocuments as checkSplittable, splitPieces } from '../split/split-documents.ts';
import type { Head } from '../store/columns.ts';
import { storableMetadata } from '../store/metadata.ts';
import type { DocumentPut } from '../store/plan.ts';
import type { Metadata, SplitPiece, Splitter, SplitterDocument } from '../types.ts';
import type { TokenCap } from './cap.ts';
import type { Run } from './run.ts';

/** What an index keeps with a document, to know later whether it has changed. */
export interface DocumentInfo {
  title?: string;
  metadata?: Metadata;
  /** SHA-256 of the text, and the lengths of its pages where it has any. */
  source: string;
  splitter: string;
  analyzer: string;
  /** A hash of `HASH_CHARS` a chunk, of the string that is embedded, one after the other. */
  hashes: string;
  /** Tokens that no chunk exceeds, whatever the tokenizer; see `TokenCap`. Absent in indexes of older versions. */
  atMost?: number;
  /** What the chunks were cut to fit: `<tokens>@<embedder id>`. Absent where nobody could count. */
  fits?: string;
  /** Added without an embedder, so that nobody waits for its vectors. */
  byWords?: true;
}

/** Hex digits kept of a hash: 128 bits, which no two strings of an index will share. */
export const HASH_CHARS = 32;

/** What of it is known before a document is cut. */
export type Fingerprint = Omit<DocumentInfo, 'hashes' | 'atMost' | 'fits' | 'byWords'>;

/** A document cut into chunks, and what each of them is embedded as. */
export interface Prepared {
  id: string;
  put: Omit<DocumentPut, 'vectors'>;
  info: DocumentInfo;
  inputs: string[];
  vectors: (Float32Array | undefined)[];
  /** Known to be no longer than the model reads. */
  short: boolean;
}

/** Refuses documents that cannot be indexed, naming which, before anything is done with the others. */
export function checkDocuments(documents: readonly SplitterDocument[]): void {
  checkSplittable(documents);
  for (const { uri, title, metadata } of documents) {
    const owner = `document ${show(uri)}`;
    if (title !== undefined && typeof title !== 'string') {
      throw new ShelfmarkError('INVALID_DOCUMENT', `The title of ${owner} is ${show(title)}; give a string.`);
    }
    if (metadata !== undefined) storableMetadata(metadata, owner);
  }
}

/** What makes a document the same one it was: all that `prepare` reads of it. */
export function fingerprint(
  document: SplitterDocument,
  text: string,
  splitter: Splitter,
  analyzer: string,
): Fingerprint {
  const { title, metadata, pages } = document;
  // UTF-8 cannot tell one lone surrogate from another; JSON spells them out.
  const hash = sha256(hasLoneSurrogate(text) ? JSON.stringify(text) : text);
  const lengths = pages?.map((page) => page.length).join() ?? '';
  return {
    ...(title !== undefined && { title }),
    ...(metadata !== undefined && { metadata }),
    source: pages === undefined ? hash : `${hash}:${lengths}`,
    splitter: splitter.id,
    analyzer,
  };
}

/** Cuts a document. Throws `EMPTY_DOCUMENT` where there is no passage in it. */
export async function prepare(
  document: SplitterDocument,
  text: string,
  info: Fingerprint,
  { splitter, embedder }: Pick<Run, 'splitter' | 'embedder'>,
  cap: TokenCap,
): Promise<Prepared> {
  // The text that was decoded already, so that bytes are not decoded again to cut and to verify.
  const pieces = splitPieces({ ...document, text }, splitter);
  if (pieces.length === 0 || pieces.some((piece) => piece.text.trim() === '')) {
    throw new ShelfmarkError(
      'EMPTY_DOCUMENT',
      `Document ${show(document.uri)} has no passage to find: it is blank, or nothing but headings.`,
    );
  }
  const { read, atMost, fits, short } = await cap.cut(document, text, pieces);
  const records = read.map(({ piece }, index) => toRecord(piece, index, document));
  const inputs = read.map(({ input }) => input);
  const hashes = inputs.map((input) => sha256(input).slice(0, HASH_CHARS)).join('');
  const full: DocumentInfo = {
    ...info,
    hashes,
    // A copy, since what the caller does to the metadata later is no change until it is added again.
    ...(info.metadata && { metadata: structuredClone(info.metadata) }),
    atMost,
    ...(fits !== undefined && { fits }),
    ...(embedder === undefined && { byWords: true }),
  };
  return {
    id: document.uri,
    put: { id: document.uri, text, records, info: full },
    info: full,
    inputs,
    vectors: inputs.map(() => undefined),
    short,
  };
}

function toRecord(
  piece: SplitPiece,
  index: number,
  { uri, title, metadata }: SplitterDocument,
): Head & { text: string } {
  const { oversize: _oversize, ...record } = piece;
  return {
    ...record,
    id: `${uri}#${index}`,
    ...(title !== undefined && { title }),
    ...(metadata !== undefined && { metadata }),
  };
}
