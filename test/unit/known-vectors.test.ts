import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knownVectors } from '../../src/ingest/embed.ts';
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
  return { entries, vectorAt } as unknown as DocumentStore;
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
});
