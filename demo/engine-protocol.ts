/** Messages between the page and the worker in which the library runs. Types only. */
import type { Explanation, Hits, Hit as IndexHit, IndexReport, Progress, SplitPiece } from '../src/index.ts';
import type { SplitSettings } from './split-settings.ts';

/** A chunk without its text, which is a slice of the source that the page has. */
export type ListedPiece = Omit<SplitPiece, 'text'>;

export interface ShelfDocument {
  uri: string;
  text: string;
  split: SplitSettings;
}

export interface Listed {
  uri: string;
  chunks: number;
  /** `pending` while it is found by words alone. */
  vectors: 'stored' | 'pending' | 'none';
  split: SplitSettings;
}

/** What one call of `add` cost, in milliseconds. */
export interface AddCost {
  report: IndexReport;
  splitMs: number;
  embedMs: number;
  storeMs: number;
}

/** What embedding has cost since the page was opened. */
export interface EmbedCounts {
  passages: number;
  questions: number;
  loads: number;
  passageMs: number;
  loadMs: number;
}

/** A hit as it crosses to the page: data, no functions. */
export type Hit = Omit<IndexHit, 'neighbours'>;

export interface Answer {
  hits: Hit[];
  legs: Hits['legStates'];
  /** Why a leg failed. */
  fault?: string;
}

/** What the worker tells of its own accord. */
export interface EngineEvents {
  /** A document is cut, and about to be embedded. */
  onSplit(uri: string, pieces: readonly ListedPiece[], records: readonly number[] | undefined): void;
  /** Another tab deleted the index under this one, and it was opened anew: it may hold anything, or nothing. */
  onReopened(): void;
}

/** What the page can ask of the worker. */
export interface Calls {
  open(where: { modelPath: string; wasmPaths: string }): void;
  documents(): Listed[];
  /** Undefined for a document that is not stored, or not any more. */
  text(uri: string): string | undefined;
  chunks(uri: string): ListedPiece[];
  /** Where the records of a list begin; undefined for prose and for a document that is not stored. */
  records(uri: string, split: SplitSettings): number[] | undefined;
  add(documents: readonly ShelfDocument[]): AddCost;
  search(question: string, topK: number): Answer;
  /** Why a search of so many passages, by words alone or by both, finds one. */
  explain(id: string, question: string, topK: number, mode: 'lexical' | 'hybrid'): Explanation | undefined;
  warm(): void;
  remove(uri: string): void;
  /** All of the index in one file. */
  exported(): Blob;
  stats(): { chunks: number; vectorBytes: number };
  destroy(): void;
}

export type CallName = keyof Calls;

export type ToWorker =
  | { [Name in CallName]: { type: 'call'; id: number; name: Name; args: Parameters<Calls[Name]> } }[CallName]
  | { type: 'abort'; id: number };

export type FromWorker =
  | { type: 'done'; id: number; value: unknown; counts: EmbedCounts }
  | { type: 'failed'; id: number; code: string; message: string; counts: EmbedCounts }
  | { type: 'progress'; id: number; progress: Progress }
  | { type: 'split'; uri: string; pieces: ListedPiece[]; records: number[] | undefined }
  | { type: 'reopened' };
