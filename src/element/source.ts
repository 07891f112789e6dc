import { fetchPart, invalidOption } from '../errors.ts';
import type { SearchIndexOptions } from '../open-index-options.ts';
import type { EmbedderLike, Hits, IndexStats, Progress } from '../types.ts';

/** What the element needs of an index: one of `openIndex`, one of a worker, or anything that answers alike. */
export interface SearchableIndex {
  search(query: string, options?: SearchIndexOptions): Promise<Hits>;
  stats?(): Promise<IndexStats>;
}

/** Where an index comes from. */
export interface SourceOptions {
  /** Address of a file, whole. */
  src: string | undefined;
  /** Name of an index that is kept. */
  name: string | undefined;
  given: SearchableIndex | PromiseLike<SearchableIndex> | undefined;
  embedder: EmbedderLike | undefined;
}

/** Milliseconds between two looks at how far embedding is. */
const LOOK = 300;

/** An index, opened when it is first asked for, and what is known of it. */
export class Source {
  readonly #options: SourceOptions;
  readonly #changed: () => void;
  #opening: Promise<SearchableIndex> | undefined;
  #ended = false;
  /** What went wrong when it was last opened. */
  error: unknown;
  isOpen = false;
  stats: IndexStats | undefined;
  /** How far the model or the vectors are; absent while there is nothing to wait for. */
  progress: Progress | undefined;
  /** Whether vectors were made and kept since it was opened. */
  hasSaved = false;
  modelFailed = false;
  /** Whether all that a search reads is kept on this device. */
  isKept = false;

  /** @param changed Called when any of this has changed */
  constructor(options: SourceOptions, changed: () => void) {
    this.#options = options;
    this.#changed = changed;
  }

  /** The index; the same one every time, and tried anew after a failure. */
  open(): Promise<SearchableIndex> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      this.error = error;
      this.#tell();
      throw error;
    });
    return this.#opening;
  }

  /** Closes an index that was opened here; one that was handed in is its owner's. */
  async end(): Promise<void> {
    this.#ended = true;
    if (this.#options.given !== undefined) return;
    const index = await this.#opening?.catch(() => undefined);
    await (index as { close?(): Promise<void> } | undefined)?.close?.();
  }

  #tell(): void {
    if (!this.#ended) this.#changed();
  }

  async #open(): Promise<SearchableIndex> {
    this.error = undefined;
    this.#tell();
    const index = await (this.#options.given ?? this.#openOwn());
    this.stats = await index.stats?.();
    this.isOpen = true;
    this.#follow(index).catch(() => {});
    return index;
  }

  async #openOwn(): Promise<SearchableIndex> {
    const { src: from, name, embedder } = this.#options;
    if (from === undefined && name === undefined) {
      throw invalidOption(
        'src',
        from,
        'the address of an exported index, an index name, or the property `index`',
      );
    }
    const { openIndex } = await fetchPart(
      'part of the library that opens an index',
      () => import('../open-index.ts'),
    );
    return openIndex({ from, name, embedder, persist: 'auto' });
  }

  /** Fetches the model where there is something to compare with, and waits for vectors that are still to come. */
  async #follow(index: SearchableIndex): Promise<void> {
    this.isKept = await this.#findKept();
    this.#tell();
    const wanted = (this.stats?.dimensions ?? 0) > 0 || (this.stats?.pending ?? 0) > 0;
    if (wanted) await this.#loadModel();
    await this.#watch(index);
    this.progress = undefined;
    this.#tell();
  }

  async #loadModel(): Promise<void> {
    const { embedder } = this.#options;
    if (embedder?.load === undefined) return;
    this.progress = { stage: 'load-model', done: 0, total: 0 };
    this.#tell();
    try {
      await embedder.load({
        onProgress: ({ loaded, total }) => {
          this.progress = { stage: 'load-model', done: loaded, total };
          this.#tell();
        },
      });
    } catch {
      this.modelFailed = true;
    }
    this.progress = undefined;
    this.#tell();
  }

  async #watch(index: SearchableIndex): Promise<void> {
    const started = this.stats?.pending ?? 0;
    while (!this.#ended && index.stats !== undefined && (this.stats?.pending ?? 0) > 0) {
      if (this.modelFailed || this.stats!.pendingError !== undefined) return;
      const { chunks, pending } = this.stats!;
      this.progress = { stage: 'embed', done: chunks - pending, total: chunks };
      this.#tell();
      await new Promise((turn) => setTimeout(turn, LOOK));
      this.stats = await index.stats();
    }
    this.hasSaved = started > 0;
  }

  async #findKept(): Promise<boolean> {
    if (this.stats?.persistent === true) return true;
    const { src } = this.#options;
    return src !== undefined && (await globalThis.caches?.match(src)) !== undefined;
  }
}
