import { hasCode, messageOf, ShelfmarkError } from '../errors.ts';
import { analyzerOf } from '../lexicon/analyzer.ts';
import { checkWords } from '../lexicon/format.ts';
import type { LexiconOptions } from '../lexicon/lexicon.ts';
import type { IndexDamage } from '../types.ts';
import { Packer } from './packer.ts';
import type { LexicalSegment } from './segments.ts';
import type { Change, Entry, Texts } from './table.ts';

/** More segments than one commit writes. */
const MOST_SEGMENTS = 2 ** 16;
/** Chunks whose words are read from their texts with a commit, where no segment has them. */
const LACKING_CHUNKS = 512;
/** A segment of fewer live chunks is small, and all small ones are merged once there are so many of them. */
const SMALL_CHUNKS = 64;
const SMALL_SEGMENTS = 16;

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

/** Where stored words and texts are read from. */
export interface WordSource {
  segments(keys: readonly number[]): Promise<(LexicalSegment | undefined)[]>;
  texts(entries: readonly Entry[]): Promise<ReadonlyMap<string, Texts>>;
}

/**
 * The words a store keeps: which segment has which document, what a change means for them, and what is still to be
 * taken in by whoever searches them.
 */
export class WordSegments {
  readonly #options: LexiconOptions;
  readonly #analyzer: string;
  readonly #known = new Map<number, Known>();
  readonly #waiting = new Map<number, LexicalSegment>();
  /** The segment that has a document's present words. */
  readonly #where = new Map<string, number>();
  /** Documents whose present words no segment has. */
  readonly #lacking = new Set<string>();
  readonly #damaged = new Map<number, string>();

  constructor(options: LexiconOptions) {
    this.#options = options;
    this.#analyzer = analyzerOf(options).id;
  }

  get damages(): IndexDamage[] {
    return [...this.#damaged].map(([segment, reason]) => ({ part: 'words', segment, reason, documents: [] }));
  }

  /** How many documents' words have to be read from their texts at each open. */
  get lacking(): number {
    return this.#lacking.size;
  }

  has(key: number): boolean {
    return this.#known.has(key) || this.#damaged.has(key);
  }

  /** Forgets the segments that are not among those stored. */
  retain(keys: ReadonlySet<number>): void {
    for (const key of [...this.#known.keys(), ...this.#damaged.keys()]) if (!keys.has(key)) this.#drop(key);
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
      this.#damaged.set(key, messageOf(error));
    }
  }

  #enter(key: number, segment: LexicalSegment): void {
    const { analyzer, ids, versions, chunks } = segment;
    // Words of another analyser are nobody's, so that the next commit drops them.
    const own = analyzer === this.#analyzer;
    const documents = new Map(
      own ? ids.map((id, at) => [id, { version: versions[at]!, chunks: chunks[at]! }]) : [],
    );
    this.#known.set(key, { documents, total: sum(chunks), live: 0 });
    if (own) this.#waiting.set(key, segment);
  }

  #drop(key: number): void {
    this.#known.delete(key);
    this.#waiting.delete(key);
    this.#damaged.delete(key);
  }

  /** Finds out which segment has which document's words, after some were loaded. */
  match(entries: ReadonlyMap<string, Entry>): void {
    this.#where.clear();
    this.#lacking.clear();
    for (const known of this.#known.values()) known.live = 0;
    for (const key of [...this.#known.keys()].sort((a, b) => a - b)) this.#claim(key, entries);
    for (const id of entries.keys()) if (!this.#where.has(id)) this.#lacking.add(id);
  }

  #claim(key: number, entries: ReadonlyMap<string, Entry>): void {
    const known = this.#known.get(key)!;
    for (const [id, { version, chunks }] of known.documents) {
      const entry = entries.get(id);
      if (entry?.version !== version || entry.rows.length !== chunks) continue;
      this.#release(id);
      this.#where.set(id, key);
      this.#lacking.delete(id);
      known.live += chunks;
    }
  }

  #release(id: string): void {
    const known = this.#known.get(this.#where.get(id) ?? -1);
    if (known !== undefined) known.live -= known.documents.get(id)!.chunks;
    this.#where.delete(id);
  }

  /** The segments that were loaded or written since the last call. */
  drain(): LexicalSegment[] {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    return waiting;
  }

  /**
   * What a change means for the stored words: those of the documents it writes are packed, with some that lack
   * theirs, segments that are small or half dead are merged, and those that nobody needs are dropped.
   */
  async prepare(
    change: Change,
    before: ReadonlyMap<string, Entry>,
    source: WordSource,
  ): Promise<WordsChange> {
    const stale = staleIn(change);
    const { merged, drops } = this.#outdated(stale);
    const given = (change.words ?? []).filter(({ analyzer }) => analyzer === this.#analyzer);
    const packed = new Set(given.flatMap(({ ids }) => ids));
    const packer = new Packer(this.#options, this.#analyzer);
    const stored = await source.segments(merged);
    for (const [at, key] of merged.entries()) {
      const segment = stored[at];
      if (segment === undefined) continue;
      await packer.take(segment, (id) => this.#where.get(id) === key && !stale.has(id));
    }
    try {
      for (const [id, texts] of change.texts) {
        if (!packed.has(id)) await packer.add(change.entries.get(id)!, texts);
      }
      const lacking = this.#someLacking(before, stale);
      const texts = lacking.length === 0 ? undefined : await source.texts(lacking);
      for (const entry of lacking) {
        const own = texts?.get(entry.id);
        if (own !== undefined) await packer.add(change.entries.get(entry.id) ?? entry, own);
      }
    } catch (error) {
      // A stemmer of one's own that throws fails the search for words, not the storing of documents.
      if (this.#options.stem === undefined) throw error;
      return { puts: new Map(), drops: [], keys: [...this.#known.keys()] };
    }
    // Never a number that another segment had, which another tab may still take for that one.
    const first = change.meta.generation * MOST_SEGMENTS;
    const puts = new Map([...given, ...packer.finish()].map((segment, at) => [first + at, segment]));
    const dropped = new Set(drops);
    const keys = [...this.#known.keys()].filter((key) => !dropped.has(key));
    return { puts, drops, keys: [...keys, ...puts.keys()] };
  }

  /** Segments that are of no use once the words of some documents are gone, and those to be merged. */
  #outdated(stale: ReadonlySet<string>): { merged: number[]; drops: number[] } {
    const lost = new Map<number, number>();
    for (const id of stale) {
      const key = this.#where.get(id);
      if (key === undefined) continue;
      lost.set(key, (lost.get(key) ?? 0) + this.#known.get(key)!.documents.get(id)!.chunks);
    }
    const merged: number[] = [];
    const small: number[] = [];
    const drops = [...this.#damaged.keys()];
    for (const [key, { live, total }] of this.#known) {
      const left = live - (lost.get(key) ?? 0);
      if (left === 0) drops.push(key);
      else if (left * 2 < total) merged.push(key);
      else if (left < SMALL_CHUNKS) small.push(key);
    }
    if (small.length >= SMALL_SEGMENTS) merged.push(...small);
    return { merged, drops: [...drops, ...merged] };
  }

  #someLacking(entries: ReadonlyMap<string, Entry>, stale: ReadonlySet<string>): Entry[] {
    const some: Entry[] = [];
    let chunks = 0;
    for (const id of this.#lacking) {
      const entry = stale.has(id) ? undefined : entries.get(id);
      if (entry === undefined) continue;
      some.push(entry);
      chunks += entry.rows.length;
      if (chunks >= LACKING_CHUNKS) break;
    }
    return some;
  }

  /** Follows a change that was committed. `after` are the entries as they are by now. */
  apply(change: Change, { puts, drops }: Omit<WordsChange, 'keys'>, after: ReadonlyMap<string, Entry>): void {
    for (const id of staleIn(change)) {
      this.#release(id);
      if (after.has(id)) this.#lacking.add(id);
      else this.#lacking.delete(id);
    }
    for (const [key, segment] of puts) {
      this.#enter(key, segment);
      this.#claim(key, after);
    }
    for (const key of drops) this.#drop(key);
  }
}

/** Documents whose words are others after a change, or gone. */
const staleIn = ({ entries, texts }: Change): Set<string> =>
  new Set([...entries].filter(([id, entry]) => entry === undefined || texts.has(id)).map(([id]) => id));

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
