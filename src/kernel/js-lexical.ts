import { characterTables } from './characters.ts';
import { edits } from './edits.ts';
import {
  type AnalyzerOptions,
  LEFT_OUT,
  type LexicalKernel,
  MOST_ROWS,
  type NearTerm,
  type QueryToken,
  type Scored,
} from './lexical.ts';
import { decodeToken, PackedReader, PackedWriter } from './packed.ts';
import { type Emit, tokenizeAscii, tokenizeUnicode } from './tokens.ts';

interface Postings {
  token: string;
  frequency: number;
  documents: number[];
  counts: number[];
}

/**
 * A zero and half a character, which could not be packed; and whole pairs, to step over. Without the flag `u`, with
 * which WebKit before 2026-07 takes a high surrogate and any of U+FC00 to U+FFFF for a pair.
 */
const unpackable = /[\ud800-\udbff][\udc00-\udfff]|[\0\ud800-\udfff]/g;

/** A tokeniser by analyser: every token with its place. */
export function analyze(options: AnalyzerOptions): (text: string, emit: Emit) => void {
  const { kind, diacritics, stem } = options;
  const run =
    kind === 'ascii'
      ? tokenizeAscii
      : (text: string, emit: Emit): void => {
          const plain = diacritics ? text : text.normalize('NFC');
          tokenizeUnicode(plain, characterTables(diacritics), emit);
        };
  if (stem === undefined) return run;
  return (text, emit) =>
    run(text, (token, start, end, isPart) => {
      const stemmed = stem(token).replace(unpackable, (found) => (found.length === 2 ? found : '\ufffd'));
      if (stemmed !== '') emit(stemmed, start, end, isPart);
    });
}

const encoder = new TextEncoder();
const bytesOf = (token: string): number => encoder.encode(token).length;

/** The plain-TypeScript twin of the lexical part of the AssemblyScript index module. */
export function jsLexical(options: AnalyzerOptions): LexicalKernel {
  const tokenizer = analyze(options);
  const dictionary = new Map<string, number>();
  // Term 0 is none.
  const terms: Postings[] = [{ token: '', frequency: 0, documents: [], counts: [] }];
  let lengths: number[] = [];
  let rows: number[] = [];
  let forward: number[][] = [];
  const docs = new Map<number, number>();
  let liveTokens = 0;
  let dead = 0;
  let scores = new Float64Array(256);
  let touched: number[] = [];

  const count = (term: number, doc: number, own: number[]): void => {
    const { documents, counts } = terms[term]!;
    if (documents.at(-1) === doc) {
      counts[counts.length - 1]!++;
      return;
    }
    documents.push(doc);
    counts.push(1);
    terms[term]!.frequency++;
    own.push(term);
  };

  /** The term of a token, made anew where there is none. */
  const termOf = (token: string): number => {
    const known = dictionary.get(token);
    if (known !== undefined) return known;
    dictionary.set(token, terms.length);
    return terms.push({ token, frequency: 0, documents: [], counts: [] }) - 1;
  };

  const addDocument = (row: number, length: number, own: number[]): void => {
    docs.set(row, lengths.length);
    lengths.push(length);
    rows.push(row);
    forward.push(own);
    liveTokens += length;
  };

  const near = (accept: (token: string) => number | undefined): NearTerm[] => {
    const found: NearTerm[] = [];
    terms.forEach(({ token, frequency }, term) => {
      const distance = frequency > 0 ? accept(token) : undefined;
      if (distance !== undefined) found.push({ term, distance });
    });
    return found;
  };

  return {
    kind: 'js',
    get documents() {
      return docs.size;
    },
    get tokens() {
      return liveTokens;
    },
    get terms() {
      return terms.length - 1;
    },
    get bytes() {
      return terms.reduce(
        (sum, { documents, token }) => sum + 80 + token.length * 2 + documents.length * 16,
        0,
      );
    },
    get dead() {
      return dead;
    },
    has: (row) => docs.has(row),
    add(row, text) {
      const doc = lengths.length;
      const own: number[] = [];
      let length = 0;
      tokenizer(text, (token, _start, _end, isPart) => {
        count(termOf(token), doc, own);
        if (isPart) length++;
      });
      addDocument(row, length, own);
    },
    remove(row) {
      const doc = docs.get(row);
      if (doc === undefined) return false;
      for (const term of forward[doc]!) terms[term]!.frequency--;
      liveTokens -= lengths[doc]!;
      lengths[doc] = -1;
      forward[doc] = [];
      docs.delete(row);
      dead++;
      return true;
    },
    compact() {
      for (const doc of touched) scores[doc] = 0;
      touched = [];
      const live = [...lengths.keys()].filter((doc) => lengths[doc]! >= 0);
      const fresh = new Map(live.map((doc, number) => [doc, number]));
      for (const term of terms) {
        const kept = [...term.documents.keys()].filter((i) => fresh.has(term.documents[i]!));
        term.counts = kept.map((i) => term.counts[i]!);
        term.documents = kept.map((i) => fresh.get(term.documents[i]!)!);
      }
      lengths = live.map((doc) => lengths[doc]!);
      rows = live.map((doc) => rows[doc]!);
      forward = live.map((doc) => forward[doc]!);
      for (const [doc, row] of rows.entries()) docs.set(row, doc);
      dead = 0;
    },
    pack() {
      const writer = new PackedWriter();
      const chunks = new Map<number, number>();
      writer.number(docs.size);
      for (const [doc, length] of lengths.entries()) {
        if (length < 0) continue;
        chunks.set(doc, chunks.size);
        writer.number(length);
        writer.number(forward[doc]!.length);
      }
      const live = terms.filter(({ frequency }) => frequency > 0);
      writer.number(live.length);
      for (const { token, frequency, documents, counts } of live) {
        const bytes = encoder.encode(token);
        writer.number(bytes.length);
        writer.bytes(bytes);
        writer.number(frequency);
        let expected = 0;
        for (const [i, doc] of documents.entries()) {
          const chunk = chunks.get(doc);
          if (chunk === undefined) continue;
          const repeated = counts[i]! > 1;
          writer.number((chunk - expected) * 2 + Number(repeated));
          if (repeated) writer.number(counts[i]! - 2);
          expected = chunk + 1;
        }
      }
      return writer.finish();
    },
    unpack(bytes, given) {
      const reader = new PackedReader(bytes);
      const chunkCount = reader.number();
      if (chunkCount !== given.length) return false;
      const base = lengths.length;
      // Every posting takes a byte, so no stream makes lists longer than itself.
      let left = bytes.length;
      const chunks: { doc: number; own: number[]; missing: number }[] = [];
      for (const row of given) {
        const length = reader.number();
        const missing = reader.number();
        if (length === reader.none || missing > left) return false;
        left -= missing;
        const own: number[] = [];
        chunks.push({ doc: row === LEFT_OUT ? -1 : lengths.length, own, missing });
        if (row === LEFT_OUT) continue;
        if (row >= MOST_ROWS || docs.has(row)) return false;
        addDocument(row, length, own);
      }
      for (let left = reader.number(); left > 0; left--) {
        const token = decodeToken(reader.bytes(reader.number()));
        const postings = reader.number();
        if (token === undefined || postings === 0 || postings > chunkCount) return false;
        let term = 0;
        let expected = 0;
        for (let i = 0; i < postings; i++) {
          const word = reader.number();
          const chunk = chunks[expected + (word >>> 1)];
          const times = word & 1 ? reader.number() + 2 : 1;
          if (chunk === undefined || times > reader.none || chunk.missing === 0) return false;
          expected += (word >>> 1) + 1;
          chunk.missing--;
          if (chunk.doc < 0) continue;
          if (term === 0) {
            term = termOf(token);
            // The stream had this term before.
            if ((terms[term]!.documents.at(-1) ?? -1) >= base) return false;
          }
          const { documents, counts } = terms[term]!;
          documents.push(chunk.doc);
          counts.push(times);
          terms[term]!.frequency++;
          chunk.own.push(term);
        }
      }
      return reader.ended && chunks.every(({ missing }) => missing === 0);
    },
    tokenize(query) {
      const tokens: QueryToken[] = [];
      tokenizer(query, (token) => tokens.push({ term: dictionary.get(token) ?? 0, token }));
      return tokens;
    },
    frequency: (term) => terms[term]?.frequency ?? 0,
    affixed: (affix, suffix) =>
      near((token) =>
        token.length > affix.length && (token.startsWith(affix) || (suffix && token.endsWith(affix)))
          ? bytesOf(token) - bytesOf(affix)
          : undefined,
      ),
    similar(token, most) {
      const own = [...token];
      return near((other) => {
        const distance = edits(own, [...other], most);
        return distance > 0 && distance <= most ? distance : undefined;
      });
    },
    begin() {
      for (const doc of touched) scores[doc] = 0;
      touched = [];
      if (scores.length < lengths.length) scores = new Float64Array(lengths.length * 2);
    },
    score(term, weight, base, slope) {
      const { documents, counts } = terms[term]!;
      for (let i = 0; i < documents.length; i++) {
        const doc = documents[i]!;
        const length = lengths[doc]!;
        if (length < 0) continue;
        const had = scores[doc]!;
        if (had === 0) touched.push(doc);
        const tf = counts[i]!;
        scores[doc] = had + (weight * tf) / (tf + (base + slope * length));
      }
    },
    select(k, floor, allowed) {
      const best = touched
        .map((doc) => ({ row: rows[doc]!, score: scores[doc]! }))
        .filter(({ row, score }) => score >= floor && isAllowed(allowed, row))
        .sort((a, b) => b.score - a.score || a.row - b.row)
        .slice(0, k);
      return scored(best);
    },
    scoreOf(row) {
      const doc = docs.get(row);
      return doc === undefined ? 0 : (scores[doc] ?? 0);
    },
  };
}

export const isAllowed = (bits: Uint32Array | undefined, row: number): boolean =>
  bits === undefined || (row >>> 5 < bits.length && ((bits[row >>> 5]! >>> (row & 31)) & 1) !== 0);

const scored = (best: readonly { row: number; score: number }[]): Scored => ({
  rows: Uint32Array.from(best, ({ row }) => row),
  scores: Float64Array.from(best, ({ score }) => score),
});
