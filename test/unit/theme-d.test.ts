/** Cases from public bug reports of embedding in the browser, each with the right value; real models, run in Node. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bundledVector, selfTestSentence } from '../../src/embed/self-test.ts';
import { type TransformersEmbedderOptions, transformersEmbedder } from '../../src/embed/transformers.ts';
import { openIndex } from '../../src/open-index.ts';
import { referenceSentence, referenceVector } from '../reference-vector.ts';
import { cosine, withDevices } from '../transformers-suite.ts';

const models = resolve(import.meta.dirname, '../../models');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shelfmark-theme-d-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of the bundled model's files, under another name or its own. */
function copyOf(name: string, place = name): { modelPath: string; model: string; onnx: string } {
  const modelPath = join(folder, place);
  cpSync(join(models, 'glove-static'), join(modelPath, name), { recursive: true });
  return { modelPath, model: name, onnx: join(modelPath, name, 'onnx/model_quantized.onnx') };
}

describe('vectors', () => {
  it('of the bundled model are the reference’s, by a cosine above 0.99 (B132)', async () => {
    const [vector] = await transformersEmbedder().embed([referenceSentence]);
    expect(cosine(vector!, Float32Array.from(referenceVector))).toBeGreaterThan(0.999_999);
  });

  it('are the same alone and beside a text of 400 words (B127)', async () => {
    for (const batchSize of [1, 16]) {
      const embedder = transformersEmbedder({ batchSize });
      const long = 'The invoice of the third quarter was sent to another house. '.repeat(40);
      const [alone] = await embedder.embed(['cat']);
      const [together] = await embedder.embed(['cat', long]);
      expect(cosine(alone!, together!), `batchSize ${batchSize}`).toBeGreaterThan(0.999);
    }
  });

  it('of another dtype, revision, pooling, prefix or normalisation never mix with those that are kept (B126)', async () => {
    const { modelPath, model } = copyOf('mixed');
    const all = { modelPath, model, allowRemote: false };
    const variants: TransformersEmbedderOptions[] = [
      {},
      { dtype: 'fp32' },
      { revision: 'v2' },
      { pooling: 'cls' },
      { queryPrefix: 'query: ' },
      { passagePrefix: 'passage: ' },
      { normalize: false },
    ];
    const ids = variants.map((variant) => transformersEmbedder({ ...all, ...variant }).id);
    expect(new Set(ids).size).toBe(variants.length);

    const index = await openIndex({ persist: false, embedder: transformersEmbedder(all) });
    await index.add([{ uri: 'a.md', text: 'Refunds take 14 days.' }]);
    const file = new Uint8Array(await (await index.export()).arrayBuffer());
    const other = await openIndex({ from: file, embedder: transformersEmbedder({ ...all, dtype: 'fp32' }) });
    await expect(other.search('money back', { mode: 'semantic' })).rejects.toMatchObject({
      code: 'EMBEDDER_MISMATCH',
      message: expect.stringMatching(/dtype=q8.*dtype=fp32|dtype=fp32.*dtype=q8/s),
    });
  });

  it('follow the pooling of the model’s own files, else it must be given; the id records it (B131)', async () => {
    const { modelPath, model } = copyOf('first');
    const options = { modelPath, model, allowRemote: false, normalize: false };
    const config = join(modelPath, model, '1_Pooling/config.json');
    writeFileSync(config, JSON.stringify({ pooling_mode_cls_token: true }));
    const asked = await transformersEmbedder(options).embed(['cat']);
    const told = transformersEmbedder({ ...options, pooling: 'cls' });
    expect(await told.embed(['cat'])).toEqual(asked);
    expect(told.id).toContain('pooling=cls');
    rmSync(config);
    await expect(transformersEmbedder(options).embed(['cat'])).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining('pooling'),
    });
  });

  it.each(['', ' ', '\n\t', '\u200b'])('of an empty text (%j) are zero, not NaN (B142)', async (text) => {
    for (const normalize of [true, false]) {
      const [vector] = await transformersEmbedder({ normalize }).embed([text]);
      expect(vector).toEqual(new Float32Array(100));
    }
  });
});

describe('loading', () => {
  it('three times in one tick is one session, and one that failed can be tried again (B139)', async () => {
    const { library, pipeline } = await withDevices();
    const { modelPath, model, onnx } = copyOf('late');
    const bytes = readFileSync(onnx);
    rmSync(onnx);
    const embedder = transformersEmbedder({ modelPath, model, allowRemote: false, transformers: library });
    const three = () => Promise.allSettled([embedder.load?.(), embedder.load?.(), embedder.load?.()]);
    const refused = await three();
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(pipeline).not.toHaveBeenCalled();
    writeFileSync(onnx, bytes);
    expect((await three()).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect(await embedder.embed(['cat'])).toHaveLength(1);
    expect(pipeline).toHaveBeenCalledTimes(1);
  });

  it('and disposing ten times ends every session that was started (B133)', async () => {
    const { library, sessions } = await withDevices();
    const embedder = transformersEmbedder({ transformers: library });
    for (let round = 0; round < 10; round++) {
      await embedder.embed(['cat']);
      expect(embedder.runtime?.device).toBe('cpu');
      await embedder.dispose?.();
      expect(embedder.runtime).toBeUndefined();
    }
    expect([sessions.started, sessions.ended]).toEqual([10, 10]);
  });

  it('out of memory says memory, and the words are searched all the same (B134)', async () => {
    const { env } = await import('@xenova/transformers');
    const pipeline = () =>
      Promise.reject(
        new Error('no available backend found. ERR: [wasm] RangeError: WebAssembly.Memory(): out of memory'),
      );
    const embedder = transformersEmbedder({ transformers: { env, pipeline } as never });
    const index = await openIndex({ persist: false, embedder });
    await expect(index.add([{ uri: 'a.md', text: 'Refunds take 14 days.' }])).rejects.toMatchObject({
      code: 'MODEL_LOAD_FAILED',
      message: expect.stringMatching(/not enough memory/),
    });
    expect(await index.search('refunds')).toHaveLength(1);
  });
});

describe('the self-test at load', () => {
  it('knows the sentence and the vector of the bundled model', () => {
    expect(selfTestSentence).toBe(referenceSentence);
    const [known, exact] = [bundledVector(), Float32Array.from(referenceVector)];
    expect(cosine(known, exact) / Math.sqrt(cosine(known, known))).toBeGreaterThan(0.9999);
  });

  it('refuses files of the bundled model that are not those of its id', async () => {
    const { modelPath, onnx } = copyOf('glove-static', 'altered');
    const bytes = readFileSync(onnx);
    for (let at = 100_000; at < 4_000_000; at++) bytes[at] = (bytes[at]! * 31 + at) & 255;
    writeFileSync(onnx, bytes);
    await expect(transformersEmbedder({ modelPath }).load?.()).rejects.toMatchObject({
      code: 'MODEL_LOAD_FAILED',
      message: expect.stringMatching(
        /glove-static did not pass its self-test: it gave a wrong vector.*copy-model/,
      ),
    });
    // Under another name and revision they are somebody's own model.
    const own = transformersEmbedder({ modelPath, revision: 'mine' });
    expect(await own.embed(['cat'])).toHaveLength(1);
  });

  const damage: [string, (data: Float32Array) => void][] = [
    ['zeros', (data) => data.fill(0)],
    ['NaN', (data) => data.fill(Number.NaN, 0, 1)],
    ['halves exchanged', (data) => data.set(data.slice().reverse())],
  ];
  for (const [what, wrong] of damage) {
    it(`leaves a device whose vectors are wrong (${what}), with a note, whatever the model`, async () => {
      const { modelPath, model } = copyOf('own');
      for (const named of [{}, { modelPath, model, allowRemote: false }]) {
        const { library, sessions } = await withDevices({ webgpu: wrong });
        const onNote = vi.fn();
        const options = { ...named, transformers: library, device: 'webgpu', onNote };
        const embedder = transformersEmbedder(options);
        const [vector] = await embedder.embed([referenceSentence]);
        expect(cosine(vector!, Float32Array.from(referenceVector))).toBeGreaterThan(0.999_999);
        const note = {
          code: 'DEVICE_FAILED',
          message: expect.stringMatching(/runs on cpu instead of webgpu, which gave a (wrong )?vector/),
        };
        expect(embedder.runtime).toEqual({ device: 'cpu', threads: undefined, notes: [note] });
        expect(onNote.mock.calls).toEqual([[note]]);
        expect(sessions.started - sessions.ended).toBe(1);
      }
    });
  }

  it('leaves a device that does not start, and keeps one that computes rightly', async () => {
    const { modelPath, model } = copyOf('own');
    for (const named of [{}, { modelPath, model, allowRemote: false }]) {
      const { library } = await withDevices({ webgpu: 'refuses' });
      const failing = transformersEmbedder({ ...named, transformers: library, device: 'webgpu' });
      await failing.load?.();
      expect(failing.runtime).toMatchObject({ device: 'cpu', notes: [{ code: 'DEVICE_FAILED' }] });

      const { library: sound, sessions } = await withDevices({ webgpu: () => {} });
      const passing = transformersEmbedder({ ...named, transformers: sound, device: 'webgpu' });
      await passing.load?.();
      expect(passing.runtime).toEqual({ device: 'webgpu', threads: undefined, notes: [] });
      expect(sessions.started - sessions.ended).toBe(1);
    }
  });

  it('says that the older library has no devices', async () => {
    const onNote = vi.fn();
    const embedder = transformersEmbedder({ device: 'webgpu', onNote });
    await embedder.load?.();
    expect(embedder.runtime?.notes).toMatchObject([{ code: 'NO_DEVICES' }]);
    expect(onNote).toHaveBeenCalledTimes(1);
    const usual = transformersEmbedder();
    await usual.load?.();
    expect(usual.runtime).toEqual({ device: 'cpu', threads: undefined, notes: [] });
  });

  it('has notes whose listener may throw: the load rejects with that, and starts again', async () => {
    const onNote = vi.fn(() => {});
    onNote.mockImplementationOnce(() => {
      throw new Error('no notes, please');
    });
    const embedder = transformersEmbedder({ device: 'webgpu', onNote });
    await expect(embedder.load?.()).rejects.toThrow('no notes, please');
    expect(await embedder.embed(['cat'])).toHaveLength(1);
    expect(() => transformersEmbedder({ onNote: 1 as never })).toThrow(/onNote/);
  });
});
