import type { DocumentStore } from '../store/store.ts';
import type { Entry } from '../store/table.ts';
import { type DocumentInfo, HASH_CHARS } from './prepare.ts';

/** Chunks whose vectors are looked for one by one; for more, all hashes are put into a map first, which takes longer. */
const SOUGHT_APART = 16;
/** Bits a hash, each of two times: one in a thousand that are not there passes when it is full. */
const BITS = 32;
const SMALLEST = 1024;

/** The hashes of what a document's chunks are embedded as. */
export const hashesOf = ({ hashes }: DocumentInfo): string[] =>
  hashes.match(new RegExp(`.{${HASH_CHARS}}`, 'g')) ?? [];

/** The hash of one of them; a document of many chunks is not cut into all of its hashes for it. */
const hashAt = ({ hashes }: DocumentInfo, at: number): string =>
  hashes.slice(at * HASH_CHARS, (at + 1) * HASH_CHARS);

/** Finds the vector of a string among all chunks stored, whichever document they are in. */
export function knownVectors(store: DocumentStore): (hash: string) => Float32Array | undefined {
  const filter = filterOf(store);
  let places: Map<string, { id: string; at: number }> | undefined;
  let sought = 0;
  return (hash) => {
    if (hash.length !== HASH_CHARS || !filter.mayHave(hash)) return undefined;
    if (sought++ < SOUGHT_APART) return seek(store, hash);
    places ??= placesOf(store);
    const place = places.get(hash);
    const entry = place && store.entries.get(place.id);
    // The document may have changed since it was looked through.
    if (entry === undefined || hashAt(entry.info as DocumentInfo, place!.at) !== hash) return undefined;
    return store.vectorAt({ entry, at: place!.at });
  };
}

/** Looks through all documents for one hash. */
function seek(store: DocumentStore, hash: string): Float32Array | undefined {
  for (const entry of store.entries.values()) {
    const { hashes = '' } = (entry.info ?? {}) as Partial<DocumentInfo>;
    for (let from = hashes.indexOf(hash); from >= 0; from = hashes.indexOf(hash, from + 1)) {
      // Else it stands across two others.
      if (from % HASH_CHARS > 0) continue;
      const vector = store.vectorAt({ entry, at: from / HASH_CHARS });
      if (vector !== undefined) return vector;
    }
  }
  return undefined;
}

/** Where the string of each hash has its vector. */
function placesOf(store: DocumentStore): Map<string, { id: string; at: number }> {
  const places = new Map<string, { id: string; at: number }>();
  for (const [id, entry] of store.entries) {
    const info = entry.info as DocumentInfo | undefined;
    if (info === undefined) continue;
    const pending = new Set(entry.pending);
    for (const [at, hash] of hashesOf(info).entries()) if (!pending.has(at)) places.set(hash, { id, at });
  }
  return places;
}

/**
 * Which hashes may have a vector, as far as some bits of each tell: of one it says no to there is none. A call asks for
 * thousands that are new, and looking through all that are stored for them would take longer with every call.
 */
class HashFilter {
  #lineage: string | undefined;
  #generation = 0;
  /** Documents of which vectors were still to come. */
  #waiting = new Set<string>();
  #count = 0;
  #room = 0;
  #bits = new Uint32Array(0);

  /** Takes in what was stored since. */
  follow({ entries, meta }: DocumentStore): void {
    let chunks = 0;
    for (const { rows } of entries.values()) chunks += rows.length;
    const isOther = this.#lineage !== meta.lineage || this.#generation > meta.generation;
    // Those of documents that were replaced stay in it.
    if (isOther || chunks > this.#room || this.#count > this.#room * 2) this.#clear(chunks * 2);
    for (const entry of entries.values()) {
      if (entry.generation > this.#generation || this.#waiting.has(entry.id)) this.#add(entry);
    }
    this.#lineage = meta.lineage;
    this.#generation = meta.generation;
  }

  mayHave(hash: string): boolean {
    const [one, other] = this.#placesOf(hash, 0);
    return this.#has(one) && this.#has(other);
  }

  #clear(chunks: number): void {
    this.#room = SMALLEST;
    while (this.#room < chunks) this.#room *= 2;
    this.#bits = new Uint32Array((this.#room * BITS * 2) / 32);
    this.#generation = 0;
    this.#count = 0;
    this.#waiting.clear();
  }

  #add(entry: Entry): void {
    const { hashes = '' } = (entry.info ?? {}) as Partial<DocumentInfo>;
    const pending = new Set(entry.pending);
    for (let at = 0; (at + 1) * HASH_CHARS <= hashes.length; at++) {
      if (pending.has(at)) continue;
      for (const place of this.#placesOf(hashes, at * HASH_CHARS))
        this.#bits[place >>> 5]! |= 1 << (place & 31);
      this.#count++;
    }
    if (pending.size > 0) this.#waiting.add(entry.id);
    else this.#waiting.delete(entry.id);
  }

  /** A bit in either half, from the first and the next digits of a hash. */
  #placesOf(hashes: string, from: number): [number, number] {
    const bits = this.#room * BITS;
    return [numberAt(hashes, from) % bits, bits + (numberAt(hashes, from + 8) % bits)];
  }

  #has(place: number): boolean {
    return (this.#bits[place >>> 5]! & (1 << (place & 31))) !== 0;
  }
}

/** Eight hexadecimal digits as a number. */
function numberAt(hashes: string, from: number): number {
  let value = 0;
  for (let at = from; at < from + 8; at++) {
    const code = hashes.charCodeAt(at);
    value = (value << 4) | (code > 57 ? code - 87 : code - 48);
  }
  return value >>> 0;
}

const filters = new WeakMap<DocumentStore, HashFilter>();

function filterOf(store: DocumentStore): HashFilter {
  const filter = filters.get(store) ?? new HashFilter();
  filters.set(store, filter);
  filter.follow(store);
  return filter;
}
