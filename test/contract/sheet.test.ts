import { describe, expect, it } from 'vitest';
import { KeywordRetriever } from '../../src/retrieve/keyword.ts';
import type { ChunkRecord } from '../../src/types.ts';
import { ask, readSheet, type Sheet } from '../sheet.ts';

const read = await readSheet();

// Where the larger data is absent there is nothing to ask.
if (read !== undefined)
  describe('questions to a sheet of 200 records', () => {
    const sheet = read as Sheet;
    const all = { of: 66, found: 66, mrr: 1 };

    const splitShare = (chunks: readonly ChunkRecord[]): number =>
      sheet.records.filter((record) => !chunks.some(({ text }) => text.includes(record))).length / 200;

    it('is the sheet of the experiment', () => {
      expect([sheet.records.length, sheet.questions.length]).toEqual([200, 132]);
    });

    it.each([
      ['blind', 0.27],
      ['separator', 0],
      ['byRecord', 0],
    ] as const)('%s splits this share of the records: %f', (arm, share) => {
      expect(splitShare(sheet.arms[arm])).toBe(share);
    });

    for (const analyzer of ['ascii', 'unicode'] as const) {
      const asked = (arm: keyof Sheet['arms'], set: 'far' | 'near') => {
        const retriever = new KeywordRetriever({ analyzer });
        retriever.add(sheet.arms[arm]);
        return ask(retriever, sheet, set);
      };

      it(`blind chunks lose a fifth of the answers that stand far from their key (${analyzer})`, async () => {
        expect(await asked('blind', 'far')).toEqual({ of: 66, found: 54, mrr: 0.818 });
      });

      it(`whole records keep every answer, first (${analyzer})`, async () => {
        expect(await asked('separator', 'far')).toEqual(all);
        expect(await asked('byRecord', 'far')).toEqual(all);
      });

      it(`answers near their key are found on either arm (${analyzer})`, async () => {
        for (const arm of ['blind', 'separator', 'byRecord'] as const) {
          expect(await asked(arm, 'near')).toEqual(all);
        }
      });
    }
  });
