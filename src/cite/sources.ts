/** Retrieved values as the functions for citations read them, and which of them are neighbours. */
import { invalidOption, ShelfmarkError, show } from '../errors.ts';
import { chunkProvenance, passageText } from '../provenance.ts';
import { chunkIndexOf } from '../store/ids.ts';
import type { Provenance } from '../types.ts';

/** A retrieved value. */
export interface Source extends Provenance {
  /** Its own id, else the name of its document, else `source`; a number is added where the name is taken. */
  id: string;
  text: string;
  /** Offsets of `text` in the document, in UTF-16 code units, where they fit its length. */
  charStart?: number;
  charEnd?: number;
  /** Position among those given, from 0: its rank. */
  rank: number;
}

/** Neighbours of one document joined, or one source alone. */
export interface Run {
  /** In the order of the document. */
  parts: readonly Source[];
  text: string;
  /** Where each part's own text begins in `text`; what it shares with the part before is not repeated. */
  starts: readonly number[];
}

/** As it stands in a list of ids, which white space divides. */
export const spelledId = (id: string): string => id.replace(/\s/g, (one) => encodeURIComponent(one));

const field = (value: object, name: string): unknown => {
  const own = (value as Record<string, unknown>)[name];
  if (own !== undefined) return own;
  const { metadata } = value as { metadata?: unknown };
  return typeof metadata === 'object' && metadata !== null
    ? (metadata as Record<string, unknown>)[name]
    : undefined;
};

/**
 * Reads retrieved values: messages, documents and chunks.
 *
 * @throws ShelfmarkError `EMPTY_DOCUMENT` naming a value without a passage; `INVALID_OPTION` for what is no list
 */
export function sourcesOf(values: readonly unknown[], option: string): Source[] {
  if (!Array.isArray(values)) throw invalidOption(option, values, 'an array of passages');
  const taken = new Map<string, number>();
  return values.map((value: unknown, rank) => {
    const text = passageText(value);
    const provenance = chunkProvenance(value);
    const given = typeof value === 'object' && value !== null ? field(value, 'id') : undefined;
    if (text.trim() === '') {
      const name = typeof given === 'string' ? given : provenance.docUri;
      throw new ShelfmarkError(
        'EMPTY_DOCUMENT',
        `${option}[${rank}]${name === undefined ? '' : `, ${show(name)},`} has no passage: give each its text as \`text\` or \`content\`.`,
      );
    }
    const source: Source = { ...provenance, id: '', text, rank };
    source.id =
      typeof given === 'string' && given !== '' ? given : named(provenance.docUri ?? 'source', taken);
    taken.set(source.id, taken.get(source.id) ?? 1);
    const charStart = field(value as object, 'charStart');
    const charEnd = field(value as object, 'charEnd');
    if (typeof charStart === 'number' && Number.isInteger(charStart) && charEnd === charStart + text.length) {
      source.charStart = charStart;
      source.charEnd = charEnd;
    }
    return source;
  });
}

function named(name: string, taken: Map<string, number>): string {
  const count = taken.get(name);
  if (count === undefined) return name;
  taken.set(name, count + 1);
  return `${name}(${count + 1})`;
}

/** Whether two ids are those of a document's chunks that follow each other. */
function follows(a: Source, b: Source): boolean {
  const at = a.id.lastIndexOf('#');
  return (
    at >= 0 &&
    a.id.slice(0, at) === b.id.slice(0, b.id.lastIndexOf('#')) &&
    chunkIndexOf(b.id) === chunkIndexOf(a.id) + 1
  );
}

/** What `b` adds to a run that ends with `a`, and what stands between them; undefined where they are no neighbours. */
function added(a: Source, b: Source): { between: string; from: number } | undefined {
  if (a.docUri === undefined || a.docUri !== b.docUri) return undefined;
  if (a.charEnd === undefined || a.charStart === undefined || b.charStart === undefined) return undefined;
  const shared = a.charEnd - b.charStart;
  if (shared < 0) return follows(a, b) ? { between: shared === -1 ? '\n' : '\n\n', from: 0 } : undefined;
  if (b.charEnd! <= a.charEnd || b.charStart <= a.charStart) return undefined;
  return a.text.endsWith(b.text.slice(0, shared)) ? { between: '', from: shared } : undefined;
}

/** Sources with their neighbours, each in one run, in no particular order of runs but by document and place. */
export function joinNeighbours(sources: readonly Source[]): Run[] {
  const placed = [...sources].sort(
    (a, b) =>
      compare(a.docUri ?? '', b.docUri ?? '') || (a.charStart ?? 0) - (b.charStart ?? 0) || a.rank - b.rank,
  );
  const runs: { parts: Source[]; text: string; starts: number[] }[] = [];
  for (const source of placed) {
    const run = runs.at(-1);
    const more = run && added(run.parts.at(-1)!, source);
    if (run === undefined || more === undefined) {
      runs.push({ parts: [source], text: source.text, starts: [0] });
      continue;
    }
    run.starts.push(run.text.length + more.between.length - more.from);
    run.parts.push(source);
    run.text += more.between + source.text.slice(more.from);
  }
  return runs;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
