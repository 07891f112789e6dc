import { ShelfmarkError } from '../errors.ts';
import { checksum } from '../kernel/checksum.ts';
import { type PackedRows, SEGMENT_ROWS } from '../kernel/vector.ts';
import type { VectorFormat } from '../types.ts';

/*
 * A stored segment, little-endian:
 *
 *   0        4        6      7      8         12        16        20        32
 *   | SMVS   | version| dtype| 0    | dims    | rows    | checksum| 0 …     | the rows
 *
 * dtype 0: rows × dims f32 values. dtype 1: rows × f32 peaks, rows × dims i8 values, each 127th parts of the
 * peak of its row, and zeros up to a multiple of 4.
 */
const MAGIC = 0x53564d53;
const HEADER_BYTES = 32;
/** Highest version this reader knows, and the one it writes. */
export const SEGMENT_VERSION = 1;
const F32 = 0;
const INT8 = 1;

/** `'int8+f32'` stores its floats alone, of which its bytes are made again. */
const typeOf = (format: VectorFormat): number => (format === 'int8' ? INT8 : F32);

/** Packs rows into the bytes of a stored segment. */
export function encodeSegment({ values, peaks }: PackedRows, dimensions: number): ArrayBuffer {
  const peakBytes = peaks?.byteLength ?? 0;
  const bytes = new ArrayBuffer((HEADER_BYTES + peakBytes + values.byteLength + 3) & ~3);
  if (peaks !== undefined) new Float32Array(bytes, HEADER_BYTES).set(peaks);
  if (values instanceof Int8Array) new Int8Array(bytes, HEADER_BYTES + peakBytes).set(values);
  else new Float32Array(bytes, HEADER_BYTES).set(values);
  const header = new DataView(bytes);
  header.setUint32(0, MAGIC, true);
  header.setUint16(4, SEGMENT_VERSION, true);
  header.setUint8(6, values instanceof Int8Array ? INT8 : F32);
  header.setUint32(8, dimensions, true);
  header.setUint32(12, values.length / dimensions, true);
  header.setUint32(16, checksum(new Uint32Array(bytes, HEADER_BYTES)), true);
  return bytes;
}

/**
 * Reads a stored segment: its rows, as views into `bytes`.
 * Throws `FORMAT` for a newer version and `STORE_CORRUPT` for everything else that is wrong.
 */
export function decodeSegment(
  bytes: unknown,
  dimensions: number,
  format: VectorFormat,
  name: string,
): PackedRows {
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
  const type = header.getUint8(6);
  if (type !== F32 && type !== INT8) throw corrupt(`holds values of an unknown type (${type})`);
  if (type !== typeOf(format)) throw corrupt(`does not hold the kind of values of the index, '${format}'`);
  if (header.getUint32(8, true) !== dimensions) {
    throw corrupt(`holds vectors of ${header.getUint32(8, true)} values where the index has ${dimensions}`);
  }
  const count = header.getUint32(12, true);
  if (count > SEGMENT_ROWS) throw corrupt(`claims ${count} rows, more than a segment holds`);
  const peakBytes = type === INT8 ? count * 4 : 0;
  const valueBytes = count * dimensions * (type === INT8 ? 1 : 4);
  const expected = (HEADER_BYTES + peakBytes + valueBytes + 3) & ~3;
  if (bytes.byteLength !== expected)
    throw corrupt(`is ${bytes.byteLength} bytes long instead of ${expected}`);
  if (header.getUint32(16, true) !== checksum(new Uint32Array(bytes, HEADER_BYTES))) {
    throw corrupt('does not match its checksum');
  }
  if (type === F32) return { values: new Float32Array(bytes, HEADER_BYTES) };
  return {
    values: new Int8Array(bytes, HEADER_BYTES + peakBytes, valueBytes),
    peaks: new Float32Array(bytes, HEADER_BYTES, count),
  };
}
