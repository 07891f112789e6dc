import type { EmbedderLike } from '../../src/types.ts';
import { randomFrom } from './documents.ts';

export interface WordsEmbedderOptions {
  /** Milliseconds a batch takes. */
  delay?: number | undefined;
  dimensions?: number | undefined;
}

/**
 * An embedder that is the same everywhere: a direction for each word, drawn by its letters, and long words
 * weigh most, as names do. So a document is what is nearest to its own unique word. Keeps what it was asked.
 */
export function wordsEmbedder({ delay = 0, dimensions = 64 }: WordsEmbedderOptions = {}): EmbedderLike & {
  asked: string[];
} {
  const directions = new Map<string, Float32Array>();
  const directionOf = (word: string): Float32Array => {
    let direction = directions.get(word);
    if (direction === undefined) {
      let hash = 0;
      for (const letter of word) hash = (Math.imul(hash, 31) + letter.codePointAt(0)!) | 0;
      const random = randomFrom(hash);
      direction = Float32Array.from({ length: dimensions }, () => random() - 0.5);
      directions.set(word, direction);
    }
    return direction;
  };
  const asked: string[] = [];
  return {
    id: `words-${dimensions}`,
    asked,
    async embed(texts) {
      asked.push(...texts);
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
      return texts.map((text) => {
        const vector = new Float32Array(dimensions);
        for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
          const weight = word.length > 9 ? 10 : 0.1;
          directionOf(word).forEach((value, at) => {
            vector[at]! += weight * value;
          });
        }
        return vector;
      });
    },
  };
}
