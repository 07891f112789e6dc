import { type Explanation, type Progress, ShelfmarkError } from '../src/index.ts';
import type {
  AddCost,
  Answer,
  CallName,
  Calls,
  EmbedCounts,
  EngineEvents,
  FromWorker,
  Listed,
  ListedPiece,
  ShelfDocument,
  ToWorker,
} from './engine-protocol.ts';
import type { SplitSettings } from './split-settings.ts';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  onProgress: ((progress: Progress) => void) | undefined;
}

interface CallOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** Everything the page asks of the library, which runs in a worker. */
export class Engine {
  counts: EmbedCounts = { passages: 0, questions: 0, loads: 0, passageMs: 0, loadMs: 0 };
  readonly #worker = new Worker(new URL('./engine-worker.ts', import.meta.url), { type: 'module' });
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  private constructor(events: EngineEvents) {
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'split') events.onSplit(data.uri, data.pieces, data.records);
      else if (data.type === 'reopened') events.onReopened();
      else if (data.type === 'progress') this.#waiting.get(data.id)?.onProgress?.(data.progress);
      else this.#settle(data);
    };
    this.#worker.onerror = (event) => {
      const error = new ShelfmarkError('WORKER_FAILED', event.message || 'The worker could not be started.');
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
  }

  /** Opens what this browser has stored. */
  static async open(events: EngineEvents): Promise<Engine> {
    const engine = new Engine(events);
    const under = (path: string): string => new URL(path, document.baseURI).href;
    try {
      await engine.#call('open', [{ modelPath: under('./models/'), wasmPaths: under('./ort/') }]);
    } catch (error) {
      engine.#worker.terminate();
      throw error;
    }
    return engine;
  }

  documents = (): Promise<Listed[]> => this.#call('documents', []);
  text = (uri: string): Promise<string | undefined> => this.#call('text', [uri]);
  chunks = (uri: string): Promise<ListedPiece[]> => this.#call('chunks', [uri]);
  records = (uri: string, split: SplitSettings): Promise<number[] | undefined> =>
    this.#call('records', [uri, split]);
  remove = (uri: string): Promise<void> => this.#call('remove', [uri]);

  exported = (): Promise<Blob> => this.#call('exported', []);

  add(documents: readonly ShelfDocument[], options: CallOptions): Promise<AddCost> {
    return this.#call('add', [documents], options);
  }

  search(question: string, topK: number, signal: AbortSignal): Promise<Answer> {
    return this.#call('search', [question, topK], { signal });
  }

  explain(
    id: string,
    question: string,
    topK: number,
    mode: 'lexical' | 'hybrid',
  ): Promise<Explanation | undefined> {
    return this.#call('explain', [id, question, topK, mode]);
  }

  /** Loads the model ahead of the first question. */
  warm = (): Promise<void> => this.#call('warm', []);

  /** Chunks on the shelf, and the bytes this browser keeps for the page (of the vectors where it does not say). */
  async stats(): Promise<{ chunks: number; bytes: number }> {
    const { chunks, vectorBytes } = await this.#call('stats', []);
    const estimate = await navigator.storage?.estimate().catch(() => undefined);
    return { chunks, bytes: Math.max(vectorBytes, estimate?.usage ?? 0) };
  }

  /** Deletes all that is stored, and ends the worker. */
  async destroy(): Promise<void> {
    await this.#call('destroy', []);
    this.#worker.terminate();
  }

  #call<Name extends CallName>(
    name: Name,
    args: Parameters<Calls[Name]>,
    { signal, onProgress }: CallOptions = {},
  ): Promise<ReturnType<Calls[Name]>> {
    const id = ++this.#last;
    const abort = (): void => this.#post({ type: 'abort', id });
    signal?.addEventListener('abort', abort, { once: true });
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress });
      this.#post({ type: 'call', id, name, args } as ToWorker);
    }).finally(() => signal?.removeEventListener('abort', abort)) as Promise<ReturnType<Calls[Name]>>;
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #settle(data: Extract<FromWorker, { type: 'done' | 'failed' }>): void {
    this.counts = data.counts;
    const waiting = this.#waiting.get(data.id);
    this.#waiting.delete(data.id);
    if (data.type === 'done') waiting?.resolve(data.value);
    else waiting?.reject(new ShelfmarkError(data.code as ShelfmarkError['code'], data.message));
  }
}
