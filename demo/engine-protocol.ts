/** Messages between the page and the worker in which the library runs. Types only. */
import type { IndexReport, Progress, SplitPiece } from '../src/index.ts';
import type { Hit } from './results.ts';
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

/** What the page can ask of the worker. */
export interface Calls {
  open(where: { modelPath: string; wasmPaths: string }): void;
  documents(): Listed[];
  text(uri: string): string;
  chunks(uri: string): ListedPiece[];
  add(documents: readonly ShelfDocument[]): AddCost;
  search(question: string, topK: number): Hit[];
  warm(): void;
  remove(uri: string): void;
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
  | { type: 'split'; uri: string; pieces: ListedPiece[] };
