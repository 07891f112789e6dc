/** The public names. Nothing is computed here. */
export { ShelfmarkError, type ErrorCode } from './errors.ts';
export { atxHeadings, type InitOptions, init, type KernelInfo, kernelInfo } from './kernel/load.ts';
export type { KernelKind, KernelState } from './kernel/kernel.ts';
export { chunkProvenance, passageText } from './provenance.ts';
export { type ByHeadingOptions, byHeading } from './split/by-heading.ts';
export { type ByParagraphOptions, byParagraph } from './split/by-paragraph.ts';
export { type ByRecordOptions, byRecord } from './split/by-record.ts';
export { chunkDocuments } from './split/chunk-documents.ts';
export { type ChunkTextOptions, chunkText } from './split/chunk-text.ts';
export { type FixedWithOverlapOptions, fixedWithOverlap } from './split/fixed-with-overlap.ts';
export { type SplitDocumentsOptions, splitDocuments } from './split/split-documents.ts';
export { wholeDocument } from './split/whole-document.ts';
export type * from './types.ts';
