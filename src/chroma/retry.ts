import { untilAborted } from '../embed/abort.ts';
import { abortReason, messageOf, ShelfmarkError, show } from '../errors.ts';

/** Milliseconds before the first new try; each further one waits twice as long. */
const FIRST_WAIT = 100;
const LONGEST_WAIT = 10_000;

export interface Attempts {
  /** New tries after the first. */
  retries: number;
  /** As messages name the server. */
  server: string;
}

/**
 * Asks the server, again where it was busy (429, 502, 503, 504) or could not be reached: after 100 ms, then twice as long
 * each time and at most 10 s, of which up to half is left out by chance, so that several clients do not come back at once.
 * All that the store asks for may be asked twice.
 *
 * @throws ShelfmarkError with what the server said; the signal's reason where the call was aborted
 */
export async function asked<T>(
  ask: () => Promise<T>,
  { retries, server }: Attempts,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let tried = 0; ; tried++) {
    try {
      return await untilAborted(ask(), signal);
    } catch (error) {
      if (signal?.aborted) throw abortReason(signal);
      if (tried >= retries || !isPassing(error)) throw chromaError(error, server);
    }
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tried);
    await untilAborted(
      new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random() / 2))),
      signal,
    );
  }
}

const statusOf = (error: unknown): number => Number(/\(status: (\d+)\)/.exec(messageOf(error))?.[1] ?? 0);

/** Whether the same request may succeed a little later. */
function isPassing(error: unknown): boolean {
  const { name } = error as Error;
  if (name === 'ChromaRateLimitError') return true;
  // The client names an answer without a meaning of its own by its status; without one there was none.
  return name === 'ChromaConnectionError' && [0, 429, 502, 503, 504].includes(statusOf(error));
}

function chromaError(cause: unknown, server: string): unknown {
  if (cause instanceof ShelfmarkError) return cause;
  const said = messageOf(cause);
  const { name } = cause as Error;
  if (name === 'ChromaQuotaExceededError') {
    return new ShelfmarkError('QUOTA_EXCEEDED', `Chroma at ${server} has no more room: ${said}`, { cause });
  }
  if (name === 'ChromaConnectionError' && statusOf(cause) === 0) {
    const why = 'start it, and where a page asks, allow its origin (CHROMA_CORS_ALLOW_ORIGINS)';
    return new ShelfmarkError('STORE_FAILED', `Chroma at ${server} cannot be reached; ${why}. ${said}`, {
      cause,
    });
  }
  if (/dimension/i.test(said)) {
    return new ShelfmarkError(
      'DIMENSION_MISMATCH',
      `Chroma at ${server} holds vectors of another length: ${said}; use the embedder the collection was filled with.`,
      { cause },
    );
  }
  return new ShelfmarkError(
    'STORE_FAILED',
    `Chroma at ${server} refused a request (${show(name)}): ${said}`,
    {
      cause,
    },
  );
}
