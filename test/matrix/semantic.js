// A page that searches by meaning, in place of the app's main.js.
import { openIndex } from 'shelfmark';
import { transformersEmbedder } from 'shelfmark/transformers';

const embedder = transformersEmbedder({
  transformers: () => import('/ort/transformers.min.js'),
  modelPath: new URL('/models/', location.href).href,
  wasmPaths: new URL('/ort/', location.href).href,
});
const index = await openIndex({ persist: false, embedder });
const zoo = { uri: 'zoo.md', text: '# Zoo\n\nThe zebra sleeps in the shed.' };
const added = await index.add([zoo]).then(
  () => 'added',
  ({ code }) => code,
);
const hits = await index.search('where does the animal sleep in the shed?', { mode: 'auto' });
const shown = {
  added,
  hits: hits.map(({ docUri }) => docUri),
  semantic: hits.legStates.semantic,
  error: hits.legError?.code,
};
document.getElementById('page').textContent = JSON.stringify(shown);
