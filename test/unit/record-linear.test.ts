import { describe, expect, it } from 'vitest';
import { autoSplitter } from '../../src/split/auto.ts';
import { byCsvRecord } from '../../src/split/by-csv-record.ts';
import { byTableRecord } from '../../src/split/by-table-record.ts';
import { csvRecords } from '../../src/split/csv-records.ts';
import { byJsonLine } from '../../src/split/json-lines.ts';

const MB = 1024 * 1024;

/** Texts that make readers of records read again what they have read, of about `n` characters. */
const hostile: Record<string, (n: number) => string> = {
  quotes: (n) => '"'.repeat(n),
  'quotes, an odd number': (n) => '"'.repeat(n + 1),
  delimiters: (n) => ','.repeat(n),
  'line feeds': (n) => '\n'.repeat(n),
  'carriage returns': (n) => '\r'.repeat(n),
  'one long quoted field': (n) => `"${'x'.repeat(n)}"`,
  'a quoted field of lines': (n) => `"${'x\n'.repeat(n / 2)}",y`,
  'a quote that never closes': (n) => `a,b\n"${'c,d\n'.repeat(n / 4)}`,
  'quotes that never close': (n) => 'a,"b\n'.repeat(n / 5),
  'wrong quotes before blanks': (n) => `"${'a"'.repeat(n / 4)}${' '.repeat(n / 2)},`,
  'empty fields behind a wrong quote': (n) => `"x\n${'a,""\n'.repeat(n / 5)}y"z`,
  'good and bad records by turns': (n) => 'a,"b\nc,d\n'.repeat(n / 9),
  'one record of many fields': (n) => '1,two,"three",'.repeat(n / 14),
  bars: (n) => '|'.repeat(n),
  'a table of one row': (n) => `|a|b|\n|-|-|\n|${'x|'.repeat(n / 2)}`,
  'tables without rows': (n) => '|a|b|\n|-|-|\n\n'.repeat(n / 14),
  'tables of one row': (n) => '|a|b|\n|-|-|\n|c|d|\n\n'.repeat(n / 20),
  'one line of JSON': (n) => `{"a": "${'word '.repeat(n / 5)}"}`,
  braces: (n) => '{'.repeat(n),
};

const scans: Record<string, (text: string) => unknown> = {
  csvRecords: (text) => csvRecords(text),
  byCsvRecord: (text) => byCsvRecord().split({ uri: 'a', text }),
  byTableRecord: (text) => byTableRecord().split({ uri: 'a', text }),
  byJsonLine: (text) => byJsonLine().split({ uri: 'a', text }),
  autoSplitter: (text) => autoSplitter().split({ uri: 'a', text }),
};

/** In ms of processor time, so that other processes don't count. */
function cost(run: () => unknown): number {
  const start = process.cpuUsage();
  run();
  return process.cpuUsage(start).user / 1000;
}

/** Below this, in ms, a ratio says more of the garbage collector than of the scan. */
const tooShortToCompare = 40;
const attempts = 4;
const size = MB / 4;

describe('time grows no faster than the text', () => {
  for (const [what, make] of Object.entries(hostile)) {
    it(`on ${what}`, () => {
      const [quarter, whole] = [make(size / 4), make(size)];
      for (const [name, scan] of Object.entries(scans)) {
        let best = Number.POSITIVE_INFINITY;
        // Four times the text, in twice the time that would be fair.
        for (let i = 0; i < attempts && best > 8; i++) {
          const before = Math.max(
            cost(() => scan(quarter)),
            tooShortToCompare,
          );
          best = Math.min(best, cost(() => scan(whole)) / before);
        }
        expect(best, name).toBeLessThanOrEqual(8);
      }
    });
  }

  it('and 16 MB of quotes, delimiters, line feeds and one quoted field are read in seconds', () => {
    for (const what of [
      'quotes',
      'delimiters',
      'line feeds',
      'one long quoted field',
      'wrong quotes before blanks',
    ]) {
      const text = hostile[what]!(16 * MB);
      expect(
        cost(() => csvRecords(text)),
        what,
      ).toBeLessThan(30_000);
    }
  });
});
