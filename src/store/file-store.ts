import { readOnlyIndex, ShelfmarkError } from '../errors.ts';
import { analyzerOf, type LexiconOptions } from '../lexicon/analyzer.ts';
import type { Snapshot } from './file.ts';
import { MemoryVectorStore } from './memory.ts';
import type { LexicalSegment } from './segments.ts';
import { rowsOf } from './snapshot.ts';
import type { Entry, Texts } from './table.ts';

/** A store over a file that was read: whole in memory, and read-only. */
export class FileStore extends MemoryVectorStore {
  readonly #texts: ReadonlyMap<string, Texts>;
  #words: readonly LexicalSegment[];
  #closed = false;

  private constructor(snapshot: Snapshot, lexicon: LexiconOptions | undefined) {
    super({ lexicon, vectors: snapshot.meta.vectors });
    this.#texts = snapshot.texts;
    const { id } = analyzerOf(lexicon ?? {});
    // Words that were read otherwise are read from the texts again.
    this.#words = snapshot.words.filter(({ analyzer }) => analyzer === id);
  }

  static async over(
    snapshot: Snapshot & { hash: string },
    name: string,
    lexicon: LexiconOptions | undefined,
  ): Promise<FileStore> {
    const { embedder, splitter, analyzer, vectors, rowCount } = snapshot.meta;
    const store = new FileStore(snapshot, lexicon);
    const rows = await rowsOf(snapshot, name);
    const meta = { generation: 1, lineage: snapshot.hash, embedder, splitter, analyzer, vectors };
    store.table.restore(meta, snapshot.entries, rows, rowCount);
    return store;
  }

  override readonly isReadOnly = true;

  protected override checkOpen(): void {
    if (this.#closed) throw new ShelfmarkError('STORE_CLOSED', 'The index was closed; open it again.');
  }

  protected override async readTexts(entries: readonly Entry[]): Promise<Map<string, Texts>> {
    return new Map(entries.flatMap(({ id }) => (this.#texts.has(id) ? [[id, this.#texts.get(id)!]] : [])));
  }

  protected override async commit(): Promise<never> {
    throw readOnlyIndex();
  }

  protected override async writeStaged(): Promise<never> {
    throw readOnlyIndex();
  }

  protected override packedWords(): readonly LexicalSegment[] {
    const words = this.#words;
    this.#words = [];
    return words;
  }

  async close(): Promise<void> {
    this.#closed = true;
  }
}
