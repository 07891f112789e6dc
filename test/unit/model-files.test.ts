import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundled } from '../../src/embed/bundled.ts';
import { onnxFault } from '../../src/embed/onnx-check.ts';
import { poolingOf } from '../../src/embed/pooling.ts';

const folder = resolve(import.meta.dirname, '../../models/glove-static');
const read = (name: string) => readFileSync(join(folder, name));
const json = (name: string) => JSON.parse(read(name).toString('utf8'));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('the bundled model', () => {
  const sums = new Map(
    read('SHA256SUMS')
      .toString('utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('  ').reverse() as [string, string]),
  );

  it('is the files its hashes say, and no others', () => {
    const present = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
      .filter((name) => name !== 'SHA256SUMS' && name !== 'README.md')
      .sort();
    expect(present).toEqual([...sums.keys()].sort());
    for (const [name, sum] of sums) expect(sha256(read(name)), name).toBe(sum);
  });

  it('is what the code says of it before it is loaded', () => {
    expect(sha256(read('SHA256SUMS')).slice(0, 8)).toBe(bundled.revision);
    expect(json('config.json').hidden_size).toBe(bundled.dimensions);
    expect(json('tokenizer_config.json').model_max_length).toBe(bundled.maxInputTokens);
    expect(poolingOf('glove-static', json('1_Pooling/config.json'), json('modules.json'))).toBe(
      bundled.pooling,
    );
  });

  it('has one row a word, special tokens first', () => {
    const vocabulary = Object.values<number>(json('tokenizer.json').model.vocab);
    expect(vocabulary).toHaveLength(json('config.json').vocab_size);
    expect([...vocabulary].sort((a, b) => a - b)).toEqual(vocabulary.map((_, id) => id));
    expect(Object.keys(json('tokenizer.json').model.vocab).slice(0, 4)).toEqual([
      '[PAD]',
      '[UNK]',
      '[CLS]',
      '[SEP]',
    ]);
  });

  it('stays small', () => {
    const size = [...sums.keys()].reduce((sum, name) => sum + read(name).length, 0);
    expect(size).toBeLessThan(6_500_000);
  });
});

describe('the check of an ONNX file', () => {
  const whole = new Uint8Array(read('onnx/model_quantized.onnx'));

  it('passes the whole file', () => expect(onnxFault(whole)).toBeUndefined());

  it('sees that the end is missing, wherever the cut is', () => {
    for (const end of [whole.length - 1, whole.length / 2, 1000, 20]) {
      expect(onnxFault(whole.subarray(0, end)), String(end)).toMatch(/cut off|no ONNX file/);
    }
  });

  it('refuses what is no ONNX file', () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    expect(onnxFault(bytes(''))).toBe('is empty');
    for (const text of ['version https://git-lfs.github.com/spec/v1\n', 'Not found', '{}', '\0\0\0\0']) {
      expect(onnxFault(bytes(text)), text).toMatch(/no ONNX file|cut off/);
    }
  });
});

describe('pooling', () => {
  it('follows the file', () => {
    expect(poolingOf('m', { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false }, undefined)).toBe(
      'cls',
    );
    expect(poolingOf('m', { pooling_mode_lasttoken: true }, undefined)).toBe('last_token');
  });

  it('must be given where no file says it', () => {
    expect(() => poolingOf('m', undefined, undefined)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining('pooling') }),
    );
  });

  it('refuses what transformers.js would leave out', () => {
    const dense = [{ type: 'sentence_transformers.models.Dense' }];
    for (const [pooling, modules] of [
      [{ pooling_mode_mean_tokens: true, pooling_mode_max_tokens: true }, undefined],
      [{ pooling_mode_weightedmean_tokens: true }, undefined],
      [{ pooling_mode_mean_tokens: true }, dense],
    ]) {
      expect(() => poolingOf('m', pooling, modules)).toThrow(
        expect.objectContaining({ code: 'UNSUPPORTED' }),
      );
    }
  });
});
