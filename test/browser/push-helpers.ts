import type { MemoryVectorStore } from '../../src/store/memory.ts';
import type { SplitterDocument, VectorStore } from '../../src/types.ts';

const words =
  'amber basil cedar delta ember fjord grove haven indigo jasper kelp lumen maple north olive'.split(' ');

/** Documents of three sections each, no two alike. */
export function papers(count: number): SplitterDocument[] {
  let state = 7;
  const next = (below: number): number => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
  const sentence = (): string => `${Array.from({ length: 9 }, () => words[next(words.length)]).join(' ')}. `;
  const section = (title: string): string =>
    `# ${title}\n\n${Array.from({ length: 6 }, sentence).join('').trim()}\n\n`;
  return Array.from({ length: count }, (_, at) => ({
    uri: `papers/${at}.md`,
    title: `Paper ${at}`,
    metadata: { parity: at % 2 === 0 ? 'even' : 'odd', tags: ['paper', words[at % words.length]!] },
    text: section(`Start ${at}`) + section(`Middle ${at}`) + section(`End ${at}`),
  }));
}

/** A store of somebody else's: the interface and nothing more. What it was asked is counted. */
export function plainStore(
  inner: MemoryVectorStore,
  own: Partial<VectorStore> = {},
): VectorStore & { written: string[] } {
  const written: string[] = [];
  return {
    written,
    capabilities: { exact: true, lexical: false, persistent: false },
    upsert: async (records) => {
      await inner.upsert(records);
      written.push(...records.map(({ id }) => id));
    },
    search: (embedding, options) => inner.search(embedding, options),
    remove: (id) => inner.remove(id),
    removeMany: (ids) => inner.removeMany(ids),
    removeWhere: (filter) => inner.removeWhere(filter),
    updateMetadata: (id, patch) => inner.updateMetadata(id, patch),
    listDocuments: (filter) => inner.listDocuments(filter),
    listDocumentIds: (filter) => inner.listDocumentIds(filter),
    listChunks: (id, options) => inner.listChunks(id, options),
    countChunks: (filter) => inner.countChunks(filter),
    ...own,
  };
}
