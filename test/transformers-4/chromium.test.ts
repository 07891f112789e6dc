import { describe, expect, it, vi } from 'vitest';
import { transformersEmbedder } from '../../src/embed/transformers.ts';
import { referenceSentence, referenceVector } from '../reference-vector.ts';
import { cosine, type TransformersLike, transformersSuite } from '../transformers-suite.ts';

const load = () => import('@huggingface/transformers') as unknown as Promise<TransformersLike>;
const transformers = load as never;

let runs = 0;
function served(fault: string) {
  const run = `v4-${++runs}-${Date.now()}`;
  const base = `/__faults/${fault}/${run}/`;
  const requests = async (): Promise<string[]> => (await fetch(`/__faults/requests/${run}`)).json();
  return { requests, paths: { modelPath: `${base}models/`, wasmPaths: `${base}ort/` } };
}
const right = Float32Array.from(referenceVector);

// First in the file, because ONNX Runtime starts once a page and a test page is one page.
it('asks for its runtime before it starts, so that a missing one can be put right', async () => {
  const embedder = transformersEmbedder({ ...served('wasm').paths, transformers });
  await expect(embedder.load?.()).rejects.toMatchObject({
    code: 'MODEL_LOAD_FAILED',
    message: expect.stringMatching(/ort-wasm-simd-threaded\.wasm answered 404.*onnxruntime-web/),
  });
  expect(await embedder.embed(['cat'])).toHaveLength(1);
});

transformersSuite({ ...served('none').paths, transformers }, load);

describe('requests', () => {
  it('never leave the origin', async () => {
    performance.setResourceTimingBufferSize(10_000);
    const fetched = vi.spyOn(globalThis, 'fetch');
    const embedder = transformersEmbedder({ ...served('none').paths, transformers });
    await embedder.embed(['How do I get my money back?']);
    const addresses = [
      ...performance.getEntriesByType('resource').map((entry) => entry.name),
      ...fetched.mock.calls.map(([input]) => String(input instanceof Request ? input.url : input)),
    ];
    fetched.mockRestore();
    expect(addresses.length).toBeGreaterThan(5);
    expect(addresses.filter((address) => new URL(address, location.href).origin !== location.origin)).toEqual(
      [],
    );
  });
});

describe('WebGPU', () => {
  const make = (options: object) =>
    transformersEmbedder({ ...served('none').paths, transformers, device: 'webgpu', ...options });

  it('without an adapter, or without WebGPU at all, falls back to WASM with a note (B137)', async () => {
    const { gpu } = navigator as unknown as { gpu?: object };
    try {
      for (const found of [undefined, { requestAdapter: async () => null }]) {
        Object.defineProperty(navigator, 'gpu', { value: found, configurable: true });
        const onNote = vi.fn();
        const embedder = make({ onNote });
        const [vector] = await embedder.embed([referenceSentence]);
        expect(cosine(vector!, right)).toBeGreaterThan(0.999_999);
        const note = { code: 'NO_WEBGPU', message: expect.stringContaining('runs on WASM') };
        expect(embedder.runtime).toMatchObject({ device: 'wasm', threads: 1, notes: [note] });
        expect(onNote.mock.calls).toEqual([[note]]);
      }
    } finally {
      Object.defineProperty(navigator, 'gpu', { value: gpu, configurable: true });
    }
  });

  it('is not tried where the runtime was started without, which cannot be undone', async () => {
    const { gpu } = navigator as unknown as { gpu?: object };
    Object.defineProperty(navigator, 'gpu', {
      value: { requestAdapter: async () => ({}) },
      configurable: true,
    });
    try {
      const embedder = make({});
      expect(await embedder.embed(['cat'])).toHaveLength(1);
      expect(embedder.runtime).toMatchObject({
        device: 'wasm',
        notes: [{ code: 'NO_WEBGPU', message: expect.stringContaining('load the model for WebGPU first') }],
      });
    } finally {
      Object.defineProperty(navigator, 'gpu', { value: gpu, configurable: true });
    }
  });
});
