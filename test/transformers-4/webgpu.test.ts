import { expect, it, vi } from 'vitest';
import { transformersEmbedder } from '../../src/embed/transformers.ts';
import { referenceSentence, referenceVector } from '../reference-vector.ts';
import { cosine, type TransformersLike, withDevices } from '../transformers-suite.ts';

// A page of its own: ONNX Runtime starts once a page, and here it is the build with WebGPU.
const load = () => import('@huggingface/transformers') as unknown as Promise<TransformersLike>;
const base = `/__faults/none/webgpu-${Date.now()}/`;
const paths = { modelPath: `${base}models/`, wasmPaths: `${base}ort/` };
const make = (options: object) =>
  transformersEmbedder({ ...paths, transformers: load as never, device: 'webgpu', ...options });
const right = Float32Array.from(referenceVector);

/** A GPU of software will do; without one these tests would show nothing. */
it('has an adapter here', async () => {
  const { gpu } = navigator as unknown as { gpu?: { requestAdapter(): Promise<unknown> } };
  expect(await gpu?.requestAdapter()).toBeTruthy();
});

it('names the runtime that WebGPU needs where that is not served, and loads once it is', async () => {
  await expect(make({ wasmPaths: '/nowhere/' }).load?.()).rejects.toMatchObject({
    code: 'MODEL_LOAD_FAILED',
    message: expect.stringMatching(/asyncify\.(mjs|wasm) .*copy-model leaves out/),
  });
});

it('computes the right vectors on WebGPU, alone and in a run of several, and says so', async () => {
  const onNote = vi.fn();
  const embedder = make({ onNote });
  const texts = [referenceSentence, 'cat', 'How do I get my money back? '.repeat(9), ''];
  const vectors = await embedder.embed(texts);
  expect(cosine(vectors[0]!, right)).toBeGreaterThan(0.9999);
  expect(vectors[3]).toEqual(new Float32Array(100));
  const onWasm = await make({ device: 'wasm' }).embed(texts);
  for (const at of [0, 1, 2]) expect(cosine(vectors[at]!, onWasm[at]!)).toBeGreaterThan(0.9999);
  expect(embedder.runtime).toEqual({ device: 'webgpu', threads: 1, notes: [] });
  expect(onNote).not.toHaveBeenCalled();
});

it('leaves a GPU that computes wrongly, or fails, for WASM, with a note', async () => {
  for (const damage of [(data: Float32Array) => void data.reverse(), 'refuses' as const]) {
    const { library } = await withDevices({ webgpu: damage }, load);
    const onNote = vi.fn();
    const embedder = make({ transformers: library, onNote });
    const [vector] = await embedder.embed([referenceSentence]);
    expect(cosine(vector!, right)).toBeGreaterThan(0.999_999);
    expect(embedder.runtime).toMatchObject({ device: 'wasm', notes: [{ code: 'DEVICE_FAILED' }] });
    expect(onNote).toHaveBeenCalledTimes(1);
  }
});
