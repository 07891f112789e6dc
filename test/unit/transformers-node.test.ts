import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { transformersEmbedder } from '../../src/embed/transformers.ts';
import { transformersSuite } from '../transformers-suite.ts';

const models = resolve(import.meta.dirname, '../../models');

transformersSuite({});

describe('modelPath in Node', () => {
  it.each([
    ['the package’s own models by default', undefined],
    ['an absolute path', models],
    ['a path from the working folder', relative(process.cwd(), models)],
    ['a file: address', pathToFileURL(models).href],
  ])('is %s', async (_, modelPath) => {
    expect(await transformersEmbedder({ modelPath }).embed(['cat'])).toHaveLength(1);
  });
});

describe('a model that is not as it should be', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'shelfmark-models-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A copy of the bundled model under another name, and the embedder for it. */
  function copy(name: string, options = {}) {
    const path = (file: string) => join(folder, name, file);
    cpSync(join(models, 'glove-static'), join(folder, name), { recursive: true });
    return {
      path,
      embedder: transformersEmbedder({ model: name, modelPath: folder, allowRemote: false, ...options }),
    };
  }

  it('works, once put right, with the same embedder', async () => {
    const { path, embedder } = copy('cut');
    const onnx = path('onnx/model_quantized.onnx');
    truncateSync(onnx, 1_000_000);
    await expect(embedder.embed(['cat'])).rejects.toMatchObject({
      code: 'MODEL_LOAD_FAILED',
      message: expect.stringMatching(/model_quantized\.onnx is cut off.*1000000 bytes/),
    });
    cpSync(join(models, 'glove-static/onnx/model_quantized.onnx'), onnx);
    expect(await embedder.embed(['cat'])).toHaveLength(1);
  });

  it('works after a graph the runtime refuses', async () => {
    const { path, embedder } = copy('odd');
    const onnx = path('onnx/model_quantized.onnx');
    const whole = readFileSync(onnx);
    const odd = Buffer.from(whole);
    odd.write('Gathex', odd.indexOf('Gather'));
    writeFileSync(onnx, odd);
    // The library itself warns here.
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    await expect(embedder.load?.()).rejects.toMatchObject({
      code: 'MODEL_LOAD_FAILED',
      message: expect.stringContaining('Model odd did not start'),
    });
    warn.mockRestore();
    writeFileSync(onnx, whole);
    expect(await embedder.embed(['cat'])).toHaveLength(1);
  });

  it('is named where a JSON file is none', async () => {
    const { path, embedder } = copy('json');
    writeFileSync(path('tokenizer.json'), '{"model":');
    await expect(embedder.load?.()).rejects.toMatchObject({
      code: 'MODEL_LOAD_FAILED',
      message: expect.stringMatching(/json\/tokenizer\.json answered 9 bytes that aren't JSON/),
    });
  });

  it('must have its pooling stated, by its files or by the option', async () => {
    const { path, embedder } = copy('silent');
    rmSync(path('1_Pooling'), { recursive: true });
    await expect(embedder.load?.()).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining('pooling'),
    });
    const told = transformersEmbedder({
      model: 'silent',
      modelPath: folder,
      allowRemote: false,
      pooling: 'mean',
    });
    expect(told.id).toContain('pooling=mean');
    expect(await told.embed(['cat'])).toHaveLength(1);
  });

  it('pools as its own file says', async () => {
    const { path, embedder } = copy('first', { normalize: false });
    const pooling = { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false };
    writeFileSync(path('1_Pooling/config.json'), JSON.stringify(pooling));
    // [CLS] is a zero row of this model.
    expect(await embedder.embed(['cat'])).toEqual([new Float32Array(100)]);
  });

  it('learns its length when it is loaded, and its window from the smaller of two', async () => {
    const { path, embedder } = copy('other');
    const config = JSON.parse(readFileSync(path('config.json'), 'utf8'));
    writeFileSync(path('config.json'), JSON.stringify({ ...config, max_position_embeddings: 16 }));
    expect([embedder.dimensions, embedder.maxInputTokens]).toEqual([0, undefined]);
    await embedder.load?.();
    expect([embedder.dimensions, embedder.maxInputTokens]).toEqual([100, 16]);
    const [short, long] = await embedder.embed([
      'table '.repeat(15),
      `${'table '.repeat(15)}music music music`,
    ]);
    expect(long).toEqual(short);
  });

  it.each([
    ['neither file says', {}, {}, undefined],
    ['the tokenizer says that there is none', { model_max_length: 1e30 }, {}, undefined],
    ['the tokenizer says what no model reads', { model_max_length: 0 }, {}, undefined],
    ['only the model says', { model_max_length: 1e30 }, { n_positions: 64 }, 64],
    ['the tokenizer says less', { model_max_length: 20 }, { max_position_embeddings: 64 }, 20],
    ['positions begin after the padding', {}, { model_type: 'xlm-roberta', max_position_embeddings: 66 }, 64],
    ['a part of the model says', {}, { text_config: { max_position_embeddings: 32 } }, 32],
  ])('learns its window from the tokenizer alone: %s', async (_, tokenizer, model, window) => {
    const { path, embedder } = copy('windows');
    const write = (file: string, more: object) => {
      const {
        model_max_length: _a,
        max_position_embeddings: _b,
        ...rest
      } = JSON.parse(readFileSync(path(file), 'utf8'));
      writeFileSync(path(file), JSON.stringify({ ...rest, ...more }));
    };
    write('tokenizer_config.json', tokenizer);
    write('config.json', model);
    expect(embedder.maxInputTokens).toBeUndefined();
    await embedder.loadTokenizer?.();
    expect(embedder.maxInputTokens).toBe(window);
    expect(embedder.countTokens?.('a cat')).toBe(4);
    if (window === undefined) return;
    // The first and the last text that fit, and one that does not (B129).
    for (const words of [window - 2, window - 1, 4 * window]) {
      const [vector] = await embedder.embed(['table '.repeat(words)]);
      expect(vector!.every(Number.isFinite)).toBe(true);
    }
  });

  it('works where its tokeniser gives an empty text no tokens', async () => {
    const { path, embedder } = copy('bare');
    const tokenizer = JSON.parse(readFileSync(path('tokenizer.json'), 'utf8'));
    writeFileSync(path('tokenizer.json'), JSON.stringify({ ...tokenizer, post_processor: null }));
    const vectors = await embedder.embed(['', 'cat', '  ', 'dog']);
    expect(vectors.map((vector) => [vector.length, vector.some((x) => x !== 0)])).toEqual([
      [100, false],
      [100, true],
      [100, false],
      [100, true],
    ]);
    expect(await embedder.embed([''])).toEqual([new Float32Array(100)]);
  });
});

describe('a model from afar', () => {
  let server: Server;
  const asked: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url!);
      const file = /^\/team\/tiny\/resolve\/v1\/(.+)$/.exec(request.url!)?.[1];
      try {
        response.end(readFileSync(join(models, 'glove-static', file ?? 'none')));
      } catch {
        response.statusCode = 404;
        response.end();
      }
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  afterAll(() => server.close());

  async function withHost<T>(work: () => Promise<T>): Promise<T> {
    const { env } = await import('@xenova/transformers');
    const { remoteHost } = env;
    env.remoteHost = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    try {
      return await work();
    } finally {
      env.remoteHost = remoteHost;
    }
  }

  it('is fetched from the library’s host in the revision asked for', async () => {
    const embedder = transformersEmbedder({ model: 'team/tiny', revision: 'v1' });
    expect(await withHost(() => embedder.embed(['cat']))).toHaveLength(1);
    expect(embedder.id).toMatch(/^team\/tiny@v1;.*pooling=model/);
    expect(asked).toContain('/team/tiny/resolve/v1/onnx/model_quantized.onnx');
  });

  it('is never asked for without leave, and never for the bundled model', async () => {
    asked.length = 0;
    const refused = transformersEmbedder({ model: 'team/tiny', revision: 'v1', allowRemote: false });
    await expect(withHost(async () => refused.load?.())).rejects.toMatchObject({ code: 'MODEL_LOAD_FAILED' });
    const bundled = transformersEmbedder({ modelPath: join(models, 'none') });
    await expect(withHost(async () => bundled.load?.())).rejects.toMatchObject({ code: 'MODEL_LOAD_FAILED' });
    expect(asked).toEqual([]);
  });

  it('names both places where it is in neither', async () => {
    const embedder = transformersEmbedder({ model: 'team/none', modelPath: models });
    await expect(withHost(async () => embedder.load?.())).rejects.toMatchObject({
      message: expect.stringMatching(
        /models\/team\/none\/config\.json answered ENOENT.*resolve\/main\/config\.json answered 404/,
      ),
    });
  });
});
