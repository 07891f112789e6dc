import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { jsVector } from '../../src/kernel/js-vector.ts';
import {
  type PackedRows,
  SEGMENT_ROWS,
  type VectorKernel,
  type VectorOptions,
} from '../../src/kernel/vector.ts';
import { compileSource, type WasmModule } from '../../src/kernel/wasm.ts';
import { wasmVector } from '../../src/kernel/wasm-vector.ts';
import type { VectorFormat } from '../../src/types.ts';
import { runs } from '../arbitraries.ts';
import { readBuild } from '../build-file.ts';

const formats: VectorFormat[] = ['f32', 'int8', 'int8+f32'];
/** Rows at both ends of a segment, of a word of its bitmap, and in the next ones. */
const rowNumbers = [0, 1, 2, 30, 31, 32, 33, 63, 510, 511, 512, 513, 1023, 1024, 1600];

const plain = fc.float({ min: -1, max: 1, noNaN: true });
const whole = fc.integer({ min: -2, max: 2 });
const values = (dimensions: number, magnitudes: number[]) =>
  fc
    .tuple(
      fc.oneof(
        fc.array(plain, { minLength: dimensions, maxLength: dimensions }),
        fc.array(whole, { minLength: dimensions, maxLength: dimensions }),
        fc.constant(new Array<number>(dimensions).fill(0)),
        fc.constant(new Array<number>(dimensions).fill(1)),
      ),
      fc.constantFrom(...magnitudes),
    )
    .map(([list, magnitude]) => Float32Array.from(list, (value) => value * magnitude));

const magnitudes = [1, 1, 1, 1e-3, 7e5, 1e-20, 1e20, 1e-44, 1.7e38];

const scenario = fc.integer({ min: 1, max: 70 }).chain((dimensions) => {
  const vector = values(dimensions, magnitudes);
  const row = fc.constantFrom(...rowNumbers);
  return fc.record({
    dimensions: fc.constant(dimensions),
    steps: fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.record({ row, vector }) },
        { weight: 1, arbitrary: fc.record({ row }) },
      ),
      { maxLength: 30 },
    ),
    queries: fc.array(
      fc.record({
        query: vector,
        k: fc.integer({ min: 0, max: 20 }),
        floor: fc.constantFrom(undefined, undefined, 0, 0.3, -0.5),
        allowed: fc.option(fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { maxLength: 52 }), {
          nil: undefined,
        }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  });
});

type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

/** Runs the steps; answers what a plain list of vectors would hold. */
function fill(kernels: readonly VectorKernel[], steps: Scenario['steps']): Map<number, Float32Array> {
  const held = new Map<number, Float32Array>();
  for (const step of steps) {
    if ('vector' in step) {
      for (const kernel of kernels) kernel.set(step.row, step.vector);
      held.set(step.row, step.vector);
    } else {
      for (const kernel of kernels) kernel.delete(step.row);
      held.delete(step.row);
    }
  }
  return held;
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, squaresA, squaresB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    squaresA += a[i]! ** 2;
    squaresB += b[i]! ** 2;
  }
  return squaresA === 0 || squaresB === 0 ? 0 : dot / (Math.sqrt(squaresA) * Math.sqrt(squaresB));
}

const isAllowed = (bits: number[] | undefined, row: number) =>
  bits === undefined || (((bits[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1;

const words = (bits: number[] | undefined) => (bits === undefined ? undefined : Uint32Array.from(bits));

/** All numbers in one string: comparing it is far faster than comparing arrays by element. */
const text = ({ values, peaks }: PackedRows) => `${values.join()} ${peaks?.join()}`;

const listed = ({ rows, scores }: { rows: Uint32Array; scores: Float64Array }) => ({
  rows: [...rows],
  scores: [...scores],
});

describe.each(['debug', 'release'])('the vector kernel in WASM, %s, and its twin', (build) => {
  let module: WasmModule;
  beforeAll(async () => {
    module = await compileSource(await readBuild(`index.${build}.wasm`));
  });
  const pair = (options: VectorOptions): [VectorKernel, VectorKernel] => [
    wasmVector(module, options),
    jsVector(options),
  ];

  it.each(formats)('find the same rows with the same scores, to the last bit: %s', (format) => {
    fc.assert(
      fc.property(scenario, ({ dimensions, steps, queries }) => {
        const kernels = pair({ dimensions, format });
        const held = fill(kernels, steps);
        const results = kernels.map((kernel) => ({
          count: kernel.count,
          has: rowNumbers.map((row) => kernel.has(row)),
          rows: rowNumbers.map((row) => kernel.read(row).join()),
          packed: [0, 1, 7].map((segment) => text(kernel.pack(segment, 34))),
          found: queries.map(({ query, k, floor, allowed }) => ({
            best: listed(kernel.search(query, k, floor, words(allowed))),
            all: [...kernel.scoreRows(query, Uint32Array.from([...rowNumbers, 99_999]))],
          })),
        }));
        expect(results[0]).toEqual(results[1]);
        expect(results[0]!.count).toBe(held.size);
        expect(results[0]!.has).toEqual(rowNumbers.map((row) => held.has(row)));
      }),
      { numRuns: Math.ceil(runs() / 4) },
    );
  });

  it.each<VectorFormat>(['f32', 'int8+f32'])('score within 1e-6 of doubles, ties by row: %s', (format) => {
    fc.assert(
      fc.property(scenario, ({ dimensions, steps, queries }) => {
        const kernel = wasmVector(module, { dimensions, format });
        const held = fill([kernel], steps);
        for (const { query, k, floor, allowed } of queries) {
          const { rows, scores } = kernel.search(query, k, floor, words(allowed));
          const able = [...held].filter(([row]) => isAllowed(allowed, row));
          const expected = able
            .map(([, vector]) => cosine(query, vector))
            .filter((score) => score >= (floor ?? -2) + 1e-6)
            .sort((a, b) => b - a);
          // There are at most 15 rows, so that the first pass over the bytes drops none where k is 4.
          if (format === 'f32' || k >= 4) {
            expect(rows.length).toBeGreaterThanOrEqual(Math.min(k, expected.length));
            for (let at = 0; at < Math.min(k, expected.length); at++) {
              expect(Math.abs(scores[at]! - expected[at]!)).toBeLessThanOrEqual(1e-6);
            }
          }
          for (const [at, row] of rows.entries()) {
            expect(isAllowed(allowed, row)).toBe(true);
            expect(Math.abs(scores[at]! - cosine(query, held.get(row)!))).toBeLessThanOrEqual(1e-6);
            if (at === 0) continue;
            const inOrder =
              scores[at - 1]! > scores[at]! || (scores[at - 1] === scores[at] && rows[at - 1]! < row);
            expect(inOrder).toBe(true);
          }
        }
      }),
      { numRuns: Math.ceil(runs() / 4) },
    );
  });

  it.each(formats)('give rows back as they were set, or as near as a byte is: %s', (format) => {
    fc.assert(
      fc.property(scenario, ({ dimensions, steps }) => {
        for (const kernel of pair({ dimensions, format })) {
          const held = fill([kernel], steps);
          for (const [row, vector] of held) {
            const read = kernel.read(row);
            if (format !== 'int8') expect(read.join()).toBe(vector.join());
            const peak = Math.max(...vector.map(Math.abs));
            const off = Math.max(...read.map((value, at) => Math.abs(value - vector[at]!)));
            expect(off).toBeLessThanOrEqual(peak / 253);
          }
        }
      }),
      { numRuns: Math.ceil(runs() / 10) },
    );
  });

  it.each(formats)('are the same after their segments were packed and loaded: %s', (format) => {
    fc.assert(
      fc.property(scenario, ({ dimensions, steps, queries }) => {
        for (const kernel of pair({ dimensions, format })) {
          const held = fill([kernel], steps);
          for (const copy of pair({ dimensions, format })) {
            for (const segment of [0, 1, 2, 3]) copy.load(segment, kernel.pack(segment, SEGMENT_ROWS));
            expect(copy.count).toBe(0);
            for (const row of held.keys()) copy.seal(row);
            expect(copy.count).toBe(kernel.count);
            for (const { query, k, floor, allowed } of queries) {
              const [a, b] = [kernel, copy].map((one) => listed(one.search(query, k, floor, words(allowed))));
              expect(a).toEqual(b);
            }
            // What was read and is set again is kept as the same bytes.
            for (const row of held.keys()) copy.set(row, copy.read(row));
            expect(text(copy.pack(1, 3))).toBe(text(kernel.pack(1, 3)));
          }
        }
      }),
      { numRuns: Math.ceil(runs() / 40) },
    );
  });

  it('bring a deleted row back with the values it had', () => {
    for (const format of formats) {
      for (const kernel of pair({ dimensions: 3, format })) {
        kernel.set(700, Float32Array.of(1, 2, 2));
        kernel.delete(700);
        kernel.delete(700);
        kernel.delete(90_000);
        expect(kernel.count).toBe(0);
        expect(kernel.search(Float32Array.of(1, 0, 0), 5).rows).toHaveLength(0);
        kernel.seal(700);
        expect([...kernel.search(Float32Array.of(1, 2, 2), 5).rows]).toEqual([700]);
      }
    }
  });

  it('hold a zero vector, score it 0 and keep it below a hit (B143)', () => {
    for (const format of formats) {
      for (const kernel of pair({ dimensions: 2, format })) {
        for (const [row, vector] of [
          [1, 0],
          [0.5, 0.5],
          [0, 0],
        ].entries()) {
          kernel.set(row, Float32Array.from(vector));
        }
        const { rows, scores } = kernel.search(Float32Array.of(1, 0), 3);
        expect([...rows]).toEqual([0, 1, 2]);
        expect([...scores]).toEqual([1, expect.closeTo(Math.SQRT1_2, 6), 0]);
        expect([...kernel.search(Float32Array.of(0, 0), 3).scores]).toEqual([0, 0, 0]);
      }
    }
  });

  it('take 4 bytes a value as f32, one as int8, five as both, and a few a row', () => {
    for (const [format, each] of [
      ['f32', 4],
      ['int8', 1],
      ['int8+f32', 5],
    ] as const) {
      for (const kernel of pair({ dimensions: 384, format })) {
        kernel.reserve(5 * SEGMENT_ROWS);
        expect(kernel.bytes).toBeGreaterThan(5 * SEGMENT_ROWS * 384 * each);
        expect(kernel.bytes).toBeLessThanOrEqual(5 * SEGMENT_ROWS * (384 * each + 21));
      }
    }
  });
});
