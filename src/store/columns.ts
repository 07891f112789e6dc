import type { ChunkRecord } from '../types.ts';

/** What is known of a record beside its text and vector. */
export type Head = Omit<ChunkRecord, 'text'>;

/**
 * The heads of one document turned on their side: a value a chunk under each name. It is what is stored
 * and what is kept in memory, since a column of numbers is far cheaper to read and hold than objects.
 * Ids are absent where they are `<document id>#0`, `#1`, … in order.
 */
export interface Columns {
  readonly ids?: readonly string[];
  readonly numbers: { readonly [key: string]: Float64Array };
  readonly values: { readonly [key: string]: readonly unknown[] };
}

/** Every optional field; NaN stands for an absent number, undefined for any other absent value. */
const numberKeys = ['charStart', 'charEnd', 'page', 'line'] as const;
const valueKeys = [
  'source',
  'metadata',
  'docUri',
  'title',
  'heading',
  'headingPath',
  'slug',
  'context',
] as const;

export function packHeads(documentId: string, heads: readonly Head[]): Columns {
  const numbers: Record<string, Float64Array> = {};
  const values: Record<string, unknown[]> = {};
  for (const key of numberKeys) {
    if (heads.some((head) => head[key] !== undefined)) {
      numbers[key] = Float64Array.from(heads, (head) => head[key] ?? Number.NaN);
    }
  }
  for (const key of valueKeys) {
    if (heads.some((head) => head[key] !== undefined)) values[key] = heads.map((head) => head[key]);
  }
  const plain = heads.every((head, at) => head.id === `${documentId}#${at}`);
  return { ...(plain ? {} : { ids: heads.map((head) => head.id) }), numbers, values };
}

/** The id of the record at a position. */
export const idAt = (documentId: string, columns: Columns, at: number): string =>
  columns.ids?.[at] ?? `${documentId}#${at}`;

export function headAt(documentId: string, columns: Columns, at: number): Head {
  const head: Record<string, unknown> = { id: idAt(documentId, columns, at) };
  for (const key of valueKeys) {
    const value = columns.values[key]?.[at];
    if (value !== undefined) head[key] = value;
  }
  for (const key of numberKeys) {
    const value = columns.numbers[key]?.[at];
    if (value !== undefined && !Number.isNaN(value)) head[key] = value;
  }
  return head as unknown as Head;
}
