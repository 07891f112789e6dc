import { ShelfmarkError } from '../errors.ts';
import type {
  ChunkRecord,
  Filter,
  IndexDamage,
  LexicalVectorStore,
  ListChunksOptions,
  ListedChunk,
  Metadata,
  Passage,
  VectorSearchOptions,
  VectorStore,
} from '../types.ts';
import { Bitmap } from '../vectors/bitmap.ts';
import { idAt, packHeads } from './columns.ts';
import { documentIdOf } from './ids.ts';
import type { Choose, Judged, LegsRequest } from './legs.ts';
import { matchesFilter } from './metadata.ts';
import type { DocumentPut } from './plan.ts';
import { readingOf } from './reading.ts';
import type { StagedVectors } from './rebuild.ts';
import { type Entry, metadataAt, type Place, type TableMeta } from './table.ts';
import type { Words } from './words.ts';

/** Documents that are listed at once when a store is opened. */
const LIST_BATCH = 8;

/** A record that a leg proposed. Its text is not there where only words that are held here found it. */
interface Found extends Judged, Partial<Place> {
  id: string;
  metadata?: Metadata;
  row?: number;
  passage?: Passage;
}

/**
 * Any vector store as the store of an index. It keeps records and nothing else, so a document's whole text
 * cannot be read again, what is unchanged is known within the session only, and a document is replaced in
 * two steps, removal first.
 *
 * A store that answers words is asked for them. Of any other the words are held here, read from its texts.
 */
export class ForeignStore {
  readonly #store: VectorStore;
  readonly #entries = new Map<string, Entry>();
  readonly #words: Words | undefined;
  /** The record in each row; one that is gone has none. */
  readonly #places: (Place | undefined)[] = [];
  #meta: TableMeta;
  #dimensions = 0;
  /** Absent where the store itself answers words. */
  words?: () => Promise<Words>;

  private constructor(store: VectorStore, words: Words | undefined) {
    this.#store = store;
    this.#words = words;
    this.#meta = { generation: 0, embedder: store.embedder };
    if (words !== undefined) this.words = async () => words;
  }

  /** @param words Empty ones for a store that answers no words; absent for one that does */
  static async over(store: VectorStore, words: Words | undefined): Promise<ForeignStore> {
    const foreign = new ForeignStore(store, words);
    const ids = await store.listDocumentIds();
    for (let at = 0; at < ids.length; at += LIST_BATCH) {
      const batch = ids.slice(at, at + LIST_BATCH);
      const lists = await Promise.all(batch.map((id) => store.listChunks(id)));
      for (const [n, id] of batch.entries()) foreign.#enter(id, lists[n]!, infoOf(lists[n]!));
    }
    return foreign;
  }

  get capabilities() {
    return { ...this.#store.capabilities, lexical: true };
  }

  get wordBytes(): number {
    return this.#words?.lexicon.bytes ?? 0;
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

  /**
   * Vectors as the store answers them; what it did not propose, they say nothing of. Words as it answers them, or those
   * held here, which judge every candidate.
   */
  async searchLegs(request: LegsRequest, choose: Choose): Promise<(Passage & Judged)[]> {
    const { query, vector, fetch: topK, filter, floors, prefix, typos } = request;
    const found = new Map<string, Found>();
    const propose = (leg: string, passages: readonly Passage[], floor = Number.NEGATIVE_INFINITY): void => {
      for (const [at, passage] of passages.filter(({ score }) => score >= floor).entries()) {
        const { id, metadata } = passage;
        const known = found.get(id) ?? { ...this.#placeOf(id), id, ...(metadata && { metadata }), legs: {} };
        known.passage = passage;
        known.legs[leg] = { rank: at + 1, score: passage.score };
        found.set(id, known);
      }
    };
    let best = 0;
    let asked = 0;
    let failures = 0;
    let failure: unknown;
    const ask = async (leg: 'lexical' | 'semantic', search: () => Promise<void>): Promise<void> => {
      asked++;
      try {
        await search();
      } catch (error) {
        if (request.onLegError === undefined) throw error;
        request.onLegError(leg, error);
        failures++;
        failure = error;
      }
    };
    const words = this.#words;
    if (query !== undefined && words === undefined) {
      await ask('lexical', async () => {
        const { searchText } = this.#store as LexicalVectorStore;
        const passages = await searchText.call(this.#store, query, { topK, filter, prefix, typos });
        best = passages[0]?.score ?? 0;
        propose('lexical', passages, floors?.lexical);
      });
    }
    if (vector !== undefined) {
      await ask('semantic', async () =>
        propose('semantic', await this.#store.search(vector, { topK, filter }), floors?.semantic),
      );
    }
    if (query !== undefined && words !== undefined) {
      // Last, since a search that begins meanwhile would take the place of what the lexicon has made of this one.
      await ask('lexical', async () => {
        best = this.#judgeWords(words, request, found);
      });
    }
    if (failures > 0 && failures === asked) throw failure;
    return this.#passages(choose([...found.values()], best));
  }

  /** Adds what the words held here propose, and judges all candidates by them; answers the best score. */
  #judgeWords({ lexicon }: Words, request: LegsRequest, found: Map<string, Found>): number {
    const { query, fetch: topK, filter, floors, prefix, typos } = request;
    let allowed: Bitmap | undefined;
    if (filter !== undefined && Object.keys(filter).length > 0) {
      allowed = new Bitmap(this.#places.length);
      for (const [row, place] of this.#places.entries())
        if (place !== undefined && matchesFilter(metadataAt(place), filter)) allowed.add(row);
    }
    const { rows, scores } = lexicon.search(query!, { topK, allowed: allowed?.words, prefix, typos });
    for (const [at, row] of rows.entries()) {
      const place = this.#places[row];
      if (place === undefined || scores[at]! < (floors?.lexical ?? 0)) continue;
      const id = idAt(place.entry.id, place.entry.columns, place.at);
      const metadata = metadataAt(place);
      if (!found.has(id)) found.set(id, { ...place, row, id, ...(metadata && { metadata }), legs: {} });
    }
    [...found.values()]
      .map((one) => ({ one, row: one.row ?? 0, score: one.row === undefined ? 0 : lexicon.scoreOf(one.row) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.row - b.row)
      .forEach(({ one, score }, at) => {
        one.legs['lexical'] = { rank: at + 1, score };
      });
    return scores[0] ?? 0;
  }

  /** Where a record stands, as far as it was there when the store was opened. */
  #placeOf(id: string): (Place & { row: number }) | undefined {
    if (this.#words === undefined) return undefined;
    const entry = this.#entries.get(documentIdOf(id));
    if (entry === undefined) return undefined;
    const at = entry.rows.findIndex((_, n) => idAt(entry.id, entry.columns, n) === id);
    return at < 0 ? undefined : { entry, at, row: entry.rows[at]! };
  }

  /** Candidates as passages. The texts of those that words alone found are read, those of a document at once. */
  async #passages(chosen: readonly (Found & { score: number })[]): Promise<(Passage & Judged)[]> {
    const missing = new Map<string, { from: number; to: number }>();
    for (const { passage, entry, at } of chosen) {
      if (passage !== undefined || entry === undefined) continue;
      const { from, to } = missing.get(entry.id) ?? { from: at!, to: at! };
      missing.set(entry.id, { from: Math.min(from, at!), to: Math.max(to, at!) });
    }
    const read = new Map<string, ChunkRecord>();
    const wanted = [...missing];
    for (let at = 0; at < wanted.length; at += LIST_BATCH) {
      const batch = wanted.slice(at, at + LIST_BATCH);
      const lists = batch.map(([id, { from, to }]) =>
        this.#store.listChunks(id, { offset: from, limit: to - from + 1 }),
      );
      for (const { index: _index, ...record } of (await Promise.all(lists)).flat())
        read.set(record.id, record);
    }
    return chosen.flatMap(({ id, passage, legs, score }) => {
      const record = passage ?? read.get(id);
      // Somebody else has removed it since.
      return record === undefined ? [] : { ...record, legs, score };
    });
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
    for (const id of gone) this.#leave(id);
    if (gone.length > 0) this.#words?.retain(this.#entries, undefined);
    if (records.length > 0) await this.#store.upsert(records);
    for (const { id, records: own, info } of puts) this.#enter(id, own, info);
    this.#dimensions = records[0]?.embedding.length ?? this.#dimensions;
    this.#meta = { ...this.#meta, ...meta, generation: this.#meta.generation + 1 };
  }

  #enter(id: string, records: readonly ChunkRecord[], info: unknown): void {
    const rows = Uint32Array.from(records, (_, at) => this.#places.length + at);
    const entry = { id, version: 0, generation: 0, rows, columns: packHeads(id, records), info };
    this.#entries.set(id, entry);
    for (const at of records.keys()) this.#places.push({ entry, at });
    this.#words?.put(entry, { texts: records.map(({ text }) => text) });
  }

  #leave(id: string): void {
    for (const row of this.#entries.get(id)?.rows ?? []) this.#places[row] = undefined;
    this.#entries.delete(id);
  }
}

/** What an index says of a document, as far as its records tell; without hashes, since they were not kept. */
const infoOf = ([first]: readonly ChunkRecord[]): unknown => ({
  ...(first?.title !== undefined && { title: first.title }),
  ...(first?.metadata !== undefined && { metadata: first.metadata }),
  hashes: '',
});
