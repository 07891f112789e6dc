import { type EmbedderLike, openIndex, type SplitterDocument } from '../../src/index.ts';
import { connectIndex } from '../../src/worker/index.ts';
import { lettersEmbedder } from '../letters-embedder.ts';
import { site } from './documents.ts';

/** Something to await that a test settles. */
export interface Gate {
  open: () => void;
  opened: Promise<void>;
}

export function gate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** An index in memory. */
export async function filled(documents: SplitterDocument[] = site, embedder?: EmbedderLike) {
  const index = await openIndex({ persist: false, embedder });
  await index.add(documents);
  return index;
}

/** An index in a worker, filled there. */
export async function inWorker() {
  const worker = new Worker(new URL('./search.worker.ts', import.meta.url), { type: 'module' });
  const index = await connectIndex(worker);
  await index.add(site);
  return index;
}

/** The file of an index, with vectors where there is an embedder. */
export async function shelf(
  documents: SplitterDocument[] = site,
  embedder?: EmbedderLike,
): Promise<number[]> {
  const index = await filled(documents, embedder);
  const blob = await index.export();
  return [...new Uint8Array(await blob.arrayBuffer())];
}

export { lettersEmbedder, openIndex, site };
