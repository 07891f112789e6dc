import {
  byCsvRecord,
  byHeading,
  byJsonLine,
  byParagraph,
  byRecord,
  csvRecords,
  type DocumentKind,
  documentKind,
  fixedWithOverlap,
  type SplitPiece,
  type Splitter,
  type SplitterDocument,
  wholeDocument,
} from '../src/index.ts';
import { withoutBlobs } from './blobs.ts';

export type SplitKind = 'heading' | 'paragraph' | 'fixed' | 'whole' | 'csv' | 'json' | 'record';

/** How one document is cut. Stored with the document, in its metadata. */
export interface SplitSettings {
  kind: SplitKind;
  /** Longest chunk, in UTF-16 code units. */
  maxChars: number;
  overlap: number;
  /** Between records, as typed: `\n`, `\t` and `\\` are escapes. */
  separator: string;
  /** Records and CSV rows: the first one names the fields, and every chunk carries the names in its context. */
  header: boolean;
}

export const proseSettings: SplitSettings = {
  kind: 'heading',
  maxChars: 1000,
  overlap: 150,
  separator: '\\n',
  header: false,
};
export const recordSettings: SplitSettings = {
  kind: 'record',
  maxChars: 800,
  overlap: 0,
  separator: '\\n',
  header: false,
};

export const kindNames: Record<SplitKind, string> = {
  heading: 'by heading',
  paragraph: 'by paragraph',
  fixed: 'fixed size',
  whole: 'one piece',
  csv: 'CSV rows',
  json: 'JSON lines',
  record: 'records',
};

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', '0': '\0', '\\': '\\' };

/** A separator as typed, with `\n`, `\r`, `\t`, `\0` and `\\` read as what they stand for. */
export const readSeparator = (typed: string): string =>
  typed.replace(/\\([nrt0\\])/g, (_, letter: string) => escapes[letter] ?? letter);

const usual: Record<DocumentKind, SplitSettings> = {
  markdown: proseSettings,
  prose: proseSettings,
  csv: { ...recordSettings, kind: 'csv', header: true },
  'bare-csv': { ...recordSettings, kind: 'csv' },
  tsv: { ...recordSettings, kind: 'csv', header: true },
  'json-lines': { ...recordSettings, kind: 'json' },
  lines: recordSettings,
  log: recordSettings,
};

/** What a document most likely wants, by the library's judgement of its name and its first lines. */
export const settingsFor = (uri: string, text = ''): SplitSettings => usual[documentKind({ uri, text })];

const tabbed = (uri: string): boolean => documentKind({ uri, text: '' }) === 'tsv';

/** Settings as they lie in a document's metadata, each value checked: it may be another version's. */
export function readSettings(metadata: Record<string, unknown> | undefined, uri: string): SplitSettings {
  const stored = metadata?.['split'];
  const fallback = settingsFor(uri);
  if (typeof stored !== 'object' || stored === null) return fallback;
  const { kind, maxChars, overlap, separator, header } = stored as Partial<
    Record<keyof SplitSettings, unknown>
  >;
  const size = typeof maxChars === 'number' ? maxChars : fallback.maxChars;
  return {
    kind: typeof kind === 'string' && kind in kindNames ? (kind as SplitKind) : fallback.kind,
    maxChars: size,
    // Earlier versions took overlaps of a whole piece and more.
    overlap: Math.min(typeof overlap === 'number' ? overlap : fallback.overlap, size - 1),
    separator: typeof separator === 'string' ? separator : fallback.separator,
    header: typeof header === 'boolean' ? header : fallback.header,
  };
}

/** The library's splitter for these settings. */
export function splitterFor(
  { kind, maxChars, overlap, separator, header }: SplitSettings,
  uri = '',
): Splitter {
  switch (kind) {
    case 'heading':
      return byHeading({ maxChars, overlapChars: overlap });
    case 'paragraph':
      return byParagraph({ maxChars, overlapChars: overlap });
    case 'fixed':
      return fixedWithOverlap({ chars: maxChars, overlapChars: overlap });
    case 'whole':
      return wholeDocument();
    case 'csv':
      return byCsvRecord({ chunkSize: maxChars, header, delimiter: tabbed(uri) ? '\t' : undefined });
    case 'json':
      return byJsonLine({ chunkSize: maxChars });
    case 'record':
      return byRecord({ chunkSize: maxChars, separator: readSeparator(separator), header });
  }
}

/**
 * One splitter for a shelf of documents that are cut in different ways: it reads each document's own settings.
 * `onSplit` hears of every cut, so that chunks can be shown before they are embedded.
 */
export function shelfSplitter(
  onSplit: (
    document: SplitterDocument & { text: string },
    pieces: readonly SplitPiece[],
    elapsedMs: number,
  ) => void,
): Splitter {
  return {
    id: 'demo-shelf@2',
    name: 'each document by its own settings',
    split(document) {
      const started = performance.now();
      const splitter = splitterFor(readSettings(document.metadata, document.uri), document.uri);
      const text =
        typeof document.text === 'string' ? document.text : new TextDecoder().decode(document.text);
      const pieces = withoutBlobs(text, splitter.split({ ...document, text }));
      onSplit({ ...document, text }, pieces, performance.now() - started);
      return pieces;
    },
  };
}

/** Whether a document is a list: drawn as rows, and never with an overlap. */
export const isList = ({ kind }: Pick<SplitSettings, 'kind'>): boolean =>
  kind === 'csv' || kind === 'json' || kind === 'record';

/** Where the records of a list begin, as its splitter cuts them; none where the text is prose. */
export function recordStarts(text: string, split: SplitSettings, uri: string): number[] | undefined {
  if (!isList(split)) return undefined;
  if (split.kind === 'csv') {
    const delimiter = tabbed(uri) ? '\t' : undefined;
    return csvRecords(text, { header: false, delimiter }).map(({ charStart }) => charStart);
  }
  const separator = split.kind === 'json' ? '\n' : readSeparator(split.separator);
  const starts: number[] = [];
  for (let from = 0; from < text.length && separator !== ''; ) {
    starts.push(from);
    const found = text.indexOf(separator, from);
    from = found < 0 ? text.length : found + separator.length;
  }
  return starts;
}

/** Place of the first record that begins behind `at`. */
export function recordAfter(starts: readonly number[], at: number): number {
  let low = 0;
  for (let high = starts.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The records that lie between `start` and `end`, the first and the last of them as far as they do. */
export function recordRanges(starts: readonly number[], start: number, end: number): [number, number][] {
  const ranges: [number, number][] = [];
  for (let from = start, next = recordAfter(starts, start); from < end; next++) {
    const to = Math.min(end, starts[next] ?? end);
    ranges.push([from, to]);
    from = to;
  }
  return ranges;
}
