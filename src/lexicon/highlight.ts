import { characterTables } from '../kernel/characters.ts';
import { edits } from '../kernel/edits.ts';
import type { AnalyzerOptions } from '../kernel/lexical.ts';
import { type Emit, tokenizeAscii, tokenizeUnicode } from '../kernel/tokens.ts';

export interface MatchOptions {
  prefix?: boolean | undefined;
  typos?: boolean | undefined;
}

/** Edits allowed in a word: one from 4 letters, two from 8. */
export const editsFor = (token: string): number => (token.length < 4 ? 0 : token.length < 8 ? 1 : 2);

/**
 * Where words of a query stand in a text: rising, half-open ranges in UTF-16 code units of the text as it is,
 * apart from each other.
 */
export function highlight(
  query: string,
  text: string,
  options: AnalyzerOptions,
  { prefix = false, typos = false }: MatchOptions = {},
): [start: number, end: number][] {
  const wanted = new Set<string>();
  let last = '';
  inPlace(query, options, (token) => {
    wanted.add(token);
    last = token;
  });
  const lone = [...wanted].filter((token) => [...token].length === 1 && !/[a-z0-9]/.test(token));
  const near = typos ? [...wanted].filter((token) => editsFor(token) > 0) : [];
  const matches = (token: string): boolean =>
    wanted.has(token) ||
    (prefix && last !== '' && token.startsWith(last)) ||
    lone.some((letter) => token.includes(letter)) ||
    near.some((word) => edits([...word], [...token], editsFor(word)) <= editsFor(word));

  const found: [number, number][] = [];
  inPlace(text, options, (token, start, end) => {
    if (matches(token)) found.push([start, end]);
  });
  return merged(found);
}

/** False for a text of blanks and punctuation alone, in which there is nothing to look for. */
export function hasWord(text: string, options: AnalyzerOptions): boolean {
  let found = false;
  inPlace(text, options, () => {
    found = true;
  });
  return found;
}

/** The tokens with their places in the text as it is, which must not be normalised first. */
function inPlace(text: string, { kind, diacritics, stem }: AnalyzerOptions, emit: Emit): void {
  const finish: Emit = (token, start, end, isPart) => {
    const composed = diacritics ? token : token.normalize('NFC');
    emit(stem === undefined ? composed : stem(composed), start, end, isPart);
  };
  if (kind === 'ascii') tokenizeAscii(text, finish);
  else tokenizeUnicode(text, characterTables(diacritics), finish);
}

function merged(ranges: readonly [number, number][]): [number, number][] {
  const out: [number, number][] = [];
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const before = out.at(-1);
    if (before !== undefined && start <= before[1]) before[1] = Math.max(before[1], end);
    else out.push([start, end]);
  }
  return out;
}
