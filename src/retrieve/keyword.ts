import { invalidOption, ShelfmarkError, show } from '../errors.ts';
import { jsLexical } from '../kernel/js-lexical.ts';
import type { AnalyzerKind } from '../kernel/lexical.ts';
import { wasmLexicalKernel } from '../kernel/load-index.ts';
import { analyzerOf } from '../lexicon/analyzer.ts';
import { Lexicon, type LexiconOptions } from '../lexicon/lexicon.ts';
import { defaults, optionsObject } from '../options.ts';
import { documentIdOf } from '../store/ids.ts';
import { copyMetadata, matchesFilter, storableMetadata } from '../store/metadata.ts';
import type { ChunkRecord, Metadata, Passage, RetrieveOptions, Retriever } from '../types.ts';
import { checkQuestion } from './checks.ts';

export interface KeywordRetrieverOptions extends LexiconOptions {
  analyzer?: AnalyzerKind;
}

/** BM25 over records held in memory. For one that is stored, and for vectors beside it, use `openIndex`. */
export class KeywordRetriever implements Retriever {
  readonly #options: KeywordRetrieverOptions;
  #lexicon: Lexicon;
  /** Records by row, in the order of their first adding. */
  #records: (ChunkRecord | undefined)[] = [];
  readonly #rows = new Map<string, number>();
  /** The rows of each document. */
  readonly #documents = new Map<string, Set<number>>();

  constructor(options: KeywordRetrieverOptions = {}) {
    this.#options = optionsObject(options);
    this.#lexicon = openAtOnce(options);
  }

  get size(): number {
    return this.#rows.size;
  }

  /**
   * Adds copies of records; one whose id is known replaces that record where it stands.
   *
   * @throws ShelfmarkError `INVALID_DOCUMENT` naming a record that cannot be kept, before any is added.
   */
  add(records: readonly ChunkRecord[]): void {
    if (!Array.isArray(records)) throw invalidOption('records', records, 'an array of records');
    for (const record of records) {
      if (typeof record?.id !== 'string' || typeof record.text !== 'string') {
        const [what, value] = typeof record?.id === 'string' ? ['text', record.text] : ['id', record?.id];
        throw new ShelfmarkError('INVALID_DOCUMENT', `A record's ${what} is ${show(value)}; give a string.`);
      }
    }
    for (const record of owned(records)) {
      const row = this.#rows.get(record.id) ?? this.#records.length;
      const documentId = documentIdOf(record.id);
      this.#rows.set(record.id, row);
      this.#documents.set(documentId, (this.#documents.get(documentId) ?? new Set()).add(row));
      this.#records[row] = record;
      this.#lexicon.add(row, record.text);
    }
  }

  /** Removes the records of a document, and the record that has this very id. */
  remove(documentId: string): void {
    const rows = new Set(this.#documents.get(documentId));
    const own = this.#rows.get(documentId);
    if (own !== undefined) rows.add(own);
    for (const row of rows) this.#drop(row);
  }

  #drop(row: number): void {
    const { id } = this.#records[row]!;
    const documentId = documentIdOf(id);
    const siblings = this.#documents.get(documentId)!;
    siblings.delete(row);
    if (siblings.size === 0) this.#documents.delete(documentId);
    this.#rows.delete(id);
    this.#records[row] = undefined;
    this.#lexicon.remove(row);
  }

  clear(): void {
    this.#rows.clear();
    this.#documents.clear();
    this.#records = [];
    this.#lexicon = openAtOnce(this.#options);
  }

  async retrieve(query: string, options: RetrieveOptions = {}): Promise<Passage[]> {
    checkQuestion(query, options);
    options.signal?.throwIfAborted();
    const { topK = defaults.topK, filter } = options;
    // The reference cuts its list as Array.slice does, so that a negative topK leaves the last ones out.
    const wanted = topK < 0 ? this.#records.length : Math.min(topK, this.#records.length);
    const allowed = filter === undefined ? undefined : this.#allowed(filter);
    const { rows, scores } = this.#lexicon.search(query, { topK: wanted, allowed });
    const passages = Array.from(rows, (row, at): Passage => {
      const record = this.#records[row]!;
      const { metadata } = record;
      return { ...record, ...(metadata && { metadata: copyMetadata(metadata) }), score: scores[at]! };
    });
    return passages.slice(0, topK);
  }

  #allowed(filter: NonNullable<RetrieveOptions['filter']>): Uint32Array {
    const bits = new Uint32Array((this.#records.length + 31) >>> 5);
    this.#records.forEach((record, row) => {
      if (record !== undefined && matchesFilter(record.metadata, filter)) bits[row >>> 5]! |= 1 << (row & 31);
    });
    return bits;
  }
}

/** Records that share nothing with the caller's; those of one document mostly share their metadata. */
function owned(records: readonly ChunkRecord[]): ChunkRecord[] {
  const copies = new Map<Metadata, Metadata>();
  return records.map((record) => {
    const { metadata, headingPath } = record;
    const copy = { ...record, ...(headingPath && { headingPath: [...headingPath] }) };
    if (metadata === undefined) return copy;
    copy.metadata = copies.get(metadata) ?? storableMetadata(metadata, `record ${show(record.id)}`);
    copies.set(metadata, copy.metadata);
    return copy;
  });
}

/** Adding is synchronous, so the twin cannot be fetched and comes along. */
function openAtOnce(options: KeywordRetrieverOptions): Lexicon {
  const { options: analysis } = analyzerOf(options);
  return new Lexicon(options, wasmLexicalKernel(analysis) ?? jsLexical(analysis));
}
