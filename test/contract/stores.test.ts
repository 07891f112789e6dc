import { describe, expect, it } from 'vitest';
import { EmbeddingRetriever } from '../../src/retrieve/embedding.ts';
import { FilteredRetriever } from '../../src/retrieve/filtered.ts';
import { applyMetadataPatch } from '../../src/store/metadata.ts';
import type { RecordStore } from '../../src/store/record-store.ts';
import type { Filter, Metadata, Passage, RetrieveOptions, VectorRecord } from '../../src/types.ts';
import { loadVectors, type VectorCase } from '../vectors.ts';
import { storeKinds } from './store-kinds.ts';

type Step = { op: string } & Record<string, unknown>;
type Outcome = { ok: unknown } | { error: { name: string; reason?: string } };
interface Script {
  records: VectorRecord[];
  steps: Step[];
}

const kinds = await storeKinds();
const families = await Promise.all(
  ['vector-store', 'filters', 'metadata-patch'].map((family) => loadVectors(family)),
);
const cases = families.flat();
const scripts = cases.filter((one) => one.fn === 'MemoryVectorStore') as VectorCase<
  Script,
  never,
  Outcome[]
>[];
const retrievals = cases.filter((one) => one.fn === 'EmbeddingRetriever') as VectorCase<
  { records: VectorRecord[]; queryEmbedding: number[] },
  { embedding?: { minScore?: number }; retrieve?: RetrieveOptions },
  Passage[]
>[];

async function run(store: RecordStore, step: Step): Promise<unknown> {
  switch (step.op) {
    case 'upsert':
      return store.upsert(step['records'] as VectorRecord[]);
    case 'search':
      return store.search(
        step['embedding'] as number[],
        step['options'] as { topK: number; filter?: Filter },
      );
    case 'remove':
      return store.remove(step['documentId'] as string);
    case 'removeMany':
      return store.removeMany(step['documentIds'] as string[]);
    case 'removeWhere':
      return store.removeWhere(step['filter'] as Filter);
    case 'updateMetadata':
      return store.updateMetadata(step['documentId'] as string, step['patch'] as Metadata);
    case 'listDocuments':
      return store.listDocuments(step['filter'] as Filter | undefined);
    case 'listDocumentIds':
      return store.listDocumentIds(step['filter'] as Filter | undefined);
    case 'listChunks':
      return store.listChunks(step['documentId'] as string, step['options'] as { limit?: number });
    case 'countChunks':
      return store.countChunks(step['filter'] as Filter | undefined);
    default:
      throw new Error(`unknown step ${step.op}`);
  }
}

async function outcome(store: RecordStore, step: Step): Promise<Outcome> {
  try {
    const value = await run(store, step);
    return { ok: step.op === 'search' ? withoutText(value as Passage[]) : (value ?? null) };
  } catch (error) {
    const { name, reason } = error as Error & { reason?: string };
    if (name !== 'UnsafeRemovalError') throw error;
    return { error: { name, ...(reason !== undefined && { reason }) } };
  }
}

const withoutText = (passages: Passage[]) => passages.map(({ text: _, ...rest }) => rest);

/** Scores within 1e-6; order equal but between scores closer than that. */
function expectPassages(actual: Omit<Passage, 'text'>[], expected: Omit<Passage, 'text'>[]): void {
  const unscored = (list: Omit<Passage, 'text'>[]) => list.map(({ score: _, ...rest }) => rest);
  expect(actual).toHaveLength(expected.length);
  for (const [at, { score }] of actual.entries()) {
    expect(Math.abs(score - expected[at]!.score)).toBeLessThanOrEqual(1e-6);
  }
  const near = (at: number, id: string) =>
    expected.findIndex((one) => one.id === id && Math.abs(one.score - expected[at]!.score) <= 1e-6) >= 0;
  for (const [at, { id }] of actual.entries()) expect(near(at, id), `${id} at ${at}`).toBe(true);
  const byId = (list: Omit<Passage, 'text'>[]) => unscored([...list].sort((a, b) => (a.id < b.id ? -1 : 1)));
  expect(byId(actual)).toEqual(byId(expected));
}

/** What a case with a `quirk` expects of us: a removal by an undefined value is refused, and so empties nothing. */
const refused: Outcome = { error: { name: 'UnsafeRemovalError', reason: 'empty-filter' } };

describe.each(kinds)('conformance of $name', ({ open, dispose }) => {
  it('has cases to run', () => {
    expect(scripts.length).toBe(236);
    expect(retrievals.length).toBe(23);
  });

  it.each(scripts.filter((one) => one.quirk === undefined).map((one) => [one.name, one] as const))(
    'script %s',
    async (_, { input, expected }) => {
      const store = await open();
      await store.upsert(input.records);
      for (const [at, step] of input.steps.entries()) {
        const actual = await outcome(store, step);
        const wanted = expected[at]!;
        if (step.op === 'search' && 'ok' in actual && 'ok' in wanted) {
          expectPassages(actual.ok as Passage[], wanted.ok as Passage[]);
          // Scores that small integers give are exact, so ties must keep their order too.
          expect((actual.ok as Passage[]).map(({ id }) => id)).toEqual(
            (wanted.ok as Passage[]).map(({ id }) => id),
          );
        } else expect(actual).toEqual(wanted);
      }
      await dispose(store);
    },
  );

  it.each(scripts.filter((one) => one.quirk !== undefined).map((one) => [one.name, one] as const))(
    'script %s, refusing what would remove too much',
    async (_, { input }) => {
      const store = await open();
      await store.upsert(input.records);
      const removal = input.steps.find(({ op }) => op === 'removeWhere')!;
      expect(await outcome(store, removal)).toEqual(refused);
      expect(await store.countChunks()).toBe(input.records.length);
      await dispose(store);
    },
  );

  it.each(retrievals.map((one) => [one.name, one] as const))(
    'EmbeddingRetriever %s',
    async (_, { input, options, expected }) => {
      const store = await open();
      await store.upsert(input.records);
      const embedder = {
        id: 'fixed',
        dimensions: input.queryEmbedding.length,
        embed: async (texts: readonly string[]) => texts.map(() => Float32Array.from(input.queryEmbedding)),
      };
      const retriever = new EmbeddingRetriever(embedder, store, options.embedding);
      expectPassages(withoutText(await retriever.retrieve('a question', options.retrieve)), expected);
      await dispose(store);
    },
  );
});

describe('conformance of FilteredRetriever', () => {
  const filtered = cases.filter((one) => one.fn === 'FilteredRetriever') as VectorCase<
    { filter: Filter },
    { retrieve: RetrieveOptions },
    { passedOn: RetrieveOptions }
  >[];
  it.each(filtered.map((one) => [one.name, one] as const))('%s', async (_, { input, options, expected }) => {
    let passedOn: RetrieveOptions | undefined;
    const inner = {
      retrieve: async (_query: string, given?: RetrieveOptions) => {
        passedOn = given;
        return [];
      },
    };
    await new FilteredRetriever(inner, input.filter).retrieve('a question', options.retrieve);
    expect(passedOn).toEqual(expected.passedOn);
  });
});

describe('conformance of applyMetadataPatch', () => {
  const patches = cases.filter((one) => one.fn === 'applyMetadataPatch') as VectorCase<
    { metadata: Metadata | undefined; patch: Metadata },
    never,
    { result: Metadata; inputMutated: boolean }
  >[];
  const plain = patches.filter(({ quirk }) => quirk === undefined);
  it.each(plain.map((one) => [one.name, one] as const))('%s', (_, { input, expected }) => {
    const before = structuredClone(input.metadata);
    expect(applyMetadataPatch(input.metadata, input.patch)).toEqual(expected.result);
    expect(input.metadata).toEqual(before);
    expect(expected.inputMutated).toBe(false);
  });

  it('treats an own __proto__ key as data like any other', () => {
    const odd = patches.filter(({ quirk }) => quirk !== undefined);
    expect(odd.length).toBeGreaterThan(0);
    for (const { input } of odd) {
      const result = applyMetadataPatch(input.metadata, input.patch);
      const patched = Object.getOwnPropertyDescriptor(input.patch, '__proto__');
      const own = Object.getOwnPropertyDescriptor(input.metadata ?? {}, '__proto__');
      const wanted =
        patched === undefined || patched.value === undefined ? own?.value : (patched.value ?? undefined);
      expect(Object.getOwnPropertyDescriptor(result, '__proto__')?.value).toEqual(wanted);
      expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    }
  });
});
