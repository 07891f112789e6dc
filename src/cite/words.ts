/** Letters that belong to one word; of scripts without spaces none do. */
export const inWord = /[\p{L}\p{M}\p{N}]/u;
/** Letters of scripts that have no space between words. */
export const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Whether a word goes on from one character to the next. */
export const joined = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  inWord.test(a) &&
  inWord.test(b) &&
  !spaceless.test(a) &&
  !spaceless.test(b);

/** Where `needle` stands in `text` from `from` on, not in the middle of a word; or -1. */
export function whole(text: string, needle: string, from: number): number {
  for (let at = text.indexOf(needle, from); at >= 0; at = text.indexOf(needle, at + 1)) {
    const end = at + needle.length;
    if (!joined(text[at - 1], text[at]) && !joined(text[end - 1], text[end])) return at;
  }
  return -1;
}
