import {
  byHeading,
  byParagraph,
  byRecord,
  fixedWithOverlap,
  type SplitPiece,
  type Splitter,
  type SplitterDocument,
  wholeDocument,
} from '../src/index.ts';
import { withoutBlobs } from './blobs.ts';

export type SplitKind = 'heading' | 'paragraph' | 'fixed' | 'whole' | 'record';

/** How one document is cut. Stored with the document, in its metadata. */
export interface SplitSettings {
  kind: SplitKind;
  /** Longest chunk, in UTF-16 code units. */
  maxChars: number;
  overlap: number;
  /** Between records, as typed: `\n`, `\t` and `\\` are escapes. */
  separator: string;
  /** Records only: the first line names the fields, and every chunk carries it as its context. */
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
  record: 'records',
};

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', '0': '\0', '\\': '\\' };

/** A separator as typed, with `\n`, `\r`, `\t`, `\0` and `\\` read as what they stand for. */
export const readSeparator = (typed: string): string =>
  typed.replace(/\\([nrt0\\])/g, (_, letter: string) => escapes[letter] ?? letter);

/** What a file most likely wants: records for tables, headings for prose. */
export const settingsFor = (uri: string): SplitSettings =>
  /\.(csv|tsv)$/i.test(uri)
    ? { ...recordSettings, header: true }
    : /\.(jsonl|ndjson|log)$/i.test(uri)
      ? recordSettings
      : proseSettings;

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
export function splitterFor({ kind, maxChars, overlap, separator, header }: SplitSettings): Splitter {
  switch (kind) {
    case 'heading':
      return byHeading({ maxChars, overlapChars: overlap });
    case 'paragraph':
      return byParagraph({ maxChars, overlapChars: overlap });
    case 'fixed':
      return fixedWithOverlap({ chars: maxChars, overlapChars: overlap });
    case 'whole':
      return wholeDocument();
    case 'record':
      return byRecord({ chunkSize: maxChars, separator: readSeparator(separator), header });
  }
}

/**
 * One splitter for a shelf of documents that are cut in different ways: it reads each document's own settings.
 * `onSplit` hears of every cut, so that chunks can be shown before they are embedded.
 */
export function shelfSplitter(
  onSplit: (document: SplitterDocument, pieces: readonly SplitPiece[], elapsedMs: number) => void,
): Splitter {
  return {
    id: 'demo-shelf@2',
    name: 'each document by its own settings',
    split(document) {
      const started = performance.now();
      const splitter = splitterFor(readSettings(document.metadata, document.uri));
      const text =
        typeof document.text === 'string' ? document.text : new TextDecoder().decode(document.text);
      const pieces = withoutBlobs(text, splitter.split({ ...document, text }));
      onSplit(document, pieces, performance.now() - started);
      return pieces;
    },
  };
}

/** Records of `text` between `start` and `end`: each with its separator, so that they cover the range. */
export function recordRanges(
  text: string,
  separator: string,
  start: number,
  end: number,
): [number, number][] {
  if (separator === '') return [[start, end]];
  const ranges: [number, number][] = [];
  for (let from = start; from < end; ) {
    const found = text.indexOf(separator, from);
    const to = found < 0 ? end : Math.min(end, found + separator.length);
    ranges.push([from, to]);
    from = to;
  }
  return ranges;
}
