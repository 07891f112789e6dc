import { tokensAtMost } from '../embed/token-bound.ts';
import { ShelfmarkError, show, throwIfAborted } from '../errors.ts';
import { afterSpace, lastBreak } from '../split/breaks.ts';
import { lineCounter } from '../split/lines.ts';
import { pageFinder } from '../split/pages.ts';
import { readingOf } from '../store/reading.ts';
import type { Embedder, SplitPiece, SplitterDocument } from '../types.ts';
import { loadTokenizer } from './embed.ts';
import type { DocumentInfo } from './prepare.ts';
import { isHopeless, pauser, type Run } from './run.ts';

/** Tokens a model may add to a text (special ones, a prefix), while its tokenizer can't be asked. */
const ADDED = 64;

/**
 * Tokens that must be left for a piece's text beside its title, headings and context: with fewer, a section would be
 * torn to shreds that all say the same, and they are better cut off by the model.
 */
const leastRoom = (limit: number): number => Math.max(1, Math.min(16, limit >> 2));

/** Code units that are counted at once; longer pieces are cut window by window. */
const longestCount = (limit: number): number => Math.max(65_536, 64 * limit);

/** A piece and the string that it is embedded as. */
export interface Read {
  piece: SplitPiece;
  input: string;
}

/** A document's pieces as they are to be stored, and what is known of their tokens. */
export interface Capped {
  read: Read[];
  /** No piece costs more tokens, whatever the tokenizer, special ones and prefix uncounted. */
  atMost: number;
  /** The limit they were cut to, and by whose tokenizer: `<tokens>@<embedder id>`. */
  fits?: string;
  /** No piece was found to be longer than that. */
  short: boolean;
}

/** What of a call it works with. */
type Needs = Pick<Run, 'embedder' | 'signal' | 'onProgress'>;

/** A tokenizer that can be asked. */
interface Counter {
  limit: number;
  count(text: string): number;
  /** Tokens of no text at all. */
  added: number;
}

/**
 * Cuts pieces to what the embedder's model reads, as far as it tells: it has a `maxInputTokens` and counts tokens, if
 * need be once its tokenizer is loaded. That is done only where a piece might be too long. Where it fails, documents are
 * stored as they were cut, and are cut again by the next call that can.
 */
export class TokenCap {
  readonly #run: Needs;
  readonly #pause = pauser();
  #loading: Promise<Counter | undefined> | undefined;

  constructor(run: Needs) {
    this.#run = run;
  }

  /** Whether the pieces of a stored document are as this embedder needs them; no tokenizer is loaded to know it. */
  async accepts({ fits, atMost }: DocumentInfo): Promise<boolean> {
    const { embedder } = this.#run;
    if (embedder === undefined || !canCount(embedder)) return true;
    const limit = embedder.maxInputTokens;
    if (fits !== undefined && isOf(fits, embedder.id, limit)) return true;
    if (limit !== undefined && atMost !== undefined && atMost + ADDED <= limit) return true;
    // What cannot be counted now cannot be cut.
    return (await this.#counter(embedder)) === undefined;
  }

  /** The pieces of a document, those that are too long cut further. */
  async cut(document: SplitterDocument, text: string, pieces: readonly SplitPiece[]): Promise<Capped> {
    const read = pieces.map((piece) => asRead(document, piece, piece.text));
    let atMost = 0;
    for (const { input } of read) atMost = Math.max(atMost, tokensAtMost(input));
    const { embedder } = this.#run;
    if (embedder === undefined || !canCount(embedder)) return { read, atMost, short: false };
    const known = embedder.maxInputTokens;
    if (known !== undefined && atMost + ADDED <= known) {
      return { read, atMost, fits: `${known}@${embedder.id}`, short: true };
    }
    const counter = await this.#counter(embedder);
    if (counter === undefined) return { read, atMost, short: false };
    const cut = new PieceCutter(document, text, counter, () => this.#rest());
    for (const [at, one] of read.entries()) await cut.add(one, read[at + 1]?.piece);
    return { read: cut.read, atMost, fits: `${counter.limit}@${embedder.id}`, short: cut.short };
  }

  /** Lets the page breathe and hears an abort. */
  async #rest(): Promise<void> {
    await this.#pause();
    throwIfAborted(this.#run.signal);
  }

  /** The tokenizer, loaded once a call; undefined where it can't be had or the model has no limit. */
  #counter(embedder: Embedder): Promise<Counter | undefined> {
    this.#loading ??= this.#load(embedder);
    return this.#loading;
  }

  async #load(embedder: Embedder): Promise<Counter | undefined> {
    try {
      if (embedder.countTokens === undefined) await loadTokenizer(embedder, this.#run);
    } catch (error) {
      throwIfAborted(this.#run.signal);
      // The model, which is loaded next, tells what is wrong; the caller's own callback is heard at once.
      if (isHopeless(error) && !(error instanceof ShelfmarkError)) throw error;
      return undefined;
    }
    const limit = embedder.maxInputTokens;
    if (limit === undefined || embedder.countTokens === undefined) return undefined;
    const count = (text: string): number => tokensOf(embedder, text);
    return { limit, count, added: count('') };
  }
}

const canCount = ({ loadTokenizer, countTokens, maxInputTokens }: Embedder): boolean =>
  loadTokenizer !== undefined || (countTokens !== undefined && maxInputTokens !== undefined);

/** Whether `<tokens>@<embedder id>` says this embedder, and this limit where it is known. */
function isOf(fits: string, id: string, limit: number | undefined): boolean {
  const at = fits.indexOf('@');
  return fits.slice(at + 1) === id && (limit === undefined || Number(fits.slice(0, at)) === limit);
}

function tokensOf({ id, countTokens }: Embedder, text: string): number {
  let tokens: unknown;
  try {
    tokens = countTokens!(text);
  } catch (cause) {
    throw new ShelfmarkError('EMBEDDER_FAILED', `countTokens of embedder ${show(id)} failed: ${cause}`, {
      cause,
    });
  }
  if (typeof tokens === 'number' && tokens >= 0 && Number.isFinite(tokens)) return tokens;
  throw new ShelfmarkError(
    'EMBEDDER_FAILED',
    `countTokens of embedder ${show(id)} answered ${show(tokens)}; a number is expected, at once.`,
  );
}

const asRead = ({ title }: SplitterDocument, piece: SplitPiece, text: string): Read => ({
  piece,
  input: readingOf({ ...piece, ...(title !== undefined && { title }) }, text),
});

/** Takes a document's pieces in order and gives them back, each short enough where that can be. */
class PieceCutter {
  readonly read: Read[] = [];
  short = true;
  readonly #document: SplitterDocument;
  readonly #text: string;
  readonly #counter: Counter;
  readonly #pageOf: (offset: number) => number | undefined;
  readonly #rest: () => Promise<void>;

  constructor(document: SplitterDocument, text: string, counter: Counter, rest: () => Promise<void>) {
    this.#document = document;
    this.#text = text;
    this.#counter = counter;
    this.#pageOf = pageFinder(document.pages);
    this.#rest = rest;
  }

  /** @param next The piece after it, which may begin before this one ends */
  async add(one: Read, next: SplitPiece | undefined): Promise<void> {
    const { limit, added } = this.#counter;
    if (tokensAtMost(one.input) + added <= limit) {
      this.read.push(one);
      return;
    }
    const { piece, input } = one;
    const isCountable = input.length <= longestCount(limit);
    const tokens = isCountable ? await this.#tokens(input) : Number.POSITIVE_INFINITY;
    if (tokens <= limit) {
      this.read.push(one);
      return;
    }
    const head = await this.#tokens(asRead(this.#document, piece, '').input);
    const room = limit - head;
    if (room < leastRoom(limit)) {
      this.short = false;
      this.read.push(one);
      return;
    }
    const density = isCountable ? (tokens - head) / piece.text.length : FIRST_DENSITY;
    await this.#cut(piece, { head, room, density }, next);
  }

  /** Counts, with a rest before it, since counting is what takes the time. */
  async #tokens(text: string): Promise<number> {
    await this.#rest();
    return this.#counter.count(text);
  }

  async #cut(piece: SplitPiece, measured: Measured, next: SplitPiece | undefined): Promise<void> {
    const end = piece.charEnd;
    // From where the next piece begins it has all that is left, if it ends no sooner.
    const stop = next !== undefined && next.charEnd >= end ? next.charStart : end;
    const lineOf = lineCounter(this.#text.slice(piece.charStart, end));
    let from = afterSpace(this.#text, piece.charStart, end);
    while (from < end && (from < stop || from === piece.charStart)) {
      const to = await this.#endOfOne(piece, from, measured);
      this.#push(piece, from, to, lineOf);
      from = afterSpace(this.#text, to, end);
    }
  }

  /** Where the part of a piece that begins at `from` is to end: as far as the model reads, at a good place. */
  async #endOfOne(piece: SplitPiece, from: number, measured: Measured): Promise<number> {
    const { head, room } = measured;
    const left = piece.charEnd - from;
    // What has a header row or an info string is made of rows or lines of code.
    const isOfLines = piece.context !== undefined;
    const whole = Math.max(1, Math.floor((room * CAUTION) / measured.density));
    // Two parts of about one length rather than a long one and a rest.
    let window = left > whole && left < 2 * whole ? Math.ceil(left * HALF) : Math.min(whole, left);
    for (;;) {
      const to =
        window >= left
          ? piece.charEnd
          : Math.min(piece.charEnd, lastBreak(this.#text, from, from + window, isOfLines));
      const tokens =
        (await this.#tokens(asRead(this.#document, piece, this.#text.slice(from, to)).input)) - head;
      if (tokens <= room) {
        // Never a guess many times larger than what was seen: words may become rarer and then denser again.
        measured.density = Math.max(tokens / (to - from), room / (GROWTH * whole));
        return to;
      }
      // One character for a reader, and more than the model reads.
      if (to - from > window || window === 1) {
        this.short = false;
        return to;
      }
      window = Math.max(1, Math.min(window - 1, Math.floor(((to - from) * room * CAUTION) / tokens)));
    }
  }

  #push(piece: SplitPiece, from: number, to: number, lineOf: (offset: number) => number): void {
    const text = this.#text.slice(from, to);
    const { line, page } = piece;
    const part: SplitPiece = { ...piece, text, charStart: from, charEnd: to };
    if (line !== undefined) part.line = line + lineOf(from - piece.charStart) - 1;
    if (page !== undefined) part.page = this.#pageOf(from) ?? page;
    this.read.push(asRead(this.#document, part, text));
  }
}

/** What is known of a piece's tokens. */
interface Measured {
  /** Tokens of what is read before its text. */
  head: number;
  /** Tokens left for the text. */
  room: number;
  /** Tokens a code unit, as seen last. */
  density: number;
}

/** Tokens a code unit, where nothing was counted yet. */
const FIRST_DENSITY = 1 / 4;
/** Of the room that is there, so that most guesses hold. */
const CAUTION = 0.95;
/** Of a rest that is to become two parts; places to cut are looked for before it. */
const HALF = 0.6;
const GROWTH = 4;
