/**
 * Most bytes of UTF-8 that a code unit may come to when a tokenizer has normalised it (NFC, NFD, NFKC or NFKD, cases
 * folded): `ﷺ` becomes eighteen letters, a squared Japanese word six, most others four or fewer.
 */
const bytesAtMost = (code: number): number => {
  if (code < 0x80) return 1;
  if (code < 0x800) return 6;
  const page = code >> 8;
  if (page === 0xfd) return 33;
  return page === 0x32 || page === 0x33 ? 18 : 12;
};

/** Tokens that no tokenizer exceeds, since none makes more of a text than it has bytes; special ones uncounted. */
export function tokensAtMost(text: string): number {
  let most = 0;
  for (let at = 0; at < text.length; at++) most += bytesAtMost(text.charCodeAt(at));
  return most;
}
