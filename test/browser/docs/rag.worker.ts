import { transformersEmbedder } from '../../../src/embed/transformers.ts';
import { serveIndex } from '../../../src/worker/index.ts';

serveIndex({
  name: 'handbook-in-a-worker',
  embedder: transformersEmbedder({
    modelPath: new URL('/models/', self.location.href).href,
    wasmPaths: new URL('/ort/', self.location.href).href,
  }),
});
