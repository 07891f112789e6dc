import { Packer } from './packer.ts';
import type { LexicalSegment } from './segments.ts';
import type { Change, Entry, Texts } from './table.ts';
import { staleIn, type WordSegments, type WordsChange } from './word-segments.ts';

/** More segments than one commit writes. */
const MOST_SEGMENTS = 2 ** 16;
/** Chunks whose words are read from their texts with a commit, where no segment has them. */
const LACKING_CHUNKS = 512;
/** A segment of fewer live chunks is small, and all small ones are merged once there are so many of them. */
const SMALL_CHUNKS = 64;
const SMALL_SEGMENTS = 16;

/** Where stored words and texts are read from. */
export interface WordSource {
  segments(keys: readonly number[]): Promise<(LexicalSegment | undefined)[]>;
  texts(entries: readonly Entry[]): Promise<ReadonlyMap<string, Texts>>;
}

/**
 * What a change means for the stored words: those of the documents it writes are packed, with some that lack
 * theirs, segments that are small or half dead are merged, and those that nobody needs are dropped.
 */
export async function packWords(
  words: WordSegments,
  change: Change,
  before: ReadonlyMap<string, Entry>,
  source: WordSource,
): Promise<WordsChange> {
  const stale = staleIn(change);
  const { options, analyzer, known, where } = words;
  const { merged, drops } = outdated(words, stale);
  const given = (change.words ?? []).filter((segment) => segment.analyzer === analyzer);
  const packed = new Set(given.flatMap(({ ids }) => ids));
  const packer = new Packer(options, analyzer);
  const stored = await source.segments(merged);
  for (const [at, key] of merged.entries()) {
    const segment = stored[at];
    if (segment === undefined) continue;
    await packer.take(segment, (id) => where.get(id) === key && !stale.has(id));
  }
  try {
    for (const [id, texts] of change.texts) {
      if (!packed.has(id)) await packer.add(change.entries.get(id)!, texts);
    }
    const lacking = someLacking(words, before, stale);
    const texts = lacking.length === 0 ? undefined : await source.texts(lacking);
    for (const entry of lacking) {
      const own = texts?.get(entry.id);
      if (own !== undefined) await packer.add(change.entries.get(entry.id) ?? entry, own);
    }
  } catch (error) {
    // A stemmer of one's own that throws fails the search for words, not the storing of documents.
    if (options.stem === undefined) throw error;
    return { puts: new Map(), drops: [], keys: [...known.keys()] };
  }
  // Never a number that another segment had, which another tab may still take for that one.
  const first = change.meta.generation * MOST_SEGMENTS;
  const puts = new Map([...given, ...packer.finish()].map((segment, at) => [first + at, segment]));
  const dropped = new Set(drops);
  const keys = [...known.keys()].filter((key) => !dropped.has(key));
  return { puts, drops, keys: [...keys, ...puts.keys()] };
}

/** Segments that are of no use once the words of some documents are gone, and those to be merged. */
function outdated(
  { known, where, damaged }: WordSegments,
  stale: ReadonlySet<string>,
): { merged: number[]; drops: number[] } {
  const lost = new Map<number, number>();
  for (const id of stale) {
    const key = where.get(id);
    if (key === undefined) continue;
    lost.set(key, (lost.get(key) ?? 0) + known.get(key)!.documents.get(id)!.chunks);
  }
  const merged: number[] = [];
  const small: number[] = [];
  const drops = [...damaged.keys()];
  for (const [key, { live, total }] of known) {
    const left = live - (lost.get(key) ?? 0);
    if (left === 0) drops.push(key);
    else if (left * 2 < total) merged.push(key);
    else if (left < SMALL_CHUNKS) small.push(key);
  }
  if (small.length >= SMALL_SEGMENTS) merged.push(...small);
  return { merged, drops: [...drops, ...merged] };
}

function someLacking(
  { lackingIds }: WordSegments,
  entries: ReadonlyMap<string, Entry>,
  stale: ReadonlySet<string>,
): Entry[] {
  const some: Entry[] = [];
  let chunks = 0;
  for (const id of lackingIds) {
    const entry = stale.has(id) ? undefined : entries.get(id);
    if (entry === undefined) continue;
    some.push(entry);
    chunks += entry.rows.length;
    if (chunks >= LACKING_CHUNKS) break;
  }
  return some;
}
