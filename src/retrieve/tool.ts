import { formatContext } from '../cite/context.ts';
import { invalidOption, show, throwIfAborted } from '../errors.ts';
import { defaults, optionsObject, wholeNumber } from '../options.ts';
import { chunkProvenance } from '../provenance.ts';
import type { Hits, Passage, Retriever } from '../types.ts';
import { checkRetriever } from './checks.ts';

export interface RetrievalToolOptions {
  /** What the model calls it: letters, digits, `_` and `-`, at most 64. Default `'search_knowledge'`. */
  name?: string | undefined;
  /** Tells the model what there is to find and when to look. */
  description?: string | undefined;
  /** Passages where the model does not say how many: 1 to 50. Default 5. */
  topK?: number | undefined;
}

/** A passage as the model gets it: plain data, with all that a citation needs. */
export interface CitedPassage {
  id: string;
  text: string;
  score: number;
  docUri?: string;
  heading?: string;
  headingPath?: string[];
  slug?: string;
  page?: number;
  charStart?: number;
  charEnd?: number;
}

/** Exactly one of `message` and `error` stands beside an empty list; neither beside a full one. */
export interface RetrievalToolResult {
  passages: CitedPassage[];
  /** Says that nothing was found. */
  message?: string;
  /** Says what was wrong with the arguments, so that the model can call again. */
  error?: string;
}

export interface RetrievalToolCall {
  signal?: AbortSignal | undefined;
  /** The name the AI SDK has for it. */
  abortSignal?: AbortSignal | undefined;
}

/** The part of JSON Schema that is used here. */
export interface RetrievalToolSchema {
  type: 'object';
  properties: {
    query: { type: 'string'; description: string };
    topK: { type: 'integer'; minimum: number; maximum: number; description: string };
  };
  required: ['query'];
  additionalProperties: false;
}

export interface RetrievalTool {
  name: string;
  description: string;
  inputSchema: RetrievalToolSchema;
  /** @param input What the model wrote; it may be anything. */
  execute(input: unknown, call?: RetrievalToolCall): Promise<RetrievalToolResult>;
  /**
   * A result as text for a model: the passages as `formatContext` writes them, so that none can pass for another or for
   * the page's own words; else what the message or the error says. Also takes a result that was copied or stored.
   */
  format(result: RetrievalToolResult): string;
}

const defaultDescription =
  'Searches the indexed documents and returns the passages that fit a question best, each with its source. ' +
  'Call it before answering from these documents, and cite passages by their id.';

/**
 * A retriever as a tool for a language model: a name, a description, a plain JSON Schema and a function, which is
 * what the AI SDK, LangChain and browser model contexts build their tools from.
 *
 * Models write odd arguments. `execute` answers those with an `error` the model can read, and an unanswerable
 * question with a `message` that says so; it rejects only where the retriever does, or with the signal's reason.
 */
export function createRetrievalTool(retriever: Retriever, options: RetrievalToolOptions = {}): RetrievalTool {
  const { name = defaults.tool.name, description = defaultDescription } = optionsObject(options);
  const { maxTopK } = defaults.tool;
  checkRetriever('retriever', retriever);
  if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name)) {
    throw invalidOption('name', name, '1 to 64 letters, digits, _ or -');
  }
  if (typeof description !== 'string' || description.trim() === '') {
    throw invalidOption('description', description, 'a sentence for the model');
  }
  const usual = wholeNumber('topK', options.topK ?? defaults.topK, 1, maxTopK);

  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'The question or the words to look for, in plain language.' },
        topK: {
          type: 'integer',
          minimum: 1,
          maximum: maxTopK,
          description: `How many passages to return; ${usual} if left out.`,
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
    async execute(input, call = {}) {
      const signal = call.signal ?? call.abortSignal;
      throwIfAborted(signal);
      const read = readInput(input, usual);
      if ('error' in read) return { passages: [], error: read.error };
      const passages = await retriever.retrieve(read.query, { topK: read.topK, signal });
      throwIfAborted(signal);
      if (passages.length > 0) return { passages: passages.map(citedPassage) };
      return { passages: [], message: nothingFor(read.query, passages) };
    },
    format({ passages, message, error }) {
      return error ?? message ?? formatContext(passages);
    },
  };
}

/** Says which leg has not searched, too: what is missing then may be there. */
function nothingFor(query: string, found: readonly Passage[]): string {
  const legs = Object.entries((found as Partial<Hits>).legStates ?? {});
  const idle = legs.filter(([, state]) => state === 'loading' || state === 'failed').map(([leg]) => leg);
  const half = idle.length === 0 ? '' : ` The ${idle.join(' and ')} search could not run.`;
  return `Nothing found for ${show(query)}: no passage reaches the floor.${half} The documents may not say it: try other words once, or tell the user that it is not in them.`;
}

function readInput(input: unknown, usual: number): { query: string; topK: number } | { error: string } {
  const { maxTopK } = defaults.tool;
  if (input === null || typeof input !== 'object' || Array.isArray(input)) {
    return { error: `The arguments are ${show(input)}; give an object such as {"query": "refund period"}.` };
  }
  const { query, topK } = input as Record<string, unknown>;
  if (typeof query !== 'string' || query.trim() === '') {
    return { error: `query is ${show(query)}; give the words to look for, as a string.` };
  }
  // Models whose schema has no optional fields send null for what they leave out.
  if (topK === undefined || topK === null) return { query, topK: usual };
  if (typeof topK !== 'number' || !Number.isInteger(topK) || topK < 1 || topK > maxTopK) {
    return { error: `topK is ${show(topK)}; give a whole number from 1 to ${maxTopK}, or leave it out.` };
  }
  return { query, topK };
}

/** A passage as models and citations get it: plain data, with what the accessors read of its metadata. */
export function citedPassage(passage: Passage): CitedPassage {
  const { id, text, score, headingPath, slug, charStart, charEnd } = passage;
  const found = chunkProvenance(passage);
  const docUri = passage.docUri ?? found.docUri ?? passage.source;
  const heading = passage.heading ?? found.heading;
  const page = passage.page ?? found.page;
  return {
    id,
    ...(docUri !== undefined && { docUri }),
    ...(heading !== undefined && { heading }),
    ...(headingPath !== undefined && { headingPath: [...headingPath] }),
    ...(slug !== undefined && { slug }),
    ...(page !== undefined && { page }),
    ...(charStart !== undefined && { charStart }),
    ...(charEnd !== undefined && { charEnd }),
    text,
    score,
  };
}
