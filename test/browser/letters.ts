import type { Embedder } from '../../src/types.ts';

/**
 * A real, tiny embedder: how often each letter stands in a text, a to z. It counts what it was asked for and
 * can be made slow, or fail for texts that hold a word.
 */
export function letters(options: { id?: string; delay?: number; failOn?: string } = {}) {
  const asked: string[] = [];
  let loads = 0;
  const embedder: Embedder = {
    id: options.id ?? 'letters',
    dimensions: 26,
    async load({ onProgress } = {}) {
      loads++;
      onProgress?.({ file: 'letters', loaded: 26, total: 26 });
    },
    async embed(texts) {
      asked.push(...texts);
      if (options.delay !== undefined) await new Promise((resolve) => setTimeout(resolve, options.delay));
      if (options.failOn !== undefined && texts.some((text) => text.includes(options.failOn!))) {
        throw new Error(`cannot read ${options.failOn}`);
      }
      return texts.map((text) => {
        const counts = new Float32Array(26);
        for (const letter of text.toLowerCase()) {
          const at = letter.charCodeAt(0) - 97;
          if (at >= 0 && at < 26) counts[at]!++;
        }
        return counts;
      });
    },
  };
  return {
    embedder,
    asked,
    get loads() {
      return loads;
    },
  };
}
