import { messageOf, ShelfmarkError, show, throwIfAborted } from '../errors.ts';
import type { Progress } from '../types.ts';
import type { FromHost, Hello, Method, Protocol, ToHost } from './protocol.ts';
import { cloned, decodeThrown, encodeReason } from './wire.ts';

/** A worker that calls `serveIndex`, a function that makes one, or the address of its script (a module). */
export type WorkerSource = Worker | (() => Worker) | string | URL;

export interface SessionOptions {
  /** For the function the worker gave to `serveIndex`. */
  send: unknown;
  /** Milliseconds until the worker's script must run. */
  startTimeout: number;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

interface Pending extends CallOptions {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  /** What the caller's own callback threw. */
  thrown?: { error: unknown };
}

const protocol: Protocol = 1;
/** The longest a timer can be; a longer one rings at once. */
const longestTimer = 2 ** 31 - 1;

export const closedIndex = (): ShelfmarkError =>
  new ShelfmarkError('STORE_CLOSED', 'The index was closed; open it again.');

const canRestart = (source: WorkerSource): boolean =>
  typeof source === 'function' || typeof source === 'string' || source instanceof URL;

/** One worker, from its start to its end. */
export class Session {
  readonly #worker: Worker;
  readonly #source: WorkerSource;
  readonly #onEnd: () => void;
  readonly #pending = new Map<number, Pending>();
  /** Aborted at the end, so that nothing is listened to any more. */
  readonly #ended = new AbortController();
  #port!: MessagePort;
  #isReady = false;
  #last = 0;
  #readyId = 0;
  /** What later calls reject with. */
  #end: ShelfmarkError | undefined;

  private constructor(worker: Worker, source: WorkerSource, onEnd: () => void) {
    this.#worker = worker;
    this.#source = source;
    this.#onEnd = onEnd;
  }

  /**
   * Starts a worker and opens its index.
   *
   * @param onEnd Called when another session must be started for the next call
   */
  static async start(source: WorkerSource, options: SessionOptions, onEnd: () => void): Promise<Session> {
    const session = new Session(make(source), source, onEnd);
    try {
      await session.#begin(options);
    } catch (error) {
      session.#finish(closedIndex());
      throw error;
    }
    return session;
  }

  async #begin({ send, startTimeout }: SessionOptions): Promise<void> {
    const { signal } = this.#ended;
    const worker = this.#worker;
    worker.addEventListener('error', (event) => this.#fail(this.#faultOf(event), event), { signal });
    worker.addEventListener('messageerror', () => this.#fail(unreadable), { signal });
    worker.addEventListener(
      'message',
      ({ data }: MessageEvent<Partial<Hello> | null>) => {
        // What was sent while the script was still running may be lost.
        if (data?.shelfmark === 'hello' && !this.#isReady) this.#connect();
      },
      { signal },
    );
    const late = `has not answered for ${startTimeout / 1000} s; its script must call serveIndex before anything that takes long`;
    const timer = setTimeout(() => this.#fail(late), Math.min(startTimeout, longestTimer));
    try {
      const lock = await this.#ask<string | undefined>((id) => {
        this.#readyId = id;
        this.#connect();
      });
      this.#isReady = true;
      this.#watch(lock);
    } finally {
      clearTimeout(timer);
    }
    await this.#ask((id) => {
      try {
        this.#post({ type: 'open', id, sent: send });
      } catch (cause) {
        throw unsendable('connectIndex', [], cause);
      }
    });
  }

  #connect(): void {
    this.#port?.close();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const { signal } = this.#ended;
    port1.addEventListener('message', ({ data }: MessageEvent<FromHost>) => this.#hear(data), { signal });
    port1.addEventListener('messageerror', () => this.#fail(unreadable), { signal });
    port1.start();
    this.#worker.postMessage({ shelfmark: 'connect', port: port2 }, [port2]);
  }

  /**
   * Nothing is fired where a worker was terminated (in Chromium 156 not the port's `close` either), but the lock that it
   * held becomes free.
   */
  #watch(lock: string | undefined): void {
    const { locks } = navigator;
    if (lock === undefined || locks === undefined) return;
    const options = { mode: 'shared' as const, signal: this.#ended.signal };
    const free = (): void => this.#fail(ended);
    // Aborted at the end.
    locks.request(lock, options, free).catch(() => {});
  }

  async call(method: Method, args: readonly unknown[], options?: CallOptions): Promise<unknown> {
    if (this.#end !== undefined) throw this.#end;
    const { signal, onProgress, ...plain } = options ?? {};
    throwIfAborted(signal);
    let abort: (() => void) | undefined;
    try {
      return await this.#ask(
        (id) => {
          abort = () => this.#post({ type: 'abort', id, reason: encodeReason(signal!.reason) });
          signal?.addEventListener('abort', abort);
          const progress = onProgress !== undefined;
          try {
            this.#post({ type: 'call', id, method, args, options: options && plain, progress });
          } catch (cause) {
            throw unsendable(method, args, cause);
          }
        },
        { signal, onProgress },
      );
    } finally {
      if (abort !== undefined) signal?.removeEventListener('abort', abort);
    }
  }

  /** Closes the index, and the worker with it where no other page object uses it. */
  async end(method: 'close' | 'destroy'): Promise<void> {
    try {
      await this.call(method, []);
    } catch (error) {
      // One that is gone is closed.
      if (method === 'destroy' || this.#end === undefined) throw error;
    }
    this.#finish(closedIndex());
  }

  /** @param send Sends the message that is answered under the number */
  async #ask<T>(send: (id: number) => void, options: CallOptions = {}): Promise<T> {
    const id = ++this.#last;
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#pending.set(id, { ...options, resolve: resolve as (value: unknown) => void, reject });
        send(id);
      });
    } finally {
      this.#pending.delete(id);
    }
  }

  #post(message: ToHost): void {
    this.#port.postMessage(message);
  }

  #hear(message: FromHost): void {
    if (message.type === 'ready' && message.protocol === protocol) {
      this.#pending.get(this.#readyId)?.resolve(message.lock);
    } else if (message.type === 'ready' || message.type === 'unreadable') this.#fail(unreadable);
    else this.#answer(message);
  }

  #answer(message: Extract<FromHost, { id: number }>): void {
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    if (message.type === 'progress') this.#tell(message.id, pending, message.progress);
    else if (pending.thrown !== undefined) pending.reject(pending.thrown.error);
    else if (message.type === 'done') pending.resolve(message.value);
    // The reason itself, which may be more than could be sent.
    else if (message.aborted && pending.signal?.aborted) pending.reject(pending.signal.reason);
    else pending.reject(decodeThrown(message.error));
  }

  #tell(id: number, pending: Pending, progress: Progress): void {
    if (pending.thrown !== undefined) return;
    try {
      pending.onProgress?.(progress);
    } catch (error) {
      pending.thrown = { error };
      this.#post({ type: 'abort', id, reason: encodeReason(error) });
    }
  }

  #faultOf(event: ErrorEvent): string {
    if (event.message) return `failed: ${event.message} (${event.filename}:${event.lineno})`;
    return 'could not be loaded; look that its script is served, with status 200 and as JavaScript, and that the Content-Security-Policy allows it (worker-src)';
  }

  /** The worker is of no use any more. */
  #fail(fault: string, event?: Event): void {
    if (this.#end !== undefined) return;
    // Told by the calls that reject; where there are none, by the page.
    if (this.#pending.size > 0) event?.preventDefault();
    this.#finish(workerFailed(this.#source, `${fault}.`));
    this.#worker.terminate();
  }

  #finish(end: ShelfmarkError): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#ended.abort();
    this.#port.close();
    for (const { reject } of this.#pending.values()) reject(end);
    if (!canRestart(this.#source)) return;
    this.#worker.terminate();
    this.#onEnd();
  }
}

const ended = 'was ended: by terminate(), by close(), or for want of memory';
const unreadable =
  'sent a message that could not be read; build the page and the worker with one version of shelfmark';

function workerFailed(source: WorkerSource, fault: string, cause?: unknown): ShelfmarkError {
  const named = typeof source === 'string' || source instanceof URL ? ` ${source}` : '';
  const next = canRestart(source)
    ? 'The next call starts it anew.'
    : 'Connect to a new one; given a function that makes it, connectIndex starts the next one itself.';
  return new ShelfmarkError('WORKER_FAILED', `The worker${named} ${fault} ${next}`, { cause });
}

function make(source: WorkerSource): Worker {
  try {
    if (typeof source === 'function') return source();
    return typeof source === 'string' || source instanceof URL
      ? new Worker(source, { type: 'module' })
      : source;
  } catch (cause) {
    const instead = 'Where there are no workers, openIndex has the same interface on the page.';
    throw workerFailed(source, `could not be made (${messageOf(cause)}). ${instead}`, cause);
  }
}

/** What cannot be sent: the document, where there is one to name, else the options. */
function unsendable(method: string, [documents]: readonly unknown[], cause: unknown): ShelfmarkError {
  const why = `cannot be sent to the worker (${messageOf(cause)}); give plain data, without functions and a framework's proxies.`;
  if (Array.isArray(documents)) {
    const bad = documents.find((document: object) => cloned({ ...document, text: '' }) === undefined);
    const uri = (bad as { uri?: unknown } | undefined)?.uri;
    return new ShelfmarkError('INVALID_DOCUMENT', `Document ${show(uri)} ${why}`, { cause });
  }
  return new ShelfmarkError('INVALID_OPTION', `What was given to ${method} ${why}`, { cause });
}
