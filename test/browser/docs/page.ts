import { connectIndex } from '../../../src/worker/index.ts';

const index = await connectIndex(
  () => new Worker(new URL('./rag.worker.ts', import.meta.url), { type: 'module' }),
);

const stop = new AbortController();
await index.add(
  [{ uri: 'refunds.md', text: '# Refunds\n\nRefunds are issued within 14 days of the return.' }],
  { signal: stop.signal, onProgress: ({ stage, done, total }) => console.log(stage, done, total) },
);
for (const hit of await index.search('how long do refunds take?', { mode: 'hybrid' })) {
  console.log(hit.docUri, hit.heading, hit.charStart, hit.charEnd);
}

await index.close();
