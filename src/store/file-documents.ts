import { show } from '../errors.ts';
import { type ByteReader, ByteWriter, isPlainInteger, unzigzag, zigzag } from './bytes.ts';
import type { Columns } from './columns.ts';
import { leaveOut, putBack } from './file-derived.ts';
import { type Last, PlainWriter } from './plain-data.ts';
import { PlainReader } from './plain-data-reader.ts';
import type { Entry, Texts } from './table.ts';

/*
 * The documents of a file: the list of all values (src/store/plain-data.ts), the number of documents, and then column
 * by column over all documents, since what is alike compresses best side by side:
 *
 *   ids, versions, generations as differences to the versions, counts of rows, rows
 *   pending: 0 where there are none, 1 where it is all, else their number and 2, then each
 *   ids of records: 0 where they are the usual ones, else 1 and references
 *   what was left out of info (src/store/file-derived.ts), info
 *   starts and ends of chunks in turn: 0 where one of them is missing or unusual, else 1 and integers
 *   the other numbers: how many columns, and of each its name and, by document, 0, or 1 and integers, or 2 and floats
 *   values: how many columns, and of each its name and, by document, 0, or 1 and references
 *
 * Integers stand as differences to those before: rows to the next free one, starts and ends to each other.
 */

const ABSENT = 0;
const INTEGERS = 1;
const FLOATS = 2;
const ALL = 1;
const [START, END] = ['charStart', 'charEnd'];

/** The spans of a document's chunks, where they can be written as such. */
function spansOf({ numbers }: Columns): Float64Array | undefined {
  const [starts, ends] = [numbers[START], numbers[END]];
  if (starts === undefined || ends === undefined) return undefined;
  const spans = Float64Array.from({ length: starts.length * 2 }, (_, at) =>
    at % 2 === 0 ? starts[at / 2]! : ends[(at - 1) / 2]!,
  );
  return spans.every(isPlainInteger) ? spans : undefined;
}

/** The names of columns that any of the documents has, in the order in which they are met. */
const namesIn = (all: readonly Readonly<Record<string, unknown>>[]): string[] => [
  ...new Set(all.flatMap((columns) => Object.keys(columns))),
];

const isWritable = (value: number): boolean => isPlainInteger(value) || Number.isNaN(value);

function writeNumbers(out: ByteWriter, values: Float64Array | undefined): void {
  if (values === undefined) {
    out.count(ABSENT);
    return;
  }
  if (!values.every(isWritable)) {
    out.count(FLOATS);
    for (const value of values) out.float(value);
    return;
  }
  out.count(INTEGERS);
  let before = 0;
  for (const value of values) {
    if (Number.isNaN(value)) out.count(0);
    else {
      out.count(zigzag(value - before) + 1);
      before = value;
    }
  }
}

function readNumbers(from: ByteReader, length: number): Float64Array | undefined {
  const kind = from.count();
  if (kind === ABSENT) return undefined;
  if (kind === FLOATS) return Float64Array.from({ length }, () => from.float());
  if (kind !== INTEGERS) throw new Error(`numbers are of kind ${kind}`);
  let before = 0;
  return Float64Array.from({ length }, () => {
    const code = from.count();
    return code === 0 ? Number.NaN : (before += unzigzag(code - 1));
  });
}

function writePending(out: ByteWriter, pending: readonly number[] | undefined, rows: number): void {
  if (pending === undefined) {
    out.count(ABSENT);
    return;
  }
  if (pending.length === rows) {
    out.count(ALL);
    return;
  }
  out.count(pending.length + 2);
  let before = 0;
  for (const at of pending) {
    out.integer(at - before);
    before = at;
  }
}

function readPending(from: ByteReader, rows: number): number[] | undefined {
  const code = from.count();
  if (code === ABSENT) return undefined;
  if (code === ALL) return Array.from({ length: rows }, (_, at) => at);
  if (code - 2 > rows) throw new Error('more records are pending than there are');
  let before = 0;
  return Array.from({ length: code - 2 }, () => (before += from.integer()));
}

export function encodeDocuments(entries: readonly Entry[], texts: ReadonlyMap<string, Texts>): ByteWriter {
  const values = new PlainWriter();
  const out = new ByteWriter();
  const each = (write: (entry: Entry) => void) => {
    for (const entry of entries) {
      values.owner = `document ${show(entry.id)}`;
      write(entry);
    }
  };
  const referring =
    (last: Last = []) =>
    (value: unknown) =>
      values.refer(out, value, last, 0);

  out.count(entries.length);
  const id = referring();
  each((entry) => id(entry.id));
  let version = 0;
  each((entry) => {
    out.integer(entry.version - version);
    version = entry.version;
  });
  each((entry) => out.integer(entry.generation - entry.version));
  each(({ rows }) => out.count(rows.length));
  let free = 0;
  each(({ rows }) => {
    for (const row of rows) {
      out.integer(row - free);
      free = row + 1;
    }
  });
  each(({ pending, rows }) => writePending(out, pending, rows.length));
  const references = (items: readonly unknown[] | undefined, refer: (value: unknown) => void) => {
    out.count(items === undefined ? ABSENT : ALL);
    for (const item of items ?? []) refer(item);
  };
  const recordId = referring();
  each(({ columns }) => references(columns.ids, recordId));
  const shortened = new Set<unknown>();
  each((entry) => {
    const { instead, left } = leaveOut(entry, texts.get(entry.id)!);
    const again = shortened.has(entry.info);
    out.count(again ? 0 : left);
    if (again || left === 0) return;
    shortened.add(entry.info);
    values.override(entry.info as object, instead);
  });
  const info = referring();
  each((entry) => info(entry.info));

  const numbers: Record<string, Float64Array>[] = [];
  each(({ columns }) => {
    const spans = spansOf(columns);
    writeNumbers(out, spans);
    const { [START]: starts, [END]: ends, ...others } = columns.numbers;
    numbers.push(spans === undefined ? { ...columns.numbers } : others);
  });
  const name = referring();
  const numberNames = namesIn(numbers);
  out.count(numberNames.length);
  for (const key of numberNames) {
    name(key);
    for (const columns of numbers) writeNumbers(out, Object.hasOwn(columns, key) ? columns[key] : undefined);
  }
  const valueNames = namesIn(entries.map(({ columns }) => columns.values));
  out.count(valueNames.length);
  for (const key of valueNames) {
    name(key);
    const item = referring();
    each(({ columns }) =>
      references(Object.hasOwn(columns.values, key) ? columns.values[key] : undefined, item),
    );
  }

  const all = new ByteWriter();
  values.finish(all);
  all.bytes(out.written);
  return all;
}

/**
 * Reads what `encodeDocuments` wrote. Throws any error for bytes that are something else.
 * @param texts Of each document, in their order.
 */
export function decodeDocuments(from: ByteReader, texts: readonly Texts[]): Entry[] {
  const values = new PlainReader(from);
  const referring =
    (last: Last = []) =>
    () =>
      values.value(from, last, 0);
  const naming = (refer: () => unknown) => () => {
    const text = refer();
    if (typeof text !== 'string') throw new Error('an id or a name is no string');
    return text;
  };

  const count = from.size();
  if (count !== texts.length) throw new Error(`there are texts for ${texts.length} documents of ${count}`);
  const each = <T>(read: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => read(at));
  const ids = each(naming(referring()));
  let version = 0;
  const versions = each(() => (version += from.integer()));
  const generations = each((at) => versions[at]! + from.integer());
  const lengths = each(() => from.size());
  let free = 0;
  const rows = each((at) =>
    Uint32Array.from({ length: lengths[at]! }, () => {
      const row = free + from.integer();
      // A typed array would wrap it into another one.
      if (!(row >= 0 && row < 2 ** 32)) throw new Error(`there is no row ${row}`);
      free = row + 1;
      return row;
    }),
  );
  const pending = each((at) => readPending(from, lengths[at]!));
  const references = <T>(at: number, refer: () => T): T[] | undefined => {
    const kind = from.count();
    if (kind > ALL) throw new Error(`references are of kind ${kind}`);
    return kind === ABSENT ? undefined : Array.from({ length: lengths[at]! }, refer);
  };
  const recordId = naming(referring());
  const recordIds = each((at) => references(at, recordId));
  const left = each(() => from.count());
  const info = each(referring());

  const spans = each((at) => readNumbers(from, lengths[at]! * 2));
  const name = naming(referring());
  const columnsOf = <T>(read: () => (at: number) => T | undefined): Map<string, T>[] => {
    const columns = each(() => new Map<string, T>());
    for (let more = from.size(); more > 0; more--) {
      const key = name();
      const one = read();
      each((at) => {
        const column = one(at);
        if (column !== undefined) columns[at]!.set(key, column);
      });
    }
    return columns;
  };
  const numbers = columnsOf(() => (at) => readNumbers(from, lengths[at]!));
  const items = columnsOf(() => {
    const refer = referring();
    return (at) => references(at, refer);
  });
  from.end();
  values.finish();

  const entries = each((at): Entry => {
    const both = spans[at];
    if (both !== undefined) {
      numbers[at]!.set(
        START,
        both.filter((_, i) => i % 2 === 0),
      );
      numbers[at]!.set(
        END,
        both.filter((_, i) => i % 2 === 1),
      );
    }
    return {
      id: ids[at]!,
      version: versions[at]!,
      generation: generations[at]!,
      rows: rows[at]!,
      columns: {
        ...(recordIds[at] !== undefined && { ids: recordIds[at] }),
        numbers: Object.fromEntries(numbers[at]!),
        values: Object.fromEntries(items[at]!),
      },
      ...(pending[at] !== undefined && { pending: pending[at] }),
      ...(info[at] !== undefined && { info: info[at] }),
    };
  });
  entries.forEach((entry, at) => {
    putBack(entry, texts[at]!, left[at]!);
  });
  return entries;
}
