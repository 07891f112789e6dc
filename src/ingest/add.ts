import { untilAborted } from '../embed/abort.ts';
import { embedTexts } from '../embed/embedder.ts';
import { type ErrorCode, messageOf, ShelfmarkError, throwIfAborted } from '../errors.ts';
import { decodeText } from '../kernel/kernel.ts';
import { sameData } from '../store/metadata.ts';
import type { DocumentStore } from '../store/store.ts';
import type { Embedder, IndexFailure, IndexReport, Progress, Splitter, SplitterDocument } from '../types.ts';
import {
  checkDocuments,
  type DocumentInfo,
  fingerprint,
  HASH_CHARS,
  type Prepared,
  prepare,
} from './prepare.ts';

/** Documents are committed together until one of these is reached; each is still whole or absent. */
const GROUP_CHUNKS = 256;
const GROUP_CHARS = 2_000_000;

export interface AddOptions {
  /** Cancels within one batch of embeddings; the documents stored by then stay, each whole. */
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

export interface Pipeline {
  store: DocumentStore;
  splitter: Splitter;
  embedder: Embedder | undefined;
  /** Identity of the analyser that reads the words. */
  analyzer: string;
}

/** One call of `addDocuments`: what it works with and what it has to tell. */
interface Run extends Pipeline, AddOptions {
  report: IndexReport;
}

/**
 * Splits, embeds and stores documents. One that was stored with the same text, title, metadata and
 * splitter is left alone, and no chunk is embedded whose vector is known from any document. A document that
 * fails is reported and the others go on; what would make every one of them fail rejects.
 */
export async function addDocuments(
  documents: readonly SplitterDocument[],
  pipeline: Pipeline,
  options: AddOptions,
): Promise<IndexReport> {
  const started = performance.now();
  const { embedder, splitter } = pipeline;
  const report: IndexReport = {
    documents: 0,
    chunks: 0,
    embedded: 0,
    unembedded: 0,
    skipped: 0,
    removed: 0,
    failed: [],
    truncated: [],
    embedder: embedder?.id,
    splitter: splitter.id,
    elapsedMs: 0,
  };
  checkDocuments(documents);
  throwIfAborted(options.signal);
  const run = { ...pipeline, ...options, report, onProgress: telling(options.onProgress) };
  try {
    const prepared = await splitChanged(documents, run);
    if (embedder === undefined) await storeGroups(prepared, run, async (group) => group);
    else await embedAndStore(prepared, run, embedder);
  } catch (error) {
    throw error instanceof CallbackError ? error.cause : error;
  }
  report.elapsedMs = performance.now() - started;
  return report;
}

/** Cuts the documents that are not in the store as they are. */
async function splitChanged(documents: readonly SplitterDocument[], run: Run): Promise<Prepared[]> {
  const { store, splitter, embedder, analyzer, signal, onProgress, report } = run;
  const prepared: Prepared[] = [];
  const pause = pauser();
  for (const [at, document] of documents.entries()) {
    const text = decodeText(document.text);
    try {
      const info = fingerprint(document, text, splitter, analyzer);
      if (isUnchanged(store, document.uri, info, embedder !== undefined)) report.skipped++;
      else prepared.push(prepare(document, text, info, splitter));
    } catch (error) {
      report.failed.push(failure(document.uri, error, 'INVALID_DOCUMENT'));
    }
    onProgress?.({ stage: 'split', done: at + 1, total: documents.length });
    await pause();
    throwIfAborted(signal);
  }
  return prepared;
}

async function embedAndStore(prepared: readonly Prepared[], run: Run, embedder: Embedder): Promise<void> {
  if (prepared.length === 0) return;
  const { store, signal, onProgress, report } = run;
  const known = knownVectors(store);
  for (const { info, vectors } of prepared) {
    for (const [at, hash] of hashesOf(info).entries()) vectors[at] = known(hash);
  }
  const total = prepared.reduce((sum, one) => sum + missing(one), 0);
  if (total > 0) {
    const loading = embedder.load?.({
      signal,
      onProgress: ({ loaded, total: size }) =>
        onProgress?.({ stage: 'load-model', done: loaded, total: size, bytes: loaded }),
    });
    // An embedder of one's own may know nothing of signals.
    if (loading !== undefined) await untilAborted(loading, signal);
  }
  const embed = async (part: readonly Prepared[]) => {
    const before = report.embedded;
    report.embedded += await embedMissing(part, embedder, signal, (done) =>
      onProgress?.({ stage: 'embed', done: before + done, total }),
    );
  };
  await storeGroups(prepared, run, (group) => embedGroup(group, embed, report.failed, signal));
}

/** Completes the documents group by group, and commits what is complete of each in one transaction. */
async function storeGroups(
  prepared: readonly Prepared[],
  { store, splitter, embedder, analyzer, signal, onProgress, report }: Run,
  complete: (group: readonly Prepared[]) => Promise<readonly Prepared[]>,
): Promise<void> {
  const meta = { splitter: splitter.id, analyzer, ...(embedder !== undefined && { embedder: embedder.id }) };
  let done = 0;
  for (const group of grouped(prepared)) {
    const whole = await complete(group);
    throwIfAborted(signal);
    if (whole.length > 0) {
      const puts = whole.map(({ put, vectors }) => ({ ...put, vectors }));
      await store.putDocuments(puts, [], meta);
    }
    for (const one of whole) {
      report.documents++;
      report.chunks += one.inputs.length;
      report.unembedded += missing(one);
      if (embedder !== undefined) report.truncated.push(...truncatedIn(one, embedder));
    }
    done += group.length;
    onProgress?.({ stage: 'store', done, total: prepared.length });
  }
}

/** Chunks of a document that have no vector yet. */
const missing = ({ vectors }: Prepared): number => vectors.filter((vector) => vector === undefined).length;

/** The hashes of what a document's chunks are embedded as. */
const hashesOf = ({ hashes }: DocumentInfo): string[] =>
  hashes.match(new RegExp(`.{${HASH_CHARS}}`, 'g')) ?? [];

function isUnchanged(
  store: DocumentStore,
  uri: string,
  now: Omit<DocumentInfo, 'hashes'>,
  wantsVectors: boolean,
): boolean {
  const entry = store.entries.get(uri);
  const then = entry?.info as DocumentInfo | undefined;
  if (then === undefined || (wantsVectors && entry?.pending !== undefined)) return false;
  return (
    then.source === now.source &&
    then.splitter === now.splitter &&
    then.analyzer === now.analyzer &&
    then.title === now.title &&
    sameData(then.metadata, now.metadata)
  );
}

/** Finds the vector of a string among all chunks stored, whichever document they are in. */
function knownVectors(store: DocumentStore): (hash: string) => Float32Array | undefined {
  const places = new Map<string, { id: string; at: number }>();
  for (const [id, entry] of store.entries) {
    const info = entry.info as DocumentInfo | undefined;
    if (info === undefined) continue;
    for (const [at, hash] of hashesOf(info).entries()) places.set(hash, { id, at });
  }
  return (hash) => {
    const place = places.get(hash);
    const entry = place && store.entries.get(place.id);
    return entry && store.vectorAt({ entry, at: place.at });
  };
}

function* grouped(all: readonly Prepared[]): Generator<Prepared[]> {
  let group: Prepared[] = [];
  let [chunks, chars] = [0, 0];
  for (const one of all) {
    group.push(one);
    chunks += one.inputs.length;
    chars += one.put.text?.length ?? 0;
    if (chunks < GROUP_CHUNKS && chars < GROUP_CHARS) continue;
    yield group;
    group = [];
    [chunks, chars] = [0, 0];
  }
  if (group.length > 0) yield group;
}

/** Embeds what a group still lacks, each string once; answers how many chunks got a vector that way. */
async function embedMissing(
  group: readonly Prepared[],
  embedder: Embedder,
  signal: AbortSignal | undefined,
  onBatch: (done: number) => void,
): Promise<number> {
  const wanted = new Map<string, { one: Prepared; at: number }[]>();
  for (const one of group) {
    one.inputs.forEach((input, at) => {
      if (one.vectors[at] !== undefined) return;
      const places = wanted.get(input);
      if (places === undefined) wanted.set(input, [{ one, at }]);
      else places.push({ one, at });
    });
  }
  const vectors = await embedTexts(embedder, [...wanted.keys()], {
    signal,
    onProgress: ({ done }) => onBatch(done),
  });
  let index = 0;
  for (const places of wanted.values()) {
    for (const { one, at } of places) one.vectors[at] = vectors[index];
    index++;
  }
  return vectors.length;
}

/** Embeds a group at once or, where that fails, one by one, so that only the faulty ones are left out. */
async function embedGroup(
  group: readonly Prepared[],
  embed: (part: readonly Prepared[]) => Promise<void>,
  failed: IndexFailure[],
  signal: AbortSignal | undefined,
): Promise<readonly Prepared[]> {
  try {
    await embed(group);
    return group;
  } catch (error) {
    throwIfAborted(signal);
    if (isHopeless(error)) throw error;
    if (group.length === 1) {
      failed.push(failure(group[0]!.put.id, error, 'EMBEDDER_FAILED'));
      return [];
    }
  }
  const whole: Prepared[] = [];
  for (const one of group) whole.push(...(await embedGroup([one], embed, failed, signal)));
  return whole;
}

/** What a caller's own callback threw: no document's fault, so that it ends the call as it is. */
class CallbackError extends Error {}

const telling = (onProgress: AddOptions['onProgress']): AddOptions['onProgress'] =>
  onProgress &&
  ((progress) => {
    try {
      onProgress(progress);
    } catch (cause) {
      throw new CallbackError('onProgress failed', { cause });
    }
  });

/** Whether an error would meet every other document too. */
const isHopeless = (error: unknown): boolean =>
  error instanceof CallbackError ||
  (error instanceof ShelfmarkError && ['MODEL_LOAD_FAILED', 'WORKER_FAILED'].includes(error.code));

/** @param code Stands for errors that are not of this library: the splitter's or the embedder's own. */
function failure(uri: string, error: unknown, code: ErrorCode): IndexFailure {
  const reason = messageOf(error);
  return { uri, code: error instanceof ShelfmarkError ? error.code : code, reason };
}

function truncatedIn({ put, inputs }: Prepared, embedder: Embedder): IndexReport['truncated'] {
  const { maxInputTokens } = embedder;
  if (maxInputTokens === undefined || embedder.countTokens === undefined) return [];
  return inputs.flatMap((input, at) => {
    // No tokeniser makes more tokens than bytes, and counting costs about as much as embedding.
    if (input.length * 3 < maxInputTokens) return [];
    const tokens = embedder.countTokens!(input);
    return tokens > maxInputTokens ? [{ id: put.records[at]!.id, chars: input.length, tokens }] : [];
  });
}

/** Lets the page breathe: resolves at once, but for once in 50 ms of work. */
function pauser(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < 50) return;
    await new Promise((resolve) => setTimeout(resolve));
    last = performance.now();
  };
}
