import { ingestChunks } from '../../src/ingest/records.ts';
import { EmbeddingRetriever } from '../../src/retrieve/embedding.ts';
import { KeywordRetriever } from '../../src/retrieve/keyword.ts';
import { MemoryVectorStore } from '../../src/store/memory.ts';
import type { Retriever } from '../../src/types.ts';
import { ask, readSheet, type Sheet } from '../sheet.ts';
import { embedder } from './embedding.ts';
import { table } from './metrics.ts';

/** The sheet experiment with each leg alone. The dense one is told as it is. */
export async function reportSheet(): Promise<void> {
  const sheet = await readSheet();
  if (sheet === undefined) throw new Error('The sheet is not there.');
  const rows: string[][] = [];
  const tell = async (name: string, arm: string, retriever: Retriever, from: Sheet) => {
    const [far, near] = [await ask(retriever, from, 'far'), await ask(retriever, from, 'near')];
    const shown = [far, near].flatMap(({ found, of, mrr }) => [`${found}/${of}`, mrr.toFixed(3)]);
    rows.push([name, arm, ...shown]);
  };
  for (const [arm, chunks] of Object.entries(sheet.arms)) {
    for (const analyzer of ['ascii', 'unicode'] as const) {
      const words = new KeywordRetriever({ analyzer });
      words.add(chunks);
      await tell(`words, ${analyzer}`, arm, words, sheet);
    }
    const store = new MemoryVectorStore();
    await ingestChunks(chunks, { embedder, store });
    await tell('meaning, bundled model', arm, new EmbeddingRetriever(embedder, store), sheet);
  }
  const head = ['leg', 'chunks', 'far, in 10', 'far, MRR', 'near, in 10', 'near, MRR'];
  console.log(`\nThe sheet experiment\n\n${table(head, rows)}`);
}
