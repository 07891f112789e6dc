import { Lexicon, type LexiconOptions } from '../lexicon/lexicon.ts';
import { defaults } from '../options.ts';
import { headAt } from './columns.ts';
import { readingOf } from './reading.ts';
import { type Entry, type Texts, textAt } from './table.ts';

/** A document as the lexicon has it. */
interface Known {
  version: number;
  rows: Uint32Array;
}

/**
 * The words of a store's records, by row. It follows the table: what has changed is taken in when its texts
 * are at hand, else before the next search.
 */
export class Words {
  readonly lexicon: Lexicon;
  readonly #known = new Map<string, Known>();

  private constructor(lexicon: Lexicon) {
    this.lexicon = lexicon;
  }

  static async open(options: LexiconOptions = {}): Promise<Words> {
    return new Words(await Lexicon.open({ ...defaults.storeBm25, ...options }));
  }

  /** Forgets documents that are gone or have changed, and answers those whose words are still to be taken in. */
  retain(entries: ReadonlyMap<string, Entry>): Entry[] {
    const stale: Entry[] = [];
    for (const [id, known] of this.#known) {
      const entry = entries.get(id);
      if (entry === undefined || !sameTexts(known, entry)) this.#drop(id, known);
    }
    for (const [id, entry] of entries) if (!this.#known.has(id)) stale.push(entry);
    return stale;
  }

  /** Takes in a document that is not known, or no longer. */
  put(entry: Entry, texts: Texts): void {
    entry.rows.forEach((row, at) => {
      const head = headAt(entry.id, entry.columns, at);
      this.lexicon.add(row, readingOf(head, textAt(texts, { entry, at })));
    });
    this.#known.set(entry.id, { version: entry.version, rows: entry.rows });
  }

  #drop(id: string, { rows }: Known): void {
    for (const row of rows) this.lexicon.remove(row);
    this.#known.delete(id);
  }
}

const sameTexts = (known: Known, entry: Entry): boolean =>
  known.version === entry.version &&
  (known.rows === entry.rows ||
    (known.rows.length === entry.rows.length && known.rows.every((row, at) => row === entry.rows[at])));
