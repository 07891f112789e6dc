import type { Scored } from './lexical.ts';
import { TopK } from './topk.ts';
import {
  OVERFETCH,
  SEGMENT_ROWS,
  segmentOf,
  strideOf,
  type VectorKernel,
  type VectorOptions,
} from './vector.ts';
import {
  bestOf,
  fromBytes,
  gather,
  type PreparedQuery,
  prepareQuery,
  spread,
  toBytes,
} from './vector-values.ts';

interface Segment {
  live: Uint32Array;
  /** Padded rows, and the length of each. */
  floats: Float32Array;
  norms: Float64Array;
  bytes: Int8Array;
  byteNorms: Float64Array;
  peaks: Float32Array;
}

/** Norms between which a product with a query of about 1 neither overflows nor loses bits in f32. */
const LEAST_NORM = 1e-18;
const MOST_NORM = 1e18;

const { fround } = Math;

/** The plain-TypeScript twin of the vector part of the AssemblyScript index module. */
export function jsVector({ dimensions, format }: VectorOptions): VectorKernel {
  const stride = strideOf(dimensions);
  const hasFloats = format !== 'int8';
  const hasBytes = format !== 'f32';
  const segments: (Segment | undefined)[] = [];
  let count = 0;

  const within = (row: number): number => row % SEGMENT_ROWS;

  function segmentFor(index: number): Segment {
    const rows = (kept: boolean) => (kept ? SEGMENT_ROWS : 0);
    return (segments[index] ??= {
      live: new Uint32Array(SEGMENT_ROWS / 32),
      floats: new Float32Array(rows(hasFloats) * stride),
      norms: new Float64Array(rows(hasFloats)),
      bytes: new Int8Array(rows(hasBytes) * stride),
      byteNorms: new Float64Array(rows(hasBytes)),
      peaks: new Float32Array(rows(hasBytes)),
    });
  }

  const isLive = (row: number): boolean =>
    (((segments[segmentOf(row)]?.live[within(row) >> 5] ?? 0) >>> (row & 31)) & 1) === 1;

  const floatsOf = (segment: Segment, at: number) =>
    segment.floats.subarray(at * stride, at * stride + dimensions);
  const bytesOf = (segment: Segment, at: number) =>
    segment.bytes.subarray(at * stride, at * stride + dimensions);

  function makeLive(segment: Segment, row: number): void {
    const at = within(row);
    const { floats } = segment;
    if (hasFloats) segment.norms[at] = divisor(dotDoubles(floats, at * stride, floats, at * stride, stride));
    if (hasBytes) segment.byteNorms[at] = divisor(squares(bytesOf(segment, at)));
    if (!isLive(row)) count++;
    segment.live[at >> 5]! |= 1 << (row & 31);
  }

  function score(row: number, query: PreparedQuery, byBytes: boolean): number {
    if (!isLive(row)) return 0;
    const segment = segments[segmentOf(row)]!;
    const at = within(row);
    const start = at * stride;
    if (byBytes) {
      return dotBytes(segment.bytes, start, query.integers) / (query.integerNorm * segment.byteNorms[at]!);
    }
    const norm = segment.norms[at]!;
    const dot =
      norm >= LEAST_NORM && norm <= MOST_NORM
        ? dotFloats(segment.floats, start, query.floats)
        : dotDoubles(segment.floats, start, query.floats, 0, stride);
    return dot / (query.norm * norm);
  }

  function nearest(query: PreparedQuery, k: number, floor: number, allowed: Uint32Array | undefined): Scored {
    const best = new TopK(k);
    for (const [index, segment] of segments.entries()) {
      if (segment === undefined) continue;
      for (const [word, live] of segment.live.entries()) {
        const first = index * SEGMENT_ROWS + word * 32;
        let some = allowed === undefined ? live : live & (allowed[first >>> 5] ?? 0);
        for (; some !== 0; some &= some - 1) {
          const row = first + 31 - Math.clz32(some & -some);
          const scored = score(row, query, hasBytes);
          if (scored >= floor) best.offer(row, scored);
        }
      }
    }
    const matches = best.take();
    return {
      rows: Uint32Array.from(matches, ({ row }) => row),
      scores: Float64Array.from(matches, (match) => match.score),
    };
  }

  const scoreRows = (query: PreparedQuery, rows: Uint32Array): Float64Array =>
    Float64Array.from(rows, (row) => score(row, query, !hasFloats));

  return {
    kind: 'js',
    dimensions,
    format,
    get count() {
      return count;
    },
    get bytes() {
      let sum = 0;
      for (const segment of segments) {
        if (segment === undefined) continue;
        for (const part of Object.values(segment) as Uint32Array[]) sum += part.byteLength;
      }
      return sum;
    },
    has: isLive,
    reserve(rows) {
      for (let row = 0; row < rows; row += SEGMENT_ROWS) segmentFor(segmentOf(row));
    },
    set(row, values) {
      const segment = segmentFor(segmentOf(row));
      const at = within(row);
      if (hasFloats) floatsOf(segment, at).set(values);
      if (hasBytes) segment.peaks[at] = toBytes(values, bytesOf(segment, at));
      makeLive(segment, row);
    },
    delete(row) {
      if (!isLive(row)) return;
      segments[segmentOf(row)]!.live[within(row) >> 5]! &= ~(1 << (row & 31));
      count--;
    },
    load(index, { values, peaks }) {
      const segment = segmentFor(index);
      spread(values, hasFloats ? segment.floats : segment.bytes, dimensions, stride);
      if (peaks !== undefined) segment.peaks.set(peaks);
    },
    seal(row) {
      const segment = segmentFor(segmentOf(row));
      const at = within(row);
      if (hasFloats && hasBytes) segment.peaks[at] = toBytes(floatsOf(segment, at), bytesOf(segment, at));
      makeLive(segment, row);
    },
    pack(index, rows) {
      const { floats, bytes, peaks } = segmentFor(index);
      if (hasFloats) return { values: gather(floats.subarray(0, rows * stride), dimensions, stride) };
      return {
        values: gather(bytes.subarray(0, rows * stride), dimensions, stride),
        peaks: peaks.slice(0, rows),
      };
    },
    read(row) {
      const segment = segmentFor(segmentOf(row));
      const at = within(row);
      return hasFloats ? floatsOf(segment, at).slice() : fromBytes(bytesOf(segment, at), segment.peaks[at]!);
    },
    search(query, k, floor = Number.NEGATIVE_INFINITY, allowed) {
      const prepared = prepareQuery(query);
      if (!hasBytes || !hasFloats) return nearest(prepared, k, floor, allowed);
      const { rows } = nearest(prepared, k * OVERFETCH, Number.NEGATIVE_INFINITY, allowed);
      return bestOf(rows, scoreRows(prepared, rows), k, floor);
    },
    scoreRows: (query, rows) => scoreRows(prepareQuery(query), rows),
  };
}

/** A sum of f32 products in the 16 lanes, and the order of adding them up, of the kernel. */
function dotFloats(rows: Float32Array, start: number, query: Float32Array): number {
  let [first, second] = [0, 0];
  for (let lane = 0; lane < 4; lane++) {
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let i = lane, at = start + lane; i < query.length; i += 16, at += 16) {
      a = fround(a + fround(rows[at]! * query[i]!));
      b = fround(b + fround(rows[at + 4]! * query[i + 4]!));
      c = fround(c + fround(rows[at + 8]! * query[i + 8]!));
      d = fround(d + fround(rows[at + 12]! * query[i + 12]!));
    }
    const sum = fround(fround(a + b) + fround(c + d));
    if (lane === 0) first = sum;
    else if (lane === 1) first = fround(first + sum);
    else if (lane === 2) second = sum;
    else second = fround(second + sum);
  }
  return fround(first + second);
}

/** A sum of products in doubles, in the four lanes of the kernel. */
function dotDoubles(a: Float32Array, atA: number, b: Float32Array, atB: number, length: number): number {
  let [first, second, third, fourth] = [0, 0, 0, 0];
  for (let i = 0; i < length; i += 4) {
    first += a[atA + i]! * b[atB + i]!;
    second += a[atA + i + 1]! * b[atB + i + 1]!;
    third += a[atA + i + 2]! * b[atB + i + 2]!;
    fourth += a[atA + i + 3]! * b[atB + i + 3]!;
  }
  return first + third + (second + fourth);
}

function dotBytes(rows: Int8Array, start: number, query: Int16Array): number {
  let sum = 0;
  for (let i = 0; i < query.length; i++) sum += rows[start + i]! * query[i]!;
  return sum;
}

function squares(row: Int8Array): number {
  let sum = 0;
  for (const byte of row) sum += byte * byte;
  return sum;
}

/** The length of a row, of the sum of its squares; 1 for a zero row, so that it scores 0. */
const divisor = (sum: number): number => (sum === 0 ? 1 : Math.sqrt(sum));
