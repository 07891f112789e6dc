/**
 * The reference's spreadsheet experiment: what becomes of a fact when a chunker that knows nothing of records cuts
 * through them. A passage answers a question when it holds the record from its key to the asked value unbroken.
 */
import { describe, expect, it } from 'vitest';
import type { AnalyzerKind } from '../../src/kernel/lexical.ts';
import { KeywordRetriever } from '../../src/retrieve/keyword.ts';
import { byRecord } from '../../src/split/by-record.ts';
import { chunkText } from '../../src/split/chunk-text.ts';
import { splitDocuments } from '../../src/split/split-documents.ts';
import type { ChunkRecord } from '../../src/types.ts';
import { readDataFile } from '../vectors.ts';

interface Question {
  set: 'far' | 'near';
  question: string;
  evidence: string;
}

const files = await Promise.all(
  ['sheet.txt', 'questions.jsonl'].map((name) => readDataFile(`sheet/${name}`)),
);
const [sheet = '', lines = ''] = files.map((bytes) => new TextDecoder().decode(bytes ?? new Uint8Array()));
const questions = lines
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Question);
const records = sheet.split('\n').filter((line) => line !== '');

const asRecords = (texts: readonly string[]): ChunkRecord[] =>
  texts.map((text, n) => ({ id: `mvr-2026#${n}`, text }));

const arms = {
  blind: () => asRecords(chunkText(sheet, { chunkSize: 800 })),
  separator: () => asRecords(chunkText(sheet, { chunkSize: 800, separator: '\n' })),
  byRecord: () => splitDocuments([{ uri: 'mvr-2026', text: sheet }], byRecord()),
};

async function ask(chunks: readonly ChunkRecord[], set: Question['set'], analyzer: AnalyzerKind) {
  const retriever = new KeywordRetriever({ analyzer });
  retriever.add(chunks);
  const asked = questions.filter((question) => question.set === set);
  let [found, sum] = [0, 0];
  for (const { question, evidence } of asked) {
    const passages = await retriever.retrieve(question, { topK: 10 });
    const rank = 1 + passages.findIndex(({ text }) => text.includes(evidence));
    if (rank > 0) {
      found++;
      sum += 1 / rank;
    }
  }
  return { of: asked.length, found, mrr: Number((sum / asked.length).toFixed(3)) };
}

const splitShare = (chunks: readonly ChunkRecord[]): number =>
  records.filter((record) => !chunks.some(({ text }) => text.includes(record))).length / records.length;

// The sheet is not part of the repository; where the larger data is absent there is nothing to ask.
describe.runIf(records.length > 0)('questions to a sheet of 200 records', () => {
  it('is the sheet of the experiment', () => {
    expect([records.length, questions.length]).toEqual([200, 132]);
  });

  it.each([
    ['blind', 0.27],
    ['separator', 0],
    ['byRecord', 0],
  ] as const)('%s splits this share of the records: %f', (arm, share) => {
    expect(splitShare(arms[arm]())).toBe(share);
  });

  const all = { of: 66, found: 66, mrr: 1 };
  for (const analyzer of ['ascii', 'unicode'] as const) {
    it(`blind chunks lose a fifth of the answers that stand far from their key (${analyzer})`, async () => {
      expect(await ask(arms.blind(), 'far', analyzer)).toEqual({ of: 66, found: 54, mrr: 0.818 });
    });

    it(`whole records keep every answer, first (${analyzer})`, async () => {
      expect(await ask(arms.separator(), 'far', analyzer)).toEqual(all);
      expect(await ask(arms.byRecord(), 'far', analyzer)).toEqual(all);
    });

    it(`answers near their key are found on either arm (${analyzer})`, async () => {
      for (const arm of [arms.blind, arms.separator, arms.byRecord]) {
        expect(await ask(arm(), 'near', analyzer)).toEqual(all);
      }
    });
  }
});
