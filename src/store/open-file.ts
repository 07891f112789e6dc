import { invalidOption, messageOf, ShelfmarkError, show } from '../errors.ts';
import type { LexiconOptions } from '../lexicon/analyzer.ts';
import { decodeFile, fileHash } from './file.ts';
import { FileStore } from './file-store.ts';
import type { IndexedDBVectorStore } from './idb.ts';
import { importChange, rowsOf } from './snapshot.ts';

/** Where an index that was exported is read from. */
export type IndexFile = string | URL | Blob | Uint8Array | ArrayBuffer;

/** Opens an exported index as it is, read-only. */
export async function openFile(from: IndexFile, lexicon: LexiconOptions | undefined): Promise<FileStore> {
  const name = nameOf(from);
  return FileStore.over(await decodeFile(await bytesOf(from), name), name, lexicon);
}

/**
 * Puts an exported index in place of all a store has, in one step. One that was imported before is not read again; what
 * was imported from another file is replaced, unless documents were added to it since.
 */
export async function importFile(from: IndexFile, store: IndexedDBVectorStore): Promise<void> {
  const name = nameOf(from);
  let bytes: Blob | Uint8Array;
  try {
    bytes = await bytesOf(from);
  } catch (error) {
    // Offline, what was imported at the last visit serves.
    if (store.meta.imported === undefined) throw error;
    return;
  }
  if (store.meta.imported?.hash === (await fileHash(bytes, name))) return;
  const file = await decodeFile(bytes, name);
  const rows = await rowsOf(file, name);
  await store.replaceAll((table) => {
    const { imported } = table.meta;
    if (imported?.hash === file.hash) return undefined;
    const own = [...table.entries.values()].filter(({ version }) => version !== imported?.generation);
    if (own.length > 0) {
      throw new ShelfmarkError(
        'UNSUPPORTED',
        `Index ${show(store.name)} has documents that are not of the file it was imported from (${show(own[0]!.id)}), and importing ${show(name)} would lose them; import it under another name, or remove them first.`,
      );
    }
    if (
      table.meta.vectors !== undefined &&
      table.meta.vectors !== file.meta.vectors &&
      file.meta.vectors === 'int8'
    ) {
      throw invalidOption('vectors', table.meta.vectors, `'int8', which is what file ${show(name)} has`);
    }
    return importChange(table, file, rows, file.hash);
  });
}

function nameOf(from: IndexFile): string {
  if (typeof from === 'string') return from;
  if (from instanceof URL) return from.href;
  const { name } = (from ?? {}) as { name?: unknown };
  return typeof name === 'string' ? name : from instanceof Blob ? 'a Blob' : 'bytes';
}

async function bytesOf(from: IndexFile): Promise<Blob | Uint8Array> {
  if (from instanceof Blob || from instanceof Uint8Array) return from;
  if (from instanceof ArrayBuffer) return new Uint8Array(from);
  if (typeof from !== 'string' && !(from instanceof URL)) {
    throw invalidOption('from', from, 'an address, a Blob or bytes');
  }
  const unfetched = (why: string, cause?: unknown) =>
    new ShelfmarkError(
      'FORMAT',
      `The index at ${show(String(from))} could not be fetched (${why}); check the address and the connection.`,
      { cause },
    );
  let response: Response;
  try {
    response = await fetch(from);
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    throw unfetched(messageOf(cause), cause);
  }
  throw unfetched(`status ${response.status}`);
}
