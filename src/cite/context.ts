import { invalidOption } from '../errors.ts';
import { maybeFunction, oneOf, optionsObject } from '../options.ts';
import { joinNeighbours, type Run, type Source, sourcesOf, spelledId } from './sources.ts';

export interface FormatContextOptions {
  /**
   * Most of the whole result, in UTF-16 code units, or in what `length` counts. Passages that do not fit are left
   * out whole, and smaller ones that come after them may still be in. Default: all are in.
   */
  maxChars?: number | undefined;
  /** Counts the result in place of characters, in tokens for example. */
  length?: ((text: string) => number) | undefined;
  /**
   * `'rank'` (default) puts the best first; `'document'` keeps each document together in its own order, the document
   * of the best passage first.
   */
  order?: 'rank' | 'document' | undefined;
}

const escaped: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text: string): string => text.replace(/[&<>]/g, (one) => escaped[one]!);
const attribute = (name: string, value: string): string =>
  ` ${name}="${value.replace(/\s+/g, ' ').replace(/[&<>"]/g, (one) => escaped[one]!)}"`;

/** One block: `<source id="refunds.md#3" heading="Refund timing" page="2">…</source>`. */
function block({ parts, text }: Run): string {
  const first = parts[0]!;
  const ids = parts.map(({ id }) => spelledId(id)).join(' ');
  let opening = attribute(parts.length > 1 ? 'ids' : 'id', ids);
  if (first.docUri !== undefined && !first.id.startsWith(first.docUri))
    opening += attribute('uri', first.docUri);
  if (first.heading !== undefined) opening += attribute('heading', first.heading);
  if (first.page !== undefined) opening += attribute('page', String(first.page));
  return `<source${opening}>${escapeText(text)}</source>`;
}

const rankOf = ({ parts }: Run): number => Math.min(...parts.map(({ rank }) => rank));

/**
 * The blocks of some sources, joined and in order.
 *
 * @param alone blocks of sources without a neighbour, kept from call to call
 */
function format(sources: readonly Source[], order: 'rank' | 'document', alone: Map<Source, string>): string {
  const runs = joinNeighbours(sources);
  const best = new Map<string | undefined, number>();
  for (const run of runs) {
    const { docUri } = run.parts[0]!;
    best.set(docUri, Math.min(best.get(docUri) ?? Number.POSITIVE_INFINITY, rankOf(run)));
  }
  // Runs come by place within a document, and a stable sort keeps that.
  const placed = [...runs].sort((a, b) =>
    order === 'rank' ? rankOf(a) - rankOf(b) : best.get(a.parts[0]!.docUri)! - best.get(b.parts[0]!.docUri)!,
  );
  const blockOf = (run: Run): string => {
    const [first, second] = run.parts;
    const known = second === undefined ? alone.get(first!) : undefined;
    const made = known ?? block(run);
    if (second === undefined) alone.set(first!, made);
    return made;
  };
  return placed.map(blockOf).join('\n\n');
}

/**
 * Retrieved passages as text for a model: a block each, `<source id="refunds.md#3" heading="Refund timing" page="2">
 * …</source>`, a blank line between them. `&`, `<`, `>` in passages and `"` in attributes are escaped, so that no
 * document can end its block or begin another. Neighbours of one document become one block without what they share,
 * `ids="a#3 a#4"`; white space in an id is percent-encoded.
 *
 * Reads chunks, documents with `metadata` and chat messages, by `chunkProvenance` and `passageText`. A value without an
 * id is named after its document. Nothing given, or nothing that fits `maxChars`, is `''`.
 *
 * @throws ShelfmarkError `EMPTY_DOCUMENT` naming a value without a passage; `INVALID_OPTION`
 */
export function formatContext(values: readonly unknown[], options: FormatContextOptions = {}): string {
  const { maxChars, length, order = 'rank' } = optionsObject(options);
  oneOf('order', order, ['rank', 'document']);
  maybeFunction('length', length);
  if (maxChars !== undefined && !(typeof maxChars === 'number' && maxChars >= 0)) {
    throw invalidOption('maxChars', maxChars, 'a number, 0 or more');
  }
  const sources = sourcesOf(values, 'values');
  const alone = new Map<Source, string>();
  const whole = format(sources, order, alone);
  const size = (text: string): number => {
    if (length === undefined) return text.length;
    const counted = length(text);
    if (typeof counted === 'number' && counted >= 0) return counted;
    throw invalidOption('The answer of length', counted, 'a number, 0 or more');
  };
  if (maxChars === undefined || size(whole) <= maxChars) return whole;

  const kept: Source[] = [];
  let context = '';
  for (const source of sources) {
    const more = format([...kept, source], order, alone);
    if (size(more) > maxChars) continue;
    kept.push(source);
    context = more;
  }
  return context;
}
