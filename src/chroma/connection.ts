import type { ChromaClientLike, ChromaCollection, RowMetadata, Scalar, Where } from './client.ts';
import { type Attempts, asked } from './retry.ts';
import { type Row, rowsOf } from './rows.ts';

/** Records read or written with one request at most: of 384 values some 2 MB. */
const BATCH = 256;
/** Where a collection says what its vectors come from. */
const EMBEDDER = 'shelfmark:embedder';

/** Texts come with their vectors. Without a function of any kind, the client warns on each opening. */
const none = {
  generate: (): Promise<number[][]> =>
    Promise.reject(new Error('This collection is given vectors, not texts.')),
};

/** One collection on one server. */
export class Connection {
  readonly #client: ChromaClientLike;
  readonly #name: string;
  readonly #attempts: Attempts;
  readonly #signal: AbortSignal | undefined;
  #collection!: ChromaCollection;

  private constructor(
    client: ChromaClientLike,
    name: string,
    attempts: Attempts,
    signal: AbortSignal | undefined,
  ) {
    this.#client = client;
    this.#name = name;
    this.#attempts = attempts;
    this.#signal = signal;
  }

  /** @param embedder Kept with the collection where it is made */
  static async open(
    client: ChromaClientLike,
    name: string,
    attempts: Attempts,
    signal: AbortSignal | undefined,
    embedder: string | undefined,
  ): Promise<Connection> {
    const connection = new Connection(client, name, attempts, signal);
    await connection.#make(embedder);
    return connection;
  }

  async #make(embedder: string | undefined): Promise<void> {
    this.#collection = (await this.#asked(() =>
      this.#client.getOrCreateCollection({
        name: this.#name,
        metadata: { [EMBEDDER]: embedder ?? '' },
        // More links and a wider search than by default: recall before speed.
        configuration: { hnsw: { space: 'cosine', ef_construction: 200, ef_search: 200, max_neighbors: 32 } },
        embeddingFunction: none,
      }),
    )) as ChromaCollection;
  }

  /** Deletes the collection, which keeps the length of its first vectors, and makes it anew. */
  async renew(embedder: string | undefined): Promise<void> {
    await this.#asked(() => this.#client.deleteCollection({ name: this.#name }));
    await this.#make(embedder);
  }

  /** What the vectors come from; undefined where nobody said it. */
  get embedder(): string | undefined {
    const kept = this.#collection.metadata?.[EMBEDDER];
    return typeof kept === 'string' && kept !== '' ? kept : undefined;
  }

  async setEmbedder(id: string): Promise<void> {
    const others = Object.entries(this.#collection.metadata ?? {}).filter(([, value]) => value !== null);
    const metadata = { ...(Object.fromEntries(others) as Record<string, Scalar>), [EMBEDDER]: id };
    await this.ask((collection) => collection.modify({ metadata }));
  }

  /** Length of the vectors; 0 where there are none. */
  async dimensions(): Promise<number> {
    const { embeddings } = await this.ask((collection) =>
      collection.get({ limit: 1, include: ['embeddings'] }),
    );
    return embeddings?.[0]?.length ?? 0;
  }

  ask<T>(request: (collection: ChromaCollection) => Promise<T>): Promise<T> {
    return this.#asked(() => request(this.#collection));
  }

  #asked<T>(request: () => Promise<T>): Promise<T> {
    return asked(request, this.#attempts, this.#signal);
  }

  /** All records that pass a condition, page by page. What is written meanwhile may be among them or not. */
  async read(where: Where | undefined): Promise<Row[]> {
    const rows = new Map<string, Row>();
    for (let offset = 0; ; offset += BATCH) {
      const page = await this.ask((collection) =>
        collection.get({
          ...(where !== undefined && { where }),
          limit: BATCH,
          offset,
          include: ['documents', 'metadatas'],
        }),
      );
      for (const row of rowsOf(page)) rows.set(row.record.id, row);
      if (page.ids.length < BATCH) return [...rows.values()];
    }
  }

  /** The metadata of those records that are there, by their ids. */
  async metadataOf(ids: string[]): Promise<Map<string, RowMetadata>> {
    const found = await this.ask((collection) => collection.get({ ids, include: ['metadatas'] }));
    return new Map(found.ids.map((id, at) => [id, found.metadatas[at] ?? {}]));
  }

  /** The vectors of records, by their ids. */
  async vectorsOf(ids: string[]): Promise<Map<string, number[]>> {
    const found = await this.ask((collection) => collection.get({ ids, include: ['embeddings'] }));
    return new Map(found.ids.map((id, at) => [id, found.embeddings?.[at] ?? []]));
  }

  /** In batches that the server takes. */
  async batches<T>(all: readonly T[]): Promise<T[][]> {
    const most = await this.#asked(async () => (await this.#client.getMaxBatchSize?.()) ?? BATCH);
    const size = Math.max(1, Math.min(BATCH, most));
    const batches: T[][] = [];
    for (let from = 0; from < all.length; from += size) batches.push(all.slice(from, from + size));
    return batches;
  }
}
