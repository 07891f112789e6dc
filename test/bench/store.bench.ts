import { deleteDB, type IDBPDatabase } from 'idb';
import { type Index, openIndex } from '../../src/index.ts';
import { type Contender, consume, type Row, race } from './harness.ts';
import { type Data, files, k, make } from './store-data.ts';
import {
  type Kept,
  miniSearch,
  openRows,
  orama,
  ours,
  putRows,
  rowStore,
  type StoredRow,
  toRow,
} from './store-rivals.ts';
import { storedBytes } from './stored-bytes.ts';

const ofChunks = (count: number): Promise<Data> => make((_, chunks) => chunks >= count);
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
/** So that none pays for what another has left. */
const collect = (): void => (globalThis as { gc?: () => void }).gc?.();

/** Opens what is kept, each time anew, until the hits' texts are there. */
function opening(kept: Kept, { expected }: Data): Contender {
  let close: () => unknown;
  return {
    what: kept.what,
    note: kept.note,
    async run() {
      const opened = await kept.open();
      close = opened.close;
      if (opened.texts.length !== k) throw new Error(`${kept.what}: ${opened.texts.length} hits`);
      if (kept.nearest && !opened.texts.includes(expected)) throw new Error(`${kept.what}: not the nearest`);
      consume(opened.texts);
    },
    async after() {
      await close();
      collect();
    },
  };
}

/** What opening reads of a database: all but the texts, of which only those of hits are read. */
async function bytesRead({ name }: Kept): Promise<number> {
  const stored = await storedBytes(name);
  stored.delete('texts');
  return sum(stored.values());
}

/** Until the first ten hits of a persisted index are there, their texts read, the query's vector at hand. */
export async function open10k(): Promise<Row[]> {
  const data = await ofChunks(10_000);
  const all: Kept[] = [];
  try {
    all.push(await rowStore('bench-rows', data, false));
    all.push(await rowStore('bench-typed-rows', data, true));
    for (const how of ['save', 'json'] as const) {
      all.push(await orama(`bench-orama-${how}`, data, how));
      collect();
    }
    all.push(await miniSearch('bench-minisearch', data));
    all.push(await ours('bench-f32', data, 'f32'));
    all.push(await ours('bench-int8', data, 'int8'));
    for (const kept of all) {
      const read = `reads ${megabytes(await bytesRead(kept))}`;
      kept.note = kept.note === '' ? read : `${kept.note}, ${read}`;
    }
    return await race(
      all.map((kept) => opening(kept, data)),
      7,
      1,
    );
  } finally {
    for (const kept of all) await kept.remove();
  }
}

/** Five times the chunks, to see whether opening grows faster than the bytes. */
export async function open50k(): Promise<Row[]> {
  const all: { kept: Kept; data: Data; bytes: number }[] = [];
  try {
    for (const count of [10_000, 50_000]) {
      const data = await ofChunks(count);
      const kept = await ours(`bench-${count}`, data, 'f32');
      const of = { kept: { ...kept, what: `${kept.what}, ${data.chunks.length} chunks` }, data, bytes: 0 };
      all.push(of);
      of.bytes = await bytesRead(kept);
      of.kept.note = `reads ${megabytes(of.bytes)}`;
    }
    const rows = await race(
      all.map(({ kept, data }) => opening(kept, data)),
      7,
      1,
    );
    const [small, large] = rows as [Row, Row];
    const [times, bytes] = [large.ms / small.ms, all[1]!.bytes / all[0]!.bytes];
    large.note += `; ${times.toFixed(2)} times as long for ${bytes.toFixed(2)} times the bytes`;
    return rows;
  } finally {
    for (const { kept } of all) await kept.remove();
  }
}

/** An index that is empty before each run and deleted after it. */
function ingest(what: string, data: Data, options: Parameters<typeof openIndex>[0]): Contender {
  let index: Index;
  return {
    what,
    async before() {
      index = await openIndex({ ...options, name: 'bench-ingest' });
    },
    async run() {
      const report = await index.add(data.documents);
      if (report.documents !== data.documents.length) throw new Error(`${what}: ${report.documents}`);
    },
    async after() {
      await index.destroy();
      collect();
    },
  };
}

function rowIngest(what: string, groups: readonly StoredRow[][]): Contender {
  let db: IDBPDatabase;
  return {
    what,
    note: 'given its chunks, no words',
    async before() {
      db = await openRows('bench-ingest-rows');
    },
    run: () => putRows(db, groups),
    async after() {
      db.close();
      await deleteDB('bench-ingest-rows');
      collect();
    },
  };
}

/** A thousand documents until all of it is durable. Vectors are at hand, chunks at hand for the row store alone. */
export async function ingest1000(): Promise<Row[]> {
  const data = await make((documents) => documents === 1000);
  const groups = new Map<string, StoredRow[]>();
  for (const chunk of data.chunks) {
    const group = groups.get(chunk.uri);
    if (group === undefined) groups.set(chunk.uri, [toRow(chunk, false)]);
    else group.push(toRow(chunk, false));
  }
  const all = [...groups.values()];
  const { embedder } = data;
  const rows = await race(
    [
      rowIngest('row store, a transaction a document', all),
      rowIngest('row store, one transaction', [all.flat()]),
      ingest('shelfmark, f32', data, { embedder }),
      ingest('shelfmark, int8', data, { embedder, vectors: 'int8' }),
      ingest('shelfmark, words alone', data, {}),
    ],
    3,
    1,
  );
  for (const row of rows) {
    const rate = `${(1000 / (row.ms / 1000)).toFixed(0)} documents/s, ${data.chunks.length} chunks`;
    row.note = row.note === undefined ? rate : `${rate}, ${row.note}`;
  }
  return rows;
}

/** The corpus as it was, given again, against its first ingest. Nothing is embedded. */
export async function resync(): Promise<Row[]> {
  const documents = await files();
  const names = ['bench-sync-first', 'bench-sync-again'] as const;
  let index: Index;
  const open = async (name: string): Promise<void> => {
    index = await openIndex({ name });
  };
  const sync = async (unchanged: number): Promise<void> => {
    const report = await index.sync(documents);
    if (report.unchanged !== unchanged || report.failed.length > 0) throw new Error(JSON.stringify(report));
  };
  const close = async (): Promise<void> => {
    await index.close();
    collect();
  };
  await open(names[1]);
  await sync(0);
  await close();
  const rows = await race(
    [
      {
        what: 'first ingest',
        before: () => open(names[0]),
        run: () => sync(0),
        async after() {
          await index.destroy();
          collect();
        },
      },
      {
        what: 'the same again',
        before: () => open(names[1]),
        run: () => sync(documents.length),
        after: close,
      },
      {
        what: 'the same again, opening the index first',
        async run() {
          await open(names[1]);
          await sync(documents.length);
        },
        after: close,
      },
    ],
    5,
    1,
  );
  for (const name of names) await deleteDB(`shelfmark:${name}`);
  for (const row of rows.slice(1)) row.note = `${((row.ms / rows[0]!.ms) * 100).toFixed(1)} % of the first`;
  return rows;
}

/** Waits until the browser has put its files in order: until they have not changed for some seconds. */
async function settledBytes(): Promise<number> {
  let bytes = await window.bytesOnDisk();
  for (let [quiet, waited] = [0, 0]; quiet < 6 && waited < 20; waited++) {
    await new Promise((done) => setTimeout(done, 1000));
    const now = await window.bytesOnDisk();
    quiet = now === bytes ? quiet + 1 : 0;
    bytes = now;
  }
  return bytes;
}

/**
 * Bytes a chunk takes up: of the files in the profile, once they have settled, and in the note of the values as they
 * are before the browser compresses them. Nothing is deleted in between, since what that frees is freed at any time.
 */
export async function bytesPerChunk(): Promise<Row[]> {
  const data = await ofChunks(10_000);
  const rows: Row[] = [];
  const all: Kept[] = [];
  const makers = [
    () => rowStore('bench-rows', data, false),
    () => rowStore('bench-typed-rows', data, true),
    () => ours('bench-f32', data, 'f32'),
    () => ours('bench-int8', data, 'int8'),
  ];
  try {
    let before = await settledBytes();
    for (const keep of makers) {
      const kept = await keep();
      all.push(kept);
      const after = await settledBytes();
      const each = (bytes: number): number => bytes / data.chunks.length;
      const bytes = each(after - before);
      before = after;
      const stored = [...(await storedBytes(kept.name))].map(
        ([store, of]) => `${store} ${each(of).toFixed(0)}`,
      );
      const note = `values: ${stored.join(', ')}`;
      rows.push({ what: kept.what, ms: bytes, unit: 'bytes', spread: [bytes, bytes], runs: 1, note });
    }
  } finally {
    for (const kept of all) await kept.remove();
  }
  return rows;
}
