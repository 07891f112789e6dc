import { invalidOption, messageOf, ShelfmarkError } from '../errors.ts';

/*
 * What is used of the official client, `chromadb` 3: declared here, so that an app that does without it needs no types of
 * it either.
 */

export type Scalar = string | number | boolean;
export type Where = Record<string, unknown>;
/** What a record carries beside text and vector. `null` takes a key away, since a write lays itself over what is there. */
export type RowMetadata = Record<string, Scalar | null>;

export interface GetResult {
  ids: string[];
  documents: (string | null)[];
  metadatas: (RowMetadata | null)[];
}

export interface QueryResult {
  ids: string[][];
  documents: (string | null)[][];
  metadatas: (RowMetadata | null)[][];
  embeddings: (number[] | null)[][];
}

export interface ChromaCollection {
  readonly metadata?: RowMetadata | null | undefined;
  upsert(records: {
    ids: string[];
    embeddings: number[][];
    documents: string[];
    metadatas: RowMetadata[];
  }): Promise<unknown>;
  update(records: { ids: string[]; metadatas: RowMetadata[] }): Promise<unknown>;
  get(request: {
    ids?: string[];
    where?: Where;
    limit?: number;
    offset?: number;
    include: string[];
  }): Promise<GetResult & { embeddings?: (number[] | null)[] }>;
  query(request: {
    queryEmbeddings: number[][];
    nResults: number;
    where?: Where;
    include: string[];
  }): Promise<QueryResult>;
  delete(request: { ids: string[] }): Promise<unknown>;
  count(): Promise<number>;
  modify(change: { metadata: Record<string, Scalar> }): Promise<unknown>;
}

/** The part of a `ChromaClient` that the store uses. */
export interface ChromaClientLike {
  getOrCreateCollection(request: {
    name: string;
    metadata?: Record<string, Scalar>;
    configuration?: object;
    embeddingFunction: object;
  }): Promise<unknown>;
  deleteCollection(request: { name: string }): Promise<unknown>;
  getMaxBatchSize?(): Promise<number>;
}

/** The module `chromadb`. */
export interface ChromaModule {
  ChromaClient: new (options: {
    host: string;
    port: number;
    ssl: boolean;
    tenant?: string;
    database?: string;
    headers?: Record<string, string>;
  }) => unknown;
}

export interface ConnectOptions {
  /** Where the server is, `http://localhost:8000` by default. Host and port count, a path is refused. */
  url?: string | undefined;
  tenant?: string | undefined;
  database?: string | undefined;
  /** Sent with each request: a token, say. Nothing of it is kept. */
  headers?: Record<string, string> | undefined;
  /** A client of your own, in place of `url`, `tenant`, `database` and `headers`: a `CloudClient`, say. */
  client?: unknown;
  /** The module `chromadb`, or a function that imports it, where your bundler is not to look for it by itself. */
  chromadb?: unknown | (() => Promise<unknown>);
}

/** The client given, or one for `url`. */
export async function connect(options: ConnectOptions): Promise<ChromaClientLike> {
  const { client, tenant, database, headers } = options;
  if (client !== undefined) {
    if (typeof (client as ChromaClientLike | null)?.getOrCreateCollection !== 'function') {
      throw invalidOption('client', client, "a client of the package 'chromadb'");
    }
    return client as ChromaClientLike;
  }
  const place = addressOf(options.url ?? 'http://localhost:8000');
  const { ChromaClient } = await moduleOf(options.chromadb);
  return new ChromaClient({
    ...place,
    ...(tenant !== undefined && { tenant }),
    ...(database !== undefined && { database }),
    ...(headers !== undefined && { headers }),
  }) as ChromaClientLike;
}

function addressOf(url: string): { host: string; port: number; ssl: boolean } {
  const accepted = 'the address of a Chroma server, as http://localhost:8000';
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw invalidOption('url', url, accepted);
  }
  const { protocol, hostname: host, port, pathname, search, username } = parsed;
  const ssl = protocol === 'https:';
  if ((!ssl && protocol !== 'http:') || pathname !== '/' || search !== '' || username !== '') {
    throw invalidOption('url', url, `${accepted}, without a path; credentials belong in headers`);
  }
  return { host, port: port === '' ? (ssl ? 443 : 80) : Number(port), ssl };
}

async function moduleOf(given: unknown): Promise<ChromaModule> {
  let module: unknown;
  try {
    // @ts-expect-error An optional peer, which need not be installed.
    module = await (given === undefined ? import('chromadb') : typeof given === 'function' ? given() : given);
  } catch (cause) {
    throw new ShelfmarkError(
      'UNSUPPORTED',
      `The package 'chromadb' could not be imported (${messageOf(cause)}); npm install chromadb, or give the module as chromadb.`,
      { cause },
    );
  }
  if (typeof (module as ChromaModule | null)?.ChromaClient !== 'function') {
    throw invalidOption('chromadb', module, "the module 'chromadb'");
  }
  return module as ChromaModule;
}
