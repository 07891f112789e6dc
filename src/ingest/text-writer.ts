import { throwIfAborted } from '../errors.ts';
import type { DocumentPut } from '../store/plan.ts';
import { hashesOf, knownVectors } from './known.ts';
import type { Prepared } from './prepare.ts';
import type { Run } from './run.ts';

/** Chunks whose texts are committed together; each document is still whole or absent. */
const GROUP_CHUNKS = 1024;

/**
 * Commits documents as they are cut, with those of their vectors that are known: the disk writes one group while the next
 * is cut.
 */
export class TextWriter {
  /** What the documents it was given replace, as far as they were begun to be written. */
  readonly before: DocumentPut[] = [];
  /** The documents that were begun to be written. */
  readonly begun: Prepared[] = [];
  readonly #run: Run;
  readonly #known: ReturnType<typeof knownVectors> | undefined;
  #waiting: Prepared[] = [];
  #chunks = 0;
  #committing: Promise<void> = Promise.resolve();

  constructor(run: Run) {
    this.#run = run;
    this.#known = run.embedder === undefined ? undefined : knownVectors(run.store);
  }

  /** Takes a document. Rejects with what a commit has failed with, and where the call was aborted. */
  async add(one: Prepared): Promise<void> {
    this.#waiting.push(one);
    this.#chunks += one.inputs.length;
    if (this.#chunks >= GROUP_CHUNKS) await this.#begin();
  }

  /** Commits what is left. */
  async end(): Promise<void> {
    if (this.#waiting.length > 0) await this.#begin();
    await this.#committing;
    const { length } = this.begun;
    if (length > 0) this.#run.onProgress?.({ stage: 'store', done: length, total: length });
  }

  /** Resolves when nothing is under way, whatever became of it. */
  async settled(): Promise<void> {
    await Promise.allSettled([this.#committing]);
  }

  async #begin(): Promise<void> {
    const group = this.#waiting;
    this.#waiting = [];
    this.#chunks = 0;
    await this.#committing;
    throwIfAborted(this.#run.signal);
    this.before.push(...(await this.#run.store.copyDocuments(group.map(({ id }) => id))));
    this.begun.push(...group);
    this.#committing = this.#commit(group);
    // It is awaited before the next one, and at the end.
    this.#committing.catch(() => {});
  }

  async #commit(group: readonly Prepared[]): Promise<void> {
    const { store, splitter, embedder, analyzer } = this.#run;
    for (const { info, vectors } of group) {
      for (const [at, hash] of hashesOf(info).entries()) vectors[at] = this.#known?.(hash);
    }
    // Without a vector, whoever embeds first says by what.
    const some = group.some(({ vectors }) => vectors.some((vector) => vector !== undefined));
    const puts = group.map(({ put, vectors }) => ({ ...put, vectors }));
    await store.putDocuments(puts, [], {
      splitter: splitter.id,
      analyzer,
      ...(some && { embedder: embedder?.id }),
    });
  }
}
