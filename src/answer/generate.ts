/** What stands between `answer` and whatever writes its text. */
import { untilAborted } from '../embed/abort.ts';
import { messageOf, ShelfmarkError, show, throwIfAborted } from '../errors.ts';
import type { CitedPassage } from '../retrieve/tool.ts';

export interface ChatMessage {
  role: 'system' | 'user';
  content: string;
}

/** What a generator is given. */
export interface GenerateRequest {
  question: string;
  /** The passages as `formatContext` writes them: escaped blocks with their ids. */
  context: string;
  passages: readonly CitedPassage[];
  /** How to answer: from the sources, with their ids, and what to say where they do not answer. */
  instructions: string;
  /** The instructions, and the context with the question, as a chat. */
  messages: readonly ChatMessage[];
  signal: AbortSignal | undefined;
}

/** A piece of a passage, word for word: offsets in the passage's text, in UTF-16 code units, half-open. */
export interface Excerpt {
  id: string;
  start: number;
  end: number;
}

/** Text as it comes, cut anywhere; or a piece of a passage, which `answer` quotes and cites. */
export type Piece = string | Excerpt;

export type Generated = string | Iterable<Piece> | AsyncIterable<Piece> | ReadableStream<string>;

/**
 * Writes an answer: all at once, or in pieces. It should stop when the signal is aborted; `answer` does not wait for it.
 */
export type Generate = (request: GenerateRequest) => Generated | Promise<Generated>;

/** The pieces of what a generator answered, until the signal is aborted. */
export async function* piecesOf(
  generated: Generated,
  signal: AbortSignal | undefined,
): AsyncGenerator<Piece> {
  if (typeof generated === 'string') {
    yield generated;
    return;
  }
  const { next, end } = reading(generated);
  try {
    for (;;) {
      const step = await untilAborted(next(), signal);
      if (step.done) return;
      yield step.value;
    }
  } finally {
    // Not waited for: one that does not stop must not keep the answer from ending.
    end().catch(() => {});
  }
}

interface Reading {
  next(): Promise<IteratorResult<Piece, unknown>>;
  end(): Promise<unknown>;
}

function reading(generated: Exclude<Generated, string>): Reading {
  // Not every browser iterates over streams.
  if (typeof (generated as ReadableStream<string>)?.getReader === 'function') {
    const reader = (generated as ReadableStream<string>).getReader();
    return {
      next: async () => (await reader.read()) as IteratorResult<Piece, unknown>,
      end: () => reader.cancel(),
    };
  }
  const source = generated as Partial<AsyncIterable<Piece> & Iterable<Piece>> | undefined;
  const iterator = source?.[Symbol.asyncIterator]?.() ?? source?.[Symbol.iterator]?.();
  if (iterator === undefined) {
    throw new ShelfmarkError(
      'GENERATOR_FAILED',
      `The generator answered ${show(generated)}; it must give a string, a stream or an iterable of strings.`,
    );
  }
  return { next: async () => iterator.next(), end: async () => iterator.return?.() };
}

/** What a generator threw, as an error of this library; an abort stays what it is. */
export function generatorFailed(error: unknown, signal: AbortSignal | undefined): unknown {
  throwIfAborted(signal);
  if (error instanceof ShelfmarkError) return error;
  return new ShelfmarkError(
    'GENERATOR_FAILED',
    `The generator failed: ${messageOf(error)}. Ask again, or answer without a model: leave \`generate\` out.`,
    { cause: error },
  );
}
