/** Faults put into the real IndexedDB of the page; each undoes itself. */

type Undo = () => void;

/** Replaces a method of a prototype; the replacement gets the original. */
export function patch<T extends object, K extends keyof T>(
  target: T,
  key: K,
  make: (original: T[K]) => T[K],
): Undo {
  const original = target[key];
  target[key] = make(original);
  return () => {
    target[key] = original;
  };
}

/** The n-th write from now on fails as `fail` says. */
export function failPut(n: number, fail: (store: IDBObjectStore) => void): Undo {
  let left = n;
  return patch(IDBObjectStore.prototype, 'put', (original) => {
    return function (this: IDBObjectStore, ...args: Parameters<IDBObjectStore['put']>) {
      const request = original.apply(this, args);
      if (--left === 0) fail(this);
      return request;
    };
  });
}

/**
 * The transaction of the n-th write is aborted as the browser does when the disk is full at commit: no
 * request fails, `error` says why.
 */
export function abortForQuota(n: number): Undo {
  return failPut(n, ({ transaction }) => {
    const error = new DOMException('The disk is full.', 'QuotaExceededError');
    Object.defineProperty(transaction, 'error', { get: () => error });
    transaction.abort();
  });
}

/** The next transaction is aborted when its last request has succeeded, so that nothing but `abort` tells. */
export function abortAtTheEnd(error: DOMException | null): Undo {
  return patch(IDBObjectStore.prototype, 'put', (original) => {
    return function (this: IDBObjectStore, ...args: Parameters<IDBObjectStore['put']>) {
      const request = original.apply(this, args);
      const { transaction } = this;
      if (this.name === 'meta') {
        request.addEventListener('success', () => {
          Object.defineProperty(transaction, 'error', { get: () => error });
          transaction.abort();
        });
      }
      return request;
    };
  });
}

/** Every connection opened from now on, as the browser sees it. */
export function connections(): { opened: IDBDatabase[]; undo: Undo } {
  const opened: IDBDatabase[] = [];
  const undo = patch(IDBFactory.prototype, 'open', (original) => {
    return function (this: IDBFactory, ...args: Parameters<IDBFactory['open']>) {
      const request = original.apply(this, args);
      request.addEventListener('success', () => opened.push(request.result));
      return request;
    };
  });
  return { opened, undo };
}

/** What the browser does when it takes a connection away, as when site data is cleared. */
export function closeByBrowser(db: IDBDatabase): void {
  db.close();
  db.dispatchEvent(new Event('close'));
}

/** Opens a database as another tab would, without any of our handlers. */
export function openRaw(name: string, version?: number): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Everything a database holds, for comparing states. */
export async function dump(name: string): Promise<Record<string, unknown[]>> {
  const db = await openRaw(name);
  const all: Record<string, unknown[]> = {};
  for (const store of db.objectStoreNames) {
    all[store] = await new Promise((resolve, reject) => {
      const request = db.transaction(store).objectStore(store).getAll();
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  }
  db.close();
  return all;
}
