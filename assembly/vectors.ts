// Rows of vectors and exact search over them by cosine. A row is `dims` values and zeros up to a multiple of 16,
// so that the loops below have no tail. 512 rows make a segment, one block:
//
//   | 512 f32 norms (f64) | 512 i8 norms (f64) | 512 peaks (f32) | live bits | 512 f32 rows | 512 i8 rows |
//
// of which the parts of a kind of row that is not kept are empty. An i8 row is `round(127 · value / peak)`, where
// the peak is the largest magnitude in the row. It cancels out of the cosine, and only gives values back.

import { keep, regrow } from './heap';
import { beginTop, kept, offer, sortTop, threshold } from './topk';
import { wordOf } from './bits';

const SEGMENT_BITS: u32 = 9;
const SEGMENT_ROWS: usize = 1 << SEGMENT_BITS;
const FLOATS: u32 = 1;
const BYTES: u32 = 2;

/** Norms between which a product with a query of about 1 neither overflows nor loses bits in f32. */
const LEAST_NORM: f64 = 1e-18;
const MOST_NORM: f64 = 1e18;

let floats: bool = false;
let bytes: bool = false;
/** Values of a row, padding included. */
let stride: usize = 0;

let byteNorms: usize = 0;
let peaks: usize = 0;
let live: usize = 0;
let floatRows: usize = 0;
let byteRows: usize = 0;
let segmentSize: usize = 0;

/** Where each segment is; 0 while none of its rows was set. */
let segments: usize = 0;
let segmentCount: u32 = 0;
let segmentsMade: usize = 0;

/** The query: `stride` floats, then as many 16-bit integers. */
let query: usize = 0;
/** A row of floats on its way to bytes. */
let incoming: usize = 0;

/** Rows that hold a vector. */
export let liveRows: u32 = 0;

/** Sets what rows are kept, before anything else: 1 floats, 2 bytes, 3 both. */
export function createVectors(dims: u32, kinds: u32): void {
  floats = (kinds & FLOATS) != 0;
  bytes = (kinds & BYTES) != 0;
  stride = (<usize>dims + 15) & ~15;
  byteNorms = floats ? SEGMENT_ROWS << 3 : 0;
  peaks = byteNorms + (bytes ? SEGMENT_ROWS << 3 : 0);
  live = peaks + (bytes ? SEGMENT_ROWS << 2 : 0);
  floatRows = live + (SEGMENT_ROWS >> 3);
  byteRows = floatRows + (floats ? stride << (SEGMENT_BITS + 2) : 0);
  segmentSize = byteRows + (bytes ? stride << SEGMENT_BITS : 0);
  query = keep(stride * 6);
  incoming = keep(stride << 2);
}

/** Bytes that the segments take up. */
export function segmentBytes(): usize {
  return segmentsMade * segmentSize;
}

/** Where the host writes a query. */
export function queryAt(): usize {
  return query;
}

/** The segment a row is in; 0 where there is none yet. */
@inline
function segmentOf(row: u32): usize {
  const index = row >> SEGMENT_BITS;
  return index < segmentCount ? <usize>load<u32>(segments + (<usize>index << 2)) : 0;
}

@inline
function within(row: u32): usize {
  return <usize>row & (SEGMENT_ROWS - 1);
}

/** Makes the segment of a row where it is not there. */
function segmentFor(row: u32): usize {
  const index = row >> SEGMENT_BITS;
  if (index >= segmentCount) {
    let count: u32 = segmentCount == 0 ? 16 : segmentCount;
    while (count <= index) count <<= 1;
    segments = regrow(segments, segmentCount << 2, count << 2);
    segmentCount = count;
  }
  const slot = segments + (<usize>index << 2);
  let segment: usize = load<u32>(slot);
  if (segment == 0) {
    segment = keep(segmentSize);
    store<u32>(slot, <u32>segment);
    segmentsMade++;
  }
  return segment;
}

/** Where the host writes the floats of a row, which become bytes when it is sealed if only those are kept. */
export function floatsAt(row: u32): usize {
  const segment = segmentFor(row);
  return floats ? segment + floatRows + ((within(row) * stride) << 2) : incoming;
}

/** Where the bytes of a row are. */
export function bytesAt(row: u32): usize {
  return segmentFor(row) + byteRows + within(row) * stride;
}

/** Where the peak of a row is. */
export function peakAt(row: u32): usize {
  return segmentFor(row) + peaks + (within(row) << 2);
}

/** The length of a row, of the sum of its squares; 1 for a zero row, so that it scores 0. */
@inline
function divisor(squares: f64): f64 {
  return squares == 0 ? 1 : Math.sqrt(squares);
}

/** Takes a row in whose floats were written or, where only bytes are kept and `packed`, its bytes and peak. */
export function sealRow(row: u32, packed: bool): void {
  const segment = segmentFor(row);
  const at = within(row);
  const from = floatsAt(row);
  if (floats) store<f64>(segment + (at << 3), divisor(dotDoubles(from, from)));
  if (bytes) {
    const to = segment + byteRows + at * stride;
    if (!packed) store<f32>(segment + peaks + (at << 2), toBytes(from, to));
    store<f64>(segment + byteNorms + (at << 3), divisor(<f64>byteSquares(to)));
  }
  const word = segment + live + ((at >> 5) << 2);
  const bit: u32 = 1 << (row & 31);
  const had = load<u32>(word);
  if ((had & bit) == 0) liveRows++;
  store<u32>(word, had | bit);
}

/** Leaves a row out of every search; its place is used again by the next vector of that row. */
export function dropVector(row: u32): void {
  const segment = segmentOf(row);
  if (segment == 0) return;
  const word = segment + live + ((within(row) >> 5) << 2);
  const bit: u32 = 1 << (row & 31);
  const had = load<u32>(word);
  if ((had & bit) != 0) liveRows--;
  store<u32>(word, had & ~bit);
}

export function hasVector(row: u32): bool {
  const segment = segmentOf(row);
  return segment != 0 && ((load<u32>(segment + live + ((within(row) >> 5) << 2)) >> (row & 31)) & 1) != 0;
}

/** Writes a row as bytes; answers its peak. */
function toBytes(from: usize, to: usize): f32 {
  let most = f32x4.splat(0);
  for (let at: usize = 0; at < stride << 2; at += 16) most = f32x4.max(most, f32x4.abs(v128.load(from + at)));
  const peak = max(
    max(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)),
    max(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3)),
  );
  const scale = f64x2.splat(peak == 0 ? 0 : 127 / <f64>peak);
  for (let at: usize = 0; at < stride; at += 4) {
    const values = v128.load(from + (at << 2));
    const low = f64x2.nearest(f64x2.mul(f64x2.promote_low_f32x4(values), scale));
    const high = f64x2.nearest(f64x2.mul(f64x2.promote_low_f32x4(upper(values)), scale));
    const four = v128.shuffle<i32>(
      i32x4.trunc_sat_f64x2_s_zero(low), i32x4.trunc_sat_f64x2_s_zero(high), 0, 1, 4, 5,
    );
    const eight = i16x8.narrow_i32x4_s(four, four);
    v128.store32_lane(to + at, i8x16.narrow_i16x8_s(eight, eight), 0);
  }
  return peak;
}

@inline
function upper(values: v128): v128 {
  return v128.shuffle<i64>(values, values, 1, 1);
}

function byteSquares(row: usize): i32 {
  let sums = i32x4.splat(0);
  for (const end = row + stride; row < end; row += 8) {
    const values = v128.load8x8_s(row);
    sums = i32x4.add(sums, i32x4.dot_i16x8_s(values, values));
  }
  return (
    i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3)
  );
}

/** A dot product of two rows of floats in doubles, four lanes: for norms, and for rows beyond what f32 can sum. */
function dotDoubles(a: usize, b: usize): f64 {
  let low = f64x2.splat(0);
  let high = f64x2.splat(0);
  for (const end = a + (stride << 2); a < end; a += 16, b += 16) {
    const one = v128.load(a);
    const two = v128.load(b);
    low = f64x2.add(low, f64x2.mul(f64x2.promote_low_f32x4(one), f64x2.promote_low_f32x4(two)));
    high = f64x2.add(high, f64x2.mul(f64x2.promote_low_f32x4(upper(one)), f64x2.promote_low_f32x4(upper(two))));
  }
  const sums = f64x2.add(low, high);
  return f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
}

/** The dot product of a row of floats and the query, in 16 lanes. */
@inline
function dotFloats(row: usize): f64 {
  let a = f32x4.splat(0);
  let b = f32x4.splat(0);
  let c = f32x4.splat(0);
  let d = f32x4.splat(0);
  let at = query;
  for (const end = row + (stride << 2); row < end; row += 64, at += 64) {
    a = f32x4.add(a, f32x4.mul(v128.load(row), v128.load(at)));
    b = f32x4.add(b, f32x4.mul(v128.load(row, 16), v128.load(at, 16)));
    c = f32x4.add(c, f32x4.mul(v128.load(row, 32), v128.load(at, 32)));
    d = f32x4.add(d, f32x4.mul(v128.load(row, 48), v128.load(at, 48)));
  }
  const sums = f32x4.add(f32x4.add(a, b), f32x4.add(c, d));
  return <f64>(
    (f32x4.extract_lane(sums, 0) + f32x4.extract_lane(sums, 1) +
      (f32x4.extract_lane(sums, 2) + f32x4.extract_lane(sums, 3)))
  );
}

function scoreFloats(segment: usize, at: usize, queryNorm: f64): f64 {
  const row = segment + floatRows + ((at * stride) << 2);
  const norm = load<f64>(segment + (at << 3));
  const dot = norm >= LEAST_NORM && norm <= MOST_NORM ? dotFloats(row) : dotDoubles(row, query);
  return dot / (queryNorm * norm);
}

/**
 * The cosines of two rows of bytes, the first of an even number, and the query as 16-bit integers, which the host
 * made small enough to sum. Two at a time share what is read of the query; more would read memory in too many places.
 */
@inline
function scoreBytes(segment: usize, at: usize, queryNorm: f64): v128 {
  let a = i32x4.splat(0);
  let b = i32x4.splat(0);
  let c = i32x4.splat(0);
  let d = i32x4.splat(0);
  let one = segment + byteRows + at * stride;
  let two = one + stride;
  let from = query + (stride << 2);
  for (const end = two; one < end; one += 16, two += 16, from += 32) {
    let values = v128.load(from);
    a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load8x8_s(one), values));
    b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load8x8_s(two), values));
    values = v128.load(from, 16);
    c = i32x4.add(c, i32x4.dot_i16x8_s(v128.load8x8_s(one, 8), values));
    d = i32x4.add(d, i32x4.dot_i16x8_s(v128.load8x8_s(two, 8), values));
  }
  a = i32x4.add(a, c);
  b = i32x4.add(b, d);
  a = i32x4.add(v128.shuffle<i32>(a, b, 0, 1, 4, 5), v128.shuffle<i32>(a, b, 2, 3, 6, 7));
  a = i32x4.add(v128.shuffle<i32>(a, a, 0, 2, 0, 2), v128.shuffle<i32>(a, a, 1, 3, 1, 3));
  const norms = v128.load(segment + byteNorms + (at << 3));
  return f64x2.div(f64x2.convert_low_i32x4_s(a), f64x2.mul(f64x2.splat(queryNorm), norms));
}

/** The cosine of a row and the query, by its floats where they are kept; 0 where the row holds no vector. */
export function scoreRow(row: u32, queryNorm: f64): f64 {
  if (!hasVector(row)) return 0;
  const segment = segmentOf(row);
  const at = within(row);
  if (floats) return scoreFloats(segment, at, queryNorm);
  const two = scoreBytes(segment, at & ~1, queryNorm);
  return (row & 1) == 0 ? f64x2.extract_lane(two, 0) : f64x2.extract_lane(two, 1);
}

/** What a row must score to be kept. */
let bar: f64 = 0;

/** Offers a row. One that equals the worst kept is a higher row, so the heap refuses it. */
function consider(row: u32, score: f64, floor: f64): void {
  if (score < bar) return;
  offer(row, score);
  bar = max(floor, threshold());
}

/**
 * Selects the `k` rows nearest to the query of at least `floor`, among those of `bits`, best first; answers how
 * many. Rows are compared by their bytes where those are kept.
 */
export function nearest(k: u32, floor: f64, queryNorm: f64, bits: usize, bitCount: u32): u32 {
  beginTop(k);
  if (k == 0) return 0;
  bar = floor;
  for (let index: u32 = 0; index < segmentCount; index++) {
    const segment: usize = load<u32>(segments + (<usize>index << 2));
    if (segment == 0) continue;
    for (let first: u32 = 0; first < <u32>SEGMENT_ROWS; first += 32) {
      const row = (index << SEGMENT_BITS) + first;
      let some = load<u32>(segment + live + (first >> 3)) & wordOf(bits, bitCount, row);
      while (some != 0) {
        const bit = ctz(some);
        if (!bytes) {
          const score = scoreFloats(segment, first + bit, queryNorm);
          // Most rows end here.
          if (score >= bar) consider(row + bit, score, floor);
          some &= some - 1;
          continue;
        }
        const even = bit & ~1;
        const two = scoreBytes(segment, first + even, queryNorm);
        if (v128.any_true(f64x2.ge(two, f64x2.splat(bar)))) {
          if ((some >> even) & 1) consider(row + even, f64x2.extract_lane(two, 0), floor);
          if ((some >> even) & 2) consider(row + even + 1, f64x2.extract_lane(two, 1), floor);
        }
        some &= ~(3 << even);
      }
    }
  }
  sortTop();
  return kept;
}
