import { fetchPart } from '../errors.ts';
import { defaults, wholeNumber } from '../options.ts';
import type {
  DocumentSummary,
  Filter,
  IndexDamage,
  ListChunksOptions,
  ListedChunk,
  Metadata,
  Passage,
  StoreCapabilities,
  TextSearchOptions,
  VectorRecord,
  VectorSearchOptions,
  VectorStore,
} from '../types.ts';
import { checkLength, toVector } from '../vectors/check.ts';
import type { Snapshot } from './file.ts';
import { chunkIndexOf, documentIdOf } from './ids.ts';
import { type Choose, type Judged, type LegsRequest, searchLegs } from './legs.ts';
import { checkRemovalFilter, copyMetadata, isEmptyPatch } from './metadata.ts';
import type { DocumentPut, VectorsPut } from './plan.ts';
import type { StagedVectors } from './rebuild.ts';
import {
  type Entry,
  metadataAt,
  type Place,
  placeHead,
  recordsOf,
  type TableMeta,
  type Texts,
} from './table.ts';
import { TableStore } from './table-store.ts';
import { readingsOf } from './words.ts';

/** What is fetched to write a file, as an error calls it. */
export const EXPORTER = 'part of the library that exports an index';

/** Documents whose texts are read at once to see whether they are there. */
const TEXTS_BATCH = 64;

/**
 * A vector store over a `Table`. What differs between stores is where the texts lie and how a change is
 * committed; everything a caller can observe is here, once.
 */
export abstract class RecordStore extends TableStore implements VectorStore {
  abstract readonly capabilities: StoreCapabilities;

  /** Whether a search misses nothing. */
  protected get isExact(): boolean {
    return (this.table.meta.vectors ?? 'f32') === 'f32';
  }

  async upsert(records: readonly VectorRecord[]): Promise<void> {
    await this.change({
      rewrites: () => records.map((record) => documentIdOf(String(record?.id))),
      make: (plan) => plan.upsert(records),
    });
  }

  /**
   * The records nearest to the embedding by cosine, best first; equal scores in the order of insertion.
   * `topK` is 5 by default. Throws `DIMENSION_MISMATCH` for an embedding of another length, unless
   * `lengths: 'shared'` asks to compare over the values both have.
   */
  async search(embedding: ArrayLike<number>, options: VectorSearchOptions = {}): Promise<Passage[]> {
    const topK = wholeNumber('topK', options.topK ?? defaults.topK, 0);
    const query = toVector(embedding, 'the query');
    return this.read(() => {
      const { rows } = this.table;
      if (rows.count > 0 && options.lengths !== 'shared') {
        checkLength(query.length, rows.dimensions, 'the query');
      }
      return this.table.search(query, topK, options.filter);
    }, passage);
  }

  /**
   * The records that hold words of the query, by BM25, best first; equal scores in the order of insertion. `topK`
   * is 5 by default. Read are title, heading path, context and text.
   */
  async searchText(query: string, options: TextSearchOptions = {}): Promise<Passage[]> {
    const { topK, filter, ...how } = options;
    const fetch = wholeNumber('topK', topK ?? defaults.topK, 0);
    return this.searchLegs({ query, fetch, filter, ...how }, (candidates) =>
      candidates.map((candidate) => ({ ...candidate, score: candidate.legs['lexical']!.score })),
    );
  }

  async remove(documentId: string): Promise<void> {
    await this.removeMany([documentId]);
  }

  async removeMany(documentIds: readonly string[]): Promise<void> {
    await this.#removePlaces(() => [...new Set(documentIds)].flatMap((id) => this.table.inOrder(id)));
  }

  async removeWhere(filter: Filter): Promise<number> {
    checkRemovalFilter(filter);
    return this.#removePlaces(() => this.table.matching(filter));
  }

  async updateMetadata(documentId: string, patch: Metadata): Promise<number> {
    if (isEmptyPatch(patch)) return 0;
    return this.change({ make: (plan) => plan.patch(documentId, patch) });
  }

  async listDocuments(filter?: Filter): Promise<DocumentSummary[]> {
    this.checkOpen();
    const summaries = new Map<string, DocumentSummary>();
    for (const place of this.table.matching(filter)) {
      if (summaries.has(place.entry.id)) continue;
      const { source } = placeHead(place);
      const metadata = metadataAt(place);
      summaries.set(place.entry.id, {
        id: place.entry.id,
        ...(source !== undefined && { source }),
        ...(metadata !== undefined && { metadata: copyMetadata(metadata) }),
      });
    }
    return [...summaries.values()];
  }

  async listDocumentIds(filter?: Filter): Promise<string[]> {
    this.checkOpen();
    const ids = new Set<string>();
    for (const { entry } of this.table.matching(filter)) ids.add(entry.id);
    return [...ids];
  }

  async listChunks(documentId: string, options: ListChunksOptions = {}): Promise<ListedChunk[]> {
    const { limit, offset = 0 } = options;
    return this.read(
      () => this.table.inOrder(documentId).slice(offset, limit === undefined ? undefined : offset + limit),
      (place, text) => ({ ...passageFields(place, text), index: chunkIndexOf(placeHead(place).id) }),
    );
  }

  async countChunks(filter?: Filter): Promise<number> {
    this.checkOpen();
    let count = 0;
    for (const _ of this.table.matching(filter)) count++;
    return count;
  }

  // --- for the owner of the index, who works with whole documents ------------------------------

  /** Whether every change is refused. */
  readonly isReadOnly: boolean = false;

  /** Whether it keeps a document whose vectors are still to come. */
  readonly keepsPending: boolean = true;

  /** What the index as a whole was made with. */
  get meta(): TableMeta {
    return this.table.meta;
  }

  /** The documents, as they were last committed. */
  get entries(): ReadonlyMap<string, Entry> {
    return this.table.entries;
  }

  /** How many records have a vector, the vectors' length (0 while there are none) and the bytes they take. */
  get vectorSize(): { count: number; dimensions: number; bytes: number } {
    const { count, dimensions, bytes } = this.table.rows;
    return { count, dimensions: count === 0 ? 0 : dimensions, bytes };
  }

  /** The vector a record has, or undefined while it is to come. */
  vectorAt({ entry, at }: Place): Float32Array | undefined {
    const row = entry.rows[at];
    return row !== undefined && this.table.rows.has(row) ? this.table.rows.read(row) : undefined;
  }

  /**
   * Searches words and vectors at once. Both legs' scores of every candidate are handed to `choose`, which orders
   * them; texts are read for what it answers.
   */
  async searchLegs(request: LegsRequest, choose: Choose): Promise<(Passage & Judged)[]> {
    const words = request.query === undefined ? undefined : await this.words();
    return this.read(
      () => {
        const { candidates, best } = searchLegs(this.table, words?.lexicon, request);
        return choose(candidates, best);
      },
      (place, text) => ({ ...passage(place, text), legs: place.legs }),
    );
  }

  /** Replaces and removes documents, all of it or nothing. */
  async putDocuments(
    puts: readonly DocumentPut[],
    removed: readonly string[],
    meta: Partial<TableMeta>,
  ): Promise<void> {
    await this.change({
      make: (plan) => {
        for (const id of removed) plan.remove(this.table.inOrder(id));
        for (const put of puts) plan.put(put);
      },
      meta,
    });
  }

  /**
   * Gives stored documents the vectors that were still to come; answers which got them. Those that are gone, or
   * have other texts by now, are left alone.
   */
  async putVectors(puts: readonly VectorsPut[], meta: Partial<TableMeta>): Promise<string[]> {
    return this.change({
      make: (plan) => puts.filter((put) => plan.complete(put)).map(({ id }) => id),
      meta,
    });
  }

  /**
   * Puts the vectors that were put aside in place of all that are there, in one step; where documents lack some, it
   * changes nothing and answers which.
   */
  async exchangeVectors(embedder: string): Promise<string[]> {
    let staged: StagedVectors[] = [];
    return this.change({
      prepare: async () => {
        staged = await this.readStaged();
      },
      make: (plan) => plan.exchange(staged, embedder),
      meta: { embedder },
    });
  }

  /** What is read of each chunk, of those documents that are still there. */
  async readReadings(ids: readonly string[]): Promise<{ entry: Entry; readings: string[] }[]> {
    const { chosen, texts } = await this.withTexts(
      () => ids.map((id) => this.table.entries.get(id)).filter((entry) => entry !== undefined),
      (entries) => entries,
    );
    return chosen.map((entry) => ({ entry, readings: readingsOf(entry, texts.get(entry.id)!) }));
  }

  /** What was found to be damaged when it was read. */
  get damages(): readonly IndexDamage[] {
    return this.table.damages;
  }

  /** Documents as they would be put, of those that are there with their texts. */
  async copyDocuments(ids: readonly string[]): Promise<DocumentPut[]> {
    this.checkOpen();
    const entries = ids.map((id) => this.table.entries.get(id)).filter((entry) => entry !== undefined);
    const texts = entries.length === 0 ? new Map<string, Texts>() : await this.readTexts(entries);
    return entries.flatMap((entry) => {
      const own = texts.get(entry.id);
      if (own === undefined) return [];
      return {
        id: entry.id,
        ...(own.text !== undefined && { text: own.text }),
        records: recordsOf(entry, own),
        vectors: Array.from(entry.rows, (_, at) => this.vectorAt({ entry, at })),
        info: entry.info,
      };
    });
  }

  /** Everything the index keeps, for a file. */
  async snapshot(): Promise<Snapshot> {
    const { vectorsOf, takeSnapshot } = await fetchPart(EXPORTER, () => import('./snapshot.ts'));
    const { chosen, texts } = await this.withTexts(
      () => {
        const entries = [...this.table.entries.values()];
        // In the same breath, since a commit may put other vectors into the rows.
        const vectors = vectorsOf(entries, this.table.rows);
        return { meta: this.table.meta, entries, vectors, dimensions: this.vectorSize.dimensions };
      },
      ({ entries }) => entries,
    );
    return takeSnapshot({ ...chosen, texts, lexicon: this.lexicon });
  }

  /** Removes the documents whose texts are gone, and answers which. One that another tab has stored since stays. */
  async removeTextless(): Promise<string[]> {
    const lost: Entry[] = [];
    const all = [...this.table.entries.values()];
    for (let at = 0; at < all.length; at += TEXTS_BATCH) {
      const batch = all.slice(at, at + TEXTS_BATCH);
      const texts = await this.readTexts(batch);
      lost.push(...batch.filter(({ id }) => !texts.has(id)));
    }
    return this.change({
      make: (plan) => {
        const gone = lost.filter(({ id, version }) => this.table.entries.get(id)?.version === version);
        for (const { id } of gone) plan.remove(this.table.inOrder(id));
        return gone.map(({ id }) => id);
      },
    });
  }

  /** Writes afresh whatever was damaged or is not stored yet, without a change to any document. */
  async rewrite(): Promise<void> {
    await this.change({ make: () => undefined, always: true });
  }

  /** A document's whole text, where its owner gave it. */
  async readText(documentId: string): Promise<string | undefined> {
    const { texts } = await this.withTexts(
      () => this.table.entries.get(documentId),
      (entry) => (entry === undefined ? [] : [entry]),
    );
    return texts.get(documentId)?.text;
  }

  // ----------------------------------------------------------------------------------------------

  #removePlaces(choose: () => Iterable<Place>): Promise<number> {
    let places: Place[] = [];
    return this.change({
      rewrites: () => {
        places = [...choose()];
        return places.map(({ entry }) => entry.id);
      },
      make: (plan) => plan.remove(places),
    });
  }
}

function passageFields(place: Place, text: string) {
  const { metadata, ...head } = placeHead(place);
  return { ...head, text, ...(metadata !== undefined && { metadata: copyMetadata(metadata) }) };
}

const passage = (place: Place & { score: number }, text: string): Passage => ({
  ...passageFields(place, text),
  score: place.score,
});
