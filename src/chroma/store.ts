import { embedderMismatch, invalidOption, ShelfmarkError } from '../errors.ts';
import { knownOptions, wholeNumber } from '../options.ts';
import { chunkIndexOf, documentIdOf } from '../store/ids.ts';
import {
  applyMetadataPatch,
  checkFilter,
  checkRemovalFilter,
  isEmptyPatch,
  matchesFilter,
  storableMetadata,
} from '../store/metadata.ts';
import { checkRecord } from '../store/plan.ts';
import type {
  ChunkRecord,
  DocumentSummary,
  EmbedderLike,
  Filter,
  ListChunksOptions,
  ListedChunk,
  Metadata,
  Passage,
  VectorRecord,
  VectorSearchOptions,
  VectorStore,
} from '../types.ts';
import { checkLength, toVector } from '../vectors/check.ts';
import {
  type ChromaClientLike,
  type ConnectOptions,
  connect,
  type RowMetadata,
  type Where,
} from './client.ts';
import { Connection } from './connection.ts';
import { chromaId, laidOver, type Row, rowsOf, toRow } from './rows.ts';
import { keys, whereOf } from './where.ts';

/** Records asked for beyond `topK`, so that equal scores are told apart by the order of insertion. */
const SPARE = 16;
/** How many times more are asked for where too few of those found pass the filter. */
const MORE = 4;

/** The engine keeps vectors at length 1, of which the last digits differ from those given. */
const ROUNDING = 1e-6;

export interface ChromaStoreOptions extends ConnectOptions {
  /** Name of the collection, made where there is none: 3 to 512 characters of `[a-zA-Z0-9._-]`, as Chroma wants it. */
  collection: string;
  /**
   * What the vectors come from, or its id. It is kept with the collection, and another one is refused. Unless given, whoever
   * comes first says nothing of it, and vectors of several models may be mixed.
   */
  embedder?: string | Pick<EmbedderLike, 'id'> | undefined;
  /** New tries where the server is busy or out of reach, 5 by default: they take about 3 s. */
  retries?: number | undefined;
  /** Ends the opening, and every call of the store afterwards, with its reason. */
  signal?: AbortSignal | undefined;
}

/**
 * A vector store in a Chroma server, over the official client (`chromadb` 3, an optional peer), from a page or from Node.
 * The engine's search is approximate; filters, lists and removals are exact, since what the engine cannot tell is decided
 * here. A call that writes many records is several requests: where one of them fails, those before it stay, and the same
 * call again completes it, with no record twice.
 */
export class ChromaVectorStore implements VectorStore {
  readonly capabilities = { exact: false, lexical: false, persistent: true } as const;
  /** Identity of the embedder its vectors came from, where somebody said it. */
  readonly embedder: string | undefined;
  readonly #connection: Connection;
  /** Length of the vectors; 0 while there are none, or while nobody knows. */
  #dimensions: number;
  #writes: Promise<unknown> = Promise.resolve();
  #last = 0;

  private constructor(connection: Connection, embedder: string | undefined, dimensions: number) {
    this.#connection = connection;
    this.embedder = embedder;
    this.#dimensions = dimensions;
  }

  /**
   * Opens a collection, making it where there is none.
   *
   * @throws ShelfmarkError `INVALID_OPTION`; `UNSUPPORTED` where `chromadb` is not there; `EMBEDDER_MISMATCH` where its
   * vectors are another embedder's; `STORE_FAILED` with what the server said; the signal's reason
   */
  static async open(options: ChromaStoreOptions): Promise<ChromaVectorStore> {
    const known = knownOptions(options, {
      url: true,
      tenant: true,
      database: true,
      headers: true,
      client: true,
      chromadb: true,
      collection: true,
      embedder: true,
      retries: true,
      signal: true,
    });
    const { collection, embedder, retries = 5, signal } = known;
    if (typeof collection !== 'string' || collection === '') {
      throw invalidOption('collection', collection, 'the name of a collection');
    }
    wholeNumber('retries', retries, 0);
    const given = typeof embedder === 'string' ? embedder : embedder?.id;
    if (embedder !== undefined && (typeof given !== 'string' || given === '')) {
      throw invalidOption('embedder', embedder, 'an id, or an embedder that has one');
    }
    const client: ChromaClientLike = await connect(known);
    const server = known.client === undefined ? (known.url ?? 'http://localhost:8000') : 'the client given';
    const connection = await Connection.open(client, collection, { retries, server }, signal, given);
    const there = connection.embedder;
    const dimensions = await connection.dimensions();
    if (given !== undefined && there !== given) {
      if (there !== undefined && dimensions > 0) throw embedderMismatch(there, given);
      // Nobody has said what the vectors are of, or there are none any more.
      await connection.setEmbedder(given);
    }
    return new ChromaVectorStore(connection, given ?? there, dimensions);
  }

  /** Adds records, or replaces those of the same id; a record keeps its place in the order of insertion. */
  async upsert(records: readonly VectorRecord[]): Promise<void> {
    let length = 0;
    const checked = new Map<string, { record: ChunkRecord; vector: Float32Array }>();
    for (const given of records) {
      const { embedding, metadata, ...rest } = checkRecord(given);
      const owner = `record ${JSON.stringify(given.id)}`;
      const vector = toVector(embedding, owner);
      if (vector.length === 0) throw emptyVector(owner);
      if (length > 0) checkLength(vector.length, length, owner);
      length = vector.length;
      const record = {
        ...rest,
        ...(metadata !== undefined && { metadata: storableMetadata(metadata, owner) }),
      };
      checked.set(given.id, { record, vector });
    }
    if (checked.size === 0) return;
    await this.#write(async () => {
      await this.#fit(length, records[0]!.id);
      for (const batch of await this.#connection.batches([...checked.values()])) await this.#put(batch);
      this.#dimensions = length;
    });
  }

  async #put(batch: readonly { record: ChunkRecord; vector: Float32Array }[]): Promise<void> {
    const ids = batch.map(({ record }) => chromaId(record.id));
    const before = await this.#connection.metadataOf(ids);
    const rows = batch.map(({ record }, at) => {
      const old = before.get(ids[at]!);
      const order = old?.[keys.order];
      const { document, metadata } = toRow(record, typeof order === 'number' ? order : this.#next());
      return { document, metadata: laidOver(old, metadata) };
    });
    await this.#connection.ask((collection) =>
      collection.upsert({
        ids,
        embeddings: batch.map(({ vector }) => Array.from(vector)),
        documents: rows.map(({ document }) => document),
        metadatas: rows.map(({ metadata }) => metadata),
      }),
    );
  }

  /** Later records have greater numbers, those of other clients too as far as clocks agree. */
  #next(): number {
    this.#last = Math.max(this.#last + 1, Date.now() * 1000);
    return this.#last;
  }

  /** Refuses vectors of another length than those stored; a collection that holds none any more is made anew. */
  async #fit(length: number, id: string): Promise<void> {
    if (this.#dimensions === 0 || this.#dimensions === length) return;
    if ((await this.#connection.ask((collection) => collection.count())) > 0) {
      checkLength(length, this.#dimensions, `record ${JSON.stringify(id)}`);
    }
    await this.#connection.renew(this.embedder);
    this.#dimensions = 0;
  }

  /**
   * The records nearest to the embedding by cosine, best first, as far as the engine finds them; equal scores in the order
   * of insertion. `topK` is 5 by default. Throws `DIMENSION_MISMATCH` for an embedding of another length.
   */
  async search(embedding: ArrayLike<number>, options: VectorSearchOptions = {}): Promise<Passage[]> {
    const { topK = 5, filter } = options;
    wholeNumber('topK', topK, 0);
    checkFilter(filter);
    const query = toVector(embedding, 'the query');
    await this.#settled();
    const count = topK === 0 ? 0 : await this.#connection.ask((collection) => collection.count());
    if (count === 0 || deniesAll(filter)) return [];
    this.#dimensions ||= await this.#connection.dimensions();
    if (query.length !== this.#dimensions && options.lengths === 'shared') {
      return best(await this.#withVectors(query, filter), topK);
    }
    checkLength(query.length, this.#dimensions, 'the query');
    // To a vector of zeros all are as near, and which of them an engine finds is chance.
    if (query.every((value) => value === 0))
      return inOrder(await this.#all(filter))
        .slice(0, topK)
        .map(scored(0));
    for (let wanted = topK + SPARE; ; wanted *= MORE) {
      const nearest = Math.min(wanted, count);
      const found = await this.#nearest(query, nearest, whereOf(filter));
      const passing = found.filter(({ record }) => matchesFilter(record.metadata, filter));
      if (passing.length < topK && found.length === nearest && nearest < count) continue;
      return best(passing, topK);
    }
  }

  /** Every record that passes, compared over the values both vectors have: no engine does that. */
  async #withVectors(query: Float32Array, filter: Filter | undefined): Promise<(Row & { score: number })[]> {
    const rows = await this.#all(filter);
    const scored: (Row & { score: number })[] = [];
    for (const batch of await this.#connection.batches(rows)) {
      const vectors = await this.#connection.vectorsOf(batch.map(({ record }) => chromaId(record.id)));
      for (const row of batch) {
        const vector = vectors.get(chromaId(row.record.id)) ?? [];
        const length = Math.min(query.length, vector.length);
        scored.push({ ...row, score: cosine(query.subarray(0, length), vector) });
      }
    }
    return scored;
  }

  /** Rows with their cosines, computed here: the engine's are rounded, and differ from version to version. */
  async #nearest(
    query: Float32Array,
    nResults: number,
    where: Where | undefined,
  ): Promise<(Row & { score: number })[]> {
    const { ids, documents, metadatas, embeddings } = await this.#connection.ask((collection) =>
      collection.query({
        queryEmbeddings: [Array.from(query)],
        nResults,
        ...(where !== undefined && { where }),
        include: ['documents', 'metadatas', 'embeddings'],
      }),
    );
    const rows = rowsOf({ ids: ids[0] ?? [], documents: documents[0] ?? [], metadatas: metadatas[0] ?? [] });
    return rows.map((row, at) => ({ ...row, score: cosine(query, embeddings[0]?.[at] ?? []) }));
  }

  async remove(documentId: string): Promise<void> {
    await this.removeMany([documentId]);
  }

  async removeMany(documentIds: readonly string[]): Promise<void> {
    const wanted = [...new Set(documentIds)];
    await this.#write(async () => {
      for (const id of wanted) await this.#drop(await this.#ofDocument(id));
    });
  }

  async removeWhere(filter: Filter): Promise<number> {
    checkFilter(filter);
    checkRemovalFilter(filter);
    return this.#write(async () => this.#drop(await this.#all(filter)));
  }

  async #drop(rows: readonly Row[]): Promise<number> {
    for (const batch of await this.#connection.batches(rows)) {
      const ids = batch.map(({ record }) => chromaId(record.id));
      await this.#connection.ask((collection) => collection.delete({ ids }));
    }
    return rows.length;
  }

  async updateMetadata(documentId: string, patch: Metadata): Promise<number> {
    if (isEmptyPatch(patch)) return 0;
    const given = storableMetadata(patch, `the patch of document ${JSON.stringify(documentId)}`);
    return this.#write(async () => {
      const rows = await this.#ofDocument(documentId);
      for (const batch of await this.#connection.batches(rows)) {
        const ids = batch.map(({ record }) => chromaId(record.id));
        const before = await this.#connection.metadataOf(ids);
        const metadatas = batch.map(({ record, order }, at): RowMetadata => {
          const metadata = applyMetadataPatch(record.metadata, given);
          return laidOver(before.get(ids[at]!), toRow({ ...record, metadata }, order).metadata);
        });
        await this.#connection.ask((collection) => collection.update({ ids, metadatas }));
      }
      return rows.length;
    });
  }

  async listDocuments(filter?: Filter): Promise<DocumentSummary[]> {
    checkFilter(filter);
    await this.#settled();
    const summaries = new Map<string, DocumentSummary>();
    for (const { record, documentId } of inOrder(await this.#all(filter))) {
      if (summaries.has(documentId)) continue;
      const { source, metadata } = record;
      summaries.set(documentId, {
        id: documentId,
        ...(source !== undefined && { source }),
        ...(metadata !== undefined && { metadata }),
      });
    }
    return [...summaries.values()];
  }

  async listDocumentIds(filter?: Filter): Promise<string[]> {
    return (await this.listDocuments(filter)).map(({ id }) => id);
  }

  async listChunks(documentId: string, options: ListChunksOptions = {}): Promise<ListedChunk[]> {
    const { limit, offset = 0 } = options;
    await this.#settled();
    return inOrder(await this.#ofDocument(documentId))
      .map(({ record }) => ({ ...record, index: chunkIndexOf(record.id) }))
      .sort((a, b) => a.index - b.index)
      .slice(offset, limit === undefined ? undefined : offset + limit);
  }

  async countChunks(filter?: Filter): Promise<number> {
    checkFilter(filter);
    await this.#settled();
    if (Object.keys(filter ?? {}).length > 0) return (await this.#all(filter)).length;
    return this.#connection.ask((collection) => collection.count());
  }

  /** Every record that passes. */
  async #all(filter: Filter | undefined): Promise<Row[]> {
    if (deniesAll(filter)) return [];
    const rows = await this.#connection.read(whereOf(filter));
    return rows.filter(({ record }) => matchesFilter(record.metadata, filter));
  }

  async #ofDocument(documentId: string): Promise<Row[]> {
    const rows = await this.#connection.read({ [keys.document]: { $eq: chromaId(documentId) } });
    return rows.filter(({ record }) => documentIdOf(record.id) === documentId);
  }

  /** One after the other, in the order of the calls; one that fails holds up none. */
  #write<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#writes.then(work);
    this.#writes = turn.catch(() => undefined);
    return turn;
  }

  /** What was written before a call is seen by it. */
  async #settled(): Promise<void> {
    await this.#writes;
  }
}

const emptyVector = (owner: string): ShelfmarkError =>
  new ShelfmarkError('INVALID_VECTOR', `The vector of ${owner} is empty; give at least one number.`);

/** An empty list lets nothing through. */
const deniesAll = (filter: Filter | undefined): boolean =>
  Object.values(filter ?? {}).some((wanted) => Array.isArray(wanted) && wanted.length === 0);

/** The best rows; scores that only the engine's rounding tells apart count as equal, and keep the order of insertion. */
function best(rows: readonly (Row & { score: number })[], topK: number): Passage[] {
  const sorted = [...rows].sort((a, b) => b.score - a.score);
  const ranked: typeof sorted = [];
  for (let from = 0; from < sorted.length; from = ranked.length) {
    const { score } = sorted[from]!;
    const equal = sorted.slice(from).findIndex((row) => row.score < score - ROUNDING);
    const to = equal < 0 ? sorted.length : from + equal;
    ranked.push(...sorted.slice(from, to).sort((a, b) => a.order - b.order));
  }
  return ranked.slice(0, topK).map(({ record, score }) => ({ ...record, score }));
}

const inOrder = (rows: readonly Row[]): Row[] => [...rows].sort((a, b) => a.order - b.order);

const scored =
  (score: number) =>
  ({ record }: Row): Passage => ({ ...record, score });

function cosine(a: Float32Array, b: readonly number[]): number {
  let [dot, squaresA, squaresB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i]!, b[i] ?? 0];
    dot += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  const scale = Math.sqrt(squaresA) * Math.sqrt(squaresB);
  return scale === 0 ? 0 : dot / scale;
}
