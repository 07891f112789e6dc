/** Cases from public bug reports of WebAssembly, each with the right value; run in Node and in Chromium. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  atxHeadings,
  byHeading,
  chunkText,
  init,
  kernelInfo,
  MemoryVectorStore,
  markdownHeadings,
  openIndex,
  splitDocuments,
} from '../src/index.ts';
import { sha256 } from '../src/kernel/load.ts';
import { readBuild } from './build-file.ts';
import { lettersEmbedder } from './letters-embedder.ts';

const natural = { Module: WebAssembly.Module, Instance: WebAssembly.Instance };
const put = (name: keyof typeof natural, value: unknown) =>
  Object.defineProperty(WebAssembly, name, { value, configurable: true, writable: true });

/** Makes the engine refuse to compile, or to instantiate; answers how often it was asked. */
function refuse(name: keyof typeof natural, error: Error): () => number {
  let asked = 0;
  put(
    name,
    class {
      constructor() {
        asked++;
        throw error;
      }
    },
  );
  return () => asked;
}

/** Something of everything: headings, hashes, cuts, words and vectors. */
async function everything(): Promise<unknown> {
  const text =
    '# Refunds\n\nRefunds take 14 days. 漢字 caf\u00e9 \ud83d\ude00\n\n## Late\n\nA parcel that is late counts as lost.\n';
  const bytes = new TextEncoder().encode(text);
  const index = await openIndex({ persist: false, embedder: lettersEmbedder() });
  await index.add([
    { uri: 'a.md', text },
    { uri: 'b.md', text: 'Parcels are late in winter.' },
  ]);
  const hits = await index.search('late parcel', { mode: 'hybrid' });
  return {
    headings: [atxHeadings(bytes), markdownHeadings(bytes)],
    hash: sha256(text),
    pieces: chunkText(bytes, { chunkSize: 30, overlap: 0, separator: '\n' }),
    hits: hits.map(({ id, score, legs, highlights }) => ({ id, score, legs, highlights })),
  };
}

export function themeG(): void {
  afterEach(async () => {
    for (const name of ['Module', 'Instance'] as const) put(name, natural[name]);
    vi.restoreAllMocks();
    await init();
  });

  describe('memory', () => {
    it('keeps two strings of 200 kB in one call whole, a thousand times (B197)', () => {
      const encoder = new TextEncoder();
      const separator = 'wall '.repeat(40_000);
      for (let round = 0; round < 1000; round++) {
        const first = `${'a'.repeat(60)}${round}`;
        // Bytes go through linear memory, and so does what divides them.
        const text = encoder.encode(`${first}${separator}${round}z`);
        expect(chunkText(text, { chunkSize: 70, overlap: 0, separator })).toEqual([first, `${round}z`]);
      }
    });

    it('is looked at anew after it has grown: tiny, then 15 and 30 MB, then tiny (B199)', async () => {
      const tiny = new TextEncoder().encode('# A\n');
      for (const size of [15, 30]) {
        const large = new Uint8Array(size * 1_000_000).fill(120);
        large.set(new TextEncoder().encode('# First\n'));
        large.set(new TextEncoder().encode('\n# Last\n'), large.length - 9);
        expect(atxHeadings(tiny)).toEqual([{ offset: 0, end: 3, level: 1, title: 'A' }]);
        expect(atxHeadings(large).map(({ title, offset }) => [title, offset])).toEqual([
          ['First', 0],
          ['Last', large.length - 8],
        ]);
        expect(atxHeadings(tiny)).toHaveLength(1);
      }
      const store = new MemoryVectorStore();
      const record = (n: number) => ({
        id: `d#${n}`,
        text: `t${n}`,
        embedding: Float32Array.from({ length: 750 }, (_, d) => (d === n % 750 ? 1 : 0)),
      });
      await store.upsert([record(0)]);
      await store.upsert(Array.from({ length: 10_000 }, (_, n) => record(n + 1)));
      const [best] = await store.search(record(7).embedding, { topK: 1 });
      expect(best).toMatchObject({ id: 'd#7', score: 1 });
    });

    it('of every module is small at first, and grows (B210)', async () => {
      for (const name of ['text', 'blocks', 'index']) {
        const module = new WebAssembly.Module((await readBuild(`${name}.release.wasm`)) as BufferSource);
        const { exports } = new WebAssembly.Instance(module, { env: { abort() {} } });
        const memory = exports['memory'] as WebAssembly.Memory;
        const before = memory.buffer.byteLength;
        expect(before, name).toBeLessThanOrEqual(1024 * 1024);
        memory.grow(16);
        expect(memory.buffer.byteLength - before).toBe(1024 * 1024);
      }
    });

    it('that the engine does not give leaves the twin, with the same answers (B210)', async () => {
      const expected = await everything();
      refuse('Instance', new RangeError('could not allocate memory'));
      await init();
      expect(await everything()).toEqual(expected);
      expect(kernelInfo()).toMatchObject({
        text: { kernel: 'js', reason: 'could not allocate memory' },
        index: { kernel: 'js', reason: 'could not allocate memory' },
      });
    });
  });

  describe('texts', () => {
    it('with half a surrogate pair keep their offsets, as the twin has them (B201)', async () => {
      const text = 'ab\ud83dcd # x\n# H\n\nbody';
      const read = () => ({
        atx: atxHeadings(text),
        markdown: markdownHeadings(text),
        chunks: splitDocuments([{ uri: 'a.md', text }], byHeading({ minChars: 1 })),
        hash: sha256(text),
      });
      const inWasm = read();
      expect(inWasm.atx).toEqual([{ offset: 10, end: 13, level: 1, title: 'H' }]);
      for (const { text: piece, charStart, charEnd } of inWasm.chunks) {
        expect(text.slice(charStart, charEnd)).toBe(piece);
      }
      await init({ kernel: 'js' });
      expect(read()).toEqual(inWasm);
    });

    it('of five million characters go through and back (B203)', () => {
      const text = 'A line of sixty-four characters with a é and an end, you see.\n'.repeat(82_000);
      expect(text.length).toBeGreaterThan(5_000_000);
      expect(sha256(text)).toMatch(/^[0-9a-f]{64}$/);
      const pieces = chunkText(text, { chunkSize: 100_000, overlap: 0, separator: '\n' });
      expect(pieces.join('\n')).toBe(text.trimEnd());
      const bytes = new TextEncoder().encode(text);
      const chunks = splitDocuments([{ uri: 'a.md', text: bytes }], byHeading({ overlapChars: 0 }));
      expect(text.slice(chunks.at(-1)!.charStart, chunks.at(-1)!.charEnd)).toBe(chunks.at(-1)!.text);
    });
  });

  describe('loading', () => {
    it('asks for no file, so that no bundler can lose one or answer a page in its stead (B204)', async () => {
      const fetched = vi
        .spyOn(globalThis, 'fetch')
        .mockImplementation(
          async () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }),
        );
      await init();
      await everything();
      expect(kernelInfo()).toMatchObject({ text: { kernel: 'wasm' }, index: { kernel: 'wasm' } });
      expect(fetched).not.toHaveBeenCalled();
      // Served apart, and answered with a page: the twin, and one line that says why.
      const { text } = await init({ wasm: '/text.wasm' });
      expect(text.kernel).toBe('js');
      expect(text.reason).toMatch(/wasm|WebAssembly|magic/i);
      expect(fetched).toHaveBeenCalledTimes(1);
    });

    it('is tried once where SIMD is unknown, and the reason is of the engine (B206)', async () => {
      const fetched = vi.spyOn(globalThis, 'fetch');
      const reason = 'invalid SIMD opcode 253';
      const asked = refuse('Module', new WebAssembly.CompileError(reason));
      await init();
      for (let time = 0; time < 3; time++) {
        expect(atxHeadings(new TextEncoder().encode('# A\n'))).toHaveLength(1);
      }
      expect(kernelInfo().text).toEqual({ kernel: 'js', reason });
      expect(asked()).toBe(1);
      expect(fetched).not.toHaveBeenCalled();
    });

    it.each([
      ['an engine without SIMD (B207)', new WebAssembly.CompileError('invalid SIMD opcode 253')],
      [
        'a policy without wasm-unsafe-eval (B208)',
        new EvalError("Refused to compile: violates the page's Content Security Policy"),
      ],
    ])('refused by %s gives the same answers to the last bit, and throws nothing', async (_, error) => {
      const expected = await everything();
      refuse('Module', error);
      refuse('Instance', error);
      await init();
      expect(await everything()).toEqual(expected);
      expect(kernelInfo()).toEqual({
        text: { kernel: 'js', reason: error.message },
        blocks: { kernel: 'js', reason: error.message },
        index: { kernel: 'js', reason: error.message },
      });
    });
  });
}
