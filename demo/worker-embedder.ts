import { transformersEmbedder } from '../src/embed/transformers.ts';
import { type Embedder, type EmbedOptions, ShelfmarkError } from '../src/index.ts';
import type { FromWorker, ToWorker } from './embed-protocol.ts';

/** What embedding has cost since the page was opened. */
export interface EmbedCounts {
  passages: number;
  questions: number;
  loads: number;
  passageMs: number;
  loadMs: number;
}

type Waiting = { resolve: (message: FromWorker) => void; reject: (error: unknown) => void };
type Unsent<T> = T extends unknown ? Omit<T, 'id'> : never;

/** The bundled model behind the library's own `Embedder` interface, run in a worker that starts when first needed. */
export class WorkerEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  readonly counts: EmbedCounts = { passages: 0, questions: 0, loads: 0, passageMs: 0, loadMs: 0 };
  readonly #modelPath = new URL('./models/', document.baseURI).href;
  readonly #wasmPaths = new URL('./ort/', document.baseURI).href;
  readonly #onLoading: () => void;
  #worker: Worker | undefined;
  #loading: Promise<void> | undefined;
  #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(onLoading: () => void) {
    this.#onLoading = onLoading;
    // Only asked for its identity: it loads nothing until it embeds, and it never does here.
    const shape = transformersEmbedder({ modelPath: this.#modelPath, wasmPaths: this.#wasmPaths });
    this.id = shape.id;
    this.dimensions = shape.dimensions;
  }

  load({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    this.#loading ??= this.#open().catch((error: unknown) => {
      // The next try starts from nothing, so that a failure is never remembered.
      this.#stop(error);
      throw error;
    });
    return this.#orAborted(this.#loading, signal);
  }

  async #open(): Promise<void> {
    this.#onLoading();
    const started = performance.now();
    await this.#ask({ type: 'open', modelPath: this.#modelPath, wasmPaths: this.#wasmPaths });
    this.counts.loads++;
    this.counts.loadMs = performance.now() - started;
  }

  async embed(
    texts: readonly string[],
    { kind = 'passage', signal }: EmbedOptions = {},
  ): Promise<Float32Array[]> {
    await this.load({ signal });
    signal?.throwIfAborted();
    const started = performance.now();
    const answer = await this.#orAborted(this.#ask({ type: 'embed', texts, kind }), signal);
    if (kind === 'query') {
      this.counts.questions += texts.length;
    } else {
      this.counts.passages += texts.length;
      this.counts.passageMs += performance.now() - started;
    }
    return answer.type === 'vectors' ? answer.vectors : [];
  }

  dispose(): void {
    this.#stop(new ShelfmarkError('WORKER_FAILED', 'The embedder was closed.'));
  }

  #ask(message: Unsent<ToWorker>): Promise<FromWorker> {
    this.#worker ??= this.#start();
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker?.postMessage({ ...message, id });
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./embed-worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if (data.type === 'failed') {
        waiting?.reject(new ShelfmarkError(data.code as ShelfmarkError['code'], data.message));
      } else {
        waiting?.resolve(data);
      }
    };
    worker.onerror = (event) =>
      this.#stop(
        new ShelfmarkError('WORKER_FAILED', event.message || 'The embedding worker could not start.'),
      );
    return worker;
  }

  #stop(error: unknown): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#loading = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (!signal) return work;
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(signal.reason);
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
  }
}
