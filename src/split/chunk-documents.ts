import { ShelfmarkError, show } from '../errors.ts';
import type { ChunkRecord, TextDocument } from '../types.ts';
import { type ChunkTextOptions, chunkText } from './chunk-text.ts';

/**
 * The documents in `chunkText`'s chunks, as records for a store: ids are `<id>#<n>`, `source` and `metadata`
 * are the document's. A blank document gives none.
 *
 * @throws ShelfmarkError `INVALID_DOCUMENT` for a document without an id or a text, before anything is cut.
 */
export function chunkDocuments(docs: readonly TextDocument[], options: ChunkTextOptions = {}): ChunkRecord[] {
  for (const doc of docs) {
    if (typeof doc?.id !== 'string' || doc.id === '') {
      throw new ShelfmarkError('INVALID_DOCUMENT', `A document's id is ${show(doc?.id)}; give a string.`);
    }
  }
  return docs.flatMap((doc) =>
    chunkText(doc.text, options).map((text, index) => {
      const record: ChunkRecord = { id: `${doc.id}#${index}`, text };
      if (doc.source !== undefined) record.source = doc.source;
      if (doc.metadata !== undefined) record.metadata = doc.metadata;
      return record;
    }),
  );
}
