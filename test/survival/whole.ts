import { isDeepStrictEqual } from 'node:util';
import { expect } from '@playwright/test';
import { testDocument } from './documents.ts';
import type { Scores, Snapshot } from './page.ts';

type StoredDocument = Snapshot['documents'][number];

/*
 * Faults are gathered and asserted at once: an assertion costs a millisecond, and there are thousands of things
 * to look at. So a failure also shows all that is wrong, not the first of it.
 */

/** Every document is as it was given, cut as `reference` was, and no letter of it but headings is in no chunk. */
export function expectWhole(documents: readonly StoredDocument[], reference: Snapshot): void {
  const expected = new Map(reference.documents.map((document) => [document.uri, document]));
  expect(documents.flatMap((document) => faultsOf(document, expected.get(document.uri)))).toEqual([]);
}

function faultsOf(document: StoredDocument, expected: StoredDocument | undefined): string[] {
  const { uri, metadata, text, passages } = document;
  const { at, edition } = metadata as { at: number; edition: number };
  const given = testDocument(at, edition);
  const faults: string[] = [];
  const check = (right: boolean, what: string) => right || faults.push(`${uri}: ${what}`);
  check(uri === given.uri, `is stored in place of ${given.uri}`);
  check(document.title === given.title, `title ${document.title}`);
  check(isDeepStrictEqual(metadata, given.metadata), `metadata ${JSON.stringify(metadata)}`);
  check(text === given.text, `text ${JSON.stringify(text)}`);
  check(passages.length > 0, 'has no chunks');
  check(isDeepStrictEqual(passages, expected?.passages), `chunks ${JSON.stringify(passages)}`);
  let rest = given.text;
  for (const { id, text, charStart, charEnd } of passages) {
    check(text === given.text.slice(charStart, charEnd), `${id} is not where it says`);
    rest = rest.slice(0, charStart) + ' '.repeat(charEnd! - charStart!) + rest.slice(charEnd);
  }
  check(rest.replace(/^#.*$/gm, '').trim() === '', 'letters of it are in no chunk');
  return faults;
}

/** What an index says in one place is what it says in another. */
export function expectConsistent({ stats, documents }: Snapshot): void {
  const chunksOf = (some: readonly StoredDocument[]) => some.reduce((sum, { chunks }) => sum + chunks, 0);
  const pending = documents.filter(({ vectors }) => vectors === 'pending');
  expect(stats).toMatchObject({ documents: documents.length, chunks: chunksOf(documents), persistent: true });
  expect(stats.pending).toBeLessThanOrEqual(chunksOf(pending));
  expect(stats.pending > 0).toBe(pending.length > 0);
  expect(new Set(documents.map(({ uri }) => uri)).size).toBe(documents.length);
  expect(documents.map(({ passages }) => passages.length)).toEqual(documents.map(({ chunks }) => chunks));
}

/** The same passages for the same questions, with the same scores but for the last bits of a float. */
export function expectSameScores(actual: Scores, expected: Scores): void {
  const faults: string[] = [];
  for (const question of new Set([...Object.keys(actual), ...Object.keys(expected)])) {
    const [got, wanted] = [actual[question] ?? {}, expected[question] ?? {}];
    for (const id of new Set([...Object.keys(got), ...Object.keys(wanted)])) {
      if (Math.abs((got[id] ?? Number.NaN) - (wanted[id] ?? Number.NaN)) < 1e-6) continue;
      faults.push(`"${question}": ${id} scores ${got[id]}, not ${wanted[id]}`);
    }
  }
  expect(faults).toEqual([]);
}

export const urisOf = ({ documents }: Snapshot): string[] => documents.map(({ uri }) => uri);
