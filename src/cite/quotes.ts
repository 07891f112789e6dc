import { invalidOption } from '../errors.ts';
import { decodeText } from '../kernel/kernel.ts';
import { optionsObject } from '../options.ts';
import type { TextInput } from '../types.ts';
import { type Citation, checkAnswer, citationFinder } from './citations.ts';
import { type Folded, fold } from './fold.ts';
import { joinNeighbours, type Run, type Source, sourcesOf } from './sources.ts';
import { inWord, whole } from './words.ts';

export interface VerifyQuotesOptions {
  /**
   * The documents the passages are of, by `uri` or `id`: then a quote is also looked for outside of the passages, and
   * one across two of them is found whatever stands between.
   */
  documents?: readonly ({ uri: string; text: TextInput } | { id: string; text: TextInput })[] | undefined;
}

/**
 * `'verified'`: in the passage cited, or in any where none is cited. `'wrong-source'`: elsewhere alone.
 * `'spans-chunks'`: in the document, but across the end of a passage. `'absent'`: nowhere.
 */
export type QuoteStatus = 'verified' | 'wrong-source' | 'spans-chunks' | 'absent';

export interface QuoteCheck {
  /** As the answer has it, without its marks. */
  quote: string;
  /** Where it stands in the answer, in UTF-16 code units. */
  answerStart: number;
  answerEnd: number;
  /** The id that the answer gives for it; it may be one that does not exist. */
  citedId?: string;
  status: QuoteStatus;
  /** The passage it stands in. */
  foundId?: string;
  docUri?: string;
  /** In the document's text, in UTF-16 code units; only where the passage says where it lies. */
  charStart?: number;
  charEnd?: number;
}

interface Quote {
  text: string;
  start: number;
  end: number;
}

const closing: Record<string, string> = { '“': '”', '„': '“”', '«': '»', '‹': '›', '「': '」', '『': '』' };
/** Code is no speech: its quotation marks are strings. */
const code =
  /^[ \t]*(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n[\s\S]*?(?:^[ \t]*\1[`~]*[ \t]*$|$(?![\s\S]))|`[^`\n]+`/gm;
const paragraph = /(?:[^\n]|\n(?![ \t]*\n))+/g;

/** Quotations between marks within a paragraph, and quoted blocks. */
function quotesIn(answer: string): Quote[] {
  const bare = answer.replace(code, (whole) => whole.replace(/["“”„«»‹›「」『』>]/g, ' '));
  const quotes: Quote[] = [];
  const add = (start: number, end: number): void => {
    const text = answer.slice(start, end);
    if (/[\p{L}\p{N}]/u.test(text)) quotes.push({ text, start, end });
  };
  for (const { 0: text, index } of bare.matchAll(paragraph)) {
    if (/^[ \t]{0,3}>/.test(text)) {
      blockQuote(text, index, add);
      continue;
    }
    // Marks that nothing closes from here on: an inch, or a slip.
    const unclosed = new Set<string>();
    for (let at = 0; at < text.length; at++) {
      const mark = text[at]!;
      const ends = mark === '"' ? '"' : closing[mark];
      if (ends === undefined || unclosed.has(mark) || (mark === '"' && !opens(text, at))) continue;
      let to = at + 1;
      while (to < text.length && !(ends.includes(text[to]!) && (mark !== '"' || closes(text, to)))) to++;
      if (to >= text.length) {
        unclosed.add(mark);
        continue;
      }
      add(index + at + 1, index + to);
      at = to;
    }
  }
  return quotes;
}

const opens = (text: string, at: number): boolean =>
  /^[\s([{—–\-:*_]?$/.test(text[at - 1] ?? '') && /\S/.test(text[at + 1] ?? '');
const closes = (text: string, at: number): boolean =>
  /\S/.test(text[at - 1] ?? '') && /^[^\p{L}\p{N}]?$/u.test(text[at + 1] ?? '');

/** Lines after `>`; a last line that is a citation or a name is none of the quotation. */
function blockQuote(text: string, from: number, add: (start: number, end: number) => void): void {
  const lines = text.split('\n');
  let end = 0;
  let at = 0;
  for (const line of lines) {
    if (!/^[ \t]*>/.test(line)) break;
    const inner = line.replace(/^[ \t]*>[ \t]?/, '').trim();
    if (end > 0 && /^(?:[—–]|--|[[(【])/.test(inner)) break;
    at += line.length + 1;
    end = at - 1;
  }
  // A citation may end the last line.
  const cut = /\s*(?:\[[^[\]\n]*\]|\([^()\n]*#\d+\)|【[^【】\n]*】)[.\s]*$/.exec(
    text.slice(0, end).slice(-500),
  );
  const stop = cut === null ? end : Math.max(0, end - 500) + cut.index;
  const start = /^[ \t]*>[ \t]?/.exec(text)![0].length;
  if (stop > start) add(from + start, from + stop);
}

/** The citation that belongs to a quote: the next one of its sentence, else the one before in it. */
function citationOf(
  answer: string,
  quote: Quote,
  before: number,
  after: number,
  all: readonly Citation[],
): Citation[] {
  const next = all.find(({ start }) => start >= quote.end);
  if (next !== undefined && next.start < after) {
    const between = answer.slice(quote.end, next.start).replace(/^["”»›」』“]?[.,;:!?)\s*_>—–-]*/, '');
    if (!/[.!?]\s|\n[ \t]*\n/.test(between)) {
      // Those that stand together are for one quotation.
      const together = [next];
      for (const one of all.slice(all.indexOf(next) + 1)) {
        if (one.start >= after || /[^\s,;]/.test(answer.slice(together.at(-1)!.end, one.start))) break;
        together.push(one);
      }
      return together;
    }
  }
  const last = all.filter(({ end }) => end <= quote.start).at(-1);
  if (last === undefined || last.start < before) return [];
  return /[.!?]["”»]?\s|\n[ \t]*\n/.test(answer.slice(last.end, quote.start)) ? [] : [last];
}

/** Forms of a quote to look for, each a list of parts in order: as it is, without a last mark, with another first case. */
function* forms(quote: string): Generator<string[]> {
  yield [quote];
  const bare = quote.replace(/(?:[.,;:\s]|\.\.\.)+$/, '');
  if (bare !== quote && bare !== '') yield [bare];
  const first = bare[0] ?? '';
  const other = first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase();
  if (other !== first && other.length === 1) yield [other + bare.slice(1)];
  const parts = bare.split('...').map((part) => part.trim().replace(/[.,;:]+$/, ''));
  const worded = parts.filter((part) => inWord.test(part));
  if (worded.length > 0 && parts.length > 1) yield worded;
}

/** Where a quote stands in a folded text, by offsets of its source. */
function find(quote: string, { text, at, end }: Folded): { from: number; to: number } | undefined {
  for (const parts of forms(quote)) {
    let from = -1;
    let next = 0;
    for (const part of parts) {
      const place = whole(text, part, next);
      if (place < 0) {
        from = -1;
        break;
      }
      if (from < 0) from = place;
      next = place + part.length;
    }
    if (from >= 0) return { from: at[from]!, to: end[next - 1]! };
  }
  return undefined;
}

/** An offset of a run as one of its document; none where its parts do not say where they lie. */
function placeIn({ parts, starts }: Run, offset: number): number | undefined {
  let part = parts.length - 1;
  while (part > 0 && starts[part]! > offset) part--;
  const { charStart } = parts[part]!;
  return charStart === undefined ? undefined : charStart + offset - starts[part]!;
}

/**
 * Looks every quotation of an answer up in the passages: which stand in the passage that is cited for them, which
 * elsewhere, which nowhere. White space, typographic quotation marks and dashes, marks of Markdown, tags and escaped
 * characters are no difference, nor are the case of the first letter and a full stop or comma at the end; parts
 * divided by `…` have to follow each other. Code is not read.
 *
 * A quotation stands between quotation marks within one paragraph, or in a quoted block. Its citation is the next one
 * in its sentence (several that stand together count as one), else the one before it there.
 *
 * @param passages as they were given to the model: hits, chunks, documents or messages, named as `formatContext` does
 * @throws ShelfmarkError `EMPTY_DOCUMENT` naming a passage without text; `INVALID_OPTION`
 */
export function verifyQuotes(
  answer: string,
  passages: readonly unknown[],
  options: VerifyQuotesOptions = {},
): QuoteCheck[] {
  checkAnswer(answer);
  const { documents = [] } = optionsObject(options);
  if (!Array.isArray(documents)) throw invalidOption('documents', documents, 'an array of documents');
  const sources = sourcesOf(passages, 'passages');
  const texts = documents.map((document: { uri?: string; id?: string; text: TextInput }) => ({
    uri: document.uri ?? document.id,
    text: decodeText(document.text),
  }));
  const quotes = quotesIn(answer);
  // A citation inside a quotation is part of what is quoted.
  const citations = citationFinder(sources)(answer).filter(
    ({ start, end }) => !quotes.some((quote) => start >= quote.start && end <= quote.end),
  );
  const folded = new Map<unknown, Folded>();
  const foldOf = (key: unknown, text: string): Folded => {
    const known = folded.get(key) ?? fold(text);
    folded.set(key, known);
    return known;
  };
  let runs: Run[] | undefined;

  return quotes.map((quote, at) => {
    const cited = citationOf(
      answer,
      quote,
      quotes[at - 1]?.end ?? 0,
      quotes[at + 1]?.start ?? answer.length,
      citations,
    ).flatMap(({ ids }) => ids.map(({ id }) => id));
    const needle = fold(quote.text).text;
    const check: QuoteCheck = {
      quote: quote.text,
      answerStart: quote.start,
      answerEnd: quote.end,
      ...(cited.length > 0 && { citedId: cited[0]! }),
      status: 'absent',
    };
    const inSource = (source: Source): boolean => {
      const place = find(needle, foldOf(source, source.text));
      if (place === undefined) return false;
      check.foundId = source.id;
      if (source.docUri !== undefined) check.docUri = source.docUri;
      if (source.charStart !== undefined) {
        check.charStart = source.charStart + place.from;
        check.charEnd = source.charStart + place.to;
      }
      return true;
    };
    const right = sources.find((source) => cited.includes(source.id) && inSource(source));
    if (right !== undefined) return { ...check, citedId: right.id, status: 'verified' };
    const other = sources.find((source) => !cited.includes(source.id) && inSource(source));
    if (other !== undefined) return { ...check, status: cited.length > 0 ? 'wrong-source' : 'verified' };

    for (const { uri, text } of texts) {
      const place = find(needle, foldOf(uri, text));
      if (place === undefined || uri === undefined) continue;
      const touched = sources.some(
        ({ docUri, charStart, charEnd }) => docUri === uri && charStart! < place.to && charEnd! > place.from,
      );
      const status = touched ? 'spans-chunks' : 'wrong-source';
      return { ...check, status, docUri: uri, charStart: place.from, charEnd: place.to };
    }
    runs ??= joinNeighbours(sources).filter(({ parts }) => parts.length > 1);
    for (const run of runs) {
      const place = find(needle, foldOf(run, run.text));
      if (place === undefined) continue;
      const [charStart, charEnd] = [placeIn(run, place.from), placeIn(run, place.to - 1)];
      const { docUri } = run.parts[0]!;
      return {
        ...check,
        status: 'spans-chunks',
        ...(docUri !== undefined && { docUri }),
        ...(charStart !== undefined && charEnd !== undefined && { charStart, charEnd: charEnd + 1 }),
      };
    }
    return check;
  });
}
