import { describe, expect, it, vi } from 'vitest';
import { embedTexts } from '../src/embed/embedder.ts';
import { type TransformersEmbedderOptions, transformersEmbedder } from '../src/embed/transformers.ts';
import type { Length } from '../src/split/length.ts';
import type { Embedder, LoadProgress } from '../src/types.ts';
import { referenceSentence, referenceVector } from './reference-vector.ts';

export const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, x, d) => sum + x * b[d]!, 0);
const furthest = (a: Float32Array, b: ArrayLike<number>): number =>
  a.reduce((most, x, d) => Math.max(most, Math.abs(x - b[d]!)), 0);
const length = (vector: Float32Array): number => Math.sqrt(cosine(vector, vector));

/** As much of transformers.js as is used here, of either version. */
export interface TransformersLike {
  env: object;
  pipeline: (...args: never[]) => Promise<unknown>;
  AutoTokenizer?: unknown;
}
type Load = () => Promise<TransformersLike>;
const xenova: Load = () => import('@xenova/transformers') as never;

/** Wraps the library so that the sessions started and the runs of the model can be counted. */
export async function watched(load = xenova) {
  const library = await load();
  const pipeline = vi.fn(library.pipeline);
  return { library: { env: library.env, pipeline } as never, pipeline };
}

type Damage = ((data: Float32Array) => void) | 'refuses';
type Session = ((texts: string[], options: object) => Promise<{ data: Float32Array }>) & {
  dispose(): Promise<void>;
};

/**
 * The library with devices whose faults are made here, since no machine has them to order: a session for one of them is
 * a real one on the processor or WASM, and what it computes is altered. The older library is then taken for version 4.
 */
export async function withDevices(devices: Record<string, Damage> = {}, load = xenova) {
  const real = await load();
  const env = new Proxy(real.env, {
    get: (target, key) =>
      key === 'version' && Object.keys(devices).length > 0 ? '4.0.0' : Reflect.get(target, key),
  });
  const sessions = { started: 0, ended: 0, running: 0, most: 0, texts: [] as string[] };
  const pipeline = vi.fn(async (task: never, key: never, options: { device?: string }) => {
    const damage = devices[options.device ?? ''];
    if (damage === 'refuses') throw new Error('The adapter has lost its device');
    const { device: _, ...rest } = options;
    const session = (await real.pipeline(task, key, rest as never)) as Session;
    sessions.started++;
    const run = async (texts: string[], how: object) => {
      sessions.most = Math.max(sessions.most, ++sessions.running);
      sessions.texts.push(...texts);
      try {
        const answer = await session(texts, how);
        damage?.(answer.data);
        return answer;
      } finally {
        sessions.running--;
      }
    };
    const dispose = async () => {
      sessions.ended++;
      await session.dispose();
    };
    return new Proxy(run, {
      get: (_, key) => (key === 'dispose' ? dispose : Reflect.get(session, key)),
    });
  });
  return { library: { env, pipeline } as never, pipeline, sessions };
}

/** What holds wherever the bundled model runs; `options` say where its files are, `load` gets the library. */
export function transformersSuite(options: TransformersEmbedderOptions, load = xenova): void {
  const make = (more: TransformersEmbedderOptions = {}): Embedder =>
    transformersEmbedder({ ...options, ...more });
  const long = 'retention policy of invoices '.repeat(130);

  describe('the bundled model', () => {
    const embedder = make();

    it('is known before it is loaded', () => {
      const fresh = make({ transformers: () => Promise.reject(new Error('not to be loaded')) });
      expect([fresh.dimensions, fresh.maxInputTokens, fresh.countTokens]).toEqual([100, 2048, undefined]);
      expect(fresh.id).toMatch(
        /^glove-static@[0-9a-f]{8};dtype=q8;pooling=mean;normalize=true;query="";passage=""$/,
      );
    });

    it('gives the reference vector to the sixth decimal, here and in every other runtime', async () => {
      const [vector] = await embedder.embed([referenceSentence]);
      expect(furthest(vector!, referenceVector)).toBeLessThan(5e-7);
      expect(length(vector!)).toBeCloseTo(1, 6);
    });

    it('puts a question near its answer in other words, and far from other lines', async () => {
      const [question, answer, ...others] = await embedder.embed([
        'How do I get my money back?',
        'Refunds are issued within 14 days',
        'The cat sat on the mat.',
        'Install the package with npm and import it.',
        'Our offices are closed on public holidays.',
        'Rules configure how ESLint reports problems in your code.',
        'The speed of light is constant.',
      ]);
      expect(cosine(question!, answer!)).toBeGreaterThan(0.35);
      for (const other of others) expect(cosine(question!, other)).toBeLessThan(0.25);
    });

    it('knows words of programming', async () => {
      const [a, b, c] = await embedder.embed(['typescript', 'javascript', 'holiday in Rome']);
      expect(cosine(a!, b!)).toBeGreaterThan(cosine(a!, c!) + 0.1);
    });

    it.each(['', '   ', '\u200b', '\n', '???', '漢字', '\ud800', 'zzqxv'])(
      'gives %j a zero vector',
      async (text) => {
        const [vector] = await embedder.embed([text]);
        expect(vector).toEqual(new Float32Array(100));
      },
    );

    it.each([
      ['one word', 'x'.repeat(100_000)],
      ['many words', 'word '.repeat(20_000)],
      ['no break and no letter', '-'.repeat(100_000)],
    ])('reads a text of 100,000 characters: %s', async (_, text) => {
      const [vector] = await embedder.embed([text]);
      expect(vector).toHaveLength(100);
      expect(vector!.every(Number.isFinite)).toBe(true);
    });

    it.each([2046, 2047, 10_000])('reads %i words, cut where the window ends', async (words) => {
      const [vector] = await embedder.embed([`${'table '.repeat(words)}`]);
      expect(length(vector!)).toBeCloseTo(1, 6);
    });

    it('gives a text the same vector alone and beside any other', async () => {
      const texts = ['cat', long, '', 'long waiting times', long.slice(0, 300)];
      const together = await embedder.embed(texts);
      for (const [at, text] of texts.entries()) {
        const [alone] = await embedder.embed([text]);
        expect(furthest(alone!, together[at]!), text.slice(0, 20)).toBeLessThan(1e-5);
      }
    });

    it('keeps the order of a batch that it reorders inside', async () => {
      const words = ['dog', 'house', 'river', 'music', 'winter', 'engine'];
      const texts = Array.from({ length: 100 }, (_, i) => `${words[i % 6]} `.repeat(1 + ((i * 37) % 50)));
      const vectors = await embedTexts(embedder, texts, { batchSize: 64 });
      const single = await embedder.embed(words);
      for (const [i, vector] of vectors.entries()) expect(cosine(vector, single[i % 6]!)).toBeCloseTo(1, 5);
    });

    it('counts tokens and states its window once loaded', async () => {
      await embedder.load?.();
      expect(embedder.countTokens?.('refunds take 14 days')).toBe(6);
      expect(embedder.countTokens?.('')).toBe(2);
      expect(embedder.maxInputTokens).toBe(2048);
    });

    it('rejects with the signal’s reason, and works on', async () => {
      const reason = new Error('enough');
      await expect(embedder.embed(['a'], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      const controller = new AbortController();
      const work = embedder.embed(Array(200).fill(long), { signal: controller.signal });
      setTimeout(() => controller.abort(reason), 5);
      await expect(work).rejects.toBe(reason);
      expect(await embedder.embed(['cat'])).toHaveLength(1);
    });

    it('runs one text at a time, in the order of the calls; one that fails holds up none', async () => {
      const { library, sessions } = await withDevices({}, load);
      const queued = make({ transformers: library });
      await queued.load?.();
      sessions.texts.length = 0;
      const reason = new Error('not this one');
      const stop = new AbortController();
      const texts = Array.from({ length: 12 }, (_, i) => `house number ${i}`);
      const calls = texts.map((text, i) => queued.embed([text], { ...(i === 5 && { signal: stop.signal }) }));
      stop.abort(reason);
      const settled = await Promise.allSettled(calls);
      expect(settled.map(({ status }) => status === 'fulfilled')).toEqual(texts.map((_, i) => i !== 5));
      expect(settled[5]).toEqual({ status: 'rejected', reason });
      expect(sessions.texts).toEqual(texts.filter((_, i) => i !== 5));
      expect(sessions.most).toBe(1);
    });

    it('serves calls made at the same time', async () => {
      const texts = Array.from({ length: 8 }, (_, i) => `house number ${i} `.repeat(i + 1));
      const apart = await Promise.all(texts.map((text) => embedder.embed([text])));
      const together = await embedder.embed(texts);
      expect(apart.flat().map((vector, i) => furthest(vector, together[i]!) < 1e-5)).toEqual(
        texts.map(() => true),
      );
    });
  });

  describe('the tokenizer alone', () => {
    it('counts as the model reads, special tokens and prefix included, before the model is there', async () => {
      const library = await load();
      const pipeline = vi.fn(library.pipeline);
      const { env, AutoTokenizer } = library;
      const transformers = { env, pipeline, AutoTokenizer } as never;
      const embedder = make({ transformers, passagePrefix: 'house ' });
      await Promise.all([embedder.loadTokenizer?.(), embedder.loadTokenizer?.()]);
      expect(pipeline).not.toHaveBeenCalled();
      const before = ['', 'refunds take 14 days', long].map((text) => embedder.countTokens!(text));
      expect(before.slice(0, 2)).toEqual([3, 7]);
      expect(embedder.maxInputTokens).toBe(2048);
      expect(embedder.countTokens).toBe(embedder.countTokens);
      expect(
        (embedder.countTokens as Length | undefined)?.id,
        'for the ids of splitters that measure by it',
      ).toMatch(/^glove-static@/);
      await embedder.load?.();
      expect(['', 'refunds take 14 days', long].map((text) => embedder.countTokens!(text))).toEqual(before);
      await embedder.loadTokenizer?.();
      expect(pipeline).toHaveBeenCalledTimes(1);
      await embedder.dispose?.();
      expect(embedder.countTokens).toBeUndefined();
    });

    it('is the model’s own where the library given has none to load alone', async () => {
      const { library, pipeline } = await watched(load);
      const embedder = make({ transformers: library });
      await embedder.loadTokenizer?.();
      expect(embedder.countTokens?.('')).toBe(2);
      expect(pipeline).toHaveBeenCalledTimes(1);
    });

    it('that is missing says so, and can be asked for again', async () => {
      const embedder = make({ model: 'none-such', allowRemote: false });
      for (let time = 0; time < 2; time++) {
        await expect(embedder.loadTokenizer?.()).rejects.toMatchObject({ code: 'MODEL_LOAD_FAILED' });
      }
      expect(embedder.countTokens).toBeUndefined();
    });
  });

  describe('options', () => {
    it('puts the prefixes before queries and passages, and into the id', async () => {
      const prefixed = make({ queryPrefix: 'money ', passagePrefix: 'house ' });
      const plain = make();
      const [query] = await prefixed.embed(['back'], { kind: 'query' });
      const [passage] = await prefixed.embed(['tree']);
      const [asQuery, asPassage] = await plain.embed(['money back', 'house tree']);
      expect(query).toEqual(asQuery);
      expect(passage).toEqual(asPassage);
      expect(prefixed.countTokens?.('tree')).toBe(4);
      expect(prefixed.id).toContain('query="money ";passage="house "');
    });

    it('leaves vectors as pooled without normalize', async () => {
      const [vector] = await make({ normalize: false }).embed(['house']);
      const [unit] = await make().embed(['house']);
      expect(length(vector!)).not.toBeCloseTo(1, 2);
      expect(cosine(vector!, unit!) / length(vector!)).toBeCloseTo(1, 6);
    });

    it('are checked at once, and by name', () => {
      for (const [name, value] of [
        ['model', '../secrets'],
        ['model', ''],
        ['pooling', 'max'],
        ['dtype', 'q9'],
        ['batchSize', 0],
        ['modelPath', ''],
      ] as const) {
        const message = expect.stringContaining(name);
        expect(() => make({ [name]: value })).toThrow(
          expect.objectContaining({ code: 'INVALID_OPTION', message }),
        );
      }
    });

    it('a kind of file that library or model does not have is refused when it is loaded', async () => {
      const code = load === xenova ? 'INVALID_OPTION' : 'MODEL_LOAD_FAILED';
      await expect(make({ dtype: 'q4' }).load?.()).rejects.toMatchObject({ code });
    });
  });

  describe('loading', () => {
    it('happens once for all who ask at the same time', async () => {
      const { library, pipeline } = await watched(load);
      const embedder = make({ transformers: library });
      await Promise.all([embedder.load?.(), embedder.load?.(), embedder.load?.(), embedder.embed(['cat'])]);
      expect(pipeline).toHaveBeenCalledTimes(1);
    });

    it('takes a module, a promise of it, or a function', async () => {
      const module = await load();
      for (const transformers of [module, Promise.resolve(module), () => module, async () => module]) {
        expect(await make({ transformers: transformers as never }).embed(['cat'])).toHaveLength(1);
      }
    });

    it('reports bytes that only grow, with numbers throughout', async () => {
      const reports: LoadProgress[] = [];
      await make().load?.({ onProgress: (progress) => reports.push({ ...progress }) });
      expect(reports.length).toBeGreaterThan(3);
      for (const [at, { loaded, total }] of reports.entries()) {
        expect(loaded).toBeGreaterThanOrEqual(at === 0 ? 0 : reports[at - 1]!.loaded);
        expect(total === 0 || total >= loaded).toBe(true);
      }
      const last = reports.at(-1)!;
      expect([last.loaded, last.loaded > 5e6]).toEqual([last.total, true]);
    });

    it('puts the library’s settings back', async () => {
      const env = (await load()).env as Record<string, unknown>;
      const names = ['useBrowserCache', 'useFSCache', 'useCustomCache', 'customCache'];
      const settings = () => names.map((name) => env[name]);
      const before = settings();
      await make().load?.();
      await make({ model: 'none-such', allowRemote: false })
        .load?.()
        .catch(() => {});
      expect(settings()).toEqual(before);
    });

    it('one caller may leave without stopping the others', async () => {
      const embedder = make();
      const controller = new AbortController();
      const [leaving, staying] = [embedder.load?.({ signal: controller.signal }), embedder.load?.()];
      controller.abort(new Error('left'));
      await expect(leaving).rejects.toThrow('left');
      await staying;
      expect(embedder.countTokens?.('cat')).toBe(3);
    });

    it('stops when the last caller leaves, and starts anew when asked', async () => {
      const { library, pipeline } = await watched(load);
      const embedder = make({ transformers: library });
      const controller = new AbortController();
      const leaving = embedder.load?.({ signal: controller.signal });
      controller.abort(new Error('left'));
      await expect(leaving).rejects.toThrow('left');
      expect(pipeline).not.toHaveBeenCalled();
      expect(await embedder.embed(['cat'])).toHaveLength(1);
    });

    it('can be done and undone ten times', async () => {
      for (let round = 0; round < 10; round++) {
        const embedder = make();
        await embedder.embed(['cat']);
        await embedder.dispose?.();
      }
    });

    it('starts again after dispose', async () => {
      const embedder = make();
      const [before] = await embedder.embed(['cat']);
      await embedder.dispose?.();
      await embedder.dispose?.();
      expect(embedder.countTokens).toBeUndefined();
      expect(await embedder.embed(['cat'])).toEqual([before]);
    });

    it('says what is missing, and where', async () => {
      const missing = make({ model: 'none-such', allowRemote: false }).load?.();
      await expect(missing).rejects.toMatchObject({
        code: 'MODEL_LOAD_FAILED',
        message: expect.stringContaining('none-such/config.json'),
      });
      const noLibrary = make({ transformers: () => Promise.reject(new Error('offline')) }).load?.();
      await expect(noLibrary).rejects.toMatchObject({
        code: 'MODEL_LOAD_FAILED',
        message: expect.stringContaining('offline'),
      });
      await expect(make({ transformers: {} as never }).load?.()).rejects.toMatchObject({
        code: 'MODEL_LOAD_FAILED',
      });
    });

    it('says memory where memory is short', async () => {
      const { env } = await load();
      const pipeline = () =>
        Promise.reject(new Error('no available backend found. ERR: [wasm] RangeError: Out of memory'));
      const loading = make({ transformers: { env, pipeline } as never }).load?.();
      await expect(loading).rejects.toMatchObject({
        code: 'MODEL_LOAD_FAILED',
        message: expect.stringMatching(/not enough memory/),
      });
    });
  });
}
