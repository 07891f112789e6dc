import { connectIndex } from '../../../src/worker/index.ts';

const index = await connectIndex(new URL('/assets/worker-entry.js', location.href), {
  send: {
    name: 'ready-made',
    splitter: 'auto',
    embedder: {
      transformers: new URL('/assets/transformers.js', location.href).href,
      modelPath: new URL('/models/', location.href).href,
      wasmPaths: new URL('/ort/', location.href).href,
    },
  },
});

await index.add([{ uri: 'zoo.md', text: '# Zoo\n\nThe zebra sleeps in the shed.' }]);
const hits = await index.search('where does the animal sleep?', { mode: 'hybrid' });
console.log(hits[0]?.docUri, hits.legStates.semantic);
await index.close();
