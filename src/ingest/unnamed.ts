import { embedTexts, unnamedEmbedder } from '../embed/embedder.ts';
import { ShelfmarkError } from '../errors.ts';
import type { DocumentStore } from '../store/store.ts';
import type { Embedder } from '../types.ts';

/** Cosine from which on two vectors are of one model: above what rounding to bytes costs, and below any two models. */
const SAME = 0.98;

/** Embedders seen to be the one that made a store's vectors. */
const seen = new WeakMap<object, WeakSet<Embedder>>();

type Kept = Pick<DocumentStore, 'entries' | 'meta' | 'readReadings' | 'vectorAt' | 'vectorSize'>;

/**
 * Tells embedders without an id apart, before vectors of two are mixed: once for each store and embedder, a text of the
 * store is embedded again and compared with the vector that is kept of it. Where there is none yet, this embedder is the
 * first. One that has an id is known by it.
 *
 * @throws ShelfmarkError `EMBEDDER_MISMATCH`; else what the embedder throws
 */
export async function checkUnnamed(store: Kept, embedder: Embedder, signal?: AbortSignal): Promise<void> {
  if (embedder.id !== unnamedEmbedder || seen.get(store)?.has(embedder)) return;
  const sample = store.meta.embedder === unnamedEmbedder ? await sampleOf(store) : undefined;
  if (sample !== undefined) {
    const [vector] = await embedTexts(embedder, [sample.text], { signal });
    // One of another length is refused where it is used.
    if (vector!.length === sample.vector.length && cosine(vector!, sample.vector) < SAME) {
      throw new ShelfmarkError(
        'EMBEDDER_MISMATCH',
        'The embedder given has no id, and it makes other vectors than those that are kept; open the index with the embedder that made them, or call reembed() to move to this one. Give each embedder an id to have them told apart.',
      );
    }
  }
  markUnnamed(store, embedder);
}

/** Says that the store's vectors are this embedder's. */
export function markUnnamed(store: object, embedder: Embedder): void {
  const known = seen.get(store) ?? new WeakSet();
  seen.set(store, known.add(embedder));
}

/** A text and its vector, of the first document that has one that says something. */
async function sampleOf(store: Kept): Promise<{ text: string; vector: Float32Array } | undefined> {
  for (const entry of store.entries.values()) {
    for (const at of entry.rows.keys()) {
      const vector = store.vectorAt({ entry, at });
      if (vector === undefined || vector.every((value) => value === 0)) continue;
      const copy = vector.slice();
      const [read] = await store.readReadings([entry.id]);
      const text = read?.entry.version === entry.version ? read.readings[at] : undefined;
      return text === undefined ? undefined : { text, vector: copy };
    }
  }
  return undefined;
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, aa, bb] = [0, 0, 0];
  for (const [d, x] of a.entries()) {
    dot += x * b[d]!;
    aa += x * x;
    bb += b[d]! * b[d]!;
  }
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
}
