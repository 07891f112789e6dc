/// <reference lib="webworker" />
import { transformersEmbedder } from '../src/embed/transformers.ts';
import { type Embedder, type Index, openIndex, type Progress, type SplitPiece } from '../src/index.ts';
import { breathe } from './dom.ts';
import type { CallName, Calls, EmbedCounts, FromWorker, ListedPiece, ToWorker } from './engine-protocol.ts';
import { sentence } from './format.ts';
import { isList, readSettings, recordStarts, shelfSplitter } from './split-settings.ts';

// The library runs here, whole: splitting 5 MB, loading the model and embedding never hold up typing.

type Answers = {
  [Name in CallName]: (
    call: { id: number; signal: AbortSignal },
    ...args: Parameters<Calls[Name]>
  ) => Promise<ReturnType<Calls[Name]>>;
};

const counts: EmbedCounts = { passages: 0, questions: 0, loads: 0, passageMs: 0, loadMs: 0 };
const running = new Map<number, AbortController>();
let splitMs = 0;
let embedder: Embedder;
let opened: Promise<Index> | undefined;
/** Another tab deleted the index, and the page has not been told yet. */
let lost = false;
let deleting = false;

const post = (message: FromWorker): void =>
  (self as unknown as DedicatedWorkerGlobalScope).postMessage(message);

const withoutText = ({ text: _text, ...piece }: SplitPiece): ListedPiece => piece;

/** The embedder, counted and timed; it lets a message in between batches, so that cancelling is heard. */
function counted(inner: Embedder): Embedder {
  let loading: Promise<void> | undefined;
  const load = async (options?: { signal?: AbortSignal | undefined }): Promise<void> => {
    const started = performance.now();
    await inner.load?.(options);
    counts.loads++;
    counts.loadMs = performance.now() - started;
  };
  const ready = (options?: { signal?: AbortSignal | undefined }): Promise<void> => {
    loading ??= load(options).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    id: inner.id,
    get dimensions() {
      return inner.dimensions;
    },
    get maxInputTokens() {
      return inner.maxInputTokens;
    },
    get semanticWeight() {
      return inner.semanticWeight;
    },
    get minScore() {
      return inner.minScore;
    },
    load: ready,
    async embed(texts, options = {}) {
      await ready({ signal: options.signal });
      await breathe();
      options.signal?.throwIfAborted();
      const started = performance.now();
      const vectors = await inner.embed(texts, options);
      if (options.kind === 'query') counts.questions += texts.length;
      else {
        counts.passages += texts.length;
        counts.passageMs += performance.now() - started;
      }
      return vectors;
    },
  };
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;

function tellReopened(): void {
  lost = false;
  post({ type: 'reopened' });
}

/** The index; where it could not be opened, the next call tries again. */
function open(): Promise<Index> {
  if (opened === undefined) {
    const splitter = shelfSplitter(({ uri, text, metadata }, pieces, elapsed) => {
      splitMs += elapsed;
      const records = recordStarts(text, readSettings(metadata, uri), uri);
      post({ type: 'split', uri, pieces: pieces.map(withoutText), records });
    });
    opened = openIndex({ name: 'shelfmark-demo', embedder, splitter }).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    if (lost) void opened.then(tellReopened, () => undefined);
  }
  return opened;
}

/** Asks the index; where another tab deleted it, once more of a new one. */
async function ask<T>(work: (index: Index) => Promise<T>): Promise<T> {
  const asked = open();
  try {
    return await work(await asked);
  } catch (error) {
    if (deleting || codeOf(error) !== 'STORE_CLOSED') throw error;
    if (opened === asked) {
      opened = undefined;
      lost = true;
    }
    return work(await open());
  }
}

const answers: Answers = {
  async open(_call, where) {
    embedder = counted(transformersEmbedder(where));
    await open();
  },
  async documents() {
    const documents = await ask((index) => index.documents());
    return documents.map(({ uri, chunks, vectors, metadata }) => ({
      uri,
      chunks,
      vectors,
      split: readSettings(metadata, uri),
    }));
  },
  text: (_call, uri) => ask((index) => index.text(uri)),
  async chunks(_call, uri) {
    const chunks = await ask((index) => index.chunks(uri));
    return chunks.map(({ charStart = 0, charEnd = 0, heading, headingPath, context }) => ({
      charStart,
      charEnd,
      ...(heading !== undefined && { heading }),
      ...(headingPath !== undefined && { headingPath }),
      ...(context !== undefined && { context }),
    }));
  },
  async records(_call, uri, split) {
    const text = isList(split) ? await ask((index) => index.text(uri)) : undefined;
    return text === undefined ? undefined : recordStarts(text, split, uri);
  },
  async add({ id, signal }, documents) {
    const before = { splitMs, ...counts };
    const given = documents.map(({ uri, text, split }) => ({ uri, text, metadata: { split: { ...split } } }));
    const onProgress = (progress: Progress): void => post({ type: 'progress', id, progress });
    const report = await ask((index) => index.add(given, { signal, onProgress }));
    const split = splitMs - before.splitMs;
    const embedMs = counts.passageMs - before.passageMs;
    const loadMs = counts.loads > before.loads ? counts.loadMs : 0;
    return {
      report,
      splitMs: split,
      embedMs,
      storeMs: Math.max(0, report.elapsedMs - split - embedMs - loadMs),
    };
  },
  async search({ signal }, question, topK) {
    // Until the model is there the words answer alone; then the page asks again.
    const mode = counts.loads > 0 ? 'hybrid' : 'auto';
    const hits = await ask((index) => index.search(question, { topK, mode, signal }));
    return {
      hits: hits.map(({ neighbours: _neighbours, ...hit }) => hit),
      legs: hits.legStates,
      ...(hits.legError !== undefined && { fault: sentence(hits.legError) }),
    };
  },
  explain: (_call, id, question, topK, mode) =>
    ask((index) => index.explain({ id }, question, { topK, mode })),
  warm: async () => embedder.load?.(),
  async remove(_call, uri) {
    await ask((index) => index.remove([uri]));
  },
  exported: () => ask((index) => index.export()),
  async stats() {
    const { chunks, vectorBytes } = await ask((index) => index.stats());
    return { chunks, vectorBytes };
  },
  async destroy() {
    // What is still being asked must not make it anew.
    deleting = true;
    try {
      await (await open()).destroy();
    } catch (error) {
      deleting = false;
      throw error;
    }
  },
};

self.addEventListener('message', async ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'abort') {
    running.get(data.id)?.abort();
    return;
  }
  const { id, name, args } = data;
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const answer = answers[name] as (call: object, ...args: unknown[]) => Promise<unknown>;
    const value = await answer({ id, signal: controller.signal }, ...args);
    post({ type: 'done', id, value, counts });
  } catch (error) {
    const code = codeOf(error) ?? 'WORKER_FAILED';
    post({
      type: 'failed',
      id,
      code,
      message: error instanceof Error ? error.message : String(error),
      counts,
    });
  } finally {
    running.delete(id);
  }
});
