/** What the benchmarks use of libraries that only they install. */

declare module 'hnswlib-wasm' {
  export interface HierarchicalNSW {
    initIndex(most: number, m: number, efConstruction: number, seed: number): void;
    setEfSearch(ef: number): void;
    addItems(items: Float32Array[], replaceDeleted: boolean): number[];
    searchKnn(
      query: Float32Array,
      k: number,
      filter: undefined,
    ): { neighbors: number[]; distances: number[] };
  }
  export function loadHnswlib(): Promise<{
    HierarchicalNSW: new (space: 'l2' | 'ip' | 'cosine', dimensions: number, file: string) => HierarchicalNSW;
  }>;
}

declare module '@orama/orama' {
  export interface Orama {
    readonly schema: unknown;
  }
  export function create(options: { schema: Record<string, string> }): Orama;
  export function insert(index: Orama, document: Record<string, unknown>): string | Promise<string>;
  export function insertMultiple(
    index: Orama,
    documents: Record<string, unknown>[],
    batchSize?: number,
  ): string[] | Promise<string[]>;
  /** The whole index as plain data, and back. */
  export function save(index: Orama): unknown;
  export function load(index: Orama, saved: unknown): void;
  interface Found {
    hits: { id: string; score: number; document: { text: string } }[];
  }
  export function search(
    index: Orama,
    options: {
      mode?: 'fulltext' | 'hybrid';
      term: string;
      vector?: { value: Float32Array; property: string };
      similarity?: number;
      limit: number;
    },
  ): Found | Promise<Found>;
  export function searchVector(
    index: Orama,
    options: { vector: { value: Float32Array; property: string }; similarity: number; limit: number },
  ): { hits: { id: string }[] } | Promise<{ hits: { id: string }[] }>;
}

declare module '@orama/plugin-data-persistence' {
  import type { Orama } from '@orama/orama';

  export function persist(index: Orama, format: 'json'): Promise<string>;
  export function restore(format: 'json', saved: string): Promise<Orama>;
}

declare module 'minisearch' {
  interface Options {
    fields: string[];
    storeFields?: string[];
  }
  export default class MiniSearch<T> {
    constructor(options: Options);
    static loadJSON<T>(json: string, options: Options): MiniSearch<T>;
    add(document: T): void;
    addAll(documents: readonly T[]): void;
    search(query: string): { id: number; score: number; text?: string }[];
  }
}

declare module 'flexsearch' {
  export class Index {
    constructor(options: { tokenize: 'strict' });
    add(id: number, text: string): void;
    search(query: string, options: { limit: number; suggest: boolean }): unknown[];
  }
}

declare module '@langchain/textsplitters' {
  interface Piece {
    pageContent: string;
    metadata: { loc: { lines: { from: number; to: number } } };
  }
  export class MarkdownTextSplitter {
    constructor(options: { chunkSize: number; chunkOverlap: number });
    splitText(text: string): Promise<string[]>;
    createDocuments(texts: readonly string[]): Promise<Piece[]>;
  }
}

declare module '@llamaindex/core/schema' {
  export interface TextNode {
    text: string;
    startCharIdx?: number;
    endCharIdx?: number;
    metadata: Record<string, string>;
  }
  export class Document implements TextNode {
    constructor(options: { text: string });
    text: string;
    metadata: Record<string, string>;
  }
}

declare module '@llamaindex/core/node-parser' {
  import type { TextNode } from '@llamaindex/core/schema';

  export class MarkdownNodeParser {
    getNodesFromDocuments(documents: readonly TextNode[]): TextNode[];
  }
  export class SentenceSplitter {
    constructor(options: {
      chunkSize: number;
      chunkOverlap: number;
      tokenizer: { encode(text: string): Uint32Array; decode(tokens: Uint32Array): string };
    });
    splitText(text: string): string[];
  }
}

declare module '@chonkiejs/core' {
  interface ChonkieChunk {
    text: string;
    startIndex: number;
    endIndex: number;
  }
  export class RecursiveChunker {
    static create(options: { chunkSize: number; minCharactersPerChunk: number }): Promise<RecursiveChunker>;
    chunk(text: string): Promise<ChonkieChunk[]>;
  }
  export class FastChunker {
    static create(options: {
      /** Bytes. */
      chunkSize: number;
      pattern: string;
      prefix: boolean;
      forwardFallback: boolean;
    }): Promise<FastChunker>;
    chunk(text: string): ChonkieChunk[];
  }
}

declare module 'micromark-extension-gfm-table' {
  import type { Extension } from 'micromark-util-types';

  export function gfmTable(): Extension;
}

declare module 'mdast-util-gfm-table' {
  import type { Extension } from 'mdast-util-from-markdown';

  export function gfmTableFromMarkdown(): Extension;
}
