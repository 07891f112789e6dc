import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knownVectors } from '../../src/ingest/known.ts';
import type { DocumentStore } from '../../src/store/store.ts';
import type { Entry } from '../../src/store/table.ts';
import { runs } from '../arbitraries.ts';

/** Of two letters, so that some stand across two others. */
const hash = fc.constantFrom('ab', 'ba', 'aa').map((pair) => pair.repeat(16));

const documents = fc.array(
  fc.array(fc.record({ hash, embedded: fc.boolean() }), { minLength: 1, maxLength: 4 }),
  { maxLength: 5 },
);

function storeOf(all: readonly (readonly { hash: string; embedded: boolean }[])[]): DocumentStore {
  const entries = new Map(
    all.map((chunks, number): [string, Entry] => {
      const pending = chunks.flatMap(({ embedded }, at) => (embedded ? [] : [at]));
      const info = { hashes: chunks.map((chunk) => chunk.hash).join('') };
      const rows = Uint32Array.from(chunks, (_, at) => number * 10 + at);
      const entry = {
        id: `d${number}`,
        version: 1,
        generation: 1,
        rows,
        columns: { numbers: {}, values: {} },
        info,
      };
      return [entry.id, { ...entry, ...(pending.length > 0 && { pending }) }];
    }),
  );
  const vectorAt: DocumentStore['vectorAt'] = ({ entry, at }) =>
    entry.pending?.includes(at) ? undefined : Float32Array.of(entry.rows[at]!);
  return { entries, vectorAt, meta: { generation: 1 } } as unknown as DocumentStore;
}

describe('the vector of a string that is embedded already', () => {
  it('is found whether few are looked for or many', () => {
    fc.assert(
      fc.property(documents, hash, (all, wanted) => {
        const there = all.flatMap((chunks, number) =>
          chunks.flatMap((chunk, at) => (chunk.embedded && chunk.hash === wanted ? [number * 10 + at] : [])),
        );
        const known = knownVectors(storeOf(all));
        // The first ones are looked for one by one, the others in a map.
        for (let asked = 0; asked < 20; asked++) {
          const vector = known(wanted);
          if (there.length === 0) expect(vector).toBeUndefined();
          else expect(there).toContain(vector?.[0]);
        }
        expect(known('')).toBeUndefined();
        expect(known(wanted.slice(1))).toBeUndefined();
      }),
      { numRuns: runs() },
    );
  });

  it('is found whatever has become of the store since it was last looked for', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const chunks = fc.array(fc.nat(60), { minLength: 1, maxLength: 40 });
    const step = fc.oneof(
      fc.record({ do: fc.constant('put' as const), name, chunks, embedded: fc.boolean() }),
      fc.record({ do: fc.constant('complete' as const), name }),
      fc.record({ do: fc.constant('remove' as const), name }),
      fc.record({ do: fc.constant('ask' as const) }),
      fc.record({ do: fc.constant('begin anew' as const) }),
    );
    /** Like a hash: all of its digits tell. */
    const hashOf = (n: number) =>
      [1, 2, 3, 4]
        .map((k) => (Math.imul(n * 4 + k, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0'))
        .join('');
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
        const entries = new Map<string, Entry>();
        let meta = { generation: 0, lineage: 'one' };
        const store = {
          entries,
          get meta() {
            return meta;
          },
          vectorAt: ({ entry, at }: { entry: Entry; at: number }) =>
            entry.pending?.includes(at) ? undefined : Float32Array.of(entry.rows[at]!),
        } as unknown as DocumentStore;
        for (const one of [...steps, { do: 'ask' as const }]) {
          if (one.do === 'put') {
            meta = { ...meta, generation: meta.generation + 1 };
            const { generation } = meta;
            entries.set(one.name, {
              id: one.name,
              version: generation,
              generation,
              rows: Uint32Array.from(one.chunks),
              columns: { numbers: {}, values: {} },
              info: { hashes: one.chunks.map(hashOf).join('') },
              ...(!one.embedded && { pending: one.chunks.map((_, at) => at) }),
            });
          } else if (one.do === 'complete') {
            const there = entries.get(one.name);
            if (there !== undefined) {
              const { pending: _, ...whole } = there;
              entries.set(one.name, whole);
            }
            meta = { ...meta, generation: meta.generation + 1 };
          } else if (one.do === 'remove') entries.delete(one.name);
          else if (one.do === 'begin anew') {
            entries.clear();
            meta = { generation: 0, lineage: `${meta.lineage}+` };
          } else {
            const known = knownVectors(store);
            const embedded = new Set(
              [...entries.values()].flatMap(({ rows, pending }) => (pending === undefined ? [...rows] : [])),
            );
            for (let n = 0; n <= 60; n++) {
              expect(known(hashOf(n))?.[0], `${n}`).toBe(embedded.has(n) ? n : undefined);
            }
          }
        }
      }),
      { numRuns: runs() },
    );
  });
});
