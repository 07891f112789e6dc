import fc from 'fast-check';
import { expect } from 'vitest';
import { type Head, packHeads } from '../src/store/columns.ts';
import type { Snapshot } from '../src/store/file.ts';
import type { LexicalSegment } from '../src/store/segments.ts';
import type { Entry, Texts } from '../src/store/table.ts';
import type { Metadata, VectorFormat } from '../src/types.ts';
import { encodeSegment } from '../src/vectors/format.ts';
import { SEGMENT_ROWS } from '../src/vectors/rows.ts';
import { nastyText } from './arbitraries.ts';

/** A document of a snapshot: its records, and what its owner keeps. */
export interface Given {
  id: string;
  heads: readonly Head[];
  texts: Texts;
  /** A row a record. */
  rows: readonly number[];
  pending?: readonly number[];
  info?: unknown;
  version?: number;
}

export interface GivenSnapshot {
  documents: readonly Given[];
  format?: VectorFormat;
  dimensions?: number;
  words?: readonly LexicalSegment[];
}

/** A snapshot that holds together: segments of zeros and ones reach as far as rows do. */
export function snapshotOf({
  documents,
  format = 'f32',
  dimensions = 0,
  words = [],
}: GivenSnapshot): Snapshot {
  const rowCount = Math.max(0, ...documents.flatMap(({ rows }) => rows.map((row) => row + 1)));
  const entries = documents.map(
    ({ id, heads, rows, pending, info, version = 1 }): Entry => ({
      id,
      version,
      generation: version + 1,
      rows: Uint32Array.from(rows),
      columns: packHeads(id, heads),
      ...(dimensions === 0 ? { pending: rows.map((_, at) => at) } : pending && { pending }),
      ...(info !== undefined && { info }),
    }),
  );
  const segments = dimensions === 0 ? 0 : Math.ceil(rowCount / SEGMENT_ROWS);
  const vectors = Array.from({ length: segments }, (_, at) => {
    const count = Math.min(SEGMENT_ROWS, rowCount - at * SEGMENT_ROWS);
    const values = Array.from({ length: count * dimensions }, (_, i) => i % 2);
    if (format !== 'int8') return encodeSegment({ values: Float32Array.from(values) }, dimensions);
    return encodeSegment({ values: Int8Array.from(values), peaks: new Float32Array(count) }, dimensions);
  });
  return {
    meta: { embedder: 'e', analyzer: 'a', vectors: format, dimensions, rowCount },
    entries,
    texts: new Map(documents.map(({ id, texts }) => [id, texts])),
    vectors,
    words,
  };
}

const key = fc.oneof(nastyText, fc.constantFrom('__proto__', 'constructor', 'length', '0', 'toString'));

/** Anything structuredClone takes, but for what no engine has yet or no index would hold. */
export const plainData: fc.Arbitrary<unknown> = fc
  .anything({
    key,
    values: [
      nastyText,
      fc.integer(),
      fc.maxSafeInteger(),
      fc.double(),
      fc.boolean(),
      fc.bigInt(),
      fc.constantFrom(undefined, null, -0, Number.NaN, 2 ** 50, -(2 ** 53)),
      fc.date({ noInvalidDate: false }),
      fc.constantFrom(/a[/]b/giu, /(?:)/, /\u2028/m),
      fc.uint8Array().map((bytes) => new DataView(bytes.buffer)),
    ],
    withBoxedValues: true,
    withMap: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
    withBigInt: true,
    withDate: true,
    maxDepth: 3,
  })
  .map((value) => structuredClone(value));

export const plainObject: fc.Arbitrary<Metadata> = fc
  .dictionary(key, plainData, { maxKeys: 4 })
  .map((value) => structuredClone(value));

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** Documents of any shape, with rows that jump and vectors that are still to come. */
export const snapshots: fc.Arbitrary<Snapshot> = fc
  .record({
    ids: fc.uniqueArray(nastyText, { maxLength: 5 }),
    format: fc.constantFrom<VectorFormat>('f32', 'int8', 'int8+f32'),
    dimensions: fc.constantFrom(0, 1, 3),
    first: fc.constantFrom(0, 7, 510),
    backwards: fc.boolean(),
    shared: fc.array(plainObject, { minLength: 1, maxLength: 2 }),
    text: nastyText,
  })
  .chain((all) => fc.tuple(fc.constant(all), fc.array(documentParts, { minLength: 5, maxLength: 5 })))
  .map(([{ ids, format, dimensions, first, backwards, shared, text }, parts]) => {
    let row = first;
    const documents = ids.map((id, at): Given => {
      const { records, whole, own, info, version, plainIds } = parts[at]!;
      const length = Math.max(1, records.length);
      const heads = Array.from({ length }, (_, n): Head => {
        const { metadata, ...record } = records[n] ?? {};
        const head = { ...record, id: plainIds ? `${id}#${n}` : `${text}${n}` } as Record<string, unknown>;
        if (metadata !== undefined) head['metadata'] = shared[metadata % shared.length];
        // Without texts of their own, records are slices of the whole.
        if (!own) Object.assign(head, { charStart: n, charEnd: n + text.length });
        for (const [name, value] of Object.entries(head)) if (value === undefined) delete head[name];
        return head as unknown as Head;
      });
      const texts = {
        ...((whole || !own) && { text: text.repeat(at + 1) }),
        ...(own && { texts: heads.map((_, n) => text.slice(n)) }),
      };
      const rows = heads.map(() => row++);
      const pending = rows.flatMap((_, n) => (parts[at]!.pending.includes(n) ? [n] : []));
      return { id, heads, texts, rows, info, version, ...(pending.length > 0 && { pending }) };
    });
    const words = documents.length === 0 ? [] : [segmentOver(documents, text), segmentOver([], 'gone')];
    const given = { documents: backwards ? [...documents].reverse() : documents, format, dimensions, words };
    return snapshotOf(given);
  });

const documentParts = fc.record({
  records: fc.array(
    fc.record({
      source: optional(nastyText),
      title: optional(nastyText),
      heading: optional(nastyText),
      headingPath: optional(fc.array(nastyText, { maxLength: 3 })),
      context: optional(nastyText),
      page: optional(fc.integer({ min: 1, max: 999 })),
      line: optional(fc.oneof(fc.integer({ min: 1 }), fc.double())),
      charStart: optional(fc.nat()),
      charEnd: optional(fc.nat()),
      metadata: optional(fc.nat(5)),
    }),
    { maxLength: 4 },
  ),
  whole: fc.boolean(),
  own: fc.boolean(),
  plainIds: fc.boolean(),
  info: optional(plainData),
  version: fc.oneof(fc.nat(20), fc.nat(2 ** 31)),
  pending: fc.array(fc.nat(4), { maxLength: 3 }),
});

/** Words of some documents, and of one that is there no more. */
export function segmentOver(documents: readonly Given[], analyzer: string): LexicalSegment {
  return {
    analyzer,
    ids: [...documents.map(({ id }) => id), 'gone \ud800'],
    versions: [...documents.map(({ version = 1 }) => version), 3],
    chunks: [...documents.map(({ rows }) => rows.length), 2],
    bytes: Uint8Array.from([1, 2, 3, 4, 5]).buffer,
  };
}

/**
 * The two say the same, in the same shape: what is shared or holds itself in one does so in the other. Columns may come in
 * another order, keys of data may not.
 */
export function expectSameGraph(
  one: unknown,
  other: unknown,
  keys: 'ordered' | 'any order' = 'ordered',
): void {
  const partners = new Map<unknown, unknown>();
  const back = new Map<unknown, unknown>();
  const pairs: [unknown, unknown][] = [[one, other]];
  for (const [a, b] of pairs) {
    if (typeof a !== 'object' || a === null) {
      if (!Object.is(a, b)) expect(a, 'a value').toBe(b);
      continue;
    }
    if (partners.has(a) || back.has(b)) {
      if (partners.get(a) !== b || back.get(b) !== a) expect.fail('what is shared differs');
      continue;
    }
    partners.set(a, b);
    back.set(b, a);
    pairs.push(...partsOf(a, b as object, keys));
  }
}

function* partsOf(a: object, b: object, order: string): Generator<[unknown, unknown]> {
  const tag = Object.prototype.toString.call(a);
  yield [tag, Object.prototype.toString.call(b)];
  yield [Object.getPrototypeOf(a) === Array.prototype, Object.getPrototypeOf(b) === Array.prototype];
  const spread = (value: object): unknown[] => {
    if (value instanceof Map || value instanceof Set) return [...value].flat();
    if (value instanceof ArrayBuffer) return [...new Uint8Array(value)];
    if (ArrayBuffer.isView(value)) return [value.buffer, value.byteOffset, value.byteLength];
    if (value instanceof Date) return [value.getTime()];
    if (value instanceof RegExp) return [value.source, value.flags];
    if (value instanceof Error) return [value.name, value.message, value.stack, value.cause];
    if (value instanceof Number || value instanceof String) return [value.valueOf()];
    if (/Boolean|BigInt/.test(tag)) return [value.valueOf()];
    const keys = order === 'ordered' ? Object.keys(value) : Object.keys(value).sort();
    const length = Array.isArray(value) ? value.length : -1;
    return [length, ...keys, ...keys.map((name) => Reflect.get(value, name))];
  };
  const [mine, theirs] = [spread(a), spread(b)];
  yield [mine.length, theirs.length];
  for (const [at, part] of mine.entries()) yield [part, theirs[at]];
}
