import { ShelfmarkError } from '../errors.ts';
import { SEGMENT_ROWS } from './rows.ts';

/*
 * A stored segment, little-endian:
 *
 *   0        4        6      7      8         12        16        20        32
 *   | SMVS   | version| dtype| 0    | dims    | rows    | checksum| 0 …     | rows × dims values
 */
const MAGIC = 0x53564d53;
const HEADER_BYTES = 32;
/** Highest version this reader knows, and the one it writes. */
export const SEGMENT_VERSION = 1;
const F32 = 0;

/** Packs rows into the bytes of a stored segment. */
export function encodeSegment(rows: Float32Array, dimensions: number): ArrayBuffer {
  const bytes = new ArrayBuffer(HEADER_BYTES + rows.byteLength);
  new Float32Array(bytes, HEADER_BYTES).set(rows);
  const header = new DataView(bytes);
  header.setUint32(0, MAGIC, true);
  header.setUint16(4, SEGMENT_VERSION, true);
  header.setUint8(6, F32);
  header.setUint32(8, dimensions, true);
  header.setUint32(12, rows.length / dimensions, true);
  header.setUint32(16, checksum(new Uint32Array(bytes, HEADER_BYTES)), true);
  return bytes;
}

/**
 * Reads a stored segment: its rows, as a view into `bytes`.
 * Throws `FORMAT` for a newer version and `STORE_CORRUPT` for everything else that is wrong.
 */
export function decodeSegment(bytes: unknown, dimensions: number, name: string): Float32Array {
  const corrupt = (what: string) =>
    new ShelfmarkError('STORE_CORRUPT', `${name} ${what}; add the documents again to a new index.`);
  if (!(bytes instanceof ArrayBuffer)) throw corrupt('is not a block of bytes');
  if (bytes.byteLength < HEADER_BYTES)
    throw corrupt(`is ${bytes.byteLength} bytes long, shorter than its header`);
  const header = new DataView(bytes);
  if (header.getUint32(0, true) !== MAGIC) throw corrupt('does not start with the mark of a vector segment');
  const version = header.getUint16(4, true);
  if (version > SEGMENT_VERSION) {
    throw new ShelfmarkError(
      'FORMAT',
      `${name} was written in version ${version} of the format, this library reads up to ${SEGMENT_VERSION}; update it.`,
    );
  }
  if (version === 0) throw corrupt('has no version');
  if (header.getUint8(6) !== F32) throw corrupt(`holds values of an unknown type (${header.getUint8(6)})`);
  if (header.getUint32(8, true) !== dimensions) {
    throw corrupt(`holds vectors of ${header.getUint32(8, true)} values where the index has ${dimensions}`);
  }
  const count = header.getUint32(12, true);
  if (count > SEGMENT_ROWS) throw corrupt(`claims ${count} rows, more than a segment holds`);
  const expected = HEADER_BYTES + count * dimensions * 4;
  if (bytes.byteLength !== expected)
    throw corrupt(`is ${bytes.byteLength} bytes long instead of ${expected}`);
  if (header.getUint32(16, true) !== checksum(new Uint32Array(bytes, HEADER_BYTES))) {
    throw corrupt('does not match its checksum');
  }
  return new Float32Array(bytes, HEADER_BYTES);
}

/** FNV-1a over words, with a shift in each step so that changes in high bits reach the low ones too. */
function checksum(words: Uint32Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < words.length; i++) {
    hash = Math.imul(hash ^ words[i]!, 0x01000193);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
