/// <reference lib="webworker" />
import { transformersEmbedder } from '../src/embed/transformers.ts';
import type { Embedder } from '../src/index.ts';
import type { FromWorker, ToWorker } from './embed-protocol.ts';

// The model runs here, so that neither loading it nor a batch ever holds up typing.

let embedder: Embedder | undefined;

const post = (message: FromWorker, transfer: Transferable[] = []): void =>
  (self as unknown as DedicatedWorkerGlobalScope).postMessage(message, transfer);

self.addEventListener('message', async ({ data }: MessageEvent<ToWorker>) => {
  try {
    if (data.type === 'open') {
      embedder ??= transformersEmbedder({ modelPath: data.modelPath, wasmPaths: data.wasmPaths });
      await embedder.load?.();
      post({ type: 'opened', id: data.id });
      return;
    }
    if (!embedder) throw new Error('The worker was asked to embed before it was opened.');
    const vectors = await embedder.embed(data.texts, { kind: data.kind });
    post(
      { type: 'vectors', id: data.id, vectors },
      vectors.map((vector) => vector.buffer),
    );
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'WORKER_FAILED';
    post({
      type: 'failed',
      id: data.id,
      code,
      message: error instanceof Error ? error.message : String(error),
    });
  }
});
