import { describe, expect, it } from 'vitest';
import { transformersEmbedder } from '../../src/embed/transformers.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import { wholeDocument } from '../../src/split/whole-document.ts';
import { readingOf } from '../../src/store/reading.ts';
import type { Embedder, EmbedderLike } from '../../src/types.ts';
import { readDataFile } from '../vectors.ts';
import { freshName, open } from './index-helpers.ts';

const base = `/__faults/none/cap-${Date.now()}/`;
const bundled = (more = {}) =>
  transformersEmbedder({ modelPath: `${base}models/`, wasmPaths: `${base}ort/`, ...more });

/** The bundled model with the window of another one, and its way to count where that is given. */
function narrowed(maxInputTokens: number, count?: (text: string) => number): EmbedderLike {
  const inner: Embedder = bundled();
  return {
    id: `narrowed-${maxInputTokens}-${count === undefined ? 'own' : 'characters'}`,
    maxInputTokens,
    get countTokens() {
      return count ?? inner.countTokens;
    },
    loadTokenizer: (options) => inner.loadTokenizer!(options),
    load: (options) => inner.load!(options),
    embed: (texts, options) => inner.embed(texts, options),
  };
}

/** As a model of many languages counts Chinese: a token a character. */
const characters = (text: string) => [...text].length + 2;

const english = 'Refunds are issued within 14 days, x86_64-unknown-linux-gnu 0xdeadbeef included. '.repeat(
  300,
);
const chinese =
  '# 退款\n\n## 期限\n\n' +
  '收到商品后七天之内可以申请退款，运费由买家承担；如果商品有质量问题，则由卖家承担。请保留好发票和包装。'.repeat(
    60,
  );
const emoji = '👩‍👩‍👧‍👦 🇩🇪🇫🇷 👍🏽 '.repeat(400);
const word = 'pneumono'.repeat(6250);

async function expectFit(embedder: EmbedderLike, text: string, splitter = byHeading()): Promise<number> {
  const index = await open({ name: freshName(), embedder, splitter });
  const report = await index.add([
    { uri: 'string.md', title: 'Title', text },
    { uri: 'bytes.md', title: 'Title', text: new TextEncoder().encode(text) },
  ]);
  expect(report).toMatchObject({ documents: 2, truncated: [], failed: [] });
  const [chunks, others] = [await index.chunks('string.md'), await index.chunks('bytes.md')];
  expect(others.map(({ text }) => text)).toEqual(chunks.map(({ text }) => text));
  let end = 0;
  for (const chunk of chunks) {
    const { charStart = 0, charEnd = 0 } = chunk;
    expect(text.slice(charStart, charEnd)).toBe(chunk.text);
    expect(embedder.countTokens!(readingOf(chunk, chunk.text))).toBeLessThanOrEqual(embedder.maxInputTokens!);
    if (charStart > end) expect(text.slice(end, charStart).replace(/^#.*$/gm, '').trim()).toBe('');
    end = Math.max(end, charEnd);
  }
  expect(text.slice(end).trim()).toBe('');
  return chunks.length;
}

describe('what the model reads', () => {
  it.each([
    ['English', english],
    ['Chinese', chinese],
    ['emoji', emoji],
    ['a word of 50,000 letters', word],
  ])('is all of every chunk by default: %s', async (_, text) => {
    await expectFit(bundled(), text);
  });

  it.each([
    ['English', english],
    ['Chinese', chinese],
    ['emoji', emoji],
    ['a word of 50,000 letters', word],
    ['all of them', [english, chinese, emoji, word].join('\n\n')],
  ])('is all of every chunk however large the splitter makes it: %s', async (_, text) => {
    await expectFit(bundled(), text, wholeDocument());
    await expectFit(narrowed(256), text, byHeading({ maxChars: 8000 }));
  });

  it.each([128, 512])('is all of every chunk where a character is a token of %i', async (window) => {
    for (const text of [chinese, emoji, word]) {
      expect(await expectFit(narrowed(window, characters), text)).toBeGreaterThan(1);
    }
  });

  it('is all of every chunk of real pages, English and Chinese', async () => {
    for (const path of [
      'corpus/rust-book/ch04-01-what-is-ownership.md',
      'corpus/umi-zh/docs/guides/routes.md',
    ]) {
      const bytes = await readDataFile(path);
      if (bytes === undefined) continue;
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      await expectFit(bundled(), text);
      await expectFit(narrowed(128, characters), text);
    }
  });

  it('is known before the model is loaded, so that documents are found by their words meanwhile', async () => {
    const embedder = bundled();
    const stages: string[] = [];
    let isCut: Promise<unknown> | undefined;
    const index = await open({ name: freshName(), embedder, splitter: wholeDocument() });
    await index.add([{ uri: 'a', text: english }], {
      onProgress: ({ stage }) => {
        if (stages.at(-1) !== stage) stages.push(stage);
        if (stage === 'store') isCut ??= index.search('refunds').then((hits) => hits.length);
      },
    });
    expect(stages.slice(0, 3)).toEqual(['load-model', 'split', 'store']);
    expect(await isCut).toBeGreaterThan(1);
  });

  it('asks for no tokenizer where no chunk can be too long, nor to know that nothing has changed', async () => {
    const name = freshName();
    const index = await open({ name, embedder: bundled(), splitter: wholeDocument() });
    await index.add([{ uri: 'a', text: english }]);
    await index.close();
    const embedder = bundled();
    const again = await open({ name, embedder, splitter: wholeDocument() });
    expect(await again.sync([{ uri: 'a', text: english }])).toMatchObject({ unchanged: 1 });
    expect(embedder.countTokens).toBeUndefined();

    const other = bundled({ transformers: () => Promise.reject(new Error('not to be loaded')) });
    const short = await open({ name: freshName(), embedder: other });
    await expect(short.add([{ uri: 'a', text: 'Refunds take two weeks. '.repeat(60) }])).rejects.toThrow(
      'not to be loaded',
    );
    expect((await short.search('refunds')).length).toBeGreaterThan(0);
  });
});
