/**
 * Public types. Only types are named here and in `types/`, so that importing them costs nothing.
 *
 * The unit of every offset is the UTF-16 code unit of the document's text, half-open, so that
 * `text.slice(charStart, charEnd) === chunk.text` holds for every chunk.
 */

/** A text: a string, or its UTF-8 bytes as `new TextDecoder('utf-8', { ignoreBOM: true })` reads them. */
export type TextInput = string | Uint8Array;

/** Plain data that describes a document or a record. Values are compared with `===` in filters. */
export type Metadata = Record<string, unknown>;

// --- headings ---------------------------------------------------------------------------------

/** One ATX heading line. Offsets are UTF-16 code units; `end` is exclusive and before the line break. */
export interface AtxHeading {
  /** Offset of the first `#`. */
  offset: number;
  /** End of the line, trailing blanks included. */
  end: number;
  /** Number of `#`, 1 to 6. */
  level: number;
  /** The text after the hashes without the blanks around it. Closing hashes stay. */
  title: string;
}

/** A heading of the document itself, as CommonMark reads it. */
export interface MarkdownHeading {
  kind: 'atx' | 'setext';
  /** Offset of the heading's first character, indentation left out. */
  offset: number;
  /** End of its last line (a setext underline included), exclusive and before the line break. */
  end: number;
  /** 1 to 6. */
  level: number;
  /** The text between the markers, as in the source. */
  title: string;
  /** Anchor in the page a generator makes, unique in the document. */
  slug: string;
  /** Titles from the outermost heading down to this one. */
  path: string[];
  /** 1-based. */
  line: number;
}

// --- splitting --------------------------------------------------------------------------------

/** What a splitter reads. */
export interface SplitterDocument {
  /** Names the document; chunk ids are `<uri>#<index>`. */
  uri: string;
  text: TextInput;
  /** One text a page; joined by `'\n\n'` they are `text`. */
  pages?: readonly string[] | undefined;
  title?: string | undefined;
  metadata?: Metadata | undefined;
}

/** A document as the stores' own pipeline reads it. */
export interface TextDocument {
  /** Names the document; chunk ids are `<id>#<n>`. */
  id: string;
  text: TextInput;
  /** Shown with a passage: a path, a URL. */
  source?: string;
  metadata?: Metadata;
  /** One text a page, joined by `'\n\n'` they are `text`; read where a splitter is given. */
  pages?: readonly string[] | undefined;
}

/** A piece of a document: always a slice of it, never text put together. */
export interface SplitPiece {
  /** `document.text.slice(charStart, charEnd)`. */
  text: string;
  charStart: number;
  charEnd: number;
  /** Title of the heading the piece stands under. */
  heading?: string;
  /** Titles from the outermost heading down to `heading`. */
  headingPath?: readonly string[];
  /** Anchor of the heading in the page a generator makes of the document. */
  slug?: string;
  /** 1-based page that `charStart` lies on; only where the document gives its pages. */
  page?: number;
  /** 1-based line that `charStart` lies on. */
  line?: number;
  /** What a reader needs beside the piece: a table's header row, a fence's info string. Never part of `text`. */
  context?: string;
  /** Present where the piece had to be longer than the limit. */
  oversize?: true;
}

/** Cuts documents into pieces. */
export interface Splitter {
  /** Spells the splitter and its options; another id means another cut. */
  readonly id: string;
  readonly name: string;
  /** True where `split` takes UTF-8 bytes as they are; else they are decoded first. */
  readonly acceptsBytes?: boolean;
  split(document: SplitterDocument): readonly SplitPiece[];
}

/** A piece with its identity. */
export interface Chunk extends SplitPiece {
  /** `<uri>#<index>`. */
  id: string;
  docUri: string;
  /** Position among the document's chunks, from 0. */
  index: number;
  /** SHA-256 of `text` in UTF-8, in hex (a lone surrogate counts as U+FFFD). */
  contentHash: string;
}

// --- embedding --------------------------------------------------------------------------------

export interface EmbedOptions {
  /** Some models want a prefix that differs between the two. Default `'passage'`. */
  kind?: 'query' | 'passage';
  signal?: AbortSignal | undefined;
}

/** How far a model's download is. Bytes of all its files together. */
export interface LoadProgress {
  /** The file that has just grown. */
  file: string;
  loaded: number;
  /** 0 while the size of a file is unknown; never less than `loaded` otherwise. */
  total: number;
}

export interface LoadOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: LoadProgress) => void) | undefined;
}

/** Turns texts into vectors. */
export interface Embedder {
  /** Spells model, revision, dtype, pooling, normalisation and prefixes. Vectors of different ids never mix. */
  readonly id: string;
  /** Length of every vector; 0 while it isn't known yet (before `load` or the first batch). */
  readonly dimensions: number;
  /** Tokens the model reads; longer texts are cut by it. Absent while, or where, it isn't known. */
  readonly maxInputTokens?: number | undefined;
  /** Weight of the semantic leg that suits the model, 0 to 1. */
  readonly semanticWeight?: number | undefined;
  /**
   * Cosine above which the model's best passage is likely to answer, above 0 and at most 1; see `floor` of a search. Chosen
   * from data for the model. Where there is none, what it finds is never held against a floor.
   */
  readonly minScore?: number | undefined;
  /**
   * Tokens that `text` costs as a passage, special tokens and prefix included. Absent until the model, or its tokenizer,
   * is loaded.
   */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** One vector a text, in order. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** Loads the model ahead of the first call. */
  load?(options?: LoadOptions): Promise<void>;
  /**
   * Loads what `countTokens` and `maxInputTokens` need and no more, so that an index can cut documents to what the
   * model reads before the model is there.
   */
  loadTokenizer?: ((options?: LoadOptions) => Promise<void>) | undefined;
  dispose?(): Promise<void> | void;
}

/** The least that works as an embedder: `{ embed(texts) }`. The rest means what it means in `Embedder`. */
export interface EmbedderLike {
  /**
   * Names model and settings. Give one where vectors are kept: embedders without are told apart by comparing a vector
   * that is kept with one they make.
   */
  readonly id?: string | undefined;
  readonly dimensions?: number | undefined;
  /** Tokens the model reads. With `countTokens`, an index cuts documents so that no chunk is longer. */
  readonly maxInputTokens?: number | undefined;
  /** Weight of the semantic leg that suits the model, 0 to 1. */
  readonly semanticWeight?: number | undefined;
  /**
   * Cosine above which the model's best passage is likely to answer, above 0 and at most 1; see `floor` of a search. Chosen
   * from data for the model. Where there is none, what it finds is never held against a floor.
   */
  readonly minScore?: number | undefined;
  readonly countTokens?: ((text: string) => number) | undefined;
  embed(texts: readonly string[], options?: EmbedOptions): Promise<readonly ArrayLike<number>[]>;
  load?(options?: LoadOptions): Promise<void>;
  loadTokenizer?: ((options?: LoadOptions) => Promise<void>) | undefined;
  dispose?(): Promise<void> | void;
}

// --- stores -----------------------------------------------------------------------------------

/** Where a record comes from, as far as is known. */
export interface Provenance {
  docUri?: string;
  page?: number;
  heading?: string;
}

/** A chunk as stores hold it. */
export interface ChunkRecord {
  /** `<document id>#<n>`, or any id of one's own. */
  id: string;
  text: string;
  source?: string;
  metadata?: Metadata;
  docUri?: string;
  /** The document's title. */
  title?: string;
  heading?: string;
  headingPath?: readonly string[];
  slug?: string;
  page?: number;
  line?: number;
  context?: string;
  charStart?: number;
  charEnd?: number;
}

export interface VectorRecord extends ChunkRecord {
  embedding: ArrayLike<number>;
}

/** All keys must match; an array means any of its values; an empty array matches nothing. */
export type Filter = Record<string, unknown>;

/** The rank (from 1) and score a passage had in one leg of a fused search. */
export interface LegScore {
  rank: number;
  score: number;
}

/** A retrieved passage, with where it stands. */
export interface Passage extends ChunkRecord {
  score: number;
  /** Present on fused passages: what each leg said of it. */
  legs?: Record<string, LegScore>;
}

export interface SearchOptions {
  /** How many at most, 5 by default. */
  topK?: number | undefined;
  filter?: Filter | undefined;
}

export interface VectorSearchOptions extends SearchOptions {
  /**
   * What to do with an embedding of another length than those stored: refuse it (`'equal'`, the default),
   * or compare over the values both have (`'shared'`).
   */
  lengths?: 'equal' | 'shared' | undefined;
}

export interface RetrieveOptions extends SearchOptions {
  /**
   * How sure it must be that the documents answer; see `SearchIndexOptions.floor`, which the retriever of an index heeds.
   * Others may pass over it.
   */
  floor?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Anything that finds passages for a question. */
export interface Retriever {
  retrieve(query: string, options?: RetrieveOptions): Promise<Passage[]>;
}

/**
 * How vectors are kept: `'f32'` as they were given, `'int8'` in a quarter of the memory and approximately,
 * `'int8+f32'` both, the bytes to find the likeliest rows and the floats to score them.
 */
export type VectorFormat = 'f32' | 'int8' | 'int8+f32';

export interface StoreCapabilities {
  /** Search is exact, not approximate. */
  readonly exact: boolean;
  readonly lexical: boolean;
  readonly persistent: boolean;
}

/** What `listDocuments` says of a document: its first matching record speaks for it. */
export interface DocumentSummary {
  id: string;
  source?: string;
  metadata?: Metadata;
}

/** A record as `listChunks` gives it; `index` is the `n` of its id. */
export interface ListedChunk extends ChunkRecord {
  index: number;
}

/** Which of a document's chunks to list, read as `Array.prototype.slice(offset, offset + limit)` does. */
export interface ListChunksOptions {
  limit?: number | undefined;
  offset?: number | undefined;
}

/** Holds records with their vectors. Document ids are the part of a record's id before its last `#n`. */
export interface VectorStore {
  readonly capabilities: StoreCapabilities;
  /** Identity of the embedder its vectors came from, where it knows. */
  readonly embedder?: string | undefined;
  upsert(records: readonly VectorRecord[]): Promise<void>;
  search(embedding: ArrayLike<number>, options?: VectorSearchOptions): Promise<Passage[]>;
  /** Removes a document's records. */
  remove(documentId: string): Promise<void>;
  removeMany(documentIds: readonly string[]): Promise<void>;
  /** Removes what matches; answers how many records. An empty filter is refused with `UnsafeRemovalError`. */
  removeWhere(filter: Filter): Promise<number>;
  /** Applies a patch to all records of a document; answers how many it has, 0 for a patch that says nothing. */
  updateMetadata(documentId: string, patch: Metadata): Promise<number>;
  listDocuments(filter?: Filter): Promise<DocumentSummary[]>;
  listDocumentIds(filter?: Filter): Promise<string[]>;
  /** A document's records by their number. */
  listChunks(documentId: string, options?: ListChunksOptions): Promise<ListedChunk[]>;
  countChunks(filter?: Filter): Promise<number>;
}

export interface TextSearchOptions extends SearchOptions {
  /** Also finds words that begin with the last one of the query, which may still be being typed. Default false. */
  prefix?: boolean | undefined;
  /** Also finds words with typing errors: one edit from 4 letters, two from 8. Default false. */
  typos?: boolean | undefined;
}

export interface LexicalVectorStore extends VectorStore {
  /** The records that hold words of the query, by BM25, best first; equal scores in the order of insertion. */
  searchText(query: string, options?: TextSearchOptions): Promise<Passage[]>;
}

export type * from './types/explain.ts';
export type * from './types/facade.ts';
