import { ShelfmarkError } from '../errors.ts';
import { checkLexicon, type LexiconOptions } from '../lexicon/analyzer.ts';
import { defaults, oneOf, vectorFormats, wholeNumber } from '../options.ts';
import type {
  DocumentSummary,
  Filter,
  ListChunksOptions,
  ListedChunk,
  Metadata,
  Passage,
  StoreCapabilities,
  TextSearchOptions,
  VectorFormat,
  VectorRecord,
  VectorSearchOptions,
  VectorStore,
} from '../types.ts';
import { checkLength, toVector } from '../vectors/check.ts';
import { chunkIndexOf, documentIdOf } from './ids.ts';
import { type Choose, type Judged, type LegsRequest, searchLegs } from './legs.ts';
import { checkRemovalFilter, copyMetadata, isEmptyPatch } from './metadata.ts';
import { type DocumentPut, missingTexts, Plan } from './plan.ts';
import {
  type Change,
  type Entry,
  metadataAt,
  type Place,
  placeHead,
  Table,
  type TableMeta,
  type Texts,
  textAt,
} from './table.ts';
import { Words } from './words.ts';

/** Documents whose texts are read at once to take in their words. */
const WORDS_BATCH = 64;

/** How often a call starts over because another tab changed the store meanwhile. */
const MAX_ATTEMPTS = 20;

/** One changing call, as `#change` runs it, perhaps several times. */
interface Step<T> {
  /** Documents whose records change one by one, so that their texts must be at hand. */
  rewrites?(): Iterable<string>;
  make(plan: Plan): T;
  /** What the change makes known of the index as a whole. */
  meta?: Partial<TableMeta>;
}

/**
 * A vector store over a `Table`. What differs between stores is where the texts lie and how a change is
 * committed; everything a caller can observe is here, once.
 */
export abstract class RecordStore implements VectorStore {
  abstract readonly capabilities: StoreCapabilities;
  protected readonly table = new Table();
  #writes: Promise<unknown> = Promise.resolve();
  /** Made when words are first searched, and followed from then on. */
  #words: Words | undefined;
  /** On its way to `#words`; dropped where that failed, so that the next call tries again. */
  #opening: Promise<Words> | undefined;
  /** The state of the table that `#words` is in step with. */
  #wordsOf: TableMeta | undefined;
  /** How words are read. */
  readonly lexicon: LexiconOptions;

  constructor(lexicon: LexiconOptions = {}, vectors?: VectorFormat) {
    checkLexicon(lexicon);
    this.lexicon = lexicon;
    if (vectors !== undefined) oneOf('vectors', vectors, vectorFormats);
    this.table.meta = { generation: 0, vectors };
  }

  /** Whether a search misses nothing. */
  protected get isExact(): boolean {
    return (this.table.meta.vectors ?? 'f32') === 'f32';
  }

  /** Throws where the store is closed. */
  protected abstract checkOpen(): void;
  /** Texts of documents by id, without those that are not of their entry's version. */
  protected abstract readTexts(entries: readonly Entry[]): Promise<Map<string, Texts>>;
  /** Makes a change durable. Answers undefined, having written nothing, where the table is out of date. */
  protected abstract commit(change: Change): Promise<TableMeta | undefined>;
  /** Runs a change while no other holder of the same store, in whatever tab, runs one. */
  protected abstract exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Brings the table up to the stored state. Called before each plan, and where a read met stale texts. */
  protected abstract refresh(): Promise<void>;

  async upsert(records: readonly VectorRecord[]): Promise<void> {
    await this.#change({
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
    return this.#read(() => {
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
    return this.#change({ make: (plan) => plan.patch(documentId, patch) });
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
    return this.#read(
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

  /** Takes in what other tabs have committed. */
  async sync(): Promise<void> {
    this.checkOpen();
    await this.#alone(() => this.refresh());
  }

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
    return this.#read(
      () => {
        const { candidates, best } = searchLegs(this.table, words?.lexicon, request);
        return choose(candidates, best);
      },
      (place, text) => ({ ...passage(place, text), legs: place.legs }),
    );
  }

  /** The words of all records, taken in as far as they are not yet. */
  async words(): Promise<Words> {
    this.checkOpen();
    const words = await this.#openWords();
    while (this.#wordsOf !== this.table.meta) {
      const { meta } = this.table;
      const stale = words.retain(this.table.entries).slice(0, WORDS_BATCH);
      if (stale.length === 0) this.#wordsOf = meta;
      else {
        const { chosen, texts } = await this.#withTexts(
          () => stale.filter((entry) => this.table.entries.get(entry.id) === entry),
          (entries) => entries,
        );
        for (const entry of chosen) {
          if (this.table.entries.get(entry.id) === entry) words.put(entry, texts.get(entry.id)!);
        }
      }
    }
    return words;
  }

  async #openWords(): Promise<Words> {
    this.#opening ??= Words.open(this.lexicon);
    try {
      this.#words = await this.#opening;
      return this.#words;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  /** Replaces and removes documents, all of it or nothing. */
  async putDocuments(
    puts: readonly DocumentPut[],
    removed: readonly string[],
    meta: Partial<TableMeta>,
  ): Promise<void> {
    await this.#change({
      make: (plan) => {
        for (const id of removed) plan.remove(this.table.inOrder(id));
        for (const put of puts) plan.put(put);
      },
      meta,
    });
  }

  /** A document's whole text, where its owner gave it. */
  async readText(documentId: string): Promise<string | undefined> {
    const { texts } = await this.#withTexts(
      () => this.table.entries.get(documentId),
      (entry) => (entry === undefined ? [] : [entry]),
    );
    return texts.get(documentId)?.text;
  }

  // ----------------------------------------------------------------------------------------------

  #removePlaces(choose: () => Iterable<Place>): Promise<number> {
    let places: Place[] = [];
    return this.#change({
      rewrites: () => {
        places = [...choose()];
        return places.map(({ entry }) => entry.id);
      },
      make: (plan) => plan.remove(places),
    });
  }

  async #read<P extends Place, T>(choose: () => P[], toResult: (place: P, text: string) => T): Promise<T[]> {
    const { chosen, texts } = await this.#withTexts(choose, (places) => places.map(({ entry }) => entry));
    return chosen.map((place) => toResult(place, textAt(texts.get(place.entry.id)!, place)));
  }

  /** Chooses in the table and reads the texts that go with it, again where the two turn out not to match. */
  async #withTexts<C>(
    choose: () => C,
    entriesOf: (chosen: C) => readonly Entry[],
  ): Promise<{ chosen: C; texts: Map<string, Texts> }> {
    for (;;) {
      this.checkOpen();
      const { generation } = this.table.meta;
      const chosen = choose();
      const entries = [...new Set(entriesOf(chosen))];
      const texts = entries.length === 0 ? new Map<string, Texts>() : await this.readTexts(entries);
      const missing = entries.find(({ id }) => !texts.has(id));
      if (missing === undefined) return { chosen, texts };
      await this.sync();
      // Nothing has changed since, so they are not stale but gone.
      if (this.table.meta.generation === generation) throw missingTexts(missing.id);
    }
  }

  /** Plans, commits and then publishes a change; starts over where another tab was faster. */
  async #change<T>({ rewrites, make, meta }: Step<T>): Promise<T> {
    this.checkOpen();
    const attempt = async (): Promise<{ value: T } | undefined> => {
      await this.refresh();
      const ids = new Set(rewrites?.());
      const entries = [...ids].map((id) => this.table.entries.get(id)).filter((entry) => entry !== undefined);
      const plan = new Plan(this.table, entries.length === 0 ? undefined : await this.readTexts(entries));
      const { generation } = this.table.meta;
      let value: T;
      try {
        value = make(plan);
      } catch (error) {
        // The texts may be of a newer state than the table: without locks, another tab can commit in between.
        await this.refresh();
        if (this.table.meta.generation !== generation) return undefined;
        throw error;
      }
      const change = plan.finish(meta);
      if (change === undefined) return { value };
      const rows = await this.table.rowsFor(change);
      const committed = await this.commit(change);
      if (committed === undefined) return undefined;
      this.table.apply({ ...change, meta: committed }, rows);
      try {
        this.#publishWords(change);
      } catch {
        // It is committed. What a stemmer of one's own has thrown, it throws again at the next search.
        this.#words = undefined;
      }
      return { value };
    };
    const untilCommitted = async (): Promise<T> => {
      for (let left = MAX_ATTEMPTS; left > 0; left--) {
        const made = await attempt();
        if (made !== undefined) return made.value;
      }
      throw new ShelfmarkError(
        'STORE_BLOCKED',
        'Other tabs kept changing the index while this one tried to write; try again when they are done.',
      );
    };
    return this.#alone(() => this.exclusively(untilCommitted));
  }

  /** Takes in the words of what was committed, while its texts are at hand. */
  #publishWords({ texts }: Change): void {
    if (this.#words === undefined) return;
    let complete = true;
    for (const entry of this.#words.retain(this.table.entries)) {
      const own = texts.get(entry.id);
      if (own === undefined) complete = false;
      else this.#words.put(entry, own);
    }
    if (complete) this.#wordsOf = this.table.meta;
  }

  /** Settles when every write asked for so far has. */
  protected async idle(): Promise<void> {
    await this.#writes;
  }

  /** Runs after every write that was asked for before, whatever became of them. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#writes.then(work);
    this.#writes = turn.catch(() => undefined);
    return turn;
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
