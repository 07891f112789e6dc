import { missingTexts } from '../store/table.ts';
import type { IndexReport } from '../types.ts';
import { completeDocuments } from './embed.ts';
import { type AddOptions, beginRun, failure, finishRun, type Pipeline } from './run.ts';

/** Writes afresh what was damaged, removes documents that have lost their texts, and embeds what lacks vectors. */
export async function repairDocuments(pipeline: Pipeline, options: AddOptions): Promise<IndexReport> {
  const run = beginRun(pipeline, options);
  const { store, embedder, report } = run;
  return finishRun(run, async () => {
    const lost = await store.removeTextless();
    for (const id of lost) report.failed.push(failure(id, missingTexts(id), 'STORE_CORRUPT'));
    report.removed = lost.length;
    await store.rewrite();
    if (embedder === undefined) return;
    await run.oneAtATime(() => completeDocuments([...store.entries.keys()], run, embedder), run.signal);
  });
}
