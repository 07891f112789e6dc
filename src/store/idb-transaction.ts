import { unwrap } from 'idb';
import { ShelfmarkError } from '../errors.ts';
import { type Connection, stores } from './idb-schema.ts';
import { outOfSpace } from './space.ts';

export type WriteTransaction = ReturnType<typeof begin>;

const begin = (db: Connection, durability: IDBTransactionDurability | undefined) =>
  db.transaction([...stores], 'readwrite', durability === undefined ? {} : { durability });

/**
 * Runs one write transaction and resolves when it is complete. `work` may await requests of this
 * transaction and nothing else; answering false aborts, and is answered. Rejects with what made the
 * transaction fail, once it is rolled back: an abort without any request failing (a full disk) as well.
 */
export async function write(
  db: Connection,
  durability: IDBTransactionDurability | undefined,
  work: (tx: WriteTransaction) => Promise<boolean>,
): Promise<boolean> {
  const tx = begin(db, durability);
  // `done` rejects at the first error event, when the transaction's own error is not known yet.
  tx.done.catch(() => {});
  const native = unwrap(tx);
  const ended = new Promise<DOMException | null | 'complete'>((resolve) => {
    native.addEventListener('complete', () => resolve('complete'));
    native.addEventListener('abort', () => resolve(native.error));
  });
  let wanted = false;
  let failure: unknown;
  try {
    wanted = await work(tx);
  } catch (error) {
    failure = error;
  }
  if (!wanted) abort(native);
  const end = await ended;
  if (end === 'complete') return true;
  if (failure === undefined && !wanted) return false;
  throw end ?? failure ?? new DOMException('The transaction was aborted.', 'AbortError');
}

function abort(tx: IDBTransaction): void {
  try {
    tx.abort();
  } catch {
    // It has ended already, which is all that is wanted.
  }
}

/** Whether a call failed because its connection was closed under it. */
export const isConnectionLost = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'InvalidStateError';

/** What IndexedDB threw, as an error of this library that keeps it as its cause. */
export async function storageError(cause: unknown): Promise<unknown> {
  if (cause instanceof ShelfmarkError) return cause;
  const { name, message } = cause as Error;
  if (name === 'QuotaExceededError') {
    return outOfSpace(
      (space) =>
        `There is no storage space left${space}; nothing was written. Remove documents or free space.`,
      cause,
    );
  }
  if (name === 'AbortError') {
    return new ShelfmarkError(
      'ABORTED',
      'The browser gave up the transaction; nothing was written. Try again.',
      { cause },
    );
  }
  if (name === 'InvalidStateError') {
    return new ShelfmarkError(
      'STORE_CLOSED',
      'The browser closed the connection to the index twice in a row; reload the page.',
      { cause },
    );
  }
  return new ShelfmarkError(
    'STORE_CORRUPT',
    `IndexedDB failed (${name}: ${message}); nothing was written. If it stays so, destroy the index and fill it again.`,
    { cause },
  );
}
