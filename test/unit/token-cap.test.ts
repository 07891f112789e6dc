import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenCap } from '../../src/ingest/cap.ts';
import { openIndex } from '../../src/open-index.ts';
import { clusterStart } from '../../src/split/breaks.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import { byParagraph } from '../../src/split/by-paragraph.ts';
import { fixedWithOverlap } from '../../src/split/fixed-with-overlap.ts';
import { splitPieces } from '../../src/split/split-documents.ts';
import { wholeDocument } from '../../src/split/whole-document.ts';
import { MemoryVectorStore } from '../../src/store/memory.ts';
import { readingOf } from '../../src/store/reading.ts';
import type { EmbedderLike, IndexedChunk, Splitter, SplitterDocument } from '../../src/types.ts';
import { nastyText, runs } from '../arbitraries.ts';
import { lettersEmbedder } from '../letters-embedder.ts';
import { expectRules } from '../rules.ts';

type Count = (text: string) => number;

/** Ways to count, special tokens included. */
const counts = {
  words: (text: string) => 2 + (text.match(/\S+/g)?.length ?? 0),
  bytes: (text: string) => 1 + new TextEncoder().encode(text).length,
  characters: (text: string) => [...text].length,
  'long words as one unknown': (text: string) =>
    2 + (text.match(/\S+/g) ?? []).reduce((sum, word) => sum + (word.length > 40 ? 1 : word.length), 0),
} satisfies Record<string, Count>;

/** An embedder with a limit, and what was asked of it. */
function limited(maxInputTokens: number, count: Count = counts.words, more: Partial<EmbedderLike> = {}) {
  let counted = 0;
  const embedder: EmbedderLike = {
    ...lettersEmbedder('limited'),
    maxInputTokens,
    countTokens: (text) => {
      counted++;
      return count(text);
    },
    ...more,
  };
  return {
    embedder,
    get counted() {
      return counted;
    },
  };
}

/** An embedder whose tokenizer comes when it is loaded, before the model. */
function lazy(maxInputTokens: number, count: Count = counts.words, failing = () => false) {
  const log: string[] = [];
  const embedder = {
    ...lettersEmbedder('lazy'),
    maxInputTokens: undefined as number | undefined,
    countTokens: undefined as Count | undefined,
    async loadTokenizer() {
      log.push('tokenizer');
      if (failing()) throw new Error('no network');
      this.maxInputTokens = maxInputTokens;
      this.countTokens = count;
    },
    async load() {
      log.push('model');
      if (failing()) throw new Error('no network');
      this.maxInputTokens = maxInputTokens;
      this.countTokens = count;
    },
  };
  return { embedder, log };
}

const open = (embedder: EmbedderLike, splitter?: Splitter, store?: MemoryVectorStore) =>
  openIndex({
    persist: false,
    embedder,
    ...(splitter !== undefined && { splitter }),
    ...(store !== undefined && { store }),
  });
const readings = (chunks: readonly IndexedChunk[]) => chunks.map((chunk) => readingOf(chunk, chunk.text));

const sentence = (_: unknown, n: number) => `Sentence number ${n} says a little of what there is.`;
const prose = (length: number) => Array.from({ length }, sentence).join(' ');
const chinese = '索引在浏览器里建立，文字从不离开这台电脑。每一段都有出处，读者可以回到原文。'.repeat(40);

describe('an embedder that counts tokens and says how many it reads', () => {
  it.each(Object.entries(counts))('gets no chunk that is longer: %s', async (_, count) => {
    const { embedder } = limited(100, count);
    const index = await open(embedder);
    const text = `# One\n\n${prose(60)}\n\n## Two\n\n${chinese}\n\n# Three\n\n${'👩‍👩‍👧‍👦🇩🇪'.repeat(200)}\n\n${'x'.repeat(50_000)}\n`;
    const report = await index.add([
      { uri: 'string.md', title: 'A title', text },
      { uri: 'bytes.md', title: 'A title', text: new TextEncoder().encode(text) },
    ]);
    expect(report).toMatchObject({ documents: 2, truncated: [], failed: [] });
    const chunks = await index.chunks('string.md');
    for (const reading of readings(chunks)) expect(count(reading)).toBeLessThanOrEqual(100);
    const headings = [...text.matchAll(/^#+ .*$/gm)].map(
      ({ index: at, 0: line }) => [at, at + line.length] as const,
    );
    expectRules(text, chunks as never, { spared: headings });
    expect(chunks.map(({ id }) => id)).toEqual(chunks.map((_, n) => `string.md#${n}`));
    const others = await index.chunks('bytes.md');
    expect(others.map(({ charStart, charEnd }) => [charStart, charEnd])).toEqual(
      chunks.map(({ charStart, charEnd }) => [charStart, charEnd]),
    );
  });

  it('gets no chunk that is longer of one sentence of 900 ideographs (B068)', async () => {
    const { embedder } = limited(512, counts.characters);
    const index = await open(embedder);
    const text = '漢'.repeat(900);
    expect(await index.add([{ uri: 'a', text }])).toMatchObject({ truncated: [], failed: [] });
    const chunks = await index.chunks('a');
    expect(chunks.map((chunk) => chunk.text).join('')).toBe(text);
    for (const reading of readings(chunks)) expect(reading.length).toBeLessThanOrEqual(512);
  });

  it('leaves pieces that fit as they are, and counts none that must fit', async () => {
    const one = limited(2000);
    const document = { uri: 'a.md', text: `# A\n\n${prose(15)}\n\n# B\n\n${prose(12)}` };
    const [capped, plain] = [await open(one.embedder), await open(lettersEmbedder())];
    for (const index of [capped, plain]) await index.add([document]);
    expect(await capped.chunks('a.md')).toEqual(await plain.chunks('a.md'));
    expect(one.counted).toBe(0);
  });

  it('gets parts of a piece with its heading, path, slug and context, and their own lines and pages', async () => {
    const pages = [prose(20), `${prose(10)}\n${prose(10)}\n${prose(5)}`];
    const text = pages.join('\n\n');
    const marked: Splitter = {
      id: 'marked',
      name: 'marked',
      split: () => [
        {
          text,
          charStart: 0,
          charEnd: text.length,
          heading: 'Deep',
          headingPath: ['Top', 'Deep'],
          slug: 'deep',
          context: 'a | b',
          line: 1,
          page: 1,
        },
      ],
    };
    const { embedder } = limited(80);
    const index = await open(embedder, marked);
    await index.add([{ uri: 'a', text, pages }]);
    const chunks = await index.chunks('a');
    expect(chunks.length).toBeGreaterThan(5);
    for (const chunk of chunks) {
      const { heading, headingPath, slug, context, line, page, charStart = 0 } = chunk;
      expect([heading, headingPath, slug, context]).toEqual(['Deep', ['Top', 'Deep'], 'deep', 'a | b']);
      expect(line).toBe(text.slice(0, charStart).split('\n').length);
      expect(page).toBe(charStart < pages[0]!.length + 2 ? 1 : 2);
      expect(chunk.text).toMatch(/^Sentence.*\.$/s);
    }
    for (const reading of readings(chunks)) expect(counts.words(reading)).toBeLessThanOrEqual(80);
  });

  it('gets rows and lines of code whole, where a piece is made of them', async () => {
    const rows = Array.from({ length: 60 }, (_, n) => `| row ${n} | One. Two. Three. | x |`);
    const text = rows.join('\n');
    const table: Splitter = {
      id: 'table',
      name: 'table',
      split: () => [{ text, charStart: 0, charEnd: text.length, context: '| n | words | x |' }],
    };
    const index = await open(limited(60).embedder, table);
    expect(await index.add([{ uri: 'a', text }])).toMatchObject({ truncated: [] });
    const chunks = await index.chunks('a');
    expect(chunks.length).toBeGreaterThan(5);
    expect(chunks.flatMap((chunk) => chunk.text.split('\n'))).toEqual(rows);
  });

  it('gets parts of about one length rather than a long one and a rest', async () => {
    const { embedder } = limited(100);
    const index = await open(embedder, wholeDocument());
    await index.add([{ uri: 'a', text: prose(11) }]);
    const lengths = (await index.chunks('a')).map(({ text }) => text.length);
    expect(lengths).toHaveLength(2);
    expect(Math.max(...lengths) / Math.min(...lengths)).toBeLessThan(2);
  });

  it('gets no part twice where pieces overlap', async () => {
    const { embedder } = limited(40);
    const splitter = fixedWithOverlap({ chars: 600, overlapChars: 300 });
    const index = await open(embedder, splitter);
    const text = prose(60);
    await index.add([{ uri: 'a', text }]);
    expectRules(text, (await index.chunks('a')) as never, {});
  });

  it('is told what is cut off where title, headings and context leave no room (B130)', async () => {
    const { embedder } = limited(40);
    const index = await open(embedder);
    const report = await index.add([
      { uri: 'a', title: 'word '.repeat(50), text: `${prose(30)} zebra` },
      { uri: 'b', title: 'short', text: prose(30) },
    ]);
    const chunks = await index.chunks('a');
    expect(report.truncated.map(({ id }) => id)).toEqual(chunks.map(({ id }) => id));
    expect(report.truncated[0]).toMatchObject({ tokens: counts.words(readings(chunks)[0]!) });
    // What the model does not see is found by its words.
    expect((await index.search('zebra', { mode: 'lexical' })).map(({ docUri }) => docUri)).toEqual(['a']);
  });

  it('says what is wrong with a count, for the document that met it', async () => {
    for (const answer of [Number.NaN, -1, '12', Promise.resolve(1)]) {
      const index = await open(limited(10, () => answer as number).embedder);
      const report = await index.add([{ uri: 'a', text: prose(20) }]);
      expect(report.failed).toMatchObject([
        { uri: 'a', code: 'EMBEDDER_FAILED', reason: expect.stringContaining('countTokens') },
      ]);
    }
  });

  it('may say that there is no limit in the ways tokenizers do', async () => {
    for (const maxInputTokens of [1e30, Number.POSITIVE_INFINITY, 2 ** 63]) {
      const one = limited(maxInputTokens);
      const index = await open(one.embedder);
      expect(await index.add([{ uri: 'a', text: prose(200) }])).toMatchObject({ truncated: [] });
      expect(one.counted).toBe(0);
    }
    for (const maxInputTokens of [0, -1, Number.NaN, '512' as never]) {
      await expect(open({ ...lettersEmbedder(), maxInputTokens })).rejects.toMatchObject({
        code: 'INVALID_OPTION',
        message: expect.stringContaining('maxInputTokens'),
      });
    }
  });

  it('never has a grapheme cluster cut, and loses nothing, whatever the text, the splitter and the limit', async () => {
    const splitters = [
      byHeading({ maxChars: 60, overlapChars: 20, minChars: 5 }),
      byParagraph({ maxChars: 60, overlapChars: 20, minChars: 5 }),
      fixedWithOverlap({ chars: 60, overlapChars: 30, wordWindow: 10 }),
      wholeDocument(),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(nastyText, { maxLength: 4 }).map((parts) => parts.join('\n\n')),
        fc.constantFrom(...splitters),
        fc.constantFrom(...Object.values(counts)),
        fc.integer({ min: 4, max: 60 }),
        fc.option(fc.constant('Title of it'), { nil: undefined }),
        async (text, splitter, count, limit, title) => {
          const document: SplitterDocument = { uri: 'a', text, ...(title !== undefined && { title }) };
          const pieces = splitPieces(document, splitter).filter((piece) => piece.text.trim() !== '');
          const { embedder } = limited(limit, count);
          const cap = new TokenCap({ embedder: embedder as never });
          const { read, short } = await cap.cut(document, text, pieces);
          let before = -1;
          let tooLong = false;
          const covered = new Uint8Array(text.length);
          for (const { piece, input } of read) {
            expect(text.slice(piece.charStart, piece.charEnd)).toBe(piece.text);
            expect(piece.text.trim()).not.toBe('');
            expect(piece.charStart).toBeGreaterThan(before);
            before = piece.charStart;
            covered.fill(1, piece.charStart, piece.charEnd);
            tooLong ||= count(input) > limit;
            const whole = pieces.find((one) => one.charStart <= before && piece.charEnd <= one.charEnd)!;
            for (const at of [piece.charStart, piece.charEnd]) {
              if (at === whole.charStart || at === whole.charEnd) continue;
              expect(clusterStart(text, at, whole.charStart)).toBe(true);
            }
          }
          if (short) expect(tooLong).toBe(false);
          for (const piece of pieces) {
            for (let at = piece.charStart; at < piece.charEnd; at++) {
              if (covered[at] === 0) expect(text[at]!.trim()).toBe('');
            }
          }
        },
      ),
      { numRuns: runs() },
    );
  });

  it('is asked in time linear in a document', async () => {
    const timeOf = async (sentences: number) => {
      const index = await open(limited(64).embedder, wholeDocument());
      const { elapsedMs } = await index.add([{ uri: 'a', text: prose(sentences) }]);
      return elapsedMs;
    };
    await timeOf(2000);
    const [small, large] = [await timeOf(10_000), await timeOf(40_000)];
    expect(large / small).toBeLessThan(10);
  });
});

describe('a tokenizer that is loaded when it is needed', () => {
  const long = { uri: 'long.md', text: prose(40) };

  it('is there before documents are cut, and the model only after they are found by their words', async () => {
    const { embedder, log } = lazy(60);
    const store = new MemoryVectorStore();
    const index = await open(embedder, undefined, store);
    const found: number[] = [];
    const load = embedder.load.bind(embedder);
    embedder.load = async () => {
      found.push(store.entries.size);
      await load();
    };
    const report = await index.add([long]);
    expect([log, found]).toEqual([['tokenizer', 'model'], [1]]);
    expect(report.truncated).toEqual([]);
    for (const reading of readings(await index.chunks('long.md'))) {
      expect(counts.words(reading)).toBeLessThanOrEqual(60);
    }
  });

  it('is not loaded to find out that nothing has changed, nor by another embedder of the same id', async () => {
    const store = new MemoryVectorStore();
    await (await open(lazy(60).embedder, undefined, store)).add([long]);
    const again = lazy(60);
    const index = await open(again.embedder, undefined, store);
    expect(await index.sync([long])).toMatchObject({ unchanged: 1, changed: 0, embedded: 0 });
    expect(again.log).toEqual([]);
  });

  it('that cannot be loaded lets documents be found by their words, and they are cut once it can', async () => {
    let isOffline = true;
    const { embedder, log } = lazy(60, counts.words, () => isOffline);
    const store = new MemoryVectorStore();
    const index = await open(embedder, undefined, store);
    await expect(index.add([long])).rejects.toThrow('no network');
    const uncut = await index.chunks('long.md');
    expect((await index.search('sentence'))[0]!.docUri).toBe('long.md');
    const { version } = store.entries.get('long.md')!;
    await expect(index.add([long])).rejects.toThrow('no network');
    expect(store.entries.get('long.md')!.version, 'nothing is written again').toBe(version);

    isOffline = false;
    expect(await index.sync([long])).toMatchObject({ changed: 1, truncated: [] });
    expect((await index.chunks('long.md')).length).toBeGreaterThan(uncut.length);
    expect(await index.sync([long])).toMatchObject({ unchanged: 1, embedded: 0 });
    expect(log.at(-1)).toBe('model');
  });

  it('passes on the reason of an abort, and what a callback throws', async () => {
    const never = { ...lazy(60).embedder, loadTokenizer: () => new Promise<void>(() => {}) };
    const index = await open(never);
    const reason = new Error('enough');
    const adding = index.add([long], { signal: AbortSignal.timeout(20) });
    await expect(adding).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(index.add([long], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);

    const telling = {
      ...lazy(60).embedder,
      loadTokenizer: async ({ onProgress }: { onProgress?: (told: object) => void } = {}) =>
        onProgress?.({ file: 'tokenizer.json', loaded: 1, total: 2 }),
    };
    const other = await open(telling as EmbedderLike);
    const onProgress = ({ stage }: { stage: string }) => {
      if (stage === 'load-model') throw reason;
    };
    await expect(other.add([long], { onProgress })).rejects.toBe(reason);
  });
});

describe('a limit that changes', () => {
  const documents = [
    { uri: 'long.md', text: prose(40) },
    { uri: 'short.md', text: 'A short one.' },
  ];

  it('cuts anew what might be too long, when it is added again, and leaves alone what cannot be', async () => {
    const store = new MemoryVectorStore();
    await (await open(limited(1000, counts.words, { id: 'large' }).embedder, undefined, store)).add(
      documents,
    );
    const index = await open(limited(80, counts.words, { id: 'small' }).embedder, undefined, store);
    // A move to another model keeps the chunks, and says which of them it cuts off.
    const moved = await index.reembed();
    expect(moved.truncated.length).toBeGreaterThan(0);
    expect(moved.truncated.every(({ id, tokens = 0 }) => id.startsWith('long.md#') && tokens > 80)).toBe(
      true,
    );
    expect(await index.sync(documents)).toMatchObject({ changed: 1, unchanged: 1, truncated: [] });
    for (const reading of readings(await index.chunks('long.md'))) {
      expect(counts.words(reading)).toBeLessThanOrEqual(80);
    }
    expect(await index.sync(documents)).toMatchObject({ changed: 0, unchanged: 2, embedded: 0 });
  });

  it('that was none because there was no embedder is kept by the next sync that has one', async () => {
    const store = new MemoryVectorStore();
    const plain = await openIndex({ persist: false, store });
    await plain.add(documents);
    expect((await plain.stats()).pending).toBe(0);
    const index = await open(limited(80).embedder, undefined, store);
    expect(await index.sync(documents)).toMatchObject({ changed: 1, truncated: [], failed: [] });
    // Who has no embedder finds nothing to change.
    expect(await plain.sync(documents)).toMatchObject({ changed: 0, unchanged: 2 });
    expect(await index.sync(documents)).toMatchObject({ unchanged: 2 });
  });
});
