import { invalidOption, ShelfmarkError, show } from '../errors.ts';
import { optionsObject } from '../options.ts';
import type { ChunkRecord, TextDocument } from '../types.ts';
import { type ChunkTextOptions, chunkText } from './chunk-text.ts';

/**
 * The documents in `chunkText`'s chunks, as records for a store: ids are `<id>#<n>`, `source` and `metadata`
 * are the document's. A blank document gives none.
 *
 * @throws ShelfmarkError `INVALID_DOCUMENT` for a document without an id, before anything is cut, or without a text.
 */
export function chunkDocuments(docs: readonly TextDocument[], options: ChunkTextOptions = {}): ChunkRecord[] {
  optionsObject(options);
  checkNamed(docs);
  return docs.flatMap((doc) =>
    chunkText(doc.text, options).map((text, index) => {
      const record: ChunkRecord = { id: `${doc.id}#${index}`, text };
      if (doc.source !== undefined) record.source = doc.source;
      if (doc.metadata !== undefined) record.metadata = doc.metadata;
      return record;
    }),
  );
}

/** Refuses what is no list of documents, and documents without an id. */
export function checkNamed(docs: readonly TextDocument[]): void {
  if (!Array.isArray(docs)) throw invalidOption('docs', docs, 'an array of documents');
  for (const doc of docs) {
    if (typeof doc?.id !== 'string' || doc.id === '') {
      throw new ShelfmarkError('INVALID_DOCUMENT', `A document's id is ${show(doc?.id)}; give a string.`);
    }
  }
}
