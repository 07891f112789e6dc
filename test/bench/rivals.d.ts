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
  interface Found {
    hits: { id: string; score: number }[];
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

declare module 'minisearch' {
  export default class MiniSearch<T> {
    constructor(options: { fields: string[] });
    add(document: T): void;
    search(query: string): { id: number; score: number }[];
  }
}

declare module 'flexsearch' {
  export class Index {
    constructor(options: { tokenize: 'strict' });
    add(id: number, text: string): void;
    search(query: string, options: { limit: number; suggest: boolean }): unknown[];
  }
}
