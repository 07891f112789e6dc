import {
  type IndexReport,
  openIndex,
  type Progress,
  type SplitPiece,
  type SplitterDocument,
} from '../src/index.ts';
import type { ListedPiece } from './chunk-view.ts';
import type { Hit } from './results.ts';
import { readSettings, type SplitSettings, shelfSplitter } from './split-settings.ts';
import { type EmbedCounts, WorkerEmbedder } from './worker-embedder.ts';

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

export interface EngineEvents {
  /** A document has been cut; nothing of it is stored yet. */
  onSplit(uri: string, pieces: readonly SplitPiece[]): void;
  /** The model is being loaded, for whatever reason. */
  onLoading(): void;
}

/** Everything the page asks of the library. */
export class Engine {
  readonly counts: EmbedCounts;
  readonly #embedder: WorkerEmbedder;
  readonly #index: Awaited<ReturnType<typeof openIndex>>;
  readonly #splitMs: { sum: number };

  private constructor(
    index: Awaited<ReturnType<typeof openIndex>>,
    embedder: WorkerEmbedder,
    splitMs: { sum: number },
  ) {
    this.#index = index;
    this.#embedder = embedder;
    this.#splitMs = splitMs;
    this.counts = embedder.counts;
  }

  static async open({ onSplit, onLoading }: EngineEvents): Promise<Engine> {
    const splitMs = { sum: 0 };
    const embedder = new WorkerEmbedder(onLoading);
    const splitter = shelfSplitter((document: SplitterDocument, pieces, elapsed) => {
      splitMs.sum += elapsed;
      onSplit(document.uri, pieces);
    });
    const index = await openIndex({ name: 'shelfmark-demo', embedder, splitter });
    return new Engine(index, embedder, splitMs);
  }

  async documents(): Promise<Listed[]> {
    const documents = await this.#index.documents();
    return documents.map(({ uri, chunks, metadata }) => ({
      uri,
      chunks,
      split: readSettings(metadata, uri),
    }));
  }

  async text(uri: string): Promise<string> {
    return (await this.#index.text(uri)) ?? '';
  }

  async chunks(uri: string): Promise<ListedPiece[]> {
    return (await this.#index.chunks(uri)) as ListedPiece[];
  }

  async add(
    documents: readonly ShelfDocument[],
    options: { signal: AbortSignal; onProgress: (progress: Progress) => void },
  ): Promise<AddCost> {
    const before = { split: this.#splitMs.sum, passages: this.counts.passageMs, load: this.counts.loads };
    const report = await this.#index.add(
      documents.map(({ uri, text, split }) => ({ uri, text, metadata: { split: { ...split } } })),
      options,
    );
    const splitMs = this.#splitMs.sum - before.split;
    const embedMs = this.counts.passageMs - before.passages;
    const loadMs = this.counts.loads > before.load ? this.counts.loadMs : 0;
    return { report, splitMs, embedMs, storeMs: Math.max(0, report.elapsedMs - splitMs - embedMs - loadMs) };
  }

  async search(question: string, topK: number, signal: AbortSignal): Promise<Hit[]> {
    return this.#index.search(question, { topK, signal });
  }

  /** Loads the model ahead of the first question. */
  warm(): Promise<void> {
    return this.#embedder.load();
  }

  remove(uri: string): Promise<unknown> {
    return this.#index.remove([uri]);
  }

  async stats(): Promise<{ documents: number; chunks: number; bytes?: number }> {
    return this.#index.stats();
  }

  async destroy(): Promise<void> {
    await this.#index.destroy();
    this.#embedder.dispose();
  }
}
