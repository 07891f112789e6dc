import { type ErrorCode, hasCode, messageOf, ShelfmarkError } from '../errors.ts';
import { knownOptions, maybeFunction, maybeSignal } from '../options.ts';
import type { DocumentStore } from '../store/store.ts';
import type { Embedder, IndexFailure, IndexReport, Progress, Splitter } from '../types.ts';

/** Lets the page breathe, at the end of each document or group of chunks. */
export { breather as pauser } from '../embed/abort.ts';

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
  /** Runs one stretch of embedding at a time, so that two calls never embed the same chunk; a signal ends the wait. */
  oneAtATime: <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;
}

/** One call: what it works with and what it has to tell. */
export interface Run extends Pipeline, AddOptions {
  report: IndexReport;
}

/** Begins a call with nothing done yet. Throws `INVALID_OPTION`. */
export function beginRun(pipeline: Pipeline, options: AddOptions): Run {
  const { signal, onProgress } = knownOptions(options, { signal: true, onProgress: true });
  maybeSignal(signal);
  maybeFunction('onProgress', onProgress);
  const report: IndexReport = {
    documents: 0,
    chunks: 0,
    embedded: 0,
    unembedded: 0,
    skipped: 0,
    removed: 0,
    failed: [],
    truncated: [],
    embedder: pipeline.embedder?.id,
    splitter: pipeline.splitter.id,
    elapsedMs: 0,
  };
  return { ...pipeline, signal, onProgress: telling(onProgress), report };
}

/** Runs the work of a call and times it; what the caller's own callback threw is thrown as it was. */
export async function finishRun(run: Run, work: () => Promise<void>): Promise<IndexReport> {
  const started = performance.now();
  try {
    await work();
  } catch (error) {
    throw error instanceof CallbackError ? error.cause : error;
  }
  run.report.elapsedMs = performance.now() - started;
  return run.report;
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
export const isHopeless = (error: unknown): boolean =>
  error instanceof CallbackError || hasCode(error, 'MODEL_LOAD_FAILED', 'WORKER_FAILED');

/** @param code Stands for errors that are not of this library: the splitter's or the embedder's own. */
export function failure(uri: string, error: unknown, code: ErrorCode): IndexFailure {
  const reason = messageOf(error);
  return { uri, code: error instanceof ShelfmarkError ? error.code : code, reason };
}
