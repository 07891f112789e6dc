/** The public names. Nothing is computed here. */
export { type ParsedCitations, parseCitations } from './cite/citations.ts';
export { type FormatContextOptions, formatContext } from './cite/context.ts';
export { type CitationLinkOptions, citationLink } from './cite/link.ts';
export {
  type QuoteCheck,
  type QuoteStatus,
  type VerifyQuotesOptions,
  verifyQuotes,
} from './cite/quotes.ts';
export {
  EmptyDocumentError,
  type ErrorCode,
  type Refusal,
  ShelfmarkError,
  UnsafeRemovalError,
} from './errors.ts';
export type { IndexRetrieverOptions } from './facade/retriever.ts';
export {
  type IngestChunksOptions,
  type IngestDocumentsOptions,
  ingestChunks,
  ingestDocuments,
} from './ingest/records.ts';
export type { AddOptions } from './ingest/run.ts';
export type { KernelKind, KernelState } from './kernel/kernel.ts';
export { atxHeadings, type InitOptions, init, type KernelInfo, kernelInfo } from './kernel/load.ts';
export type { LexiconOptions } from './lexicon/analyzer.ts';
export { type Index, openIndex, repairIndex } from './open-index.ts';
export type { OpenIndexOptions, SearchIndexOptions } from './open-index-options.ts';
export { chunkProvenance, passageText } from './provenance.ts';
export { EmbeddingRetriever, type EmbeddingRetrieverOptions } from './retrieve/embedding.ts';
export { FilteredRetriever } from './retrieve/filtered.ts';
export { HybridRetriever, type HybridRetrieverOptions } from './retrieve/hybrid.ts';
export { KeywordRetriever, type KeywordRetrieverOptions } from './retrieve/keyword.ts';
export { LexicalRetriever, type LexicalRetrieverOptions } from './retrieve/lexical.ts';
export {
  type Rerank,
  RerankingRetriever,
  type RerankingRetrieverOptions,
} from './retrieve/reranking.ts';
export {
  type CitedPassage,
  createRetrievalTool,
  type RetrievalTool,
  type RetrievalToolCall,
  type RetrievalToolOptions,
  type RetrievalToolResult,
  type RetrievalToolSchema,
} from './retrieve/tool.ts';
export { type AutoSplitterOptions, autoSplitter } from './split/auto.ts';
export { type ByCsvRecordOptions, byCsvRecord } from './split/by-csv-record.ts';
export { type ByHeadingOptions, byHeading } from './split/by-heading.ts';
export { type ByParagraphOptions, byParagraph } from './split/by-paragraph.ts';
export { type ByRecordOptions, byRecord } from './split/by-record.ts';
export { type ByTableRecordOptions, byTableRecord } from './split/by-table-record.ts';
export { chunkDocuments } from './split/chunk-documents.ts';
export { type ChunkTextOptions, chunkText } from './split/chunk-text.ts';
export {
  type CsvRecord,
  type CsvRecords,
  type CsvRecordsOptions,
  csvRecords,
} from './split/csv-records.ts';
export { type DocumentKind, documentKind } from './split/document-kind.ts';
export { type FixedWithOverlapOptions, fixedWithOverlap } from './split/fixed-with-overlap.ts';
export { type ByJsonLineOptions, byJsonLine } from './split/json-lines.ts';
export type { Length } from './split/length.ts';
export { type MarkdownHeadingsOptions, markdownHeadings } from './split/markdown-headings.ts';
export type { Slugger, SluggerName } from './split/sluggers.ts';
export { type SplitDocumentsOptions, splitDocuments } from './split/split-documents.ts';
export { type TableRecord, tableRecords } from './split/table-records.ts';
export { wholeDocument } from './split/whole-document.ts';
export { type IndexedDBStoreOptions, IndexedDBVectorStore } from './store/idb.ts';
export { chunkIndexOf, documentIdOf } from './store/ids.ts';
export { MemoryVectorStore } from './store/memory.ts';
export { applyMetadataPatch } from './store/metadata.ts';
export type { IndexFile } from './store/open-file.ts';
export { isLexicalVectorStore } from './store/store.ts';
export type * from './types.ts';
