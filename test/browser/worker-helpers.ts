import { afterEach } from 'vitest';
import type { Index } from '../../src/open-index.ts';
import { type ConnectOptions, connectIndex, type WorkerSource } from '../../src/worker/client.ts';
import { freshName } from './index-helpers.ts';
import type { Sent } from './serve.worker.ts';

/** Every worker that a test has made, last one last. */
export const workers: Worker[] = [];
const connected: Index[] = [];

export function makeWorker(): Worker {
  const worker = new Worker(new URL('./serve.worker.ts', import.meta.url), { type: 'module' });
  workers.push(worker);
  return worker;
}

/** An index in a worker, destroyed after the test. */
export async function connect(
  sent: Sent = {},
  source: WorkerSource = makeWorker,
  options: ConnectOptions = {},
): Promise<Index> {
  const index = await connectIndex(source, { send: { name: freshName(), ...sent }, ...options });
  connected.push(index);
  return index;
}

afterEach(async () => {
  for (const index of connected.splice(0)) await index.destroy().catch(() => {});
  for (const worker of workers.splice(0)) worker.terminate();
});

export const turn = (milliseconds = 0): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What a promise rejects with. */
export const fault = (promise: Promise<unknown>): Promise<Error & { code?: string; cause?: unknown }> =>
  promise.then(
    () => {
      throw new Error('it did not reject');
    },
    (error) => error,
  );
