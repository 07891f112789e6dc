import type { EmbedderLike } from '../src/types.ts';

/** An embedder that counts letters: the same everywhere, and near where texts share words. Keeps what it was asked. */
export function lettersEmbedder(id = 'letters'): EmbedderLike & { asked: string[]; calls: number } {
  return {
    id,
    asked: [],
    calls: 0,
    async embed(texts) {
      this.calls++;
      this.asked.push(...texts);
      return texts.map((text) => {
        const vector = new Float32Array(26);
        for (const letter of text.toLowerCase()) {
          const at = letter.charCodeAt(0) - 97;
          if (at >= 0 && at < 26) vector[at]! += 1;
        }
        return vector;
      });
    },
  };
}
