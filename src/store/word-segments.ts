import { hasCode, messageOf, ShelfmarkError } from '../errors.ts';
import { analyzerOf } from '../lexicon/analyzer.ts';
import { checkWords } from '../lexicon/format.ts';
import type { LexiconOptions } from '../lexicon/lexicon.ts';
import type { IndexDamage } from '../types.ts';
import type { LexicalSegment } from './segments.ts';
import type { Change, Entry } from './table.ts';

/** A segment without its bytes. */
interface Known {
  documents: ReadonlyMap<string, { version: number; chunks: number }>;
  total: number;
  live: number;
}

/** What a commit does to the stored segments. */
export interface WordsChange {
  puts: ReadonlyMap<number, LexicalSegment>;
  drops: readonly number[];
  /** The segments there are afterwards. */
  keys: readonly number[];
}

/**
 * The words a store keeps: which segment has which document, and what is still to be taken in by whoever searches them.
 * What a change means for them is in src/store/pack-words.ts.
 */
export class WordSegments {
  readonly options: LexiconOptions;
  readonly analyzer: string;
  readonly known = new Map<number, Known>();
  readonly #waiting = new Map<number, LexicalSegment>();
  /** The segment that has a document's present words. */
  readonly where = new Map<string, number>();
  /** Documents whose present words no segment has. */
  readonly lackingIds = new Set<string>();
  readonly damaged = new Map<number, string>();

  constructor(options: LexiconOptions) {
    this.options = options;
    this.analyzer = analyzerOf(options).id;
  }

  get damages(): IndexDamage[] {
    return [...this.damaged].map(([segment, reason]) => ({ part: 'words', segment, reason, documents: [] }));
  }

  /** How many documents' words have to be read from their texts at each open. */
  get lacking(): number {
    return this.lackingIds.size;
  }

  has(key: number): boolean {
    return this.known.has(key) || this.damaged.has(key);
  }

  /** Forgets the segments that are not among those stored. */
  retain(keys: ReadonlySet<number>): void {
    for (const key of [...this.known.keys(), ...this.damaged.keys()]) if (!keys.has(key)) this.#drop(key);
  }

  /** Takes in a stored segment. One that is damaged is remembered as such; a newer version throws `FORMAT`. */
  load(key: number, segment: LexicalSegment | undefined, name: string): void {
    try {
      if (segment === undefined) throw new ShelfmarkError('STORE_CORRUPT', `${name} is not there.`);
      const { chunks } = checkWords(segment?.bytes, name);
      const { ids, versions, chunks: counts } = segment;
      if (ids.length !== versions.length || ids.length !== counts.length || chunks !== sum(counts)) {
        throw new ShelfmarkError('STORE_CORRUPT', `${name} does not list the documents it holds.`);
      }
      this.#enter(key, segment);
    } catch (error) {
      if (hasCode(error, 'FORMAT')) throw error;
      this.damaged.set(key, messageOf(error));
    }
  }

  #enter(key: number, segment: LexicalSegment): void {
    const { analyzer, ids, versions, chunks } = segment;
    // Words of another analyser are nobody's, so that the next commit drops them.
    const own = analyzer === this.analyzer;
    const documents = new Map(
      own ? ids.map((id, at) => [id, { version: versions[at]!, chunks: chunks[at]! }]) : [],
    );
    this.known.set(key, { documents, total: sum(chunks), live: 0 });
    if (own) this.#waiting.set(key, segment);
  }

  #drop(key: number): void {
    this.known.delete(key);
    this.#waiting.delete(key);
    this.damaged.delete(key);
  }

  /** Finds out which segment has which document's words, after some were loaded. */
  match(entries: ReadonlyMap<string, Entry>): void {
    this.where.clear();
    this.lackingIds.clear();
    for (const known of this.known.values()) known.live = 0;
    for (const key of [...this.known.keys()].sort((a, b) => a - b)) this.#claim(key, entries);
    for (const id of entries.keys()) if (!this.where.has(id)) this.lackingIds.add(id);
  }

  #claim(key: number, entries: ReadonlyMap<string, Entry>): void {
    const known = this.known.get(key)!;
    for (const [id, { version, chunks }] of known.documents) {
      const entry = entries.get(id);
      if (entry?.version !== version || entry.rows.length !== chunks) continue;
      this.#release(id);
      this.where.set(id, key);
      this.lackingIds.delete(id);
      known.live += chunks;
    }
  }

  #release(id: string): void {
    const known = this.known.get(this.where.get(id) ?? -1);
    if (known !== undefined) known.live -= known.documents.get(id)!.chunks;
    this.where.delete(id);
  }

  /** The segments that were loaded or written since the last call. */
  drain(): LexicalSegment[] {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    return waiting;
  }

  /** Follows a change that was committed. `after` are the entries as they are by now. */
  apply(change: Change, { puts, drops }: Omit<WordsChange, 'keys'>, after: ReadonlyMap<string, Entry>): void {
    for (const id of staleIn(change)) {
      this.#release(id);
      if (after.has(id)) this.lackingIds.add(id);
      else this.lackingIds.delete(id);
    }
    for (const [key, segment] of puts) {
      this.#enter(key, segment);
      this.#claim(key, after);
    }
    for (const key of drops) this.#drop(key);
  }
}

/** Documents whose words are others after a change, or gone. */
export const staleIn = ({ entries, texts }: Change): Set<string> =>
  new Set([...entries].filter(([id, entry]) => entry === undefined || texts.has(id)).map(([id]) => id));

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
