import type { LexiconOptions } from '../lexicon/lexicon.ts';
import type { VectorFormat } from '../types.ts';
import type { StagedVectors } from './rebuild.ts';
import { RecordStore } from './record-store.ts';
import type { LexicalSegment } from './segments.ts';
import type { Change, Entry, Texts } from './table.ts';
import type { Committed } from './table-store.ts';

/** A store that lives as long as the page. */
export class MemoryVectorStore extends RecordStore {
  /** @param options `lexicon` says how words are read, `vectors` how vectors are kept, `'f32'` by default. */
  constructor(options: { lexicon?: LexiconOptions | undefined; vectors?: VectorFormat | undefined } = {}) {
    super(options.lexicon, options.vectors);
  }

  get capabilities() {
    return { exact: this.isExact, lexical: true, persistent: false };
  }

  readonly #texts = new Map<string, Texts & { version: number }>();
  readonly #staged = new Map<string, StagedVectors>();

  protected override checkOpen(): void {}

  protected override async readTexts(entries: readonly Entry[]): Promise<Map<string, Texts>> {
    const found = new Map<string, Texts>();
    for (const { id, version } of entries) {
      const texts = this.#texts.get(id);
      if (texts?.version === version) found.set(id, texts);
    }
    return found;
  }

  protected override async commit(change: Change): Promise<Committed> {
    for (const [id, entry] of change.entries) if (entry === undefined) this.#texts.delete(id);
    for (const [id, texts] of change.texts)
      this.#texts.set(id, { ...texts, version: change.meta.generation });
    if (change.unstages) this.#staged.clear();
    return { meta: change.meta };
  }

  protected override exclusively<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  /** Nobody else can have changed it. */
  protected override async refresh(): Promise<void> {}

  /** Words are read from the texts when they are first searched. */
  protected override packedWords(): readonly LexicalSegment[] {
    return [];
  }

  protected override async readStaged(): Promise<StagedVectors[]> {
    return [...this.#staged.values()];
  }

  protected override async writeStaged(staged: readonly StagedVectors[]): Promise<void> {
    for (const one of staged) this.#staged.set(one.id, one);
  }
}
