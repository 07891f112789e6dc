import { throwIfAborted } from '../errors.ts';
import type { StagedVectors } from '../store/rebuild.ts';
import type { Embedder, IndexReport } from '../types.ts';
import { completeDocuments, type Embeddable, embedGroup, inGroups, loadModel, truncatedIn } from './embed.ts';
import { type AddOptions, beginRun, finishRun, type Pipeline, type Run } from './run.ts';
import { markUnnamed } from './unnamed.ts';

/**
 * Moves an index to another embedder. The new vectors are put aside, a group of documents at a time, and take the place
 * of the old ones in one step when those of all documents are there; until then the old ones serve. What was put aside
 * by a call that was interrupted is not embedded again.
 *
 * @param from The embedder there was when the move was asked for
 */
export async function reembedDocuments(
  pipeline: Pipeline,
  options: AddOptions,
  from: string | undefined,
): Promise<IndexReport> {
  const run = beginRun(pipeline, options);
  throwIfAborted(options.signal);
  const embedder = pipeline.embedder!;
  return finishRun(run, async () => {
    const { store } = run;
    await store.sync();
    // Another tab may have done it while this call waited; the same embedder again is asked for on purpose.
    if (from !== embedder.id && store.meta.embedder === embedder.id) {
      await completeDocuments([...store.entries.keys()], run, embedder);
      return;
    }
    const done = new Map(
      (await store.staged())
        .filter((one) => one.embedder === embedder.id)
        .map((one) => [one.id, one.version]),
    );
    let left = [...store.entries.values()]
      .filter(({ id, version }) => done.get(id) !== version)
      .map(({ id }) => id);
    await loadModel(embedder, run);
    do {
      await stageDocuments(left, run, embedder);
      const failed = new Set(run.report.failed.map(({ uri }) => uri));
      // Documents may have come or changed meanwhile.
      left = await store.exchangeVectors(embedder.id);
      if (left.some((id) => failed.has(id))) return;
    } while (left.length > 0);
    markUnnamed(store, embedder);
    run.report.documents = store.entries.size;
    for (const { rows } of store.entries.values()) run.report.chunks += rows.length;
  });
}

async function stageDocuments(ids: readonly string[], run: Run, embedder: Embedder): Promise<void> {
  const { store, signal, report } = run;
  const chunksOf = (id: string): number => store.entries.get(id)?.rows.length ?? 0;
  const total = report.embedded + ids.reduce((sum, id) => sum + chunksOf(id), 0);
  for (const group of inGroups(ids, chunksOf)) {
    throwIfAborted(signal);
    const read = await store.readReadings(group);
    const all = read.map(({ entry, readings }): Embeddable & { version: number } => ({
      id: entry.id,
      version: entry.version,
      inputs: readings,
      vectors: readings.map(() => undefined),
    }));
    const whole = await embedGroup(all, run, embedder, total);
    throwIfAborted(signal);
    await store.stage(whole.map((one) => staged(one, embedder.id)));
    for (const one of whole) report.truncated.push(...truncatedIn(one, embedder));
  }
}

function staged({ id, version, vectors }: Embeddable & { version: number }, embedder: string): StagedVectors {
  const dimensions = vectors[0]?.length ?? 0;
  const values = new Float32Array(vectors.length * dimensions);
  for (const [at, vector] of vectors.entries()) values.set(vector!, at * dimensions);
  return { id, version, embedder, dimensions, values };
}
