import { LEFT_OUT } from '../kernel/lexical.ts';

/**
 * The words of some documents, packed, so that nobody reads their texts again to find them. A document counts only
 * where its entry has the version given here: one that was replaced or removed since stays behind until the segment
 * is merged.
 */
export interface LexicalSegment {
  /** Identity of the analyser that read the words. */
  readonly analyzer: string;
  /** The documents, in the order in which `bytes` numbers their chunks. */
  readonly ids: readonly string[];
  /** Version of each document's texts. */
  readonly versions: readonly number[];
  /** Chunks of each document. */
  readonly chunks: readonly number[];
  /** The packed words, as src/lexicon/format.ts lays them out. */
  readonly bytes: ArrayBuffer;
}

/**
 * A row for each chunk of a segment, as `Lexicon.unpack` takes them: those that a document is given, in its order, and
 * none where it is not wanted.
 */
export function chunkRows(
  { ids, versions, chunks }: LexicalSegment,
  rowsOf: (id: string, version: number, chunks: number) => ArrayLike<number> | undefined,
): Uint32Array {
  const rows = new Uint32Array(chunks.reduce((sum, count) => sum + count, 0)).fill(LEFT_OUT);
  let from = 0;
  for (const [at, id] of ids.entries()) {
    rows.set(rowsOf(id, versions[at]!, chunks[at]!) ?? [], from);
    from += chunks[at]!;
  }
  return rows;
}
