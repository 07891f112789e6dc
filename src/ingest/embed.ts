import { untilAborted } from '../embed/abort.ts';
import { embedTexts } from '../embed/embedder.ts';
import { tokensAtMost } from '../embed/token-bound.ts';
import { throwIfAborted } from '../errors.ts';
import type { DocumentStore } from '../store/store.ts';
import type { Entry } from '../store/table.ts';
import type { Embedder, IndexReport, LoadOptions } from '../types.ts';
import { hashesOf, knownVectors } from './known.ts';
import type { DocumentInfo } from './prepare.ts';
import { type AddOptions, failure, isHopeless, type Run } from './run.ts';
import { checkUnnamed } from './unnamed.ts';

/** Chunks embedded at a time. */
const GROUP_CHUNKS = 256;
/**
 * Their vectors are committed when there are so many or, where the model is slow, when so many milliseconds have gone by:
 * about what an abort can cost. Each commit writes segments that the last one left half full.
 */
const COMMIT_CHUNKS = 2048;
const COMMIT_MS = 500;

/** A document whose chunks are to be embedded. */
export interface Embeddable {
  id: string;
  /** What each chunk is embedded as. */
  inputs: readonly string[];
  /** The vectors as far as they are known. */
  vectors: (Float32Array | undefined)[];
  /** Known to be no longer than the model reads, so that nothing need be counted. */
  short?: boolean;
}

/** Chunks of a document that have no vector yet. */
export const missing = ({ vectors }: Embeddable): number =>
  vectors.filter((vector) => vector === undefined).length;

/** Loads the model, telling how far it is. */
export const loadModel = (embedder: Embedder, run: AddOptions): Promise<void> =>
  telling(run, (options) => embedder.load?.(options));

/** Loads what counts its tokens, likewise. */
export const loadTokenizer = (embedder: Embedder, run: AddOptions): Promise<void> =>
  telling(run, (options) => embedder.loadTokenizer?.(options));

async function telling(
  { signal, onProgress }: AddOptions,
  load: (options: LoadOptions) => Promise<void> | undefined,
): Promise<void> {
  const loading = load({
    signal,
    onProgress: ({ loaded, total }) =>
      onProgress?.({ stage: 'load-model', done: loaded, total, bytes: loaded }),
  });
  // An embedder of one's own may know nothing of signals.
  if (loading !== undefined) await untilAborted(loading, signal);
}

/**
 * Embeds documents at once or, where that fails, one by one, so that only the faulty ones are left out; answers those
 * that have all of their vectors. What would fail for each of them rejects.
 */
export async function embedGroup<T extends Embeddable>(
  group: readonly T[],
  run: Run,
  embedder: Embedder,
  total: number,
): Promise<readonly T[]> {
  const { signal, report } = run;
  try {
    await embedMissing(group, run, embedder, total);
    return group;
  } catch (error) {
    throwIfAborted(signal);
    if (isHopeless(error)) throw error;
    if (group.length === 1) {
      report.failed.push(failure(group[0]!.id, error, 'EMBEDDER_FAILED'));
      return [];
    }
  }
  const whole: T[] = [];
  for (const one of group) whole.push(...(await embedGroup([one], run, embedder, total)));
  return whole;
}

/** Embeds what a group still lacks, each string once. */
async function embedMissing(
  group: readonly Embeddable[],
  { signal, onProgress, report }: Run,
  embedder: Embedder,
  total: number,
): Promise<void> {
  const wanted = new Map<string, { one: Embeddable; at: number }[]>();
  for (const one of group) {
    one.inputs.forEach((input, at) => {
      if (one.vectors[at] !== undefined) return;
      const places = wanted.get(input);
      if (places === undefined) wanted.set(input, [{ one, at }]);
      else places.push({ one, at });
    });
  }
  const before = report.embedded;
  const vectors = await embedTexts(embedder, [...wanted.keys()], {
    signal,
    onProgress: ({ done }) => onProgress?.({ stage: 'embed', done: before + done, total }),
  });
  let index = 0;
  for (const places of wanted.values()) {
    for (const { one, at } of places) one.vectors[at] = vectors[index];
    index++;
  }
  report.embedded += vectors.length;
}

/** Documents in groups of about so many chunks; none is divided. */
export function* inGroups<T>(
  all: readonly T[],
  chunksOf: (one: T) => number,
  most = GROUP_CHUNKS,
): Generator<T[]> {
  let group: T[] = [];
  let chunks = 0;
  for (const one of all) {
    group.push(one);
    chunks += chunksOf(one);
    if (chunks < most) continue;
    yield group;
    group = [];
    chunks = 0;
  }
  if (group.length > 0) yield group;
}

/**
 * Embeds the chunks of stored documents whose vectors are still to come, and commits them a group of whole documents
 * at a time. Documents that others have changed or completed meanwhile are theirs.
 *
 * @param prepared What is at hand of some of the documents, so that their texts are not read again
 */
export async function completeDocuments(
  ids: readonly string[],
  run: Run,
  embedder: Embedder,
  prepared: ReadonlyMap<string, Embeddable & { info: DocumentInfo }> = new Map(),
): Promise<void> {
  const { store, signal, report } = run;
  await store.sync();
  const open = ids.flatMap((id) => {
    const pending = store.entries.get(id)?.pending;
    return pending === undefined ? [] : [{ id, chunks: pending.length }];
  });
  if (open.length === 0) return;
  const total = report.embedded + open.reduce((sum, { chunks }) => sum + chunks, 0);
  const known = knownVectors(store);
  await loadModel(embedder, run);
  await checkUnnamed(store, embedder, signal);
  let waiting: (Embeddable & { version: number })[] = [];
  let last = performance.now();
  const commit = async (whole: typeof waiting): Promise<void> => {
    if (whole.length === 0) return;
    const puts = whole.map(({ id, version, vectors }) => ({ id, version, vectors }));
    const stored = new Set(await store.putVectors(puts, { embedder: embedder.id }));
    for (const one of whole) if (stored.has(one.id)) report.truncated.push(...truncatedIn(one, embedder));
  };
  // One at a time, while the next group is embedded.
  let committing: Promise<void> = Promise.resolve();
  const beginCommit = async (): Promise<void> => {
    await committing;
    const whole = waiting;
    waiting = [];
    last = performance.now();
    committing = commit(whole);
    // It is awaited before the next one, and at the end.
    committing.catch(() => {});
  };
  try {
    for (const some of inGroups(open, ({ chunks }) => chunks)) {
      throwIfAborted(signal);
      const wanted = some.map(({ id }) => id);
      const group = await embeddables(wanted, store, known, prepared);
      waiting.push(...(await embedGroup(group, run, embedder, total)));
      throwIfAborted(signal);
      const chunks = waiting.reduce((sum, { inputs }) => sum + inputs.length, 0);
      if (chunks >= COMMIT_CHUNKS || performance.now() - last >= COMMIT_MS) await beginCommit();
    }
    await beginCommit();
  } finally {
    // Whatever has failed, the call ends when nothing of it is under way.
    await Promise.allSettled([committing]);
  }
  await committing;
}

/** Documents that still lack vectors, with what is to be embedded of them. */
async function embeddables(
  ids: readonly string[],
  store: DocumentStore,
  known: (hash: string) => Float32Array | undefined,
  prepared: ReadonlyMap<string, Embeddable & { info: DocumentInfo }>,
): Promise<(Embeddable & { version: number })[]> {
  await store.sync();
  const all: (Embeddable & { version: number })[] = [];
  const unread: string[] = [];
  const enter = (entry: Entry, { inputs, short = false }: Pick<Embeddable, 'inputs' | 'short'>): void => {
    const hashes = hashesOf((entry.info ?? { hashes: '' }) as DocumentInfo);
    const pending = new Set(entry.pending);
    const vectors = inputs.map((_, at) =>
      pending.has(at) ? known(hashes[at] ?? '') : store.vectorAt({ entry, at }),
    );
    all.push({ id: entry.id, version: entry.version, inputs, vectors, short });
  };
  for (const id of ids) {
    const entry = store.entries.get(id);
    if (entry?.pending === undefined) continue;
    const own = prepared.get(id);
    if (own !== undefined && own.info.hashes === (entry.info as DocumentInfo | undefined)?.hashes) {
      enter(entry, own);
    } else unread.push(id);
  }
  for (const { entry, readings } of await store.readReadings(unread)) enter(entry, { inputs: readings });
  return all;
}

/** Chunks longer than the model reads. */
export function truncatedIn(
  { id, inputs, short = false }: Embeddable,
  embedder: Embedder,
): IndexReport['truncated'] {
  const { maxInputTokens } = embedder;
  if (short || maxInputTokens === undefined || embedder.countTokens === undefined) return [];
  const added = embedder.countTokens('');
  return inputs.flatMap((input, at) => {
    // Counting costs about as much as embedding by a small model.
    if (tokensAtMost(input) + added <= maxInputTokens) return [];
    const tokens = embedder.countTokens!(input);
    return tokens > maxInputTokens ? [{ id: `${id}#${at}`, chars: input.length, tokens }] : [];
  });
}
