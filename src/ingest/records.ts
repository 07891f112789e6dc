import { asEmbedder, embedTexts } from '../embed/embedder.ts';
import {
  EmptyDocumentError,
  invalidOption,
  type Refusal,
  ShelfmarkError,
  show,
  throwIfAborted,
} from '../errors.ts';
import { optionsObject, wholeNumber } from '../options.ts';
import { checkSplitter } from '../split/check-splitter.ts';
import { checkNamed, chunkDocuments } from '../split/chunk-documents.ts';
import type { ChunkTextOptions } from '../split/chunk-text.ts';
import { fetchAutoSplitter } from '../split/fetch-auto.ts';
import { splitDocuments } from '../split/split-documents.ts';
import { readingOf } from '../store/reading.ts';
import { RecordStore } from '../store/record-store.ts';
import type {
  Chunk,
  ChunkRecord,
  Embedder,
  EmbedderLike,
  Progress,
  Splitter,
  TextDocument,
  VectorStore,
} from '../types.ts';
import { checkUnnamed } from './unnamed.ts';

/** Records embedded and stored together; also about what an abort or a failure can cost. */
const GROUP_RECORDS = 256;

export interface IngestChunksOptions {
  embedder: EmbedderLike;
  store: VectorStore;
  /** Texts in one call of the embedder. Default 32. */
  batchSize?: number | undefined;
  /** Cancels within one batch; what was stored by then stays, and of documents only whole ones. */
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

export interface IngestDocumentsOptions extends IngestChunksOptions, ChunkTextOptions {
  /** Cuts the documents in place of `chunkText`, whose options then must not be given. `'auto'` is `autoSplitter()`, which goes by a document's `id`. */
  splitter?: Splitter | 'auto' | undefined;
}

/** A document cut into records. */
interface CutDocument {
  id: string;
  records: ChunkRecord[];
  /** The whole text, where the records are slices of it and say which. */
  text?: string;
}

/** What a call works with, checked. */
interface Run {
  embedder: Embedder;
  store: VectorStore;
  batchSize: number | undefined;
  signal: AbortSignal | undefined;
  /** Embedded and stored so far, of how many. */
  progress(stage: 'embed' | 'store', done: number): void;
}

/**
 * Embeds records and puts them into a store; answers how many. A record replaces the one of the same id.
 *
 * @throws EmptyDocumentError where records have no passage, once all others are stored. Else as the embedder
 * and the store say; `EMBEDDER_MISMATCH` where the store's vectors are known to be another embedder's.
 */
export async function ingestChunks(
  chunks: readonly ChunkRecord[],
  options: IngestChunksOptions,
): Promise<number> {
  optionsObject(options);
  if (!Array.isArray(chunks)) throw invalidOption('chunks', chunks, 'an array of records');
  const failed: Refusal[] = [];
  const records = chunks.filter((record) => {
    if (typeof record?.id !== 'string' || record.id === '') {
      throw new ShelfmarkError('INVALID_DOCUMENT', `A record's id is ${show(record?.id)}; give a string.`);
    }
    if (typeof record.text === 'string' && record.text.trim() !== '') return true;
    failed.push(refusal(record.id, `Its text is ${show(record.text)}.`));
    return false;
  });
  const run = await begin(options, records.length);
  let stored = 0;
  while (stored < records.length) {
    const group = records.slice(stored, stored + GROUP_RECORDS);
    const vectors = await embed(group, run, stored);
    await run.store.upsert(group.map((record, at) => ({ ...record, embedding: vectors[at]! })));
    stored += group.length;
    run.progress('store', stored);
  }
  if (failed.length > 0) throw new EmptyDocumentError(stored, failed);
  return stored;
}

/**
 * Cuts documents, embeds their chunks and puts them into a store; answers how many chunks. A document replaces
 * whatever the store had under its id, all of it: no chunk of an earlier text is left. In this library's own
 * stores that is one step, in others the old chunks are removed first.
 *
 * What is embedded is a chunk's heading path, context and text.
 *
 * @throws EmptyDocumentError where documents have no passage, once all others are stored; of such a document
 * the store keeps what it had. `INVALID_DOCUMENT` and `INVALID_OPTION` before anything is stored. Else as
 * `ingestChunks`.
 */
export async function ingestDocuments(
  docs: readonly TextDocument[],
  options: IngestDocumentsOptions,
): Promise<number> {
  optionsObject(options);
  checkDistinct(docs);
  throwIfAborted(options.signal);
  const splitter = options.splitter === 'auto' ? await fetchAutoSplitter() : options.splitter;
  const cutOne = cutter(options, splitter);
  const failed: Refusal[] = [];
  const cut: CutDocument[] = [];
  for (const [at, doc] of docs.entries()) {
    const one = cutOne(doc);
    if (one.records.length > 0) cut.push(one);
    else failed.push(refusal(doc.id, 'It is blank, or nothing but headings.'));
    options.onProgress?.({ stage: 'split', done: at + 1, total: docs.length });
  }
  const total = cut.reduce((sum, { records }) => sum + records.length, 0);
  const run = await begin(options, total);
  let stored = 0;
  for (const group of grouped(cut)) {
    const records = group.flatMap((one) => one.records);
    const vectors = await embed(records, run, stored);
    await replace(group, vectors, run);
    stored += records.length;
    run.progress('store', stored);
  }
  if (failed.length > 0) throw new EmptyDocumentError(stored, failed);
  return stored;
}

function checkDistinct(docs: readonly TextDocument[]): void {
  checkNamed(docs);
  // `chunkDocuments` and `splitDocuments` check the rest, one document at a time.
  const ids = new Set<string>();
  for (const { id } of docs) {
    if (ids.has(id)) {
      throw new ShelfmarkError(
        'INVALID_DOCUMENT',
        `Two documents have the id ${show(id)}; give each its own.`,
      );
    }
    ids.add(id);
  }
}

function cutter(
  { chunkSize, overlap, separator }: ChunkTextOptions,
  splitter: Splitter | undefined,
): (doc: TextDocument) => CutDocument {
  if (splitter === undefined) {
    const given = {
      ...(chunkSize !== undefined && { chunkSize }),
      ...(overlap !== undefined && { overlap }),
      ...(separator !== undefined && { separator }),
    };
    return (doc) => ({ id: doc.id, records: chunkDocuments([doc], given) });
  }
  checkSplitter(splitter);
  for (const [option, value] of Object.entries({ chunkSize, overlap, separator })) {
    if (value !== undefined) throw invalidOption(option, value, 'it to the splitter instead');
  }
  return (doc) => {
    const { id: uri, text, pages } = doc;
    const chunks = splitDocuments([{ uri, text, ...(pages !== undefined && { pages }) }], splitter);
    const records = chunks.filter((chunk) => chunk.text.trim() !== '').map((chunk) => toRecord(chunk, doc));
    return { id: uri, records, ...(typeof text === 'string' && { text }) };
  };
}

function toRecord(chunk: Chunk, { source, metadata }: TextDocument): ChunkRecord {
  const { index: _index, contentHash: _hash, oversize: _oversize, ...record } = chunk;
  return { ...record, ...(source !== undefined && { source }), ...(metadata !== undefined && { metadata }) };
}

/** Documents in groups of about `GROUP_RECORDS`, none of them divided. */
function* grouped(all: readonly CutDocument[]): Generator<CutDocument[]> {
  let group: CutDocument[] = [];
  let records = 0;
  for (const one of all) {
    group.push(one);
    records += one.records.length;
    if (records < GROUP_RECORDS) continue;
    yield group;
    group = [];
    records = 0;
  }
  if (group.length > 0) yield group;
}

async function begin(options: IngestChunksOptions, total: number): Promise<Run> {
  const { store, batchSize, signal, onProgress } = options;
  if (batchSize !== undefined) wholeNumber('batchSize', batchSize, 1);
  if (typeof store?.upsert !== 'function') throw invalidOption('store', store, 'a vector store');
  const embedder = asEmbedder(options.embedder);
  throwIfAborted(signal);
  const run: Run = {
    embedder,
    store,
    batchSize,
    signal,
    progress: (stage, done) => onProgress?.({ stage, done, total }),
  };
  await checkSameEmbedder(run);
  return run;
}

/** Vectors of two models cannot be compared, though nothing would fail. */
async function checkSameEmbedder({ store, embedder, signal }: Run): Promise<void> {
  if (!(store instanceof RecordStore)) return;
  const { id } = embedder;
  const there = store.vectorSize.count === 0 ? id : (store.meta.embedder ?? id);
  if (there === id) return checkUnnamed(store, embedder, signal);
  throw new ShelfmarkError(
    'EMBEDDER_MISMATCH',
    `The store holds vectors of ${show(there)}, the embedder given is ${show(id)}; use the former, or an empty store.`,
  );
}

async function embed(records: readonly ChunkRecord[], run: Run, before: number): Promise<Float32Array[]> {
  const { embedder, batchSize, signal } = run;
  const texts = records.map((record) => readingOf(record, record.text));
  const onProgress = ({ done }: { done: number }) => run.progress('embed', before + done);
  const vectors = await embedTexts(embedder, texts, { batchSize, signal, onProgress });
  throwIfAborted(signal);
  return vectors;
}

/** Puts whole documents in place of what the store has of them. `vectors` are those of all their records. */
async function replace(
  group: readonly CutDocument[],
  vectors: readonly Float32Array[],
  { store, embedder }: Run,
): Promise<void> {
  let at = 0;
  const puts = group.map((one) => ({ ...one, vectors: vectors.slice(at, (at += one.records.length)) }));
  if (store instanceof RecordStore) {
    await store.putDocuments(puts, [], { embedder: embedder.id });
    return;
  }
  await store.removeMany(puts.map(({ id }) => id));
  await store.upsert(
    puts.flatMap((one) => one.records.map((record, n) => ({ ...record, embedding: one.vectors[n]! }))),
  );
}

const refusal = (uri: string, reason: string): Refusal => ({ uri, code: 'EMPTY_DOCUMENT', reason });
