import { embedderMismatch, ShelfmarkError, show } from '../errors.ts';
import { isFinite32 } from '../kernel/finite.ts';
import type { Metadata, VectorRecord } from '../types.ts';
import { checkLength, toVector } from '../vectors/check.ts';
import { SEGMENT_ROWS } from '../vectors/rows.ts';
import { type Head, headAt, idAt, packHeads } from './columns.ts';
import { documentIdOf } from './ids.ts';
import { applyMetadataPatch, storableMetadata } from './metadata.ts';
import { withPending } from './pending.ts';
import { compact, exchange, type StagedVectors, stagedChecksum } from './rebuild.ts';
import {
  type Change,
  type Entry,
  missingTexts,
  type Place,
  type Table,
  type TableMeta,
  type Texts,
  textAt,
} from './table.ts';

/** A document as its owner hands it over: whole, replacing what the store had of it. */
export interface DocumentPut {
  id: string;
  /** The whole text. Records whose text is its slice at their offsets are not stored a second time. */
  text?: string;
  records: readonly (Head & { text: string })[];
  /** A vector a record; undefined where it is still to come. */
  vectors: readonly (ArrayLike<number> | undefined)[];
  /** Carried along, must be plain data. */
  info?: unknown;
}

/** Vectors of a document that is stored already. */
export interface VectorsPut {
  id: string;
  /** Version of the texts the vectors were made of. */
  version: number;
  /** One a record, or undefined where there is nothing new. */
  vectors: readonly (Float32Array | undefined)[];
}

/** A record while a change is being put together. */
interface Item {
  head: Head;
  text: string;
  row: number;
  vector: Float32Array | 'kept' | undefined;
}

interface Draft {
  items: Item[];
  /** The same items by record id. */
  byId: Map<string, Item>;
  /** The whole text, where it is known. */
  text?: string | undefined;
  info?: unknown;
  /** Texts are as they were and need no writing. */
  sameTexts: boolean;
}

/**
 * Puts a change together from the state of a table. Nothing is written and the table is not touched, so a
 * plan that turns out wrong, or stale, is simply dropped.
 */
export class Plan {
  readonly #table: Table;
  readonly #drafts = new Map<string, Draft>();
  /** Texts as stored, of the documents whose records will be changed one by one. */
  readonly #texts: ReadonlyMap<string, Texts>;
  /** Documents that are as they were but for vectors, and those vectors by row. */
  readonly #completed = new Map<string, Entry>();
  readonly #vectors = new Map<number, Float32Array>();
  /** Vectors of another embedder, by document, in place of all that are there. */
  #staged: ReadonlyMap<string, StagedVectors> | undefined;
  /** Metadata already copied, so that records which share it go on doing so. */
  readonly #owned = new Map<Metadata, Metadata>();
  #rowCount: number;
  #dimensions: number;

  constructor(table: Table, texts: ReadonlyMap<string, Texts> = new Map()) {
    this.#table = table;
    this.#texts = texts;
    this.#rowCount = table.rowCount;
    this.#dimensions = table.rows.count === 0 ? 0 : table.rows.dimensions;
  }

  /** Adds records, or replaces those of the same id where they stand. */
  upsert(records: readonly VectorRecord[]): void {
    for (const record of records) {
      const { text, embedding, ...rest } = checkRecord(record);
      const owner = `record ${show(record.id)}`;
      const vector = this.#vector(embedding, owner);
      const draft = this.#draft(documentIdOf(record.id), true);
      const head = this.#head(rest, owner);
      const old = draft.byId.get(record.id);
      if (old !== undefined) Object.assign(old, { head, text, vector });
      else {
        const item: Item = { head, text, vector, row: this.#rowCount++ };
        draft.items.push(item);
        draft.byId.set(record.id, item);
      }
    }
  }

  /** Replaces a document whole. Its rows are used again as far as they go. */
  put(document: DocumentPut): void {
    const rows = this.#table.entries.get(document.id)?.rows;
    const items = document.records.map((record, at): Item => {
      const { text, ...rest } = checkRecord(record);
      const owner = `record ${show(record.id)}`;
      const embedding = document.vectors[at];
      return {
        head: this.#head(rest, owner),
        text,
        vector: embedding === undefined ? undefined : this.#vector(embedding, owner),
        row: rows?.[at] ?? this.#rowCount++,
      };
    });
    const { text, info } = document;
    this.#drafts.set(document.id, { items, byId: new Map(), text, info, sameTexts: false });
  }

  /**
   * Gives a document's records the vectors that were still to come; those at undefined stay as they are. Does
   * nothing, and answers false, where the document is gone or has other texts by now.
   */
  complete({ id, version, vectors }: VectorsPut): boolean {
    const entry = this.#table.entries.get(id);
    if (entry?.version !== version || entry.rows.length !== vectors.length) return false;
    for (const [at, vector] of vectors.entries()) {
      if (vector === undefined) continue;
      const owner = `record ${show(idAt(id, entry.columns, at))}`;
      // Nobody else has it, so it need not be copied: it is in the rows and in the segment's bytes before this is over.
      this.#vectors.set(
        entry.rows[at]!,
        isFinite32(vector) ? this.#fitting(vector, owner) : this.#vector(vector, owner),
      );
    }
    const left = entry.pending?.filter((at) => vectors[at] === undefined) ?? [];
    this.#completed.set(id, withPending(entry, left.length === 0 ? undefined : left));
    return true;
  }

  /**
   * Puts the vectors of another embedder in place of all that are there, where every document has them; else does
   * nothing. Answers the documents that have none, or some of other texts.
   */
  exchange(staged: readonly StagedVectors[], embedder: string): string[] {
    // What is put aside for documents that are gone says nothing of the others.
    const wanted = staged.filter((one) => one.embedder === embedder && this.#table.entries.has(one.id));
    const own = new Map(wanted.map((one) => [one.id, one]));
    const missing = [...this.#table.entries.values()].filter(
      ({ id, version, rows }) => !isWhole(own.get(id), version, rows.length),
    );
    if (missing.length === 0) this.#staged = own;
    return missing.map(({ id }) => id);
  }

  /** Removes the records a document has at these positions. */
  remove(places: Iterable<Place>): number {
    const gone = new Map<string, Set<number>>();
    let count = 0;
    for (const { entry, at } of places) {
      const positions = gone.get(entry.id) ?? new Set();
      gone.set(entry.id, positions.add(at));
      count++;
    }
    for (const [id, positions] of gone) {
      const whole = this.#table.entries.get(id)?.rows.length === positions.size;
      const draft = this.#draft(id, !whole);
      draft.items = draft.items.filter((_, at) => !positions.has(at));
    }
    return count;
  }

  /** Applies a patch to the metadata of all records of a document; answers how many it has. */
  patch(documentId: string, patch: Metadata): number {
    const entry = this.#table.entries.get(documentId);
    if (entry === undefined) return 0;
    const owned = storableMetadata(patch, `the patch for ${show(documentId)}`);
    const patched = new Map<Metadata | undefined, Metadata>();
    for (const item of this.#draft(documentId, false).items) {
      const { metadata } = item.head;
      const next = patched.get(metadata) ?? applyMetadataPatch(metadata, owned);
      patched.set(metadata, next);
      item.head = { ...item.head, metadata: next };
    }
    return entry.rows.length;
  }

  /**
   * The change, or undefined where there is nothing to do.
   *
   * @param always A change even so, for what a store writes afresh by itself
   */
  finish(meta: Partial<TableMeta> = {}, always = false): Change | undefined {
    const table = this.#table;
    if (this.#staged !== undefined) return exchange(table, this.#staged, meta);
    if (this.#drafts.size + this.#completed.size === 0 && !always) return undefined;
    const generation = table.meta.generation + 1;
    const entries = new Map<string, Entry | undefined>(this.#completed);
    const texts = new Map<string, Texts>();
    const vectors = this.#vectors;
    let size = table.size;
    for (const [id, draft] of this.#drafts) {
      const old = table.entries.get(id);
      size += draft.items.length - (old?.rows.length ?? 0);
      if (draft.items.length === 0) {
        if (old !== undefined) entries.set(id, undefined);
        continue;
      }
      const version = draft.sameTexts ? old!.version : generation;
      entries.set(id, toEntry(id, version, generation, draft));
      if (!draft.sameTexts) texts.set(id, toTexts(draft));
      for (const { row, vector } of draft.items) if (vector instanceof Float32Array) vectors.set(row, vector);
    }
    if (entries.size === 0 && !always) return undefined;
    this.#checkEmbedder(meta.embedder);
    for (const id of table.unsaved) {
      const entry = entries.has(id) ? entries.get(id) : table.entries.get(id);
      if (entry !== undefined) entries.set(id, { ...entry, generation });
    }
    const next = { ...table.meta, ...meta, generation };
    const change: Change = {
      meta: next,
      entries,
      texts,
      vectors,
      rowCount: this.#rowCount,
      dimensions: this.#dimensions === 0 ? table.rows.dimensions : this.#dimensions,
      rebuilt: false,
    };
    const dead = this.#rowCount - size;
    // The first vectors change no row's number.
    const otherLength = table.rows.dimensions !== 0 && change.dimensions !== table.rows.dimensions;
    if (size === 0 || otherLength || (dead >= SEGMENT_ROWS && dead > size)) return compact(table, change);
    return change;
  }

  /** Vectors of two embedders never mix, whichever tab was first. */
  #checkEmbedder(given: string | undefined): void {
    const there = this.#table.meta.embedder;
    if (given === undefined || there === undefined || given === there || this.#table.rows.count === 0) return;
    throw embedderMismatch(there, given);
  }

  /** The draft of a document, starting from what is stored of it. */
  #draft(id: string, writesTexts: boolean): Draft {
    const known = this.#drafts.get(id);
    if (known !== undefined) return known;
    const entry = this.#table.entries.get(id);
    const stored = this.#texts.get(id);
    if (entry !== undefined && writesTexts && stored === undefined) throw missingTexts(id);
    const pending = new Set(entry?.pending);
    const items = Array.from(
      entry?.rows ?? [],
      (row, at): Item => ({
        head: headAt(id, entry!.columns, at),
        text: stored === undefined ? '' : textAt(stored, { entry: entry!, at }),
        row,
        vector: pending.has(at) ? undefined : 'kept',
      }),
    );
    const draft: Draft = {
      items,
      byId: new Map(items.map((item) => [item.head.id, item])),
      text: stored?.text,
      info: entry?.info,
      sameTexts: !writesTexts,
    };
    this.#drafts.set(id, draft);
    return draft;
  }

  #head(head: Head, owner: string): Head {
    const { metadata } = head;
    if (metadata === undefined) return head;
    const owned = this.#owned.get(metadata) ?? storableMetadata(metadata, owner);
    this.#owned.set(metadata, owned);
    return { ...head, metadata: owned };
  }

  #vector(values: ArrayLike<number>, owner: string): Float32Array {
    return this.#fitting(toVector(values, owner), owner);
  }

  /** A vector whose length is that of the others. */
  #fitting(vector: Float32Array, owner: string): Float32Array {
    if (vector.length === 0) {
      throw new ShelfmarkError('INVALID_VECTOR', `The vector of ${owner} is empty; give one with values.`);
    }
    if (this.#dimensions === 0) this.#dimensions = vector.length;
    checkLength(vector.length, this.#dimensions, owner);
    return vector;
  }
}

/** Whether vectors that were put aside are those of a document; what the disk has damaged is to be made again. */
function isWhole(staged: StagedVectors | undefined, version: number, rows: number): boolean {
  if (staged?.version !== version) return false;
  const { values, dimensions, checksum } = staged;
  return (
    values instanceof Float32Array &&
    values.length === rows * dimensions &&
    checksum === stagedChecksum(values) &&
    values.every(Number.isFinite)
  );
}

export function checkRecord<T extends Head & { text: string }>(record: T): T {
  if (typeof record?.id !== 'string' || record.id === '') {
    throw new ShelfmarkError(
      'INVALID_DOCUMENT',
      `A record's id is ${show(record?.id)}; give a non-empty string.`,
    );
  }
  if (typeof record.text !== 'string' || record.text.trim() === '') {
    throw new ShelfmarkError(
      'EMPTY_DOCUMENT',
      `Record ${show(record.id)} has no passage (its text is ${show(record.text)}); leave it out or give it one.`,
    );
  }
  return record;
}

function toEntry(id: string, version: number, generation: number, draft: Draft): Entry {
  const pending = draft.items.flatMap((item, at) => (item.vector === undefined ? [at] : []));
  return {
    id,
    version,
    generation,
    rows: Uint32Array.from(draft.items, (item) => item.row),
    columns: packHeads(
      id,
      draft.items.map((item) => item.head),
    ),
    ...(pending.length > 0 && { pending }),
    ...(draft.info !== undefined && { info: draft.info }),
  };
}

function toTexts({ items, text }: Draft): Texts {
  const sliced = items.every(
    ({ head: { charStart, charEnd }, text: own }) =>
      charStart !== undefined && charEnd !== undefined && text?.slice(charStart, charEnd) === own,
  );
  return {
    ...(text !== undefined && { text }),
    ...(!sliced && { texts: items.map((item) => item.text) }),
  };
}
