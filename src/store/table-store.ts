import { fetchPart, hasCode, ShelfmarkError } from '../errors.ts';
import { checkLexicon, type LexiconOptions } from '../lexicon/analyzer.ts';
import { oneOf, vectorFormats } from '../options.ts';
import type { VectorFormat } from '../types.ts';
import type { Plan } from './plan.ts';
import type { StagedVectors } from './rebuild.ts';
import type { LexicalSegment } from './segments.ts';
import {
  type Change,
  type Entry,
  missingTexts,
  type Place,
  Table,
  type TableMeta,
  type Texts,
  textAt,
} from './table.ts';
import { Words } from './words.ts';

type Changing = typeof import('./changing.ts');

/** What only changes need. */
export const fetchChanging = (): Promise<Changing> =>
  fetchPart('part of the library that changes a store', () => import('./changing.ts'));

/** Documents whose texts are read at once to take in their words. */
const WORDS_BATCH = 64;

/** How often a call starts over because another tab changed the store meanwhile. */
const MAX_ATTEMPTS = 20;

/** One changing call, as `change` runs it, perhaps several times. */
export interface Step<T> {
  /** Documents whose records change one by one, so that their texts must be at hand. */
  rewrites?(): Iterable<string>;
  /** Reads what `make` needs beside. */
  prepare?(): Promise<void>;
  make(plan: Plan): T;
  /** A change of its own making, in place of the plan's. */
  replace?(table: Table): Change | undefined;
  /** What the change makes known of the index as a whole. */
  meta?: Partial<TableMeta>;
  /** Commits even where the plan has nothing to say, for what the store writes afresh by itself. */
  always?: boolean;
}

/** A change that is durable. */
export interface Committed {
  meta: TableMeta;
  /** Called when the table has followed. */
  followed?(): void;
}

/**
 * A table that is kept somewhere. Here is how it is read and changed: one change after the other, each computed
 * from the latest state, committed whole, and only then seen.
 */
export abstract class TableStore {
  protected readonly table = new Table();
  /** How words are read. */
  readonly lexicon: LexiconOptions;
  #writes: Promise<unknown> = Promise.resolve();
  /** Made when words are first searched, and followed from then on. */
  #words: Words | undefined;
  /** On its way to `#words`; dropped where that failed, so that the next call tries again. */
  #opening: Promise<Words> | undefined;
  /** The state of the table that `#words` is in step with. */
  #wordsOf: TableMeta | undefined;

  constructor(lexicon: LexiconOptions = {}, vectors?: VectorFormat) {
    checkLexicon(lexicon);
    this.lexicon = lexicon;
    if (vectors !== undefined) oneOf('vectors', vectors, vectorFormats);
    this.table.meta = { generation: 0, vectors };
  }

  /** Throws where the store is closed. */
  protected abstract checkOpen(): void;
  /** Texts of documents by id, without those that are not of their entry's version. */
  protected abstract readTexts(entries: readonly Entry[]): Promise<Map<string, Texts>>;
  /** Makes a change durable. Answers undefined, having written nothing, where the table is out of date. */
  protected abstract commit(change: Change): Promise<Committed | undefined>;
  /** Runs a change while no other holder of the same store, in whatever tab, runs one. */
  protected abstract exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Brings the table up to the stored state. Called before each plan, and where a read met stale texts. */
  protected abstract refresh(): Promise<void>;
  /** Words that are there in packed form and were not asked for before. */
  protected abstract packedWords(): readonly LexicalSegment[];
  /** Vectors of the embedder the index is moving to. */
  protected abstract readStaged(): Promise<StagedVectors[]>;
  protected abstract writeStaged(staged: readonly StagedVectors[]): Promise<void>;

  /** Takes in what other tabs have committed. */
  async sync(): Promise<void> {
    this.checkOpen();
    await this.#alone(() => this.refresh());
  }

  /** Puts vectors of another embedder aside, in place of those of the same documents. */
  async stage(staged: readonly StagedVectors[]): Promise<void> {
    this.checkOpen();
    await this.#alone(async () => {
      const { stagedChecksum } = await fetchChanging();
      const checked = staged.map((one) => ({ ...one, checksum: stagedChecksum(one.values) }));
      await this.exclusively(() => this.writeStaged(checked));
    });
  }

  /** What was put aside, and of which texts. */
  async staged(): Promise<Pick<StagedVectors, 'id' | 'version' | 'embedder'>[]> {
    this.checkOpen();
    return (await this.readStaged()).map(({ id, version, embedder }) => ({ id, version, embedder }));
  }

  /** Puts another content in place of all there is, in one step; nothing is changed where there is none. */
  async replaceAll(replace: (table: Table) => Change | undefined): Promise<void> {
    await this.change({ make: () => undefined, replace });
  }

  /** The words of all records, taken in as far as they are not yet. */
  async words(): Promise<Words> {
    this.checkOpen();
    const words = await this.#openWords();
    while (this.#wordsOf !== this.table.meta) {
      const { meta } = this.table;
      words.retain(this.table.entries, this.table.meta.lineage);
      if (!this.#takePacked(words)) return this.words();
      const stale = words.retain(this.table.entries, this.table.meta.lineage).slice(0, WORDS_BATCH);
      if (stale.length === 0) this.#wordsOf = meta;
      else {
        const texts = await this.#textsOf(stale);
        for (const entry of stale) {
          if (this.table.entries.get(entry.id) !== entry) continue;
          const own = texts.get(entry.id);
          if (own === undefined) words.skip(entry);
          else words.put(entry, own);
        }
      }
    }
    return words;
  }

  /** Bytes of memory the words take; 0 until they are first searched. */
  get wordBytes(): number {
    return this.#words?.lexicon.bytes ?? 0;
  }

  /** Texts of documents. One that has lost its own is found by no word, and keeps no other from being found. */
  async #textsOf(entries: readonly Entry[]): Promise<Map<string, Texts>> {
    const current = () => entries.filter((entry) => this.table.entries.get(entry.id) === entry);
    try {
      return (await this.withTexts(current, (all) => all)).texts;
    } catch (error) {
      if (!hasCode(error, 'STORE_CORRUPT')) throw error;
      return this.readTexts(current());
    }
  }

  async #openWords(): Promise<Words> {
    this.#opening ??= Words.open(this.lexicon);
    try {
      this.#words = await this.#opening;
      return this.#words;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  #forgetWords(): void {
    this.#words = undefined;
    this.#opening = undefined;
    this.#wordsOf = undefined;
  }

  /** Takes packed words in; false where they made no sense, so that all words are to be read from the texts. */
  #takePacked(words: Words): boolean {
    try {
      for (const segment of this.packedWords()) words.take(segment, this.table.entries);
      return true;
    } catch (error) {
      if (!(error instanceof ShelfmarkError)) throw error;
      this.#forgetWords();
      return false;
    }
  }

  /** Has the words follow a change whose texts are at hand. */
  #publishWords({ texts }: Change): void {
    const words = this.#words;
    if (words === undefined) return;
    words.retain(this.table.entries, this.table.meta.lineage);
    if (!this.#takePacked(words)) return;
    let complete = true;
    for (const entry of words.retain(this.table.entries, this.table.meta.lineage)) {
      const own = texts.get(entry.id);
      if (own === undefined) complete = false;
      else words.put(entry, own);
    }
    if (complete) this.#wordsOf = this.table.meta;
  }

  protected async read<P extends Place, T>(
    choose: () => P[],
    toResult: (place: P, text: string) => T,
  ): Promise<T[]> {
    const { chosen, texts } = await this.withTexts(choose, (places) => places.map(({ entry }) => entry));
    return chosen.map((place) => toResult(place, textAt(texts.get(place.entry.id)!, place)));
  }

  /** Chooses in the table and reads the texts that go with it, again where the two turn out not to match. */
  protected async withTexts<C>(
    choose: () => C,
    entriesOf: (chosen: C) => readonly Entry[],
  ): Promise<{ chosen: C; texts: Map<string, Texts> }> {
    for (;;) {
      this.checkOpen();
      const { meta } = this.table;
      const chosen = choose();
      const entries = [...new Set(entriesOf(chosen))];
      const texts = entries.length === 0 ? new Map<string, Texts>() : await this.readTexts(entries);
      const missing = entries.find(({ id }) => !texts.has(id));
      if (missing === undefined) return { chosen, texts };
      await this.sync();
      // Nothing has changed since, so they are not stale but gone.
      if (this.table.meta === meta) throw missingTexts(missing.id);
    }
  }

  /** Plans, commits and then publishes a change; starts over where another tab was faster. */
  protected async change<T>({ rewrites, prepare, make, replace, meta, always }: Step<T>): Promise<T> {
    this.checkOpen();
    const attempt = async ({ Plan }: Changing): Promise<{ value: T } | undefined> => {
      await this.refresh();
      await prepare?.();
      const ids = new Set(rewrites?.());
      const entries = [...ids].map((id) => this.table.entries.get(id)).filter((entry) => entry !== undefined);
      const plan = new Plan(this.table, entries.length === 0 ? undefined : await this.readTexts(entries));
      const { meta: planned } = this.table;
      let value: T;
      try {
        value = make(plan);
      } catch (error) {
        // The texts may be of a newer state than the table: without locks, another tab can commit in between.
        await this.refresh();
        if (this.table.meta !== planned) return undefined;
        throw error;
      }
      const change = replace === undefined ? plan.finish(meta, always) : replace(this.table);
      if (change === undefined) return { value };
      const rows = await this.table.rowsFor(change);
      const committed = await this.commit(change);
      if (committed === undefined) return undefined;
      this.table.apply({ ...change, meta: committed.meta }, rows);
      committed.followed?.();
      try {
        this.#publishWords(change);
      } catch {
        // It is committed. What a stemmer of one's own has thrown, it throws again at the next search.
        this.#forgetWords();
      }
      return { value };
    };
    const untilCommitted = async (changing: Changing): Promise<T> => {
      for (let left = MAX_ATTEMPTS; left > 0; left--) {
        const made = await attempt(changing);
        if (made !== undefined) return made.value;
        // Where there are no locks, two that start over at once would meet again.
        const longest = (MAX_ATTEMPTS - left) * 10;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
      }
      throw new ShelfmarkError(
        'STORE_BLOCKED',
        'Other tabs kept changing the index while this one tried to write; try again when they are done.',
      );
    };
    return this.#alone(async () => {
      const changing = await fetchChanging();
      return this.exclusively(() => untilCommitted(changing));
    });
  }

  /** Settles when every write asked for so far has. */
  protected async idle(): Promise<void> {
    await this.#writes;
  }

  /** Runs after every write that was asked for before, whatever became of them. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#writes.then(work);
    this.#writes = turn.catch(() => undefined);
    return turn;
  }
}
