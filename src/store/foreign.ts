import { ShelfmarkError } from '../errors.ts';
import type {
  Filter,
  IndexDamage,
  LexicalVectorStore,
  ListChunksOptions,
  ListedChunk,
  Passage,
  VectorSearchOptions,
  VectorStore,
} from '../types.ts';
import { packHeads } from './columns.ts';
import type { Choose, Judged, LegsRequest } from './legs.ts';
import type { DocumentPut } from './plan.ts';
import { readingOf } from './reading.ts';
import type { StagedVectors } from './rebuild.ts';
import type { Entry, TableMeta } from './table.ts';

/**
 * Any vector store as the store of an index. It keeps records and nothing else, so a document's whole text
 * cannot be read again, what is unchanged is known within the session only, and a document is replaced in
 * two steps, removal first.
 */
export class ForeignStore {
  readonly #store: VectorStore;
  readonly #entries = new Map<string, Entry>();
  #meta: TableMeta = { generation: 0 };
  #dimensions = 0;
  #rows = 0;

  private constructor(store: VectorStore) {
    this.#store = store;
  }

  static async over(store: VectorStore): Promise<ForeignStore> {
    const foreign = new ForeignStore(store);
    for (const { id } of await store.listDocuments())
      foreign.#enter(id, await store.listChunks(id), undefined);
    return foreign;
  }

  get capabilities() {
    return this.#store.capabilities;
  }

  get entries(): ReadonlyMap<string, Entry> {
    return this.#entries;
  }

  get meta(): TableMeta {
    return this.#meta;
  }

  /** The length is known from the first vectors added; what they take is the store's own affair. */
  get vectorSize(): { count: number; dimensions: number; bytes: number } {
    const count = [...this.#entries.values()].reduce((sum, { rows }) => sum + rows.length, 0);
    return { count, dimensions: this.#dimensions, bytes: 0 };
  }

  /** It keeps no record without a vector, so documents are embedded first. */
  readonly keepsPending = false;
  readonly isReadOnly = false;
  readonly damages: readonly IndexDamage[] = [];

  vectorAt(): undefined {}

  async putVectors(): Promise<string[]> {
    return [];
  }

  async readReadings(ids: readonly string[]): Promise<{ entry: Entry; readings: string[] }[]> {
    const found = [];
    for (const id of ids) {
      const entry = this.#entries.get(id);
      const chunks = await this.#store.listChunks(id);
      if (entry !== undefined) found.push({ entry, readings: chunks.map((one) => readingOf(one, one.text)) });
    }
    return found;
  }

  /** Two sets of vectors have no room in it at once. */
  async stage(): Promise<void> {
    throw new ShelfmarkError(
      'UNSUPPORTED',
      'This store cannot keep the vectors of two embedders at once; fill another store with the new ones.',
    );
  }

  async staged(): Promise<StagedVectors[]> {
    return [];
  }

  exchangeVectors(): Promise<string[]> {
    return this.stage().then(() => []);
  }

  async rewrite(): Promise<void> {}

  async copyDocuments(): Promise<DocumentPut[]> {
    return [];
  }

  async snapshot(): Promise<never> {
    throw new ShelfmarkError(
      'UNSUPPORTED',
      'This store does not give its vectors back, so it cannot be written to a file; use one of this library.',
    );
  }

  async removeTextless(): Promise<string[]> {
    return [];
  }

  async sync(): Promise<void> {}

  async readText(): Promise<undefined> {}

  search(embedding: ArrayLike<number>, options?: VectorSearchOptions): Promise<Passage[]> {
    return this.#store.search(embedding, options);
  }

  /** Each leg as the store itself answers it; what one did not propose, it says nothing of. */
  async searchLegs(request: LegsRequest, choose: Choose): Promise<(Passage & Judged)[]> {
    const { query, vector, fetch: topK, filter, floors, prefix, typos } = request;
    const found = new Map<string, Passage & Judged>();
    const propose = (leg: string, passages: readonly Passage[], floor = Number.NEGATIVE_INFINITY): void => {
      for (const [at, passage] of passages.filter(({ score }) => score >= floor).entries()) {
        const known = found.get(passage.id) ?? { ...passage, legs: {} };
        known.legs[leg] = { rank: at + 1, score: passage.score };
        found.set(passage.id, known);
      }
    };
    let asked = 0;
    let failures = 0;
    let failure: unknown;
    const ask = async (leg: 'lexical' | 'semantic', search: () => Promise<Passage[]>): Promise<void> => {
      asked++;
      try {
        propose(leg, await search(), floors?.[leg]);
      } catch (error) {
        if (request.onLegError === undefined) throw error;
        request.onLegError(leg, error);
        failures++;
        failure = error;
      }
    };
    const store = this.#store as VectorStore & Partial<LexicalVectorStore>;
    if (query !== undefined && this.capabilities.lexical && store.searchText !== undefined) {
      const search = store.searchText.bind(store);
      await ask('lexical', () => search(query, { topK, filter, prefix, typos }));
    }
    if (vector !== undefined) await ask('semantic', () => this.#store.search(vector, { topK, filter }));
    if (failures > 0 && failures === asked) throw failure;
    const best = [...found.values()].reduce(
      (most, { legs }) => Math.max(most, legs['lexical']?.score ?? 0),
      0,
    );
    return choose([...found.values()], best);
  }

  countChunks(filter?: Filter): Promise<number> {
    return this.#store.countChunks(filter);
  }

  listChunks(documentId: string, options?: ListChunksOptions): Promise<ListedChunk[]> {
    return this.#store.listChunks(documentId, options);
  }

  async putDocuments(
    puts: readonly DocumentPut[],
    removed: readonly string[],
    meta: Partial<TableMeta>,
  ): Promise<void> {
    const records = puts.flatMap(({ records: own, vectors }) =>
      own.map((record, at) => {
        const embedding = vectors[at];
        if (embedding !== undefined) return { ...record, embedding };
        throw new ShelfmarkError(
          'UNSUPPORTED',
          'This store keeps no record without a vector; give openIndex an embedder.',
        );
      }),
    );
    const gone = [...removed, ...puts.map(({ id }) => id).filter((id) => this.#entries.has(id))];
    if (gone.length > 0) await this.#store.removeMany(gone);
    for (const id of gone) this.#entries.delete(id);
    if (records.length > 0) await this.#store.upsert(records);
    for (const { id, records: own, info } of puts) this.#enter(id, own, info);
    this.#dimensions = records[0]?.embedding.length ?? this.#dimensions;
    this.#meta = { ...this.#meta, ...meta, generation: this.#meta.generation + 1 };
  }

  #enter(id: string, records: readonly { id: string }[], info: unknown): void {
    const rows = Uint32Array.from(records, () => this.#rows++);
    this.#entries.set(id, { id, version: 0, generation: 0, rows, columns: packHeads(id, records), info });
  }
}
