/**
 * The reference's spreadsheet experiment: what becomes of a fact when a chunker that knows nothing of records cuts
 * through them. A passage answers a question when it holds the record from its key to the asked value unbroken.
 */
import { byRecord } from '../src/split/by-record.ts';
import { chunkText } from '../src/split/chunk-text.ts';
import { splitDocuments } from '../src/split/split-documents.ts';
import type { ChunkRecord, Retriever } from '../src/types.ts';
import { readDataFile } from './vectors.ts';

export interface SheetQuestion {
  /** Whether the asked field stands far from the record's key, or next to it. */
  set: 'far' | 'near';
  question: string;
  evidence: string;
}

export interface Sheet {
  records: string[];
  questions: SheetQuestion[];
  /** The sheet, cut in three ways. */
  arms: Record<'blind' | 'separator' | 'byRecord', ChunkRecord[]>;
}

/** The sheet, or undefined where the larger data is absent: it is not part of the repository. */
export async function readSheet(): Promise<Sheet | undefined> {
  const files = await Promise.all(
    ['sheet.txt', 'questions.jsonl'].map((name) => readDataFile(`sheet/${name}`)),
  );
  const [sheet, lines] = files.map((bytes) => bytes && new TextDecoder().decode(bytes));
  if (sheet === undefined || lines === undefined) return undefined;
  const asRecords = (texts: readonly string[]): ChunkRecord[] =>
    texts.map((text, n) => ({ id: `mvr-2026#${n}`, text }));
  const filled = (text: string): string[] => text.split('\n').filter((line) => line !== '');
  return {
    records: filled(sheet),
    questions: filled(lines).map((line) => JSON.parse(line) as SheetQuestion),
    arms: {
      blind: asRecords(chunkText(sheet, { chunkSize: 800 })),
      separator: asRecords(chunkText(sheet, { chunkSize: 800, separator: '\n' })),
      byRecord: splitDocuments([{ uri: 'mvr-2026', text: sheet }], byRecord()),
    },
  };
}

/** How many of the questions of a set find their answer among ten passages, and the mean reciprocal rank. */
export async function ask(retriever: Retriever, { questions }: Sheet, set: SheetQuestion['set']) {
  const asked = questions.filter((question) => question.set === set);
  let [found, sum] = [0, 0];
  for (const { question, evidence } of asked) {
    const passages = await retriever.retrieve(question, { topK: 10 });
    const rank = 1 + passages.findIndex(({ text }) => text.includes(evidence));
    if (rank === 0) continue;
    found++;
    sum += 1 / rank;
  }
  return { of: asked.length, found, mrr: Number((sum / asked.length).toFixed(3)) };
}
