/** FNV-1a over words, with a shift in each step so that changes in high bits reach the low ones too. */
export function checksum(words: Uint32Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < words.length; i++) {
    hash = Math.imul(hash ^ words[i]!, 0x01000193);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
