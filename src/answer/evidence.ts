/** What of an answer is borne out by the passages it was made from. */
import { citationFinder } from '../cite/citations.ts';
import { type QuoteStatus, verifyQuotes } from '../cite/quotes.ts';
import { sourcesOf } from '../cite/sources.ts';
import type { CitedPassage } from '../retrieve/tool.ts';
import type { TextInput } from '../types.ts';
import type { Excerpt } from './generate.ts';
import { sentencesOf } from './sentences.ts';

/** A place that an answer rests on, or says it does. */
export interface AnswerCitation {
  /** The id as cited; of a quotation without one, that of the passage it stands in. */
  id: string;
  /** The words quoted; absent where the answer names a passage and quotes nothing of it. */
  quote?: string;
  /** Whether the quote stands in the passage of that id. A passage that is named without a quote proves nothing. */
  verified: boolean;
  /** What became of the quote; see `QuoteStatus`. */
  status?: QuoteStatus;
  docUri?: string;
  /**
   * Where the quote, or the passage, stands in the document's text, in UTF-16 code units, half-open. Absent where there
   * is no such passage, where it does not say, and for a quote that stands nowhere.
   */
  charStart?: number;
  charEnd?: number;
  /** Leads a reader there; absent where there is nowhere to lead. */
  link?: string;
}

export interface Evidence {
  citations: AnswerCitation[];
  /** Sentences with neither a verified quote nor an id that exists. */
  unsupported: string[];
}

/** A piece of a passage and where it stands in the answer, with its marks and its id. */
export interface Placed extends Excerpt {
  textStart: number;
  textEnd: number;
}

/** Makes the link to a passage, or to what is quoted of it. */
export type LinkMaker = (passage: CitedPassage) => string | undefined;

type Documents = readonly { uri: string; text: TextInput }[];

export function evidenceOf(
  text: string,
  excerpts: readonly Placed[],
  passages: readonly CitedPassage[],
  link: LinkMaker,
  documents: Documents = [],
): Evidence {
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const linked = (citation: AnswerCitation, passage: CitedPassage | undefined): AnswerCitation => {
    const address = passage === undefined ? undefined : link(passage);
    return address === undefined ? citation : { ...citation, link: address };
  };
  const exact = excerpts.map(({ id, start, end }) => {
    const passage = byId.get(id)!;
    const cut = pieceOf(passage, passage.text.slice(start, end), start);
    return linked({ ...placeOf(cut), id, quote: cut.text, verified: true, status: 'verified' }, cut);
  });

  // What is known to be exact is read as blanks, whatever marks and ids stand in it.
  const rest = blanked(text, excerpts);
  const checks = verifyQuotes(rest, passages, { documents });
  const citations: AnswerCitation[] = [];
  for (const { quote, citedId, foundId, status, docUri, charStart, charEnd } of checks) {
    const id = citedId ?? foundId;
    if (id === undefined) continue;
    const verified = status === 'verified';
    const place = {
      ...(docUri !== undefined && { docUri }),
      ...(charStart !== undefined && charEnd !== undefined && { charStart, charEnd }),
    };
    const source = byId.get(foundId ?? id);
    const from = (charStart ?? 0) - (source?.charStart ?? 0);
    const isInside = source?.charStart !== undefined && charStart !== undefined && foundId !== undefined;
    // The passage's own words, which the answer may set otherwise.
    const cut = isInside
      ? pieceOf(source, source.text.slice(from, from + charEnd! - charStart), from)
      : source;
    citations.push(linked({ id, quote, verified, status, ...place }, cut));
  }
  const named = citationFinder(sourcesOf(passages, 'passages'))(rest);
  const quoted = new Set(citations.map(({ id }) => id));
  for (const id of new Set(named.flatMap(({ ids }) => ids.map((one) => one.id)))) {
    if (quoted.has(id)) continue;
    const passage = byId.get(id);
    citations.push(linked({ id, verified: false, ...(passage && placeOf(passage)) }, passage));
  }

  const supported = [
    ...checks
      .filter(({ status }) => status === 'verified')
      .map(({ answerStart, answerEnd }) => [answerStart, answerEnd] as const),
    ...named
      .filter(({ ids }) => ids.some(({ known }) => known))
      .map(({ start, end }) => [start, end] as const),
  ];
  const unsupported = statementsOf(rest, named)
    .filter(([start, end]) => !supported.some(([from, to]) => from < end && to > start))
    .map(([start, end]) => rest.slice(start, end));
  return { citations: [...exact, ...citations], unsupported };
}

const placeOf = ({ docUri, charStart, charEnd }: CitedPassage) => ({
  ...(docUri !== undefined && { docUri }),
  ...(charStart !== undefined && charEnd !== undefined && { charStart, charEnd }),
});

/** A passage cut down to a slice of its text. */
function pieceOf(passage: CitedPassage, text: string, start: number): CitedPassage {
  const { charStart, charEnd, ...others } = passage;
  // Where the offsets are not those of the text, they cannot say where a part of it lies.
  const isPlaced = charStart !== undefined && charEnd === charStart + passage.text.length;
  const from = (charStart ?? 0) + start;
  return { ...others, text, ...(isPlaced && { charStart: from, charEnd: from + text.length }) };
}

function blanked(text: string, excerpts: readonly Placed[]): string {
  let rest = '';
  let at = 0;
  for (const { textStart, textEnd } of excerpts) {
    rest += text.slice(at, textStart) + ' '.repeat(textEnd - textStart);
    at = textEnd;
  }
  return rest + text.slice(at);
}

const word = /[\p{L}\p{N}]/u;

/** The sentences of an answer; what is nothing but citations belongs to the sentence before. */
function statementsOf(text: string, named: readonly { start: number; end: number }[]): [number, number][] {
  const statements: [number, number][] = [];
  for (const { start, end, kind } of sentencesOf(text)) {
    if (kind === 'heading') continue;
    let own = '';
    let at = start;
    for (const citation of named) {
      if (citation.end <= at || citation.start >= end) continue;
      own += text.slice(at, Math.max(at, citation.start));
      at = Math.min(end, citation.end);
    }
    own += text.slice(at, end);
    const last = statements.at(-1);
    if (word.test(own)) statements.push([start, end]);
    else if (last !== undefined) last[1] = end;
  }
  return statements;
}
