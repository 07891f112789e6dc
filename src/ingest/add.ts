import { hasCode, ShelfmarkError, throwIfAborted } from '../errors.ts';
import { decodeText } from '../kernel/kernel.ts';
import { sameData } from '../store/metadata.ts';
import type { Entry } from '../store/table.ts';
import type { Embedder, IndexReport, SplitterDocument, SyncReport } from '../types.ts';
import { TokenCap } from './cap.ts';
import { completeDocuments, embedGroup, inGroups, loadModel, missing, truncatedIn } from './embed.ts';
import {
  checkDocuments,
  type DocumentInfo,
  type Fingerprint,
  fingerprint,
  type Prepared,
  prepare,
} from './prepare.ts';
import {
  type AddOptions,
  beginRun,
  failure,
  finishRun,
  isHopeless,
  type Pipeline,
  pauser,
  type Run,
} from './run.ts';
import { TextWriter } from './text-writer.ts';

/** What became of the documents given. */
interface Sorted {
  /** To be stored. */
  changed: Prepared[];
  /** Of those, the ones the index did not have. */
  fresh: Set<string>;
  /** Stored as they are, but for vectors. */
  pending: string[];
}

/**
 * Splits, stores and embeds documents. One that was stored with the same text, title, metadata and
 * splitter, and cut to what the embedder reads, is left alone, and no chunk is embedded whose vector is known from any document. A document that
 * fails is reported and the others go on; what would make every one of them fail rejects.
 */
export async function addDocuments(
  documents: readonly SplitterDocument[],
  pipeline: Pipeline,
  options: AddOptions,
): Promise<IndexReport> {
  checkDocuments(documents);
  const run = beginRun(pipeline, options);
  throwIfAborted(options.signal);
  return finishRun(run, async () => {
    await store(documents, run);
  });
}

/** Makes the index hold these documents and no others. */
export async function syncDocuments(
  documents: readonly SplitterDocument[],
  pipeline: Pipeline,
  options: AddOptions,
): Promise<SyncReport> {
  checkDocuments(documents);
  const run = beginRun(pipeline, options);
  throwIfAborted(options.signal);
  const counts = { added: 0, changed: 0, unchanged: 0 };
  const report = await finishRun(run, async () => {
    const sorted = await store(documents, run);
    const failed = new Set(run.report.failed.map(({ uri }) => uri));
    const whole = sorted.changed.filter(({ id }) => !failed.has(id));
    counts.added = whole.filter(({ id }) => sorted.fresh.has(id)).length;
    counts.changed = whole.length - counts.added;
    counts.unchanged = documents.length - whole.length - failed.size;
    const given = new Set(documents.map(({ uri }) => uri));
    // Only now, so that what has moved to another uri was not embedded again.
    const gone = [...run.store.entries.keys()].filter((id) => !given.has(id));
    if (gone.length > 0) await run.store.putDocuments([], gone, {});
    run.report.removed = gone.length;
  });
  return { ...report, ...counts };
}

/** Finds out what has changed, and cuts it; hands each document to a writer, if any. */
async function sort(documents: readonly SplitterDocument[], run: Run, writer?: TextWriter): Promise<Sorted> {
  const { store: kept, splitter, embedder, analyzer, signal, onProgress, report } = run;
  const sorted: Sorted = { changed: [], fresh: new Set(), pending: [] };
  const pause = pauser();
  const cap = new TokenCap(run);
  for (const [at, document] of documents.entries()) {
    const text = decodeText(document.text);
    const { uri } = document;
    let prepared: Prepared | undefined;
    try {
      const info = fingerprint(document, text, splitter, analyzer);
      const entry = kept.entries.get(uri);
      if (!isUnchanged(entry, info) || !(await cap.accepts(entry.info as DocumentInfo))) {
        prepared = await prepare(document, text, info, run, cap);
        sorted.changed.push(prepared);
        if (entry === undefined) sorted.fresh.add(uri);
      } else if (embedder !== undefined && entry.pending !== undefined) sorted.pending.push(uri);
      else report.skipped++;
    } catch (error) {
      throwIfAborted(signal);
      if (isHopeless(error)) throw error;
      report.failed.push(failure(uri, error, 'INVALID_DOCUMENT'));
    }
    onProgress?.({ stage: 'split', done: at + 1, total: documents.length });
    if (prepared !== undefined) await writer?.add(prepared);
    await pause();
    throwIfAborted(signal);
  }
  return sorted;
}

function isUnchanged(entry: Entry | undefined, now: Fingerprint): entry is Entry {
  const then = entry?.info as DocumentInfo | undefined;
  return (
    then !== undefined &&
    then.source === now.source &&
    then.splitter === now.splitter &&
    then.analyzer === now.analyzer &&
    then.title === now.title &&
    sameData(then.metadata, now.metadata)
  );
}

/** Cuts and stores documents; where there is no space for all of it, the index is left as it was. */
async function store(documents: readonly SplitterDocument[], run: Run): Promise<Sorted> {
  const { embedder } = run;
  if (embedder !== undefined && !run.store.keepsPending) {
    const sorted = await sort(documents, run);
    await storeEmbedded(sorted.changed, run, embedder);
    return sorted;
  }
  const writer = new TextWriter(run);
  try {
    const sorted = await sort(documents, run, writer);
    await writer.end();
    await storeVectors(sorted, run);
    return sorted;
  } catch (error) {
    await writer.settled();
    if (!hasCode(error, 'QUOTA_EXCEEDED')) throw error;
    throw await undone(writer, run, error);
  }
}

/** Puts back what there was before a call that ran out of space, and says whether that went well. */
async function undone(
  { begun, before }: TextWriter,
  { store: kept }: Run,
  cause: ShelfmarkError,
): Promise<ShelfmarkError> {
  const old = new Set(before.map(({ id }) => id));
  // Only what is still this call's.
  const mine = begun.filter(({ id, info }) => {
    const entry = kept.entries.get(id);
    return entry !== undefined && (entry.info as DocumentInfo | undefined)?.hashes === info.hashes;
  });
  try {
    await kept.putDocuments(
      [],
      mine.filter(({ id }) => !old.has(id)).map(({ id }) => id),
      {},
    );
    const replaced = new Set(mine.map(({ id }) => id));
    const back = before.filter(({ id }) => replaced.has(id));
    if (back.length > 0) await kept.putDocuments(back, [], {});
    return cause;
  } catch (error) {
    // Not even that had room: the call's documents stay as far as they came, each whole.
    return new ShelfmarkError(
      'QUOTA_EXCEEDED',
      `There is no storage space left, and too little to undo the call: some of its documents are stored, found by words until there is room for their vectors. Remove documents or free space.`,
      { cause: error, estimate: cause.estimate },
    );
  }
}

/** Makes the vectors of documents that are stored. */
async function storeVectors({ changed, pending }: Sorted, run: Run): Promise<void> {
  const { embedder } = run;
  if (embedder === undefined) {
    for (const one of changed) run.report.unembedded += count(one.inputs.length, run);
    return;
  }
  const ids = [...changed.map(({ id }) => id), ...pending];
  const prepared = new Map(changed.map((one) => [one.id, one]));
  await run.oneAtATime(() => completeDocuments(ids, run, embedder, prepared), run.signal);
  const failed = new Set(run.report.failed.map(({ uri }) => uri));
  for (const one of changed) {
    count(one.inputs.length, run);
    // Stored all the same, and found by words.
    if (failed.has(one.id)) run.report.unembedded += missing(one);
  }
  for (const id of pending) {
    if (!failed.has(id)) count(run.store.entries.get(id)?.rows.length ?? 0, run);
  }
}

/** For a store that keeps nothing without its vector: embeds first. */
async function storeEmbedded(changed: readonly Prepared[], run: Run, embedder: Embedder): Promise<void> {
  if (changed.length === 0) return;
  const { store: kept, splitter, analyzer, signal, onProgress, report } = run;
  const total = changed.reduce((sum, one) => sum + missing(one), 0);
  const meta = { splitter: splitter.id, analyzer, embedder: embedder.id };
  await loadModel(embedder, run);
  let done = 0;
  for (const group of inGroups(changed, ({ inputs }) => inputs.length)) {
    const whole = await embedGroup(group, run, embedder, total);
    throwIfAborted(signal);
    if (whole.length > 0) {
      await kept.putDocuments(
        whole.map(({ put, vectors }) => ({ ...put, vectors })),
        [],
        meta,
      );
    }
    for (const one of whole) {
      count(one.inputs.length, run);
      report.truncated.push(...truncatedIn(one, embedder));
    }
    done += group.length;
    onProgress?.({ stage: 'store', done, total: changed.length });
  }
}

function count(chunks: number, { report }: Run): number {
  report.documents++;
  report.chunks += chunks;
  return chunks;
}
