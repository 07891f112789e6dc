import { ShelfmarkError } from '../errors.ts';
import type { Scored } from './lexical.ts';
import {
  OVERFETCH,
  type PackedRows,
  SEGMENT_ROWS,
  strideOf,
  type VectorKernel,
  type VectorOptions,
} from './vector.ts';
import { bestOf, fromBytes, gather, type PreparedQuery, prepareQuery, spread } from './vector-values.ts';
import { instantiate, type KernelExports, type WasmModule } from './wasm.ts';

interface Exports extends KernelExports {
  readonly liveRows: { readonly value: number };
  alloc(bytes: number): number;
  release(block: number, bytes: number): void;
  createVectors(dimensions: number, kinds: number): void;
  segmentBytes(): number;
  queryAt(): number;
  floatsAt(row: number): number;
  bytesAt(row: number): number;
  peakAt(row: number): number;
  sealRow(row: number, packed: boolean): void;
  dropVector(row: number): void;
  hasVector(row: number): number;
  scoreRow(row: number, queryNorm: number): number;
  nearest(k: number, floor: number, queryNorm: number, bits: number, bitCount: number): number;
  topRows(): number;
  topScores(): number;
}

const kinds = { f32: 1, int8: 2, 'int8+f32': 3 };

/**
 * Rows in an instance of their own, whose memory goes when nothing refers to it any more. Throws where the engine
 * refuses the module. Views are made for each call, since memory that grew leaves the old ones empty.
 */
export function wasmVector(module: WasmModule, { dimensions, format }: VectorOptions): VectorKernel {
  const kernel = instantiate<Exports>(module, 'index');
  const stride = strideOf(dimensions);
  const hasFloats = format !== 'int8';
  const hasBytes = format !== 'f32';
  kernel.createVectors(dimensions, kinds[format]);

  // Addresses from 2 GiB on come out of the kernel as negative numbers.
  const floats = (at: number, length: number) => new Float32Array(kernel.memory.buffer, at >>> 0, length);
  const bytes = (at: number, length: number) => new Int8Array(kernel.memory.buffer, at >>> 0, length);
  const words = (at: number, length: number) => new Uint32Array(kernel.memory.buffer, at >>> 0, length);

  /** Runs what may need more memory. */
  function growing<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (kernel.exhausted.value === 0) throw error;
      throw new ShelfmarkError(
        'UNSUPPORTED',
        `There is no memory left for more vectors of ${dimensions} values (${kernel.liveRows.value} are held); keep them as 'int8', or in fewer values.`,
        { cause: error },
      );
    }
  }

  function enterQuery(query: Float32Array): PreparedQuery {
    const prepared = prepareQuery(query);
    const at = kernel.queryAt() >>> 0;
    floats(at, stride).set(prepared.floats);
    new Int16Array(kernel.memory.buffer, at + stride * 4, stride).set(prepared.integers);
    return prepared;
  }

  function nearest(k: number, floor: number, queryNorm: number, allowed: Uint32Array | undefined): Scored {
    const size = allowed?.byteLength ?? 0;
    const bits = allowed === undefined ? 0 : growing(() => kernel.alloc(size));
    if (allowed !== undefined) words(bits, allowed.length).set(allowed);
    const most = Math.min(k, kernel.liveRows.value);
    const count = growing(() => kernel.nearest(most, floor, queryNorm, bits, size * 8));
    if (bits !== 0) kernel.release(bits, size);
    return {
      rows: words(kernel.topRows(), count).slice(),
      scores: new Float64Array(kernel.memory.buffer, kernel.topScores() >>> 0, count).slice(),
    };
  }

  const score = (rows: Uint32Array, { norm, integerNorm }: PreparedQuery): Float64Array =>
    Float64Array.from(rows, (row) => kernel.scoreRow(row, hasFloats ? norm : integerNorm));

  return {
    kind: 'wasm',
    dimensions,
    format,
    get count() {
      return kernel.liveRows.value;
    },
    get bytes() {
      return kernel.segmentBytes() >>> 0;
    },
    has: (row) => kernel.hasVector(row) !== 0,
    reserve(rows) {
      growing(() => {
        for (let row = 0; row < rows; row += SEGMENT_ROWS) kernel.floatsAt(row);
      });
    },
    set(row, values) {
      const at = growing(() => kernel.floatsAt(row));
      floats(at, dimensions).set(values);
      kernel.sealRow(row, false);
    },
    delete: (row) => kernel.dropVector(row),
    load(segment, { values, peaks }) {
      const first = segment * SEGMENT_ROWS;
      growing(() => kernel.floatsAt(first));
      const target = hasFloats
        ? floats(kernel.floatsAt(first), stride * SEGMENT_ROWS)
        : bytes(kernel.bytesAt(first), stride * SEGMENT_ROWS);
      spread(values, target, dimensions, stride);
      if (peaks !== undefined) floats(kernel.peakAt(first), peaks.length).set(peaks);
    },
    seal: (row) => growing(() => kernel.sealRow(row, !hasFloats)),
    pack(segment, count): PackedRows {
      const first = segment * SEGMENT_ROWS;
      growing(() => kernel.floatsAt(first));
      if (hasFloats) {
        return { values: gather(floats(kernel.floatsAt(first), stride * count), dimensions, stride) };
      }
      return {
        values: gather(bytes(kernel.bytesAt(first), stride * count), dimensions, stride),
        peaks: floats(kernel.peakAt(first), count).slice(),
      };
    },
    read(row) {
      growing(() => kernel.floatsAt(row));
      if (hasFloats) return floats(kernel.floatsAt(row), dimensions).slice();
      return fromBytes(bytes(kernel.bytesAt(row), dimensions), floats(kernel.peakAt(row), 1)[0]!);
    },
    search(query, k, floor = Number.NEGATIVE_INFINITY, allowed) {
      const prepared = enterQuery(query);
      if (!hasBytes) return nearest(k, floor, prepared.norm, allowed);
      if (!hasFloats) return nearest(k, floor, prepared.integerNorm, allowed);
      const { rows } = nearest(k * OVERFETCH, Number.NEGATIVE_INFINITY, prepared.integerNorm, allowed);
      return bestOf(rows, score(rows, prepared), k, floor);
    },
    scoreRows: (query, rows) => score(rows, enterQuery(query)),
  };
}
