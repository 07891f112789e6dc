import { ShelfmarkError, show } from '../errors.ts';
import { jsLexical } from '../kernel/js-lexical.ts';
import type { AnalyzerKind } from '../kernel/lexical.ts';
import { wasmLexicalKernel } from '../kernel/load-index.ts';
import { analyzerOf } from '../lexicon/analyzer.ts';
import { Lexicon, type LexiconOptions } from '../lexicon/lexicon.ts';
import { defaults } from '../options.ts';
import { documentIdOf } from '../store/ids.ts';
import { matchesFilter } from '../store/metadata.ts';
import type { ChunkRecord, Passage, RetrieveOptions, Retriever } from '../types.ts';

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

  constructor(options: KeywordRetrieverOptions = {}) {
    this.#options = options;
    this.#lexicon = openAtOnce(options);
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Adds records; one whose id is known replaces that record where it stands. */
  add(records: readonly ChunkRecord[]): void {
    for (const record of records) {
      if (typeof record?.id !== 'string' || typeof record.text !== 'string') {
        const [what, value] = typeof record?.id === 'string' ? ['text', record.text] : ['id', record?.id];
        throw new ShelfmarkError('INVALID_DOCUMENT', `A record's ${what} is ${show(value)}; give a string.`);
      }
    }
    for (const record of records) {
      const row = this.#rows.get(record.id) ?? this.#records.length;
      this.#rows.set(record.id, row);
      this.#records[row] = record;
      this.#lexicon.add(row, record.text);
    }
  }

  /** Removes the records of a document, and the record that has this very id. */
  remove(documentId: string): void {
    for (const [id, row] of this.#rows) {
      if (id !== documentId && documentIdOf(id) !== documentId) continue;
      this.#rows.delete(id);
      this.#records[row] = undefined;
      this.#lexicon.remove(row);
    }
  }

  clear(): void {
    this.#rows.clear();
    this.#records = [];
    this.#lexicon = openAtOnce(this.#options);
  }

  async retrieve(query: string, options: RetrieveOptions = {}): Promise<Passage[]> {
    options.signal?.throwIfAborted();
    const { topK = defaults.topK, filter } = options;
    // The reference cuts its list as Array.slice does, so that a negative topK leaves the last ones out.
    const wanted = topK < 0 ? this.#records.length : Math.min(topK, this.#records.length);
    const allowed = filter === undefined ? undefined : this.#allowed(filter);
    const { rows, scores } = this.#lexicon.search(query, { topK: wanted, allowed });
    const passages = Array.from(rows, (row, at): Passage => ({ ...this.#records[row]!, score: scores[at]! }));
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

/** Adding is synchronous, so the twin cannot be fetched and comes along. */
function openAtOnce(options: KeywordRetrieverOptions): Lexicon {
  const { options: analysis } = analyzerOf(options);
  return new Lexicon(options, wasmLexicalKernel(analysis) ?? jsLexical(analysis));
}
