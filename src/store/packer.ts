import { Lexicon, type LexiconOptions } from '../lexicon/lexicon.ts';
import { chunkRows, type LexicalSegment } from './segments.ts';
import type { Entry, Texts } from './table.ts';
import { readingsOf } from './words.ts';

/** Chunks of a segment, where nothing else is asked for. */
const SEGMENT_CHUNKS = 1024;

/** Puts words of documents into segments, in a lexicon of its own. */
export class Packer {
  readonly #options: LexiconOptions;
  readonly #analyzer: string;
  readonly #size: number;
  readonly #segments: LexicalSegment[] = [];
  #lexicon: Lexicon | undefined;
  #ids: string[] = [];
  #versions: number[] = [];
  #chunks: number[] = [];
  #rows = 0;

  /** @param size Chunks after which a segment is full; a document is never divided. */
  constructor(options: LexiconOptions, analyzer: string, size = SEGMENT_CHUNKS) {
    this.#options = options;
    this.#size = size;
    this.#analyzer = analyzer;
  }

  /** Reads the words of a document from its texts. */
  async add(entry: Entry, texts: Texts): Promise<void> {
    const lexicon = await this.#room();
    const readings = readingsOf(entry, texts);
    for (const [at, reading] of readings.entries()) lexicon.add(this.#rows + at, reading);
    this.#enter(entry.id, entry.version, readings.length);
  }

  /** Takes the words of some documents from a segment. */
  async take(segment: LexicalSegment, wanted: (id: string) => boolean): Promise<void> {
    const lexicon = await this.#room();
    const rows = chunkRows(segment, (id, version, count) => {
      if (!wanted(id)) return undefined;
      const first = this.#rows;
      this.#enter(id, version, count);
      return Array.from({ length: count }, (_, at) => first + at);
    });
    lexicon.unpack(segment.bytes, rows, 'A segment of words');
  }

  finish(): LexicalSegment[] {
    this.#flush();
    return this.#segments;
  }

  #enter(id: string, version: number, chunks: number): void {
    this.#ids.push(id);
    this.#versions.push(version);
    this.#chunks.push(chunks);
    this.#rows += chunks;
  }

  async #room(): Promise<Lexicon> {
    if (this.#rows >= this.#size) this.#flush();
    this.#lexicon ??= await Lexicon.open(this.#options);
    return this.#lexicon;
  }

  #flush(): void {
    if (this.#lexicon !== undefined && this.#rows > 0) {
      this.#segments.push({
        analyzer: this.#analyzer,
        ids: this.#ids,
        versions: this.#versions,
        chunks: this.#chunks,
        bytes: this.#lexicon.pack(),
      });
    }
    this.#lexicon = undefined;
    this.#ids = [];
    this.#versions = [];
    this.#chunks = [];
    this.#rows = 0;
  }
}
