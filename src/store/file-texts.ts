import { ByteReader, ByteWriter } from './bytes.ts';
import type { LexicalSegment } from './segments.ts';
import type { Entry, Texts } from './table.ts';

/*
 * The texts of a file, in the order of its documents: a block of lengths, then all characters as one stream.
 *
 *   how many documents; of each 1 where there is a whole text, and 2 where there is one a record, with their number;
 *   of each text its length
 *
 * Words: the analyser; how many documents; of each its place among the documents of the file and 1, or 0 and its id
 * where it is none of them; the differences of versions and numbers of chunks to those the document has; the rest are
 * the packed words.
 */

const WHOLE = 1;
const OWN = 2;

export function encodeTexts(all: readonly Texts[]): ByteWriter {
  const lengths = new ByteWriter();
  lengths.count(all.length);
  const characters = new ByteWriter();
  for (const { text, texts } of all) {
    lengths.count((text === undefined ? 0 : WHOLE) + (texts === undefined ? 0 : OWN));
    for (const one of text === undefined ? [] : [text]) characters.text(one, lengths);
    if (texts !== undefined) lengths.count(texts.length);
    for (const one of texts ?? []) characters.text(one, lengths);
  }
  const out = new ByteWriter();
  out.block(lengths.written);
  out.bytes(characters.written);
  return out;
}

/** Reads what `encodeTexts` wrote. Throws any error for bytes that are something else. */
export function decodeTexts(from: ByteReader): Texts[] {
  const lengths = new ByteReader(from.block());
  const all = Array.from({ length: lengths.size() }, (): Texts => {
    const given = lengths.count();
    if (given > WHOLE + OWN) throw new Error(`texts are of kind ${given}`);
    return {
      ...((given & WHOLE) !== 0 && { text: from.text(lengths) }),
      ...((given & OWN) !== 0 && {
        texts: Array.from({ length: lengths.size() }, () => from.text(lengths)),
      }),
    };
  });
  lengths.end();
  from.end();
  return all;
}

export function encodeWords(segment: LexicalSegment, entries: readonly Entry[]): ByteWriter {
  const { analyzer, ids, versions, chunks, bytes } = segment;
  const places = new Map(entries.map(({ id }, at) => [id, at]));
  const out = new ByteWriter();
  out.text(analyzer);
  out.count(ids.length);
  let next = 0;
  const known = ids.map((id) => {
    const place = places.get(id);
    out.count(place === undefined ? 0 : 1);
    if (place === undefined) out.text(id);
    else {
      out.integer(place - next);
      next = place + 1;
    }
    return place === undefined ? undefined : entries[place];
  });
  for (const [at, entry] of known.entries()) out.integer(versions[at]! - (entry?.version ?? 0));
  for (const [at, entry] of known.entries()) out.integer(chunks[at]! - (entry?.rows.length ?? 0));
  out.bytes(new Uint8Array(bytes));
  return out;
}

/** Reads what `encodeWords` wrote. Throws any error for bytes that are something else. */
export function decodeWords(from: ByteReader, entries: readonly Entry[]): LexicalSegment {
  const analyzer = from.text();
  let next = 0;
  const known = Array.from({ length: from.size() }, () => {
    if (from.count() === 0) return { id: from.text(), version: 0, rows: [] };
    const place = next + from.integer();
    next = place + 1;
    const entry = entries[place];
    if (entry === undefined) throw new Error(`words are of document ${place}, which is not there`);
    return entry;
  });
  return {
    analyzer,
    ids: known.map(({ id }) => id),
    versions: known.map(({ version }) => version + from.integer()),
    chunks: known.map(({ rows }) => rows.length + from.integer()),
    bytes: new Uint8Array(from.bytes(from.left)).buffer,
  };
}
