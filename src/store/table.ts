import { ShelfmarkError, show } from '../errors.ts';
import type { Filter, IndexDamage, Metadata, VectorFormat } from '../types.ts';
import { Bitmap } from '../vectors/bitmap.ts';
import { type Match, VectorRows } from '../vectors/rows.ts';
import { type Columns, type Head, headAt, idAt } from './columns.ts';
import { chunkIndexOf } from './ids.ts';
import { checkFilter, matchesFilter } from './metadata.ts';
import type { LexicalSegment } from './segments.ts';

/** A document as it lies in memory and on disk. Entries are never changed, only replaced. */
export interface Entry {
  readonly id: string;
  /** Generation in which its texts were written; a text of another version belongs to another state. */
  readonly version: number;
  /** Generation in which the entry itself was last written, not counting what is pending. */
  readonly generation: number;
  /** A row a record, ascending, so that positions follow the order of insertion. */
  readonly rows: Uint32Array;
  readonly columns: Columns;
  /** Positions of the records whose vector is still to come. Absent where there is none. */
  readonly pending?: readonly number[];
  /** What the owner of the index keeps with a document; the store only carries it. */
  readonly info?: unknown;
}

/** The texts of a document: the records' own, or those that are slices of the whole. */
export interface Texts {
  /** The document's text, where its owner gave it. */
  readonly text?: string;
  /** A text a record; absent where each is `text.slice(charStart, charEnd)`. */
  readonly texts?: readonly string[];
}

/** What is known of the index as a whole. */
export interface TableMeta {
  /** Counts commits. */
  readonly generation: number;
  /** Tells a store from another one of its name, where it can be deleted and made anew. */
  readonly lineage?: string | undefined;
  /** Identity of the embedder the vectors came from. */
  readonly embedder?: string | undefined;
  /** Identity of the analyser that read the words. */
  readonly analyzer?: string | undefined;
  /** Identity of the splitter last used. */
  readonly splitter?: string | undefined;
  /** How vectors are kept; `'f32'` where it is not said. */
  readonly vectors?: VectorFormat | undefined;
  /** Removals that may still be committed without writing anything, as on a full disk. */
  readonly tickets?: number | undefined;
  /** The file the index was imported from, and the generation that did it. */
  readonly imported?: { readonly hash: string; readonly generation: number } | undefined;
}

/** The difference between two states of a table, computed before anything is written. */
export interface Change {
  readonly meta: TableMeta;
  /** Documents put, or removed where undefined. One of an earlier generation is the same but for what is pending. */
  readonly entries: ReadonlyMap<string, Entry | undefined>;
  /** Texts of the documents whose text changed. */
  readonly texts: ReadonlyMap<string, Texts>;
  /** Packed words of documents that come with them, so that they are not read from the texts. */
  readonly words?: readonly LexicalSegment[];
  /** Rows whose vector changed. */
  readonly vectors: ReadonlyMap<number, Float32Array>;
  /** Rows in use afterwards, tombstones included. */
  readonly rowCount: number;
  /** Length of the vectors, 0 while there are none. */
  readonly dimensions: number;
  /** The rows are numbered anew: `entries` and `vectors` hold everything there is. */
  readonly rebuilt: boolean;
  /** The vectors of another embedder that were kept aside are in, and need not be kept any longer. */
  readonly unstages?: boolean;
}

/** One record, by its document and position. */
export interface Place {
  entry: Entry;
  at: number;
}

export const metadataAt = ({ entry, at }: Place): Metadata | undefined =>
  entry.columns.values['metadata']?.[at] as Metadata | undefined;

export const placeHead = ({ entry, at }: Place): Head => headAt(entry.id, entry.columns, at);

/** The text of the record at a position. */
export const textAt = (texts: Texts, { entry, at }: Place): string =>
  texts.texts?.[at] ??
  texts.text?.slice(entry.columns.numbers['charStart']?.[at], entry.columns.numbers['charEnd']?.[at]) ??
  '';

/** The records of a document, put together again. */
export const recordsOf = (entry: Entry, texts: Texts): (Head & { text: string })[] =>
  Array.from(entry.rows, (_, at) => ({ ...placeHead({ entry, at }), text: textAt(texts, { entry, at }) }));

/** A document whose texts are gone although its entry is there. */
export const missingTexts = (id: string): ShelfmarkError =>
  new ShelfmarkError(
    'STORE_CORRUPT',
    `The texts of document ${show(id)} are missing; remove it and add it again.`,
  );

/**
 * The records of a store, without their texts: the one implementation of what ids, filters, order and
 * search mean. Both stores hold one, and change it by `apply` alone.
 */
export class Table {
  meta: TableMeta = { generation: 0 };
  readonly entries = new Map<string, Entry>();
  rows = new VectorRows(0);
  /** Rows in use, tombstones included. */
  rowCount = 0;
  /** What was damaged when it was read. */
  damages: readonly IndexDamage[] = [];
  /** Documents of which memory knows that vectors are lost and the store does not yet. */
  readonly unsaved = new Set<string>();
  /** The record in each row; a tombstone has none. */
  #places: (Place | undefined)[] = [];

  /** Records, with a vector or without. */
  get size(): number {
    let size = 0;
    for (const entry of this.entries.values()) size += entry.rows.length;
    return size;
  }

  /** The documents there will be once a change is applied. */
  *entriesAfter(change: Change): Generator<Entry> {
    for (const [id, entry] of this.entries) if (!change.entries.has(id)) yield entry;
    for (const entry of change.entries.values()) if (entry !== undefined) yield entry;
  }

  /**
   * The rows a change will go to, with room for all of its vectors, so that applying it cannot fail once it is
   * committed.
   */
  async rowsFor({ rebuilt, dimensions, rowCount, meta }: Change): Promise<VectorRows> {
    const fresh = rebuilt || dimensions !== this.rows.dimensions;
    const rows = fresh ? new VectorRows(dimensions, meta.vectors) : this.rows;
    await rows.reserve(rowCount);
    return rows;
  }

  /** @param rows What `rowsFor` answered. */
  apply(change: Change, rows: VectorRows): void {
    this.rows = rows;
    if (change.rebuilt) {
      this.#places = [];
      this.entries.clear();
    }
    for (const [id, entry] of change.entries) {
      const old = this.entries.get(id);
      old?.rows.forEach((row) => {
        this.#places[row] = undefined;
        this.rows.delete(row);
      });
      if (entry === undefined) this.entries.delete(id);
      else this.entries.set(id, entry);
    }
    for (const [row, vector] of change.vectors) this.rows.set(row, vector);
    // Only now, since a row may have moved from one of these documents to another.
    for (const entry of change.entries.values()) if (entry !== undefined) this.#place(entry);
    this.rowCount = change.rowCount;
    this.meta = change.meta;
    // Every commit says what was lost and writes what was damaged afresh.
    this.damages = [];
    this.unsaved.clear();
  }

  /** Takes in a stored state: the entries, and segments already loaded into `rows`. */
  restore(meta: TableMeta, entries: readonly Entry[], rows: VectorRows, rowCount: number): void {
    this.meta = meta;
    this.rows = rows;
    this.rowCount = rowCount;
    this.#places = [];
    this.entries.clear();
    this.unsaved.clear();
    this.damages = [];
    for (const entry of entries) {
      this.entries.set(entry.id, entry);
      this.#place(entry);
    }
  }

  /**
   * Takes in what another holder of the store has committed since, given as the entries it wrote and removed.
   *
   * @param load Puts the segments that were written into `rows`, when the rows that changed are no longer live.
   */
  follow(
    meta: TableMeta,
    entries: readonly Entry[],
    removed: readonly string[],
    rowCount: number,
    load: () => void,
  ): void {
    for (const id of [...removed, ...entries.map((entry) => entry.id)]) {
      this.entries.get(id)?.rows.forEach((row) => {
        this.#places[row] = undefined;
        this.rows.delete(row);
      });
    }
    for (const id of removed) this.entries.delete(id);
    load();
    for (const entry of entries) {
      this.entries.set(entry.id, entry);
      this.unsaved.delete(entry.id);
      this.#place(entry);
    }
    this.rowCount = rowCount;
    this.meta = meta;
  }

  #place(entry: Entry): void {
    const pending = new Set(entry.pending);
    entry.rows.forEach((row, at) => {
      this.#places[row] = { entry, at };
      if (!pending.has(at)) this.rows.markLive(row);
    });
  }

  /** The record in a row. */
  at(row: number): Place | undefined {
    return this.#places[row];
  }

  /** The records that pass a filter, in the order of insertion. */
  *matching(filter: Filter | undefined): Generator<Place> {
    let last: Metadata | undefined;
    let passed = matchesFilter(undefined, filter);
    for (const place of this.#places) {
      if (place === undefined) continue;
      const metadata = metadataAt(place);
      // The chunks of a document mostly share one object.
      if (metadata !== last) passed = matchesFilter(metadata, filter);
      last = metadata;
      if (passed) yield place;
    }
  }

  /** The rows a filter lets through; undefined where it lets all. */
  allowed(filter: Filter | undefined): Bitmap | undefined {
    checkFilter(filter);
    if (filter === undefined || Object.keys(filter).length === 0) return undefined;
    const rows = new Bitmap(this.rowCount);
    for (const { entry, at } of this.matching(filter)) rows.add(entry.rows[at]!);
    return rows;
  }

  search(query: Float32Array, topK: number, filter: Filter | undefined): (Place & { score: number })[] {
    if (topK === 0) return [];
    return this.rows
      .search(query, topK, this.allowed(filter))
      .map(({ row, score }: Match) => ({ ...this.#places[row]!, score }));
  }

  /** A document's records by their number, those of one number in the order of insertion. */
  inOrder(documentId: string): Place[] {
    const entry = this.entries.get(documentId);
    if (entry === undefined) return [];
    return Array.from(entry.rows, (_, at) => ({ at, index: chunkIndexOf(idAt(entry.id, entry.columns, at)) }))
      .sort((a, b) => a.index - b.index)
      .map(({ at }) => ({ entry, at }));
  }
}
