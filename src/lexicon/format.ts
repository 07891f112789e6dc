import { ShelfmarkError } from '../errors.ts';
import { checksum } from '../kernel/checksum.ts';

/*
 * Stored words, little-endian:
 *
 *   0        4        6        8         12        16        20        32
 *   | SMLS   | version| 0      | checksum| chunks  | bytes   | 0 …     | the stream of LexicalKernel.pack
 *
 * "Bytes" are those of the stream, which zeros follow up to a multiple of 4. The checksum is over all behind it,
 * so that it holds for the counts as well.
 */
const MAGIC = 0x534c4d53;
const HEADER_BYTES = 32;
const CHECKED_FROM = 12;
/** Highest version this reader knows, and the one it writes. */
export const WORDS_VERSION = 1;

export interface StoredWords {
  /** Texts in it. */
  chunks: number;
  /** What `LexicalKernel.unpack` takes, as a view into the bytes. */
  stream: Uint8Array<ArrayBuffer>;
}

/**
 * Wraps packed words for a store.
 * @param chunks texts in the stream
 */
export function encodeWords(stream: Uint8Array, chunks: number): ArrayBuffer {
  const bytes = new ArrayBuffer(paddedLength(stream.length));
  new Uint8Array(bytes, HEADER_BYTES).set(stream);
  const header = new DataView(bytes);
  header.setUint32(0, MAGIC, true);
  header.setUint16(4, WORDS_VERSION, true);
  header.setUint32(12, chunks, true);
  header.setUint32(16, stream.length, true);
  header.setUint32(8, checksum(new Uint32Array(bytes, CHECKED_FROM)), true);
  return bytes;
}

/**
 * Checks stored words by header and checksum.
 * Throws `FORMAT` for a newer version and `STORE_CORRUPT` for everything else that is wrong.
 * @param name what the bytes are called in a message
 */
export function checkWords(bytes: unknown, name: string): StoredWords {
  if (!(bytes instanceof ArrayBuffer)) throw corruptWords(name, 'is not a block of bytes');
  if (bytes.byteLength < HEADER_BYTES)
    throw corruptWords(name, `is ${bytes.byteLength} bytes long, shorter than its header`);
  const header = new DataView(bytes);
  if (header.getUint32(0, true) !== MAGIC)
    throw corruptWords(name, 'does not start with the mark of stored words');
  const version = header.getUint16(4, true);
  if (version > WORDS_VERSION) {
    throw new ShelfmarkError(
      'FORMAT',
      `${name} was written in version ${version} of the format, this library reads up to ${WORDS_VERSION}; update it.`,
    );
  }
  if (version === 0) throw corruptWords(name, 'has no version');
  const length = header.getUint32(16, true);
  const expected = paddedLength(length);
  if (bytes.byteLength !== expected)
    throw corruptWords(name, `is ${bytes.byteLength} bytes long instead of ${expected}`);
  if (header.getUint32(8, true) !== checksum(new Uint32Array(bytes, CHECKED_FROM)))
    throw corruptWords(name, 'does not match its checksum');
  return { chunks: header.getUint32(12, true), stream: new Uint8Array(bytes, HEADER_BYTES, length) };
}

/** The error for stored words that cannot be used. */
export const corruptWords = (name: string, what: string): ShelfmarkError =>
  new ShelfmarkError('STORE_CORRUPT', `${name} ${what}; add the documents again to a new index.`);

/** In doubles, since a length that is wrong may be one that bits would wrap. */
const paddedLength = (bytes: number): number => Math.ceil((HEADER_BYTES + bytes) / 4) * 4;
