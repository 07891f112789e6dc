import { describe, expect, it } from 'vitest';
import { ingestDocuments } from '../../src/ingest/records.ts';
import { openIndex } from '../../src/open-index.ts';
import { type AutoSplitterOptions, autoSplitter } from '../../src/split/auto.ts';
import { byCsvRecord } from '../../src/split/by-csv-record.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import { byParagraph } from '../../src/split/by-paragraph.ts';
import { byRecord } from '../../src/split/by-record.ts';
import { type DocumentKind, documentKind } from '../../src/split/document-kind.ts';
import { byJsonLine } from '../../src/split/json-lines.ts';
import { splitDocuments } from '../../src/split/split-documents.ts';
import { wholeDocument } from '../../src/split/whole-document.ts';
import { MemoryVectorStore } from '../../src/store/memory.ts';
import { lettersEmbedder } from '../letters-embedder.ts';
import { readDataFile } from '../vectors.ts';

const markdown = '# Refunds\n\nWithin 14 days.\n\n## Exceptions\n\nNone, really.\n';
const prose =
  'Roses are red, violets are blue.\n\nSugar is sweet, and so are you.\n\nHere, there, everywhere.\n';
const csv = 'name,age,city\nAnn,30,Oslo\nBob,41,Rome\nCy,22,Bern\n';
const jsonl = '{"id": 1, "text": "one"}\n{"id": 2, "text": "two"}\n';
const log = '2026-01-01 10:00:00 up\n2026-01-01 10:00:05 down\n2026-01-01 10:00:09 up\n';
const trace =
  '[2026-01-01T10:00:00Z] error\n  at a()\n  at b()\n[2026-01-01T10:00:05Z] error\n  at c()\n[2026-01-02T10:00:00Z] done\n';
const labelled =
  'Name: Ann; Age: 30; City: Oslo\nName: Bob; Age: 41; City: Rome\nName: Cy; Age: 22; City: Bern\n';

describe('documentKind', () => {
  it.each<[string, string, string, DocumentKind]>([
    ['a name that ends in .md', 'docs/a.md', csv, 'markdown'],
    ['.MDX in capitals, behind an address', 'https://x.org/b/A.MDX?raw=1#top', 'one', 'markdown'],
    ['.csv', 'a.csv', csv, 'csv'],
    ['.csv whose first record is data', 'a.csv', '1,Ann\n2,Bob\n', 'bare-csv'],
    ['.tsv', 'a.tsv', csv, 'tsv'],
    ['.jsonl', 'a.jsonl', prose, 'json-lines'],
    ['.ndjson', 'a.ndjson', '', 'json-lines'],
    ['a text of headings and paragraphs', 'notes', markdown, 'markdown'],
    ['fenced code', 'a.txt', 'See:\n\n```js\nlet a = 1;\n```\n', 'markdown'],
    ['a Markdown table', 'a.txt', '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n', 'markdown'],
    ['sentences with commas', 'a.txt', prose, 'prose'],
    ['nothing', 'a', '', 'prose'],
    ['commas without spaces', 'export', csv, 'csv'],
    ['semicolons', 'export.txt', csv.replaceAll(',', ';'), 'csv'],
    ['numbers from the first row on', 'export', '1,2,3\n4,5,6\n7,8,9\n', 'bare-csv'],
    ['tabs', 'export', csv.replaceAll(',', '\t'), 'tsv'],
    ['objects, one a line', 'dump', jsonl, 'json-lines'],
    ['a time at each line', 'app.log', log, 'lines'],
    ['times of syslog', 'messages', 'Jan  1 10:00:00 a b\nJan  1 10:00:01 c\nJan 12 10:00:02 d\n', 'lines'],
    ['entries that go on', 'app.log', trace, 'log'],
    ['a log without times', 'app.log', 'started\nstopped\n', 'lines'],
    ['labelled values', 'sheet.txt', labelled, 'lines'],
    ['a list of terms', 'terms', 'Ann: a name, mostly\nOslo: a city\nRome: another\n', 'prose'],
    ['an unknown ending', 'a.constructor', markdown, 'markdown'],
  ])('%s', (_what, uri, text, kind) => {
    expect(documentKind({ uri, text })).toBe(kind);
    expect(documentKind({ uri, text: `\ufeff${text}` })).toBe(kind);
    expect(documentKind({ uri, text: text.replaceAll('\n', '\r\n') })).toBe(kind);
    expect(documentKind({ uri, text: new TextEncoder().encode(text) })).toBe(kind);
  });

  it('reads the first 16,384 characters and no further, bytes and strings alike', () => {
    const long = csv + 'Dee,19,Paris\n'.repeat(5000);
    expect(documentKind({ uri: 'a', text: `${long}# no, "not` })).toBe('csv');
    for (const unit of ['漢', '\u00e9', '😀', 'a']) {
      const text = `${unit.repeat(16_383)}\n# Heading\n`;
      expect(documentKind({ uri: 'a', text: new TextEncoder().encode(text) })).toBe(
        documentKind({ uri: 'a', text }),
      );
    }
    const huge = 'x,'.repeat(8 * 1024 * 1024);
    const start = performance.now();
    documentKind({ uri: 'a', text: huge });
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it('knows real data', async () => {
    for (const [file, kind] of [
      ['sheet/sheet.txt', 'lines'],
      ['sheet/sheet.csv', 'csv'],
      ['sheet/questions.jsonl', 'json-lines'],
    ] as const) {
      const bytes = await readDataFile(file);
      if (bytes === undefined) continue;
      expect(documentKind({ uri: file, text: bytes })).toBe(kind);
      expect(documentKind({ uri: 'unnamed', text: bytes })).toBe(kind);
    }
  });
});

describe('autoSplitter', () => {
  const documents = Object.entries({ markdown, prose, csv, jsonl, log, trace, labelled }).map(
    ([uri, text]) => ({ uri, text }),
  );

  it('cuts each document as its kind is cut', () => {
    const splitters = {
      markdown: byHeading(),
      prose: byParagraph(),
      csv: byCsvRecord(),
      jsonl: byJsonLine(),
      log: byRecord(),
      labelled: byRecord(),
    };
    const auto = autoSplitter();
    for (const [uri, splitter] of Object.entries(splitters)) {
      const document = documents.find((one) => one.uri === uri)!;
      expect(auto.split(document)).toEqual(splitter.split(document));
    }
    const small = autoSplitter({ kinds: { log: byRecord({ separator: /(?=^\[)/m, chunkSize: 50 }) } });
    expect(small.split({ uri: 'a.log', text: trace }).map(({ text }) => text)).toEqual([
      '[2026-01-01T10:00:00Z] error\n  at a()\n  at b()',
      '[2026-01-01T10:00:05Z] error\n  at c()',
      '[2026-01-02T10:00:00Z] done',
    ]);
    expect(auto.split({ uri: 'a.log', text: trace })).toHaveLength(1);
  });

  it("lets splitters of one's own come first", () => {
    const auto = autoSplitter({
      kinds: { csv: wholeDocument() },
      extensions: { '.MD': byRecord(), log: wholeDocument() },
    });
    expect(auto.split({ uri: 'a.csv', text: csv })[0]!.text).toBe(csv);
    expect(auto.split({ uri: 'a.md', text: markdown })).toEqual(
      byRecord().split({ uri: 'a.md', text: markdown }),
    );
    expect(auto.split({ uri: 'a.log', text: log })[0]!.text).toBe(log);
  });

  it('spells in its id all it may choose', () => {
    const { id } = autoSplitter({
      kinds: { csv: wholeDocument() },
      extensions: { '.b': byRecord(), a: wholeDocument() },
    });
    expect(id).toMatch(/^autoSplitter@1\(markdown=byHeading@/);
    expect(id).toContain('csv=wholeDocument@1,');
    expect(id).toContain('tsv=byCsvRecord@1(chunkSize=800,delimiter="\\t"');
    expect(id).toMatch(/,\.a=wholeDocument@1,\.b=byRecord@2\(.*\)\)$/);
    expect(autoSplitter().id).toBe(autoSplitter({ kinds: {}, extensions: {} }).id);
    expect(autoSplitter().id).not.toBe(id);
  });

  it('takes bytes where all it may choose take them', () => {
    const own = {
      id: 'own',
      name: 'own',
      split: ({ text }: { text: unknown }) => [{ text: text as string, charStart: 0, charEnd: csv.length }],
    };
    const chunks = splitDocuments(
      [{ uri: 'a.csv', text: new TextEncoder().encode(csv) }],
      autoSplitter({ kinds: { csv: own } }),
    );
    expect(chunks[0]!.text).toBe(csv);
    expect(autoSplitter().acceptsBytes).toBe(true);
  });

  it('refuses kinds that are none and what is no splitter', () => {
    const make = (options: unknown) => () => autoSplitter(options as AutoSplitterOptions);
    expect(make({ kinds: { sheet: byRecord() } })).toThrow(
      /^A kind is "sheet"; give one of markdown, prose, csv/,
    );
    expect(make({ kinds: { csv: 'byRecord' } })).toThrow(/^splitter is "byRecord"/);
    expect(make({ extensions: { md: 5 } })).toThrow(/^splitter is 5/);
    expect(() => autoSplitter().split({ uri: 'a', text: 5 as never })).toThrow(
      'The text of document "a" is 5',
    );
  });

  it("is what 'auto' means to an index", async () => {
    const index = await openIndex({ persist: false, splitter: 'auto' });
    const report = await index.add(documents);
    expect(report).toMatchObject({ documents: 7, failed: [], splitter: autoSplitter().id });
    const [hit] = await index.search('Which city is Bob from?', { filter: {} });
    expect(hit!.docUri).toMatch(/csv|labelled/);
    expect((await index.chunks('csv'))[0]).toMatchObject({
      line: 2,
      context: expect.stringContaining('name: Bob; age: 41; city: Rome'),
    });
    expect((await index.add(documents)).skipped).toBe(7);
    await expect(openIndex({ persist: false, splitter: 'automatic' as never })).rejects.toThrow(
      /^splitter is "automatic"/,
    );
  });

  it("is what 'auto' means to ingestDocuments", async () => {
    const store = new MemoryVectorStore();
    await ingestDocuments([{ id: 'a.csv', text: csv }], {
      embedder: lettersEmbedder(),
      store,
      splitter: 'auto',
    });
    expect(await store.listChunks('a.csv')).toMatchObject([
      { context: expect.stringContaining('name: Ann'), line: 2 },
    ]);
  });
});

describe('what is no document', () => {
  it.each([null, undefined, 5, {}])('is refused by name: %s', (document) => {
    const invalid = expect.objectContaining({ code: 'INVALID_DOCUMENT' });
    expect(() => documentKind(document as never)).toThrow(invalid);
    expect(() => autoSplitter().split(document as never)).toThrow(invalid);
  });
});
