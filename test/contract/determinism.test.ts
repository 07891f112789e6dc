import { beforeAll, describe, expect, it } from 'vitest';
import { type GivenVectors, modelVectors, type Work, work } from '../determinism/work.ts';
import { readDataFile } from '../vectors.ts';

/** What Node with the WebAssembly kernel gave. After an intended change: `node test/determinism/update.mjs`. */
const kept = JSON.parse(new TextDecoder().decode(await readDataFile('determinism.json'))) as Work & {
  model: GivenVectors;
};

const kernels = ['wasm', 'js'] as const;

describe.each(kernels)(
  'what Node made with the kernel in WebAssembly, made here with the one in %s',
  (kernel) => {
    let done: Work;
    beforeAll(async () => {
      done = await work(kernel, kept.model);
    }, 120_000);

    for (const section of ['rarities', 'vectors', 'chunks', 'lexicon', 'fused', 'index'] as const) {
      it.each(Object.keys(kept[section]))(`${section}, to the last bit: %s`, (name) => {
        expect(done[section][name]).toEqual(kept[section][name]);
      });
    }
  },
);

it('the bundled model gives the vectors it gave in Node, to the sixth decimal', async () => {
  const made = await modelVectors();
  expect(Object.keys(made)).toEqual(Object.keys(kept.model));
  for (const [text, vector] of Object.entries(made)) {
    const apart = vector.map((value, at) => Math.abs(value - kept.model[text]![at]!));
    expect(Math.max(...apart), text).toBeLessThan(1e-6);
  }
});
