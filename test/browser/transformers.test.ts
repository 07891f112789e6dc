import { describe, expect, it, vi } from 'vitest';
import { transformersEmbedder } from '../../src/embed/transformers.ts';
import { referenceSentence, referenceVector } from '../reference-vector.ts';
import { transformersSuite, watched } from '../transformers-suite.ts';

let runs = 0;

/** Addresses of a model that is wrong once in the way named, and what was asked for there. */
function served(fault: string) {
  const run = `run${++runs}-${Date.now()}`;
  const base = `/__faults/${fault}/${run}/`;
  const requests = async (): Promise<string[]> => (await fetch(`/__faults/requests/${run}`)).json();
  return { base, run, requests, paths: { modelPath: `${base}models/`, wasmPaths: `${base}ort/` } };
}

// First in the file, because ONNX Runtime starts once a page and a test page is one page.
describe('ONNX Runtime’s own files', () => {
  it('are asked for before it starts, so that a missing one can be put right', async () => {
    const { paths, base } = served('wasm');
    const embedder = transformersEmbedder(paths);
    await expect(embedder.load?.()).rejects.toMatchObject({
      code: 'MODEL_LOAD_FAILED',
      message: expect.stringMatching(`${base}ort/ort-wasm-simd.wasm answered 404.*wasmPaths`),
    });
    expect(await embedder.embed(['cat'])).toHaveLength(1);
  });
});

transformersSuite(served('none').paths);

describe('a model that is not as it should be', () => {
  it.each([
    [
      'missing',
      /models\/glove-static\/onnx\/model_quantized\.onnx answered 404.*folder models of the shelfmark package.*modelPath/,
    ],
    // B118
    ['html', /models\/glove-static\/config\.json answered an HTML page instead of a model file/],
    ['truncated', /models\/glove-static\/onnx\/model_quantized\.onnx is cut off or damaged/],
  ])('%s: is named with its address, and works once put right', async (fault, message) => {
    const embedder = transformersEmbedder(served(fault).paths);
    const error: unknown = await embedder.embed(['cat']).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'MODEL_LOAD_FAILED', message: expect.stringMatching(message) });
    expect((error as Error).message).toContain(`${location.origin}/__faults/`);
    expect(await embedder.embed(['cat'])).toHaveLength(1);
  });

  it('leaves nothing bad in the library’s cache', async () => {
    await transformersEmbedder(served('html').paths)
      .load?.()
      .catch(() => {});
    const cache = await caches.open('transformers-cache');
    expect(await cache.keys()).toEqual([]);
  });

  it('is a home page in the stead of a missing model: the remote host is tried, where allowed', async () => {
    const { env } = await import('@xenova/transformers');
    const { remoteHost, remotePathTemplate } = env;
    const { base, requests } = served('none');
    // The remote host serves the bundled model whatever it is asked for by name.
    Object.assign(env, {
      remoteHost: `${location.origin}${base}`,
      remotePathTemplate: 'models/glove-static/',
    });
    try {
      const make = () => transformersEmbedder({ model: 'far', modelPath: '/', wasmPaths: `${base}ort/` });
      expect(await make().embed(['cat'])).toHaveLength(1);
      const first = (await requests()).length;
      expect(await make().embed(['cat'])).toHaveLength(1);
      expect((await requests()).length, 'the second time it comes from the cache').toBe(first);
    } finally {
      Object.assign(env, { remoteHost, remotePathTemplate });
      await caches.delete('transformers-cache');
    }
  });
});

describe('requests', () => {
  it('are one a file, for three loads and an embed in one tick', async () => {
    const { paths, requests } = served('none');
    const { library, pipeline } = await watched();
    const embedder = transformersEmbedder({ ...paths, transformers: library });
    await Promise.all([embedder.load?.(), embedder.load?.(), embedder.load?.(), embedder.embed(['cat'])]);
    const asked = (await requests()).filter((path) => path.includes('/models/'));
    expect(asked.map((path) => path.split('glove-static/')[1]).sort()).toEqual([
      'config.json',
      'onnx/model_quantized.onnx',
      'tokenizer.json',
      'tokenizer_config.json',
    ]);
    expect(pipeline).toHaveBeenCalledTimes(1);
  });

  it('are three small ones for the tokenizer alone, and the model asks for none of them again', async () => {
    const { paths, requests } = served('none');
    const embedder = transformersEmbedder(paths);
    const asked = async () =>
      (await requests()).flatMap((path) => path.split('glove-static/')[1] ?? []).sort();
    await embedder.loadTokenizer?.();
    const first = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];
    expect(await asked()).toEqual(first);
    await embedder.load?.();
    expect(await asked()).toEqual([...first, 'onnx/model_quantized.onnx'].sort());
  });

  it('never leave the origin (B121)', async () => {
    performance.setResourceTimingBufferSize(10_000);
    const fetched = vi.spyOn(globalThis, 'fetch');
    const embedder = transformersEmbedder(served('none').paths);
    await embedder.embed(['How do I get my money back?'], { kind: 'query' });
    await embedder.dispose?.();
    const addresses = [
      ...performance.getEntriesByType('resource').map((entry) => entry.name),
      ...fetched.mock.calls.map(([input]) => String(input instanceof Request ? input.url : input)),
    ];
    fetched.mockRestore();
    expect(addresses.length).toBeGreaterThan(5);
    const foreign = addresses.filter((address) => new URL(address, location.href).origin !== location.origin);
    expect(foreign).toEqual([]);
  });

  it.each(['', 'index.html'])(
    'start from the page’s own folder by default (page /docs/app/%s, B123)',
    async (page) => {
      const { base, requests } = served('none');
      const element = document.head.appendChild(document.createElement('base'));
      element.href = `${base}docs/app/${page}`;
      const { env } = await import('@xenova/transformers');
      const wasm = env.backends.onnx.wasm;
      const kept = wasm.wasmPaths;
      wasm.wasmPaths = 'https://cdn.jsdelivr.net/npm/@xenova/transformers@2.17.2/dist/';
      try {
        expect(await transformersEmbedder().embed(['cat'])).toHaveLength(1);
      } finally {
        element.remove();
        wasm.wasmPaths = kept;
      }
      const asked = await requests();
      expect(asked.length).toBe(5);
      for (const path of asked) expect(path).toMatch(/\/docs\/app\/(models|ort)\//);
    },
  );

  it('report numbers where the server states no length, never NaN (B137)', async () => {
    const reports: number[] = [];
    const embedder = transformersEmbedder(served('unmeasured').paths);
    await embedder.load?.({ onProgress: ({ loaded, total }) => reports.push(loaded, total) });
    expect(reports.length).toBeGreaterThan(10);
    expect(reports.every(Number.isFinite)).toBe(true);
  });

  it('stop when the signal says so', async () => {
    const controller = new AbortController();
    const embedder = transformersEmbedder(served('none').paths);
    const load = embedder.load?.({
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('never mind')),
    });
    await expect(load).rejects.toThrow('never mind');
    expect(await embedder.embed(['cat'])).toHaveLength(1);
  });
});

describe('threads', () => {
  it('are one where the page is not isolated, and its status says so (B136)', async () => {
    const { env } = await import('@xenova/transformers');
    const wasm = env.backends.onnx.wasm;
    wasm.numThreads = 4;
    const onNote = vi.fn();
    const embedder = transformersEmbedder({ ...served('none').paths, onNote });
    await embedder.load?.();
    expect([crossOriginIsolated, wasm.numThreads]).toEqual([false, 1]);
    const note = { code: 'ONE_THREAD', message: expect.stringMatching(/one thread in place of 4.*isolated/) };
    expect(embedder.runtime).toEqual({ device: 'wasm', threads: 1, notes: [note] });
    expect(onNote.mock.calls).toEqual([[note]]);
  });
});

describe('a page whose policy forbids WebAssembly', () => {
  it('is told which word the policy lacks (B124)', async () => {
    const { base } = served('none');
    const frame = document.createElement('iframe');
    const answer = new Promise<unknown>((resolve) => {
      addEventListener('message', function listen({ data, source }) {
        if (source !== frame.contentWindow || data.shelfmark === undefined) return;
        removeEventListener('message', listen);
        resolve(data.shelfmark);
      });
    });
    frame.src = `${base}no-wasm.html`;
    document.body.append(frame);
    expect(await answer).toEqual({
      code: 'MODEL_LOAD_FAILED',
      message: expect.stringContaining("add 'wasm-unsafe-eval' to script-src"),
    });
    frame.remove();
  });
});

describe('in a worker', () => {
  it('gives the same vector', async () => {
    const worker = new Worker(new URL('./embed.worker.ts', import.meta.url), { type: 'module' });
    const answer = new Promise<{ vectors?: Float32Array[]; error?: string }>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => reject(new Error(event.message));
    });
    worker.postMessage({ texts: [referenceSentence], ...served('none').paths });
    const { vectors, error } = await answer;
    worker.terminate();
    expect(error).toBeUndefined();
    expect(Math.max(...vectors![0]!.map((x, d) => Math.abs(x - referenceVector[d]!)))).toBeLessThan(1e-6);
  });
});
