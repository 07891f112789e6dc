import { abortReason, throwIfAborted } from '../errors.ts';

/** Settles as `work` does, or rejects with the signal's reason as soon as it is aborted. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  // Whoever leaves early must not leave an unhandled rejection behind.
  work.catch(() => {});
  throwIfAborted(signal);
  let stopListening = () => {};
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = () => reject(abortReason(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    stopListening = () => signal.removeEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stopListening();
  }
}

/** A task that several callers may wait for. */
export interface SharedTask<T> {
  /** The running or finished task's result; starts it where there is none. */
  get(signal?: AbortSignal): Promise<T>;
  /** Forgets the task and answers it, so that the next `get` starts anew. */
  take(): Promise<T> | undefined;
}

/**
 * One run for all who ask: they get the same promise. A failure is forgotten, so that the next call tries
 * again. A caller's signal ends its own wait; the task itself is stopped when nobody waits any more.
 */
export function sharedTask<T>(start: (signal: AbortSignal) => Promise<T>): SharedTask<T> {
  interface Run {
    result: Promise<T>;
    stop: AbortController;
    waiting: number;
    settled: boolean;
  }
  let current: Run | undefined;

  function begin(): Run {
    const stop = new AbortController();
    const run: Run = { result: start(stop.signal), stop, waiting: 0, settled: false };
    run.result.then(
      () => {
        run.settled = true;
      },
      () => {
        run.settled = true;
        if (current === run) current = undefined;
      },
    );
    return run;
  }

  return {
    async get(signal) {
      throwIfAborted(signal);
      current ??= begin();
      const run = current;
      run.waiting++;
      try {
        return await untilAborted(run.result, signal);
      } finally {
        run.waiting--;
        if (run.waiting === 0 && !run.settled) {
          if (current === run) current = undefined;
          run.stop.abort(signal?.reason);
        }
      }
    },
    take() {
      const run = current;
      current = undefined;
      return run?.result;
    },
  };
}

/** Milliseconds of work after which the event loop gets a turn: half a frame, so that typing stays smooth. */
const longestWork = 8;

/**
 * Answers a function to call between pieces of work. The runtime computes without ever leaving the thread, so
 * without it neither a key nor an abort would be heard before the end. A message is used because timers of a
 * page are held back by 4 ms, and in the background by a second.
 */
export function breather(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < longestWork) return;
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(undefined);
    });
    since = performance.now();
  };
}
