import { transformersEmbedder } from '../../src/embed/transformers.ts';

/** Embeds what it is sent, with a model and runtime whose addresses are relative to this worker's own. */
self.onmessage = async ({
  data,
}: MessageEvent<{ texts: string[]; modelPath: string; wasmPaths: string }>) => {
  const { texts, ...paths } = data;
  try {
    const embedder = transformersEmbedder(paths);
    self.postMessage({ vectors: await embedder.embed(texts) });
  } catch (error) {
    self.postMessage({ error: String(error) });
  }
};
