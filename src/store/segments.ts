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
