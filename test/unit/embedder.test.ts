import { describe, expect, it, vi } from 'vitest';
import { asEmbedder, embedTexts } from '../../src/embed/embedder.ts';
import { transformersEmbedder } from '../../src/embed/transformers.ts';
import { ShelfmarkError } from '../../src/errors.ts';

/** Vectors that tell the texts apart: length, and a constant. */
const lengths = { embed: async (texts: readonly string[]) => texts.map((text) => [text.length, 1]) };
const answering = (answer: unknown) => ({ embed: async () => answer as number[][] });
const coded = (code: string, ...words: string[]) =>
  expect.objectContaining({
    code,
    message: expect.stringMatching(new RegExp(words.map((word) => `(?=.*${word})`).join(''))),
  });

describe('asEmbedder', () => {
  it('takes anything that embeds', async () => {
    const embedder = asEmbedder(lengths);
    expect(await embedder.embed(['a', 'bcd'])).toEqual([Float32Array.of(1, 1), Float32Array.of(3, 1)]);
    expect(embedder.id).toBe('custom');
  });

  it('learns the length of vectors from the first batch', async () => {
    const embedder = asEmbedder({ ...lengths });
    expect(embedder.dimensions).toBe(0);
    await embedder.embed(['a']);
    expect(embedder.dimensions).toBe(2);
  });

  it('gives the same embedder for the same object, and for itself', () => {
    expect(asEmbedder(lengths)).toBe(asEmbedder(lengths));
    expect(asEmbedder(asEmbedder(lengths))).toBe(asEmbedder(lengths));
  });

  it('keeps what the object says of itself, also what it learns later', async () => {
    class Real {
      readonly id = 'real@1';
      dimensions = 0;
      countTokens: ((text: string) => number) | undefined;
      async load() {
        this.dimensions = 2;
        this.countTokens = (text) => text.split(' ').length;
      }
      async embed(texts: readonly string[]) {
        return texts.map(() => new Float64Array(this.dimensions));
      }
    }
    const embedder = asEmbedder(new Real());
    expect([embedder.id, embedder.dimensions, embedder.countTokens]).toEqual(['real@1', 0, undefined]);
    await embedder.load?.();
    expect([embedder.dimensions, embedder.countTokens?.('a b c')]).toEqual([2, 3]);
    expect(await embedder.embed(['x'])).toEqual([new Float32Array(2)]);
  });

  it('keeps the floor that suits the model, the bundled one its own', () => {
    expect(asEmbedder({ ...lengths, minScore: 0.4 }).minScore).toBe(0.4);
    expect(asEmbedder({ ...lengths }).minScore).toBeUndefined();
    for (const minScore of [0, -0.5, 1.01, Number.NaN, '0.5' as unknown as number]) {
      expect(() => asEmbedder({ ...lengths, minScore })).toThrow(
        coded('INVALID_OPTION', 'embedder.minScore is'),
      );
    }
    expect(asEmbedder(transformersEmbedder()).minScore).toBe(0.62);
    expect(transformersEmbedder({ model: 'another', pooling: 'mean' }).minScore).toBeUndefined();
  });

  it('keeps the weight that suits the model', () => {
    expect(asEmbedder({ ...lengths, semanticWeight: 0.2 }).semanticWeight).toBe(0.2);
    expect(asEmbedder({ ...lengths }).semanticWeight).toBeUndefined();
    expect(() => asEmbedder({ ...lengths, semanticWeight: 2 })).toThrow(
      coded('INVALID_OPTION', 'embedder.semanticWeight is 2'),
    );
  });

  it('refuses what can not embed', () => {
    for (const bad of [{}, null, undefined, { embed: 1 }]) {
      expect(() => asEmbedder(bad as never)).toThrow(coded('INVALID_OPTION', 'embedder'));
    }
    expect(() => asEmbedder({ ...lengths, dimensions: -1 })).toThrow(coded('INVALID_OPTION', 'dimensions'));
    expect(() => asEmbedder({ ...lengths, id: '' })).toThrow(coded('INVALID_OPTION', 'embedder.id'));
    for (const name of ['countTokens', 'loadTokenizer', 'maxInputTokens']) {
      expect(() => asEmbedder({ ...lengths, [name]: 'x' })).toThrow(coded('INVALID_OPTION', name));
    }
  });

  it('asks nothing for no texts', async () => {
    const embed = vi.fn(lengths.embed);
    expect(await asEmbedder({ embed }).embed([])).toEqual([]);
    expect(embed).not.toHaveBeenCalled();
  });
});

describe('embedTexts', () => {
  const texts = Array.from({ length: 10 }, (_, i) => 'x'.repeat(i));

  it('goes in batches, keeps the order and reports after each', async () => {
    const embed = vi.fn(lengths.embed);
    const onProgress = vi.fn();
    const vectors = await embedTexts({ embed }, texts, { batchSize: 4, onProgress, kind: 'query' });
    expect(vectors.map((vector) => vector[0])).toEqual(texts.map((text) => text.length));
    expect(embed.mock.calls.map(([batch]) => batch.length)).toEqual([4, 4, 2]);
    expect(embed.mock.calls[0]).toEqual([expect.anything(), { kind: 'query', signal: undefined }]);
    expect(onProgress.mock.calls.flat()).toEqual([4, 8, 10].map((done) => ({ done, total: 10 })));
  });

  it('keeps zero vectors', async () => {
    expect(await embedTexts(answering([[0, 0]]), ['?'])).toEqual([new Float32Array(2)]);
  });

  it('names the text whose vector holds no finite numbers', async () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, 1e39, null, '1', undefined]) {
      const embed = async (batch: readonly string[]) =>
        batch.map((text) => (text.length === 7 ? [1, bad as number] : [1, 2]));
      await expect(embedTexts({ embed }, texts, { batchSize: 4 })).rejects.toEqual(
        coded('INVALID_VECTOR', 'text 7', 'place 1'),
      );
    }
    await expect(embedTexts(answering([[]]), ['a'])).rejects.toEqual(coded('INVALID_VECTOR', 'text 0'));
    await expect(embedTexts(answering(['ab']), ['a'])).rejects.toEqual(coded('INVALID_VECTOR', 'text 0'));
  });

  it('names both lengths where they differ, within a batch, between batches and from what was stated', async () => {
    await expect(embedTexts(answering([[1, 2], [1]]), ['a', 'b'])).rejects.toEqual(
      coded('DIMENSION_MISMATCH', 'text 1', 'has 1 ', 'of 2'),
    );
    const growing = { embed: async ([text]: readonly string[]) => [new Float32Array(2 + text!.length)] };
    await expect(embedTexts(growing, ['', 'a'], { batchSize: 1 })).rejects.toEqual(
      coded('DIMENSION_MISMATCH', 'text 1', 'has 3 ', 'of 2'),
    );
    await expect(embedTexts({ ...lengths, dimensions: 384 }, ['a'])).rejects.toEqual(
      coded('DIMENSION_MISMATCH', 'has 2 ', 'of 384'),
    );
  });

  it('refuses too few vectors, too many, and none', async () => {
    for (const answer of [[[1]], [[1], [1], [1]], undefined, 'vectors']) {
      await expect(embedTexts(answering(answer), ['a', 'b'])).rejects.toEqual(
        coded('EMBEDDER_FAILED', '2 texts'),
      );
    }
  });

  it('wraps a failure with its cause, and lets errors of this library through', async () => {
    const cause = new TypeError('no network');
    const fails = { id: 'remote', embed: () => Promise.reject(cause) };
    const error = await embedTexts(fails, ['a']).catch((thrown: unknown) => thrown);
    expect(error).toEqual(coded('EMBEDDER_FAILED', 'remote', 'no network'));
    expect((error as Error).cause).toBe(cause);
    const throws = {
      embed: () => {
        throw cause;
      },
    };
    await expect(embedTexts(throws, ['a'])).rejects.toMatchObject({ code: 'EMBEDDER_FAILED', cause });
    const own = new ShelfmarkError('MODEL_LOAD_FAILED', 'gone');
    await expect(embedTexts({ embed: () => Promise.reject(own) }, ['a'])).rejects.toBe(own);
  });

  it('stops within a batch, with the signal’s own reason', async () => {
    const reason = new Error('changed my mind');
    const controller = new AbortController();
    const embed = vi.fn(async (batch: readonly string[]) => {
      if (embed.mock.calls.length === 2) {
        controller.abort(reason);
        await new Promise(() => {}); // never ends: an embedder that doesn't heed the signal
      }
      return batch.map(() => [1]);
    });
    await expect(embedTexts({ embed }, texts, { batchSize: 2, signal: controller.signal })).rejects.toBe(
      reason,
    );
    expect(embed).toHaveBeenCalledTimes(2);
    await expect(embedTexts({ embed }, texts, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(embed).toHaveBeenCalledTimes(2);
  });

  it('goes on working after a failure', async () => {
    let calls = 0;
    const flaky = {
      embed: async (batch: readonly string[]) => {
        if (++calls === 1) throw new Error('once');
        return batch.map(() => [1]);
      },
    };
    await expect(embedTexts(flaky, ['a'])).rejects.toEqual(coded('EMBEDDER_FAILED', 'once'));
    expect(await embedTexts(flaky, ['a'])).toEqual([Float32Array.of(1)]);
  });

  it('refuses a batch size that is no whole number from 1', async () => {
    for (const batchSize of [0, -1, 1.5, Number.NaN]) {
      await expect(embedTexts(lengths, ['a'], { batchSize })).rejects.toEqual(
        coded('INVALID_OPTION', 'batchSize'),
      );
    }
  });
});
