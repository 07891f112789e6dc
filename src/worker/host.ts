import { ShelfmarkError } from '../errors.ts';
import { neighboursOf } from '../facade/searcher.ts';
import { type Index, openIndex } from '../open-index.ts';
import type { OpenIndexOptions } from '../open-index-options.ts';
import type { Progress } from '../types.ts';
import type { Connect, FromHost, Hello, ToHost, WireHits } from './protocol.ts';
import { decodeThrown, encodeThrown } from './wire.ts';

/** What there is of a dedicated worker's globals; the library's types are those of a page. */
interface WorkerScope {
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
  postMessage(message: Hello): void;
  close(): void;
}

type Call = Extract<ToHost, { type: 'call' }>;

/**
 * The options of `openIndex`, or a function that makes them: called once for each index a page connects to, with what the
 * page gave as `connectIndex(worker, { send })`.
 *
 * What the page sent is data of the page's: name the members you take over.
 */
export type ServeOptions<Sent = unknown> =
  | OpenIndexOptions
  | ((sent: Sent) => OpenIndexOptions | Promise<OpenIndexOptions>);

let serving = false;
let connections = 0;

/**
 * Serves an index to the page that made this worker; there, `connectIndex` gives it the interface it has here. Splitters,
 * embedders and whatever else is a function stay on this side. Every connection opens an index of its own; when the last
 * one is closed, so is the worker.
 *
 * @throws ShelfmarkError `UNSUPPORTED` outside a worker, and when called again
 */
export function serveIndex<Sent = unknown>(options: ServeOptions<Sent> = {}): void {
  const scope = globalThis as unknown as WorkerScope;
  if (!('WorkerGlobalScope' in globalThis) || typeof scope.postMessage !== 'function') {
    throw new ShelfmarkError(
      'UNSUPPORTED',
      'serveIndex runs in a dedicated worker; on a page call openIndex, which has the same interface.',
    );
  }
  if (serving) {
    throw new ShelfmarkError(
      'UNSUPPORTED',
      'serveIndex was called already; call it once, with a function of what the page sends where indexes differ.',
    );
  }
  serving = true;
  const lock = holdLock();
  const make = typeof options === 'function' ? options : () => options;
  scope.addEventListener('message', ({ data }) => {
    if ((data as Partial<Connect> | null)?.shelfmark !== 'connect') return;
    const connection = new Connection((data as Connect).port, make as (sent: unknown) => OpenIndexOptions);
    void lock.then((name) => connection.begin(name));
  });
  scope.postMessage({ shelfmark: 'hello' });
}

/**
 * Takes a lock for the life of this worker. Nothing tells a page that a worker was terminated; that its lock is free does.
 * Answers its name, or undefined where a page has no locks (not served over https).
 */
async function holdLock(): Promise<string | undefined> {
  const { locks } = navigator;
  if (locks === undefined) return undefined;
  const name = `shelfmark-worker:${crypto.randomUUID()}`;
  return new Promise((resolve) => {
    const held = locks.request(name, () => {
      resolve(name);
      return new Promise(() => {});
    });
    // An origin of its own (a sandboxed frame) has locks and may not use them.
    held.catch(() => resolve(undefined));
  });
}

/** One page's index. */
class Connection {
  readonly #port: MessagePort;
  readonly #make: (sent: unknown) => OpenIndexOptions | Promise<OpenIndexOptions>;
  /** What is being worked on, by the number of the call. */
  readonly #running = new Map<number, { control: AbortController; end: Promise<void> }>();
  #index: Promise<Index> | undefined;

  constructor(port: MessagePort, make: (sent: unknown) => OpenIndexOptions | Promise<OpenIndexOptions>) {
    this.#port = port;
    this.#make = make;
  }

  begin(lock: string | undefined): void {
    this.#port.onmessage = ({ data }: MessageEvent<ToHost>) => this.#hear(data);
    this.#port.onmessageerror = () => this.#post({ type: 'unreadable' });
    this.#post({ type: 'ready', protocol: 1, lock });
  }

  #hear(message: ToHost): void {
    if (message.type === 'abort') {
      this.#running.get(message.id)?.control.abort(decodeThrown(message.reason));
      return;
    }
    const control = new AbortController();
    const work =
      message.type === 'open' ? () => this.#open(message.sent) : () => this.#call(message, control.signal);
    const end = this.#answer(message.id, work, control.signal);
    this.#running.set(message.id, { control, end });
    void end.then(() => this.#running.delete(message.id));
  }

  async #answer(id: number, work: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
    try {
      this.#post({ type: 'done', id, value: await work() });
    } catch (error) {
      const aborted = signal.aborted && error === signal.reason;
      this.#post({ type: 'failed', id, error: encodeThrown(error), aborted });
    }
  }

  async #open(sent: unknown): Promise<void> {
    // Only here, since a page may have asked for a connection twice.
    connections++;
    this.#index = Promise.resolve(sent).then(this.#make).then(openIndex);
    try {
      await this.#index;
    } catch (error) {
      // The page may connect anew; where it does not, it ends the worker itself.
      connections--;
      throw error;
    }
  }

  async #call({ id, method, args, options, progress }: Call, signal: AbortSignal): Promise<unknown> {
    const index = await this.#index!;
    if (method === 'close' || method === 'destroy') return this.#end(index, method, id);
    if (method === 'neighbours')
      return neighboursOf(await index.chunks(args[0] as string), args[1] as string);
    if (method === 'search') return search(index, args[0] as string, { ...options, signal });
    const work = index[method] as (...all: unknown[]) => Promise<unknown>;
    if (options === undefined) return work.call(index, ...args);
    const onProgress = progress
      ? (told: Progress) => this.#post({ type: 'progress', id, progress: told })
      : undefined;
    return work.call(index, ...args, { ...options, signal, onProgress });
  }

  /** Closes the index, once what it is still at has stopped; then, where this was the last one, the worker. */
  async #end(index: Index, how: 'close' | 'destroy', own: number): Promise<void> {
    const reason = new ShelfmarkError('STORE_CLOSED', 'The index was closed while this call was running.');
    const others = [...this.#running].filter(([id]) => id !== own).map(([, running]) => running);
    for (const { control } of others) control.abort(reason);
    await index[how]();
    await Promise.all(others.map(({ end }) => end));
    // In a task of its own, after the answer.
    if (--connections === 0) setTimeout(() => (globalThis as unknown as WorkerScope).close());
  }

  #post(message: FromHost): void {
    this.#port.postMessage(message);
  }
}

async function search(index: Index, query: string, options: object): Promise<WireHits> {
  const hits = await index.search(query, options);
  return {
    hits: hits.map(({ neighbours: _function, ...hit }) => hit),
    legStates: hits.legStates,
    legError: hits.legError === undefined ? undefined : encodeThrown(hits.legError),
  };
}
