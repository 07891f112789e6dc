import { TopK } from '../../src/kernel/topk.ts';
import { compileSource } from '../../src/kernel/wasm.ts';
import { wasmVector } from '../../src/kernel/wasm-vector.ts';
import type { VectorFormat } from '../../src/types.ts';
import { clusteredVectors } from '../clustered.ts';
import { type Contender, keep, type Row, race } from './harness.ts';

const dimensions = 384;
const k = 10;
/** Queries in one run, since the clock of a page is coarse. */
const batch = 10;

const bytesOf = async (name: string) => (await fetch(`/build/${name}`)).arrayBuffer();

interface Data {
  rows: Float32Array;
  queries: Float32Array[];
  /** The right answers, by the plain loop. */
  right: Set<number>[];
  plain: (query: Float32Array) => number[];
}

function make(count: number): Data {
  const { rows, queries } = clusteredVectors({ count, dimensions, queries: 50, seed: 7 });
  const norms = new Float64Array(count);
  for (let row = 0; row < count; row++) {
    let sum = 0;
    for (let i = row * dimensions; i < (row + 1) * dimensions; i++) sum += rows[i]! * rows[i]!;
    norms[row] = Math.sqrt(sum);
  }
  const plain = (query: Float32Array): number[] => {
    const best = new TopK(k);
    let queryNorm = 0;
    for (const value of query) queryNorm += value * value;
    queryNorm = Math.sqrt(queryNorm);
    for (let row = 0, at = 0; row < count; row++) {
      let dot = 0;
      for (let i = 0; i < dimensions; i++) dot += query[i]! * rows[at++]!;
      best.offer(row, dot / (queryNorm * norms[row]!));
    }
    return best.take().map((match) => match.row);
  };
  return { rows, queries, plain, right: queries.map((query) => new Set(plain(query))) };
}

/** Asks the next ten queries each time. */
function asking(queries: readonly Float32Array[], ask: (query: Float32Array) => unknown) {
  let next = 0;
  return async () => {
    for (let i = 0; i < batch; i++) {
      const answer = ask(queries[next++ % queries.length]!);
      if (answer instanceof Promise) await answer;
    }
  };
}

const recall = (right: readonly Set<number>[], answers: readonly (readonly number[])[]): string => {
  let found = 0;
  for (const [at, answer] of answers.entries()) for (const row of answer) if (right[at]!.has(row)) found++;
  return `recall@${k} ${(found / (right.length * k)).toFixed(4)}`;
};

async function ours({ rows, queries, right }: Data, format: VectorFormat): Promise<Contender> {
  const kernel = wasmVector(await compileSource(await bytesOf('index.release.wasm')), { dimensions, format });
  const count = rows.length / dimensions;
  for (let row = 0; row < count; row++) {
    kernel.set(row, rows.subarray(row * dimensions, (row + 1) * dimensions));
  }
  const ask = (query: Float32Array) => kernel.search(query, k).rows;
  const answers = queries.map((query) => [...ask(query)]);
  return {
    what: `the kernel, ${format}`,
    run: asking(queries, ask),
    bytes: rows.length * (format === 'f32' ? 4 : 1) * batch,
    note: `${recall(right, answers)}, ${(kernel.bytes / count).toFixed(0)} bytes a row`,
  };
}

interface Reader {
  readonly memory: WebAssembly.Memory;
  room(bytes: number): number;
  read(at: number, bytes: number): number;
}

/** The lower bound of any search: the rows' bytes, read once with SIMD. */
async function reading(what: string, size: number): Promise<Contender> {
  const { instance } = await WebAssembly.instantiate(await bytesOf('read.wasm'));
  const reader = instance.exports as unknown as Reader;
  const at = reader.room(size);
  new Uint8Array(reader.memory.buffer, at, size).fill(7);
  return {
    what,
    run: () => {
      for (let i = 0; i < batch; i++) keep(reader.read(at, size));
    },
    bytes: size * batch,
  };
}

async function exact(count: number): Promise<Row[]> {
  const data = make(count);
  const { queries, plain, rows } = data;
  return race([
    { what: 'Float32Array loop with a heap', run: asking(queries, plain), bytes: rows.byteLength * batch },
    await ours(data, 'f32'),
    await reading('reading f32 rows once', rows.length * 4),
    await ours(data, 'int8'),
    await ours(data, 'int8+f32'),
    await reading('reading int8 rows once', rows.length),
  ]);
}

async function orama({ rows, queries, right }: Data): Promise<Contender> {
  const { create, insert, searchVector } = await import('@orama/orama');
  const index = create({ schema: { v: `vector[${dimensions}]` } });
  const start = performance.now();
  for (let row = 0, at = 0; at < rows.length; row++, at += dimensions) {
    await insert(index, { id: String(row), v: Array.from(rows.subarray(at, at + dimensions)) });
  }
  const built = performance.now() - start;
  const ask = (value: Float32Array) =>
    searchVector(index, { vector: { value, property: 'v' }, similarity: 0, limit: k });
  const answers = [];
  for (const query of queries) answers.push((await ask(query)).hits.map(({ id }) => Number(id)));
  return {
    what: 'Orama, exact',
    run: asking(queries, ask),
    note: `${recall(right, answers)}, built in ${(built / 1000).toFixed(1)} s`,
  };
}

async function hnsw({ rows, queries, right }: Data, efs: readonly number[]): Promise<Contender[]> {
  const { loadHnswlib } = await import('hnswlib-wasm');
  const { HierarchicalNSW } = await loadHnswlib();
  const index = new HierarchicalNSW('cosine', dimensions, '');
  const count = rows.length / dimensions;
  index.initIndex(count, 16, 200, 100);
  const start = performance.now();
  for (let row = 0; row < count; row += 1000) {
    const items = [];
    for (let at = row; at < Math.min(row + 1000, count); at++) {
      items.push(rows.slice(at * dimensions, (at + 1) * dimensions));
    }
    index.addItems(items, false);
  }
  const built = performance.now() - start;
  return efs.map((ef) => {
    const ask = (query: Float32Array) => {
      index.setEfSearch(ef);
      return index.searchKnn(query, k, undefined).neighbors;
    };
    const answers = queries.map(ask);
    return {
      what: `hnswlib-wasm, M 16, efConstruction 200, ef ${ef}`,
      run: asking(queries, ask),
      note: `${recall(right, answers)}, built in ${(built / 1000).toFixed(1)} s`,
    };
  });
}

async function rivals(count: number): Promise<Row[]> {
  const data = make(count);
  return race(
    [
      await ours(data, 'f32'),
      await ours(data, 'int8+f32'),
      await orama(data),
      ...(await hnsw(data, [16, 64, 200])),
    ],
    7,
  );
}

export const topTenOf10k = (): Promise<Row[]> => exact(10_000);
export const topTenOf100k = (): Promise<Row[]> => exact(100_000);
export const rivals10k = (): Promise<Row[]> => rivals(10_000);
export const rivals100k = (): Promise<Row[]> => rivals(100_000);
