import type { SplitPiece, Splitter, SplitterDocument } from '../types.ts';
import { documentText } from './spans.ts';

/** How a splitter cuts the string a document's text means. */
export type Cut = (text: string, document: SplitterDocument) => readonly SplitPiece[];

/**
 * A splitter whose id spells its name, version and effective options in the order given, as in
 * `byParagraph@1(maxChars=1000,overlapChars=150,minChars=250)`. An undefined option is left out.
 *
 * @param version raise it whenever the same options come to cut differently, so that indexes notice.
 */
export function defineSplitter(
  name: string,
  version: number,
  options: Readonly<Record<string, string | number | undefined>>,
  cut: Cut,
): Splitter {
  const spelled = Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .map(([option, value]) => `${option}=${value}`);
  return {
    id: `${name}@${version}(${spelled.join(',')})`,
    name,
    acceptsBytes: true,
    split: (document) => cut(documentText(document), document),
  };
}
