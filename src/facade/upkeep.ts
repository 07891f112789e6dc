import { untilAborted } from '../embed/abort.ts';

/**
 * Embedding, one stretch at a time: of one index object by a queue, of all tabs that share a store by a lock. The
 * lock is not the one of commits, which go on meanwhile.
 */
export class Upkeep {
  readonly #lock: string | undefined;
  readonly #ended = new AbortController();
  #queue: Promise<unknown> = Promise.resolve();
  #background: Promise<void> = Promise.resolve();
  /** Why documents whose vectors are to come have none, as far as was tried. */
  error: unknown;

  /** @param shared Names the store among tabs; absent where nothing is shared */
  constructor(shared: string | undefined) {
    this.#lock = shared === undefined ? undefined : `${shared}:embedding`;
  }

  /** Aborted when the index is closed. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /**
   * Embeds for a caller who waits. Whether another tab embeds makes no difference to it; that this one does keeps
   * others from taking up the same documents.
   *
   * @param signal Ends the wait for its turn
   */
  oneAtATime = <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    this.#inTurn(() => this.#locked('', { mode: 'shared', ifAvailable: true }, work), signal);

  /** Moves to another embedder while no other tab does: the second one finds that it has been done. */
  alone<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const options = { mode: 'exclusive' as const, ...(signal !== undefined && { signal }) };
    return this.#locked(':moving', options, () => this.oneAtATime(work, signal));
  }

  /** Under a lock of all tabs; where nothing is shared, or a page has no locks, at once. */
  async #locked<T>(suffix: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
    const locks = globalThis.navigator?.locks;
    if (this.#lock === undefined || locks === undefined) return work();
    return locks.request(`${this.#lock}${suffix}`, options, work) as Promise<T>;
  }

  /** Runs after all that was asked for before, whatever became of it. */
  #inTurn<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const turn = untilAborted(this.#queue, signal).then(work);
    this.#queue = Promise.allSettled([this.#queue, turn]);
    return turn;
  }

  /** Embeds in the background, once no tab does any more: the one that did may be gone, its work unfinished. */
  begin(work: () => Promise<void>): void {
    this.#background = this.#inBackground(work).catch((error: unknown) => {
      if (!this.signal.aborted) this.error = error;
    });
  }

  /** In turn with the calls of this index, which would embed the same documents; the lock is waited for before. */
  #inBackground(work: () => Promise<void>): Promise<void> {
    const inTurn = () => this.#inTurn(work, this.signal);
    return this.#locked('', { mode: 'exclusive', signal: this.signal }, inTurn);
  }

  /** Ends what runs in the background and waits for it. */
  async end(): Promise<void> {
    this.#ended.abort();
    await this.#background;
  }
}
