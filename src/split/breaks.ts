/** The places a text may be cut at, and how good each is. The same in every engine. */
import { isSpace } from '../kernel/js.ts';
import { clusterStart } from './breaks-clusters.ts';
import { lineMayBreak, sentenceEnds } from './breaks-sentences.ts';

export { clusterStart } from './breaks-clusters.ts';
export { unicodeVersion } from './breaks-table.ts';

/** What a cut stands behind; more is better. */
export const Break = {
  /** It falls inside a grapheme cluster. */
  None: -1,
  Cluster: 0,
  /** A word before white space or a zero width space, or an ideograph. */
  Word: 1,
  Line: 2,
  Sentence: 3,
  /** What a blank line follows. */
  Block: 4,
} as const;
export type Break = (typeof Break)[keyof typeof Break];

const zeroWidthSpace = 0x200b;

/**
 * What a cut at `at` stands behind. White space follows the cut: behind white space, or inside it, there is but a
 * border of clusters. `floor` is a border of clusters at or before `at`.
 */
export function breakRank(text: string, at: number, floor = 0): Break {
  if (at <= 0 || at >= text.length) return Break.Block;
  const rank = rankOf(text, at, floor);
  return clusterStart(text, at, floor) ? rank : Break.None;
}

/** As `breakRank` where `at` is a border of clusters, which is not looked at; a rank below `least` may be told as `Cluster`. */
function rankOf(text: string, at: number, floor: number, least: Break = Break.Word): Break {
  const after = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  if (isSpace(after)) {
    if (isSpace(before)) return Break.Cluster;
    const breaks = lineBreaks(text, at);
    if (breaks > 1) return Break.Block;
    if (least <= Break.Sentence && sentenceEnds(text, at, floor)) return Break.Sentence;
    return breaks > 0 ? Break.Line : Break.Word;
  }
  // All that may be cut without white space stands from here on.
  if ((before < 0x500 && after < 0x2e80) || least > Break.Sentence || isSpace(before)) return Break.Cluster;
  if (before === zeroWidthSpace) return Break.Word;
  // Between these there are letters alone.
  const isMark = before < 0x3020 || before >= 0xff00;
  if (isMark && sentenceEnds(text, at, floor)) return Break.Sentence;
  return least <= Break.Word && lineMayBreak(text, at) ? Break.Word : Break.Cluster;
}

/** How many lines end in the white space from `at` on; 2 for more. */
function lineBreaks(text: string, at: number): number {
  let count = 0;
  for (let next = at; count < 2 && next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (!isSpace(code)) break;
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(next + 1) !== 0x0a)) count++;
  }
  return count;
}

/**
 * The best place to cut in (from, limit]. In its second half that is behind a block that a blank line ends, else
 * behind a sentence, else behind a line; anywhere in it, behind a word; else between clusters. Where one cluster is
 * longer than all of it, the cluster's end behind `limit`.
 *
 * White space follows the cut and belongs to neither side (see `afterSpace`). `from` counts as a border of clusters.
 * `lines` true puts the end of a line before that of a sentence, for records and code; in a paragraph of Markdown
 * lines break anywhere.
 */
export function lastBreak(text: string, from: number, limit: number, lines = false): number {
  if (limit >= text.length) return text.length;
  const half = from + ((limit - from) >> 1);
  let sentence = 0;
  let line = 0;
  let word = 0;
  let least: Break = Break.Word;
  for (let at = limit; at > from; at--) {
    if (at === half && sentence + line + word > 0) break;
    const rank = rankOf(text, at, from, least);
    if (rank < least || !clusterStart(text, at, from)) continue;
    if (rank === Break.Block || (lines && rank === Break.Line)) return at;
    if (rank === Break.Sentence) sentence ||= at;
    else if (rank === Break.Line) line = at;
    else word = at;
    if (at <= half) break;
    least = lines ? Break.Line : ((rank + 1) as Break);
  }
  if (sentence + line + word > 0) return sentence || line || word;
  for (let at = limit; at > from; at--) if (clusterStart(text, at, from)) return at;
  let at = limit + 1;
  while (!clusterStart(text, at, from)) at++;
  return at;
}

/**
 * Where an overlap may begin: the first place in [from, to) where a sentence (if `sentence`) or else a word begins,
 * else the first border of clusters in it, else `to`. Ideographs and kana each begin a word. `floor` is a border of
 * clusters at or before `from`.
 */
export function wordStart(text: string, from: number, to: number, sentence = false, floor = 0): number {
  let word = -1;
  let cluster = -1;
  for (let at = from; at < to; at++) {
    if (isAsciiLetter(text.charCodeAt(at))) {
      const before = text.charCodeAt(at - 1);
      const isWord = before === 0x20 && isAlphanumeric(text.charCodeAt(at - 2));
      if (isWord && !sentence) return at;
      if (isWord && word < 0) word = at;
      // Inside a word or at the start of one in a sentence, as most of a text is.
      if (isWord || isAsciiLetter(before)) {
        if (cluster < 0) cluster = at;
        continue;
      }
    }
    if (isSpace(text.charCodeAt(at)) || !clusterStart(text, at, floor)) continue;
    const rank = startRank(text, at, floor);
    if (rank >= (sentence ? Break.Sentence : Break.Word)) return at;
    if (word < 0 && rank >= Break.Word) word = at;
    if (cluster < 0) cluster = at;
  }
  return word >= 0 ? word : cluster >= 0 ? cluster : to;
}

const isAlphanumeric = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);

/** No white space, and nothing that a cluster goes on with. */
const isAsciiLetter = (code: number): boolean => code > 0x20 && code < 0x7f;

/** What what begins at `at` follows, white space left out. */
function startRank(text: string, at: number, floor: number): Break {
  if (at === 0) return Break.Block;
  if (!isSpace(text.charCodeAt(at - 1))) return rankOf(text, at, floor);
  let end = at;
  while (end > floor && isSpace(text.charCodeAt(end - 1))) end--;
  return end === floor ? Break.Word : rankOf(text, end, floor);
}

/** The first offset in [at, to] that is no white space, but for a space that carries a mark: that stays with it. */
export function afterSpace(text: string, at: number, to: number): number {
  let start = at;
  while (start < to && isSpace(text.charCodeAt(start))) start++;
  return start > at && start < to && !clusterStart(text, start, start - 1) ? start - 1 : start;
}

/** The end of what stands in [from, at), white space left out unless a cluster goes on into it. */
export function beforeSpace(text: string, from: number, at: number): number {
  let end = at;
  while (end > from && isSpace(text.charCodeAt(end - 1))) end--;
  return end < at && end > from && !clusterStart(text, end, from) ? end + 1 : end;
}
