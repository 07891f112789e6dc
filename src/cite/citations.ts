import { invalidOption } from '../errors.ts';
import { type Source, sourcesOf, spelledId } from './sources.ts';

/** Ids an answer cites, each once, in the order it first does. */
export interface ParsedCitations {
  /** Those of passages that were given. */
  known: string[];
  /** What looks like an id and is none of them. */
  unknown: string[];
}

/** A place in an answer that cites passages. Offsets are UTF-16 code units. */
export interface Citation {
  start: number;
  end: number;
  ids: { id: string; known: boolean }[];
}

/** `[…]`, `【…】`, `(…)`, `{…}` and `<source id="…">` on one line; a link's text is none. */
const brackets =
  /\[([^[\]\n]{1,400})\](?!\()|【([^【】\n]{1,400})】|\(([^()\n]{1,400})\)|\{([^{}\n]{1,400})\}|<source\b[^<>\n]{0,40}?\bids?="([^"\n]{1,400})"/g;
/** What stands between brackets, blanks and quotation marks. */
const word = /[^\s[\](){}<>【】"'“”‘’«»„,;|]+/g;
/** `refunds.md#3` by its form. */
const chunkForm = /^\S*[^\s#]\S*#\d+$/;
/** `refunds.md`, which between square brackets is a citation. */
const fileForm = /^[^\s]*[^\s.]\.[a-z][a-z\d]{0,4}(?:#\S*)?$/i;
/** What models write before an id. */
const lead = /^(?:\^|(?:source|sources|id|ids|ref|see|doc|document|passage|chunk)\b\s*[:=]?\s*)+/i;

/** Finds citations in answers, by the ids of some sources. */
export function citationFinder(sources: readonly Source[]): (answer: string) => Citation[] {
  const ids = new Map<string, string>();
  for (const { id } of sources) {
    ids.set(spelledId(id), id);
    ids.set(id, id);
  }
  const known = (text: string): string | undefined => ids.get(text) ?? ids.get(trimmed(text));

  function inBrackets(content: string, square: boolean): Citation['ids'] {
    const whole = known(content) ?? known(content.replace(lead, ''));
    if (whole !== undefined) return [{ id: whole, known: true }];
    return content
      .replace(lead, '')
      .split(/[,;|]/)
      .flatMap((part) => {
        const one = known(part) ?? known(part.trim().replace(lead, ''));
        return one === undefined ? part.trim().split(/\s+/) : [one];
      })
      .flatMap((part): Citation['ids'] => {
        const one = known(part);
        if (one !== undefined) return [{ id: one, known: true }];
        const bare = trimmed(part);
        const looksLikeOne = square ? chunkForm.test(bare) || fileForm.test(bare) : isChunk(bare);
        return looksLikeOne ? [{ id: bare, known: false }] : [];
      });
  }

  return (answer) => {
    const found: Citation[] = [];
    for (const match of answer.matchAll(brackets)) {
      const content = match.slice(1).find((group) => group !== undefined)!;
      const cited = inBrackets(content, match[0][0] === '[' || match[0][0] === '【' || match[0][0] === '<');
      if (cited.length > 0)
        found.push({ start: match.index, end: match.index + match[0].length, ids: cited });
    }
    const bracketed = found.length;
    let next = 0;
    for (const { 0: token, index } of answer.matchAll(word)) {
      while (next < bracketed && found[next]!.end <= index) next++;
      if (next < bracketed && index >= found[next]!.start) continue;
      // Only what has the form of a chunk's id is a citation by itself: a file's name may be just a name.
      const bare = trimmed(token);
      const hash = bare.lastIndexOf('#');
      if (hash < 1) continue;
      const one = ids.get(bare);
      if (one === undefined && !isChunk(bare)) continue;
      const cited = { id: one ?? bare, known: one !== undefined };
      found.push({ start: index, end: index + token.length, ids: [cited] });
    }
    return found.sort((a, b) => a.start - b.start);
  };
}

const trimmed = (text: string): string =>
  text
    .trim()
    .replace(/^[\^`*_"'“‘«„]+/, '')
    .replace(/[`*_"'”’».:!?]+$/, '');

/** `docs/refunds.md#3`: a path or a file, and a number. `issue#12` may be anything. */
const isChunk = (text: string): boolean => {
  const hash = text.lastIndexOf('#');
  return hash > 0 && /^\d{1,9}$/.test(text.slice(hash + 1)) && /[./]/.test(text.slice(0, hash));
};

/**
 * The ids an answer cites: those of passages, and those that are none of them. Between brackets, `[refunds.md#3]`,
 * `[a.md#1, a.md#2]`, `【a.md#1】`, `(a.md#1)`, `[^a.md#1]`, any id given counts, and what has the form of one
 * (`<name>#<number>`, in square brackets also a file's name) but is not given is unknown; by itself, only what is a
 * path or file with a number.
 *
 * @param passages as they were given to the model: hits, chunks, documents or messages, named as `formatContext` does
 * @throws ShelfmarkError `EMPTY_DOCUMENT` naming a passage without text; `INVALID_OPTION`
 */
export function parseCitations(answer: string, passages: readonly unknown[]): ParsedCitations {
  checkAnswer(answer);
  const known = new Set<string>();
  const unknown = new Set<string>();
  for (const { ids } of citationFinder(sourcesOf(passages, 'passages'))(answer)) {
    for (const one of ids) (one.known ? known : unknown).add(one.id);
  }
  return { known: [...known], unknown: [...unknown] };
}

/** Throws `INVALID_OPTION` for an answer that is no string. */
export function checkAnswer(answer: unknown): void {
  if (typeof answer !== 'string') throw invalidOption('answer', answer, 'the text of an answer');
}
