import { formatContext } from '../cite/context.ts';
import { citationLink } from '../cite/link.ts';
import { untilAborted } from '../embed/abort.ts';
import { invalidOption, ShelfmarkError, show, throwIfAborted } from '../errors.ts';
import { defaults, knownOptions, maybeFunction, maybeSignal, numberIn, wholeNumber } from '../options.ts';
import { checkRetriever } from '../retrieve/checks.ts';
import { type CitedPassage, citedPassage } from '../retrieve/tool.ts';
import { lastBreak } from '../split/breaks.ts';
import type { Filter, Passage, Retriever, TextInput } from '../types.ts';
import { type AnswerCitation, evidenceOf, type LinkMaker, type Placed } from './evidence.ts';
import { extractive } from './extractive.ts';
import { type Excerpt, type Generate, generatorFailed, type Piece, piecesOf } from './generate.ts';
import { defaultNotFound, instructionsFor, messagesFor } from './prompt.ts';

export interface AnswerOptions {
  /** Finds the passages. Floors of its own, `index.retriever({ minScore })`, stand in for `floor`. */
  retriever: Retriever;
  /** Writes the answer from the passages. Default `extractive()`: their best sentences, word for word, without a model. */
  generate?: Generate | undefined;
  signal?: AbortSignal | undefined;
  /** Called with each piece of the text as it comes; joined, they are the text. */
  onToken?: ((text: string) => void) | undefined;
  /** Passages at most, 1 to 50. Default 5. */
  topK?: number | undefined;
  filter?: Filter | undefined;
  /**
   * How sure it must be that the documents answer, or the answer is `notFound`: 1 (the default) is the floor that was
   * chosen from data, 0 is none. Heeded by retrievers of an index; see `floor` of its `search`.
   */
  floor?: number | undefined;
  /** Most of the context a model is given, as `formatContext` takes it. Default: all passages. */
  maxChars?: number | undefined;
  /** Counts the context in place of characters. */
  length?: ((text: string) => number) | undefined;
  /** Where the documents' pages lie, for links; see `citationLink`. Without it, a document's uri is its page. */
  baseUrl?: string | undefined;
  /** Makes the links in place of `citationLink`; one that answers undefined makes none. */
  linkOf?: ((passage: Passage) => string | undefined) | undefined;
  /** What to say where the documents do not answer. Models are told to write it. */
  notFound?: string | undefined;
  /** The documents the passages are of, so that quotes across two passages are found; see `verifyQuotes`. */
  documents?: readonly { uri: string; text: TextInput }[] | undefined;
}

export interface Answer {
  text: string;
  /** False where the documents do not answer, and the text says so. */
  known: boolean;
  /** In the order of the text: what was quoted word for word by `extractive`, then quotes, then ids without a quote. */
  citations: AnswerCitation[];
  /** What the answer was made from, best first. */
  passages: Passage[];
  /** Sentences with neither a verified quote nor the id of a passage. */
  unsupported: string[];
}

/** Of a passage, what a link points to: enough to find it, and soon made of a megabyte. In UTF-16 code units. */
const longestLinked = 4000;

const optionNames: Readonly<Record<keyof AnswerOptions, true>> = {
  retriever: true,
  generate: true,
  signal: true,
  onToken: true,
  topK: true,
  filter: true,
  floor: true,
  maxChars: true,
  length: true,
  baseUrl: true,
  linkOf: true,
  notFound: true,
  documents: true,
};

/**
 * Answers a question from documents, with the evidence: where each quotation stands, whether it really does, and which
 * sentences nothing bears out. Where the retriever finds nothing, no generator is asked, and the text says so.
 *
 * @throws ShelfmarkError `INVALID_OPTION`; `GENERATOR_FAILED` where the generator fails or writes nothing; what the
 * retriever or `onToken` rejects with; the signal's reason when aborted
 */
export async function answer(question: string, options: AnswerOptions): Promise<Answer> {
  knownOptions(options, optionNames);
  const { retriever, generate = extractive(), signal, onToken, filter, maxChars, length } = options;
  const { notFound = defaultNotFound, documents } = options;
  if (typeof question !== 'string' || question.trim() === '') {
    throw invalidOption('question', question, 'a question, as a string');
  }
  checkRetriever('retriever', retriever);
  maybeFunction('generate', generate);
  maybeFunction('onToken', onToken);
  maybeFunction('linkOf', options.linkOf);
  maybeSignal(signal);
  if (typeof notFound !== 'string' || notFound.trim() === '') {
    throw invalidOption('notFound', notFound, 'a sentence');
  }
  const topK = wholeNumber('topK', options.topK ?? defaults.topK, 1, defaults.tool.maxTopK);
  const floor = numberIn('floor', options.floor ?? 1, 0);
  throwIfAborted(signal);

  const found = await untilAborted(retriever.retrieve(question, { topK, filter, floor, signal }), signal);
  const passages = found.map(citedPassage);
  const context = formatContext(passages, { maxChars, length });
  let text = '';
  const put = (piece: string): void => {
    throwIfAborted(signal);
    if (piece === '') return;
    text += piece;
    onToken?.(piece);
  };
  const unknown = (): Answer => ({ text, known: false, citations: [], passages: found, unsupported: [] });
  if (context === '') {
    put(notFound);
    return unknown();
  }

  const instructions = instructionsFor(notFound);
  const messages = messagesFor(instructions, context, question);
  const asked = { question, context, passages, instructions, messages, signal };
  const excerpts: Placed[] = [];
  for await (const piece of checkedPieces(generate, asked, passages)) {
    if (typeof piece === 'string') {
      put(piece);
      continue;
    }
    const { id, start, end, quoted } = piece;
    const textStart = text.length;
    put(`“${quoted}” [${id}]`);
    excerpts.push({ id, start, end, textStart, textEnd: text.length });
  }
  throwIfAborted(signal);
  if (text.trim() === '') {
    throw new ShelfmarkError(
      'GENERATOR_FAILED',
      'The generator wrote nothing; ask again, try another model, or leave `generate` out to quote the passages.',
    );
  }
  if (text.length < 2 * notFound.length && bare(text) === bare(notFound)) return unknown();
  const link = linkMaker(options, found);
  return { text, known: true, passages: found, ...evidenceOf(text, excerpts, passages, link, documents) };
}

/** A text as the sentence of `notFound` is known again: models change its end, and put it between marks. */
const bare = (text: string): string => text.replace(/^[\s"“'*_]+|[\s"”'*_.!]+$/g, '').toLowerCase();

function linkMaker({ linkOf, baseUrl }: AnswerOptions, found: readonly Passage[]): LinkMaker {
  const how = { ...(baseUrl !== undefined && { baseUrl }) };
  const make = linkOf ?? ((passage: Passage) => (hasPage(passage) ? citationLink(passage, how) : undefined));
  const byId = new Map(found.map((passage) => [passage.id, passage]));
  // What makes links may read of a passage what no model is given.
  return ({ id, text, charStart, charEnd }) => {
    const placed = charStart !== undefined && charEnd !== undefined && { charStart, charEnd };
    const linked = text.slice(0, lastBreak(text, 0, longestLinked));
    return make({ ...byId.get(id)!, text: linked, ...placed });
  };
}

/** Whether there is anything to link to: an address, or a document. */
const hasPage = (passage: Passage): boolean =>
  citedPassage(passage).docUri !== undefined || passage.metadata?.['url'] !== undefined;

/** What a generator gives, whole characters at a time, and pieces of passages with their words. */
async function* checkedPieces(
  generate: Generate,
  asked: Parameters<Generate>[0],
  passages: readonly CitedPassage[],
): AsyncGenerator<string | (Excerpt & { quoted: string })> {
  const { signal } = asked;
  let half = '';
  const pieces = started(generate, asked);
  try {
    for (;;) {
      let step: IteratorResult<Piece, void>;
      try {
        step = await pieces.next();
      } catch (error) {
        throw generatorFailed(error, signal);
      }
      if (step.done) break;
      const piece = step.value;
      if (typeof piece === 'string') {
        const whole = half + piece;
        // The other half comes with the next token.
        half = /[\ud800-\udbff]$/.test(whole) ? whole.slice(-1) : '';
        yield whole.slice(0, whole.length - half.length);
        continue;
      }
      if (half !== '') yield half;
      half = '';
      yield { ...piece, quoted: quotedBy(piece, passages) };
    }
    if (half !== '') yield half;
  } finally {
    await pieces.return(undefined);
  }
}

async function* started(generate: Generate, asked: Parameters<Generate>[0]): AsyncGenerator<Piece, void> {
  // A synchronous throw is a failure like any other.
  const generated = await untilAborted((async () => generate(asked))(), asked.signal);
  yield* piecesOf(generated, asked.signal);
}

function quotedBy(piece: Excerpt, passages: readonly CitedPassage[]): string {
  const text = passages.find(({ id }) => id === piece?.id)?.text;
  const isWithin =
    text !== undefined &&
    Number.isInteger(piece.start) &&
    Number.isInteger(piece.end) &&
    piece.start >= 0 &&
    piece.start < piece.end &&
    piece.end <= text.length;
  if (isWithin) return text.slice(piece.start, piece.end);
  throw new ShelfmarkError(
    'GENERATOR_FAILED',
    `The generator gave ${show(piece)}, which is neither text nor a piece { id, start, end } of a passage it was given.`,
  );
}
