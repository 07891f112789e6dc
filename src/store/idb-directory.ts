import { type Connection, type DirectoryPage, isCurrent, readMeta } from './idb-schema.ts';
import { withPending } from './pending.ts';
import type { Table } from './table.ts';

/** Entries on a page: copying them takes some milliseconds, and the tab may go on before the next. */
const PAGE_ENTRIES = 256;
/** Entries that are read one by one without much ado, and their share of all up to which they are. */
const FEW = 64;
const SHARE = 1 / 8;

/**
 * Writes the directory anew, where enough has been added since it was written. It says nothing that the entries do not, so
 * whatever keeps it from being written does no harm; nor is it written where another tab has gone on meanwhile.
 *
 * @param anew Whether the one that is there, if any, was of no use
 */
export async function writeDirectory(db: Connection, table: Table, anew: boolean): Promise<void> {
  const tx = db.transaction(['meta', 'directory'], 'readwrite');
  const done = tx.done.catch(() => {});
  const store = tx.objectStore('directory');
  const [{ meta, tickets }, first] = await Promise.all([readMeta(tx.objectStore('meta')), store.get(0)]);
  const { lineage, generation } = table.meta;
  const entries = [...table.entries.values()];
  const since = first === undefined || first.lineage !== lineage || anew ? 0 : first.generation;
  const unlisted = entries.filter((entry) => entry.generation > since).length;
  const isWanted = unlisted >= FEW && unlisted >= entries.length * SHARE;
  // An older layout says in the entries what is pending of them.
  const isKnown = meta?.pending !== undefined && isCurrent(meta, tickets, table.meta);
  if (lineage !== undefined && isWanted && isKnown) {
    await store.clear();
    for (let from = 0; from < entries.length; from += PAGE_ENTRIES) {
      const page: DirectoryPage = {
        lineage,
        generation,
        documents: entries.length,
        entries: entries.slice(from, from + PAGE_ENTRIES).map((entry) => withPending(entry, undefined)),
      };
      await store.put(page, from / PAGE_ENTRIES);
    }
  }
  await done;
}
