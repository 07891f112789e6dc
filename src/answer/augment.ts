import { formatContext } from '../cite/context.ts';
import { untilAborted } from '../embed/abort.ts';
import { invalidOption } from '../errors.ts';
import { defaults, knownOptions, maybeSignal, oneOf, wholeNumber } from '../options.ts';
import { checkRetriever } from '../retrieve/checks.ts';
import { type CitedPassage, citedPassage } from '../retrieve/tool.ts';
import type { Filter, Retriever } from '../types.ts';
import { aboutCitations, aboutSources } from './prompt.ts';

export interface AugmentOptions {
  retriever: Retriever;
  /** Passages at most, 1 to 50. Default 5. */
  topK?: number | undefined;
  filter?: Filter | undefined;
  /** What to look for. Default: the text of the last user message. */
  query?: string | undefined;
  /** Role of the message that is added. Default `'system'`; `'user'` for models that take no such message in mid-chat. */
  role?: 'system' | 'user' | undefined;
  /** Most of the context, as `formatContext` takes it. Default: all passages. */
  maxChars?: number | undefined;
  /** Counts the context in place of characters. */
  length?: ((text: string) => number) | undefined;
  /** What the added message says where nothing is found. Default: none is added. */
  whenEmpty?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** A chat with its context. */
export interface Augmented<Message> {
  /** A new list: the messages as they were, the very same objects, and one more. */
  messages: Message[];
  /** What was found, best first: give it to `verifyQuotes` and `parseCitations` with the model's answer. */
  passages: CitedPassage[];
}

const optionNames: Readonly<Record<keyof AugmentOptions, true>> = {
  retriever: true,
  topK: true,
  filter: true,
  query: true,
  role: true,
  maxChars: true,
  length: true,
  whenEmpty: true,
  signal: true,
};

/** What is read of a message: `content`, a string or parts, or the `parts` of the AI SDK's UI messages. */
interface Readable {
  role?: unknown;
  content?: unknown;
  parts?: unknown;
}

/**
 * Adds passages to a chat, as a message of its own right before the last user message. That is what is looked for, and
 * no message is changed. Where nothing is found, or no user message has a text, the list comes back as it is, copied.
 *
 * Augment the chat as it was before each turn, so that one context stands in it and not one a turn.
 *
 * @throws ShelfmarkError `INVALID_OPTION`; what the retriever rejects with; the signal's reason when aborted
 */
export async function augment<Message extends object>(
  messages: readonly Message[],
  options: AugmentOptions,
): Promise<Augmented<Message>> {
  knownOptions(options, optionNames);
  const { retriever, filter, maxChars, length, whenEmpty, signal } = options;
  if (!Array.isArray(messages)) throw invalidOption('messages', messages, 'an array of messages');
  checkRetriever('retriever', retriever);
  maybeSignal(signal);
  if (options.query !== undefined && typeof options.query !== 'string')
    throw invalidOption('query', options.query, 'a string, or leave it out');
  if (whenEmpty !== undefined && typeof whenEmpty !== 'string')
    throw invalidOption('whenEmpty', whenEmpty, 'a sentence, or leave it out');
  const role = oneOf('role', options.role ?? 'system', ['system', 'user']);
  const topK = wholeNumber('topK', options.topK ?? defaults.topK, 1, defaults.tool.maxTopK);

  const list = messages as readonly (Message & Readable)[];
  const at = list.map((message) => message?.role).lastIndexOf('user');
  const query = options.query ?? textOf(list[at]);
  if (at < 0 || query.trim() === '') return { messages: [...list], passages: [] };
  const found = await untilAborted(retriever.retrieve(query, { topK, filter, signal }), signal);
  const passages = found.map(citedPassage);
  const context = formatContext(passages, { maxChars, length });
  const text =
    context === ''
      ? whenEmpty
      : `Sources that may answer the next message. ${aboutSources} ${aboutCitations}\n\n${context}`;
  if (text === undefined) return { messages: [...list], passages };
  const added = messageLike(list[at]!, role, text);
  return { messages: [...list.slice(0, at), added as Message, ...list.slice(at)], passages };
}

/** The text of a message, of all its parts that have one. */
function textOf(message: Readable | undefined): string {
  const content = message?.parts ?? message?.content;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (typeof part === 'string' ? part : (part as { text?: unknown } | null)?.text))
    .filter((text) => typeof text === 'string')
    .join('\n');
}

/** A message of the form the chat has. System messages have a string for their content in every API. */
function messageLike(model: Readable, role: 'system' | 'user', text: string): object {
  const parts = [{ type: 'text', text }];
  if (Array.isArray(model.parts)) return { id: 'shelfmark-context', role, parts };
  return { role, content: role === 'user' && Array.isArray(model.content) ? parts : text };
}
