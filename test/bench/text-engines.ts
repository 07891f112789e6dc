import { Lexicon, type LexiconOptions } from '../../src/lexicon/lexicon.ts';
import { keep, yielded } from './harness.ts';

/** Answers how many it found, having read the name and, where there is one, the score of each. */
export type Ask = (question: string) => number | Promise<number>;

/** Something that finds passages by their words. */
export interface TextEngine {
  what: string;
  /** False for an order that is not BM25's, against which nothing is to be proven. */
  bm25: boolean;
  /** An empty index. */
  make: () => Promise<{
    add(from: number, texts: readonly string[]): unknown;
    ask: Ask;
    /** Bytes, where the engine knows. */
    bytes?: () => number;
  }>;
}

const k = 10;

export const shelfmark = (what: string, options: LexiconOptions, how = {}): TextEngine => ({
  what,
  bm25: true,
  async make() {
    const lexicon = await Lexicon.open(options);
    return {
      add(from, texts) {
        for (const [i, text] of texts.entries()) lexicon.add(from + i, text);
      },
      ask(question) {
        const { rows, scores } = lexicon.search(question, { topK: k, ...how });
        for (let i = 0; i < rows.length; i++) keep(rows[i]! + scores[i]!);
        return rows.length;
      },
      bytes: () => lexicon.bytes,
    };
  },
});

export const miniSearch: TextEngine = {
  what: 'MiniSearch',
  bm25: true,
  async make() {
    const { default: MiniSearch } = await import('minisearch');
    const index = new MiniSearch<{ id: number; text: string }>({ fields: ['text'] });
    return {
      add(from, texts) {
        for (const [i, text] of texts.entries()) index.add({ id: from + i, text });
      },
      ask(question) {
        // It has no limit: all is found and sorted.
        const hits = index.search(question).slice(0, k);
        for (const { id, score } of hits) keep(id + score);
        return hits.length;
      },
    };
  },
};

export const orama: TextEngine = {
  what: 'Orama',
  bm25: true,
  async make() {
    const { create, insertMultiple, search } = await import('@orama/orama');
    const index = create({ schema: { text: 'string' } });
    const read = ({ hits }: { hits: { id: string; score: number }[] }): number => {
      for (const { id, score } of hits) keep(id.length + score);
      return hits.length;
    };
    return {
      // Without hooks it works synchronously.
      add: (from, texts) =>
        insertMultiple(
          index,
          texts.map((text, i) => ({ id: String(from + i), text })),
          texts.length,
        ),
      ask(question) {
        const found = search(index, { term: question, limit: k });
        return found instanceof Promise ? found.then(read) : read(found);
      },
    };
  },
};

export const flexSearch: TextEngine = {
  what: 'FlexSearch (no BM25, no scores)',
  bm25: false,
  async make() {
    const { Index } = await import('flexsearch');
    const index = new Index({ tokenize: 'strict' });
    return {
      add(from, texts) {
        for (const [i, text] of texts.entries()) index.add(from + i, text);
      },
      ask(question) {
        // `suggest` finds passages that lack a word of the question, as all the others do.
        const hits = index.search(question, { limit: k, suggest: true }) as number[];
        for (const id of hits) keep(id);
        return hits.length;
      },
    };
  },
};

/** An index of all texts, or undefined where building it takes longer than `budget` seconds. */
export async function built(engine: TextEngine, texts: readonly string[], budget = Number.POSITIVE_INFINITY) {
  const batch = 1000;
  const index = await engine.make();
  const start = performance.now();
  for (let from = 0; from < texts.length; from += batch) {
    await index.add(from, texts.slice(from, from + batch));
    await yielded();
    const seconds = (performance.now() - start) / 1000;
    if (seconds > budget) {
      console.info(`${engine.what}: given up after ${seconds.toFixed(0)} s, at ${from} of ${texts.length}`);
      return undefined;
    }
  }
  const seconds = (performance.now() - start) / 1000;
  // Where it takes minutes, one wants to see how far it is.
  if (seconds > 10) console.info(`${engine.what}: ${texts.length} passages in ${seconds.toFixed(0)} s`);
  return { ...index, seconds };
}
