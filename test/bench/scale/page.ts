import { openIndex } from '../../../src/index.ts';
import { clockedEmbedder, documentAt, questionAt, SECTIONS } from './corpus.ts';

/** What one size gave; times in milliseconds, a query's as [p50, p95]. */
export interface Measured {
  chunks: number;
  ingestMs: number;
  openMs: number;
  firstSearchMs: number;
  lexical: [number, number];
  semantic: [number, number];
  hybrid: [number, number];
  /** The JavaScript heap as the browser measures it, which leaves WebAssembly out, with vectors and words added. */
  memoryBytes: number;
  vectorBytes: number;
  lexicalBytes: number;
  diskBytes: number;
}

declare global {
  interface Window {
    measureScale(chunks: number, vectors: 'f32' | 'int8'): Promise<Measured>;
  }
}

/** Documents given to one call of `add`. */
const BATCH = 250;
const QUESTIONS = 40;
/** Times the index is opened; the median counts. */
const OPENINGS = 5;
const name = 'scale';

const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;

async function memory(): Promise<number> {
  const { measureUserAgentSpecificMemory: measure } = performance as unknown as {
    measureUserAgentSpecificMemory(): Promise<{ bytes: number }>;
  };
  return (await measure.call(performance)).bytes;
}

window.measureScale = async (chunks, vectors) => {
  const embedder = clockedEmbedder();
  /** Milliseconds of some work, the embedder's own taken off. */
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const [start, before] = [performance.now(), embedder.spent];
    await work();
    return performance.now() - start - (embedder.spent - before);
  };
  const diskBefore = (await navigator.storage.estimate()).usage ?? 0;
  let index = await openIndex({ name, embedder, vectors });
  let ingestMs = 0;
  const documents = Math.ceil(chunks / SECTIONS);
  for (let at = 0; at < documents; at += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, documents - at) }, (_, n) => documentAt(at + n));
    ingestMs += await timed(async () => {
      const { failed } = await index.add(batch);
      if (failed.length > 0) throw new Error(failed[0]!.reason);
    });
    if ((at / BATCH) % 10 === 9) console.info(`  … ${(at + BATCH) * SECTIONS} chunks`);
  }
  // One opening alone may meet the browser while it puts its files in order.
  const opens: number[] = [];
  while (opens.length < OPENINGS) {
    await index.close();
    opens.push(
      await timed(async () => {
        index = await openIndex({ name, embedder, vectors });
      }),
    );
  }
  opens.sort((a, b) => a - b);
  const openMs = percentile(opens, 0.5);
  const firstSearchMs = await timed(() => index.search(questionAt(0)));
  const asked = async (mode: 'lexical' | 'semantic' | 'hybrid'): Promise<[number, number]> => {
    const times: number[] = [];
    for (let n = 0; n < QUESTIONS; n++) {
      times.push(
        await timed(async () => {
          if ((await index.search(questionAt(n), { mode })).length === 0) throw new Error(`${mode}: no hits`);
        }),
      );
    }
    times.sort((a, b) => a - b);
    return [percentile(times, 0.5), percentile(times, 0.95)];
  };
  const [lexical, semantic, hybrid] = [
    await asked('lexical'),
    await asked('semantic'),
    await asked('hybrid'),
  ];
  const stats = await index.stats();
  const measured: Measured = {
    chunks: stats.chunks,
    ingestMs,
    openMs,
    firstSearchMs,
    lexical,
    semantic,
    hybrid,
    memoryBytes: (await memory()) + stats.vectorBytes + stats.lexicalBytes,
    vectorBytes: stats.vectorBytes,
    lexicalBytes: stats.lexicalBytes,
    diskBytes: ((await navigator.storage.estimate()).usage ?? 0) - diskBefore,
  };
  await index.destroy();
  return measured;
};
