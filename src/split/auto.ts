import { invalidOption } from '../errors.ts';
import { optionsObject } from '../options.ts';
import type { Splitter } from '../types.ts';
import { byCsvRecord } from './by-csv-record.ts';
import { byHeading } from './by-heading.ts';
import { byParagraph } from './by-paragraph.ts';
import { byRecord } from './by-record.ts';
import { checkSplitter } from './check-splitter.ts';
import { type DocumentKind, documentKind, extensionOf, stampPattern } from './document-kind.ts';
import { byJsonLine } from './json-lines.ts';

/** Raised whenever a document may come to be cut by another splitter than before. */
const version = 1;

export interface AutoSplitterOptions {
  /** Splitters of one's own for kinds of documents; the others keep theirs. */
  kinds?: Partial<Record<DocumentKind, Splitter>> | undefined;
  /** Splitters by the end of a file's name, with or without its dot; they come before anything a text looks like. */
  extensions?: Readonly<Record<string, Splitter>> | undefined;
}

const usual = (): Record<DocumentKind, Splitter> => ({
  markdown: byHeading(),
  prose: byParagraph(),
  csv: byCsvRecord(),
  'bare-csv': byCsvRecord({ header: false }),
  tsv: byCsvRecord({ delimiter: '\t' }),
  'json-lines': byJsonLine(),
  lines: byRecord(),
  log: byRecord({ separator: new RegExp(`(?=${stampPattern})`, 'm') }),
});

/**
 * Cuts each document as its kind wants to be cut, which its name or its first lines tell (`documentKind`): Markdown
 * by headings, prose by paragraphs, tables by rows, JSON lines and logs by entries. The id spells all splitters that may be chosen.
 *
 * @throws ShelfmarkError `INVALID_OPTION` for a kind that is none and for what is no splitter
 */
export function autoSplitter(options: AutoSplitterOptions = {}): Splitter {
  const { kinds = {}, extensions = {} } = optionsObject(options);
  const chosen = usual();
  for (const [kind, splitter] of Object.entries(optionsObject(kinds))) {
    if (!Object.hasOwn(chosen, kind))
      throw invalidOption('A kind', kind, `one of ${Object.keys(chosen).join(', ')}`);
    if (splitter === undefined) continue;
    checkSplitter(splitter);
    chosen[kind as DocumentKind] = splitter;
  }
  const byExtension = new Map<string, Splitter>();
  for (const [extension, splitter] of Object.entries(optionsObject(extensions))) {
    checkSplitter(splitter);
    byExtension.set(extension.replace(/^\./, '').toLowerCase(), splitter);
  }
  const spelled = [
    ...Object.entries(chosen).map(([kind, { id }]) => `${kind}=${id}`),
    ...[...byExtension]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([extension, { id }]) => `.${extension}=${id}`),
  ];
  const every = [...Object.values(chosen), ...byExtension.values()];
  return {
    id: `autoSplitter@${version}(${spelled.join(',')})`,
    name: 'autoSplitter',
    acceptsBytes: every.every((splitter) => splitter.acceptsBytes === true),
    split(document) {
      const own = byExtension.get(extensionOf(String(document?.uri)));
      return (own ?? chosen[documentKind(document)]).split(document);
    },
  };
}
