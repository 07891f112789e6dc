import { byHeading } from '../../src/index.ts';
import { splitPieces } from '../../src/split/split-documents.ts';
import { readingOf } from '../../src/store/reading.ts';
import type { EmbedderLike, SplitterDocument } from '../../src/types.ts';
import { corpus, unitVectors } from './harness.ts';
import { questions } from './passages.ts';

export const dimensions = 384;
/** Hits a question gets. */
export const k = 10;

/** A chunk as a rival keeps it, with nothing left to do. */
export interface Chunk {
  id: string;
  uri: string;
  text: string;
  vector: Float32Array<ArrayBuffer>;
}

export interface Data {
  documents: SplitterDocument[];
  /** Those of all documents, in order. */
  chunks: Chunk[];
  embedder: EmbedderLike;
  question: string;
  /** At a cosine of 0.9 to the vector of the chunk that is to be found. */
  vector: Float32Array;
  /** That chunk's text. */
  expected: string;
}

/** Every file of the corpora, in three languages. */
export async function files(): Promise<SplitterDocument[]> {
  const decoder = new TextDecoder();
  return (await corpus('')).map(({ uri, bytes }) => ({ uri, text: decoder.decode(bytes) }));
}

/**
 * The corpus over and over, until `enough` says so, each copy under titles of its own, so that no chunk is embedded
 * like another. Vectors are random directions, which the embedder knows of each chunk beforehand.
 */
export async function make(enough: (documents: number, chunks: number) => boolean): Promise<Data> {
  const splitter = byHeading();
  const all = await files();
  const documents: SplitterDocument[] = [];
  const chunks: Omit<Chunk, 'vector'>[] = [];
  const readings: string[] = [];
  const headings = new Set<string>();
  for (let at = 0; !enough(documents.length, chunks.length); at++) {
    const file = all[at % all.length]!;
    const copy = `copy${Math.floor(at / all.length)}`;
    const uri = `${copy}/${file.uri}`;
    const document = { uri, title: `${file.uri} ${copy}`, text: file.text };
    const pieces = splitPieces(document, splitter);
    if (pieces.length === 0) continue;
    documents.push(document);
    for (const [n, piece] of pieces.entries()) {
      chunks.push({ id: `${uri}#${n}`, uri, text: piece.text });
      readings.push(readingOf({ ...piece, title: document.title }, piece.text));
      if (piece.heading !== undefined) headings.add(piece.heading);
    }
  }
  const vectors = unitVectors(chunks.length, dimensions, 21);
  const known = new Map<string, Float32Array<ArrayBuffer>>();
  const whole = chunks.map((chunk, row) => {
    // A reading that comes twice is embedded once.
    const reading = readings[row]!;
    const vector = known.get(reading) ?? vectors.slice(row * dimensions, (row + 1) * dimensions);
    known.set(reading, vector);
    return { ...chunk, vector };
  });
  const texts = whole.map(({ text }) => text);
  const wanted = whole[Math.floor(whole.length * 0.4)]!;
  const noise = unitVectors(1, dimensions, 22);
  return {
    documents,
    chunks: whole,
    embedder: embedderOf((text) => known.get(text)),
    question: questions({ texts, headings: [...headings], bytes: 0 }, 60).filter(
      (asked) => asked.split(' ').length === 3,
    )[1]!,
    vector: wanted.vector.map((value, i) => value * 0.9 + noise[i]! * 0.43),
    expected: wanted.text,
  };
}

/** An embedder that has every vector at hand. */
export const embedderOf = (vectorOf: (text: string) => Float32Array | undefined): EmbedderLike => ({
  id: 'given',
  dimensions,
  embed: async (texts: readonly string[]) => texts.map((text) => vectorOf(text)!),
});
