import { Lexicon, type LexiconOptions } from '../lexicon/lexicon.ts';
import { defaults } from '../options.ts';
import { headAt } from './columns.ts';
import { readingOf } from './reading.ts';
import { chunkRows, type LexicalSegment } from './segments.ts';
import { type Entry, type Texts, textAt } from './table.ts';

/** A document as the lexicon has it. */
interface Known {
  version: number;
  rows: Uint32Array;
}

/**
 * The words of a store's records, by row. It follows the table: what has changed is taken in when its texts
 * or its packed words are at hand, else before the next search.
 */
export class Words {
  readonly lexicon: Lexicon;
  readonly #known = new Map<string, Known>();
  /** The store that `#known` is of, where one can be deleted and made anew. */
  #lineage: string | undefined;

  private constructor(lexicon: Lexicon) {
    this.lexicon = lexicon;
  }

  static async open(options: LexiconOptions = {}): Promise<Words> {
    return new Words(await Lexicon.open({ ...defaults.storeBm25, ...options }));
  }

  /** Forgets documents that are gone or have changed, and answers those whose words are still to be taken in. */
  retain(entries: ReadonlyMap<string, Entry>, lineage: string | undefined): Entry[] {
    const stale: Entry[] = [];
    const same = lineage === this.#lineage;
    this.#lineage = lineage;
    for (const [id, known] of this.#known) {
      const entry = entries.get(id);
      if (!same || entry === undefined || !sameTexts(known, entry)) this.#drop(id, known);
    }
    for (const [id, entry] of entries) if (!this.#known.has(id)) stale.push(entry);
    return stale;
  }

  /** Knows a document without a word of it. */
  skip(entry: Entry): void {
    this.#know(entry);
  }

  /** Takes in a document that is not known, or no longer. */
  put(entry: Entry, texts: Texts): void {
    for (const [at, reading] of readingsOf(entry, texts).entries())
      this.lexicon.add(entry.rows[at]!, reading);
    this.#know(entry);
  }

  /**
   * Takes in those documents of a segment that are as they were when it was packed, and not known yet. Throws
   * `STORE_CORRUPT` where the bytes make no sense; nothing here is of use then.
   */
  take(segment: LexicalSegment, entries: ReadonlyMap<string, Entry>): void {
    const taken: Entry[] = [];
    const rows = chunkRows(segment, (id, version, chunks) => {
      const entry = this.#known.has(id) ? undefined : entries.get(id);
      if (entry?.version !== version || entry.rows.length !== chunks) return undefined;
      taken.push(entry);
      return entry.rows;
    });
    if (taken.length === 0) return;
    this.lexicon.unpack(segment.bytes, rows, 'A segment of words');
    for (const entry of taken) this.#know(entry);
  }

  #know({ id, version, rows }: Entry): void {
    this.#known.set(id, { version, rows });
  }

  #drop(id: string, { rows }: Known): void {
    for (const row of rows) this.lexicon.remove(row);
    this.#known.delete(id);
  }
}

/** What is read of each record of a document. */
export const readingsOf = (entry: Entry, texts: Texts): string[] =>
  Array.from(entry.rows, (_, at) =>
    readingOf(headAt(entry.id, entry.columns, at), textAt(texts, { entry, at })),
  );

const sameTexts = (known: Known, entry: Entry): boolean =>
  known.version === entry.version &&
  (known.rows === entry.rows ||
    (known.rows.length === entry.rows.length && known.rows.every((row, at) => row === entry.rows[at])));
