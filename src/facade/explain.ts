/* Fetched when a hit is first explained. */
import type { Lexicon } from '../lexicon/lexicon.ts';
import { rrfDamping } from '../retrieve/fuse.ts';
import { documentIdOf } from '../store/ids.ts';
import type { Judged } from '../store/legs.ts';
import { matchesFilter } from '../store/metadata.ts';
import type { DocumentStore } from '../store/store.ts';
import { metadataAt, type Place, placeHead } from '../store/table.ts';
import type { ExplainedFusion, ExplainedTerm, Explanation, Metadata } from '../types.ts';
import type { IndexParts } from './parts.ts';
import type { Asked } from './searcher.ts';

/** A candidate of a store of this library, or of another one. */
type Candidate = Judged &
  ((Place & { row: number }) | { entry?: undefined; id: string; metadata?: Metadata });

const idOf = (candidate: Candidate): string =>
  candidate.entry === undefined ? candidate.id : placeHead(candidate).id;

const metadataOf = (candidate: Candidate): Metadata | undefined =>
  candidate.entry === undefined ? candidate.metadata : metadataAt(candidate);

/** What a search of this moment makes of one passage; undefined where it does not find it. */
export async function explain(
  id: string,
  asked: Asked,
  store: DocumentStore,
  { kind, weight, shares }: IndexParts['fusion'],
): Promise<Explanation | undefined> {
  const { request, choose, alone } = asked;
  for (;;) {
    const lexicon = request.query === undefined ? undefined : (await store.words?.())?.lexicon;
    // Read first, so that the terms' scores are of the same moment as the search.
    const readings = lexicon && (await store.readReadings([documentIdOf(id)]))[0];
    let isStale = false;
    let explained: Explanation | undefined;
    await store.searchLegs(request, (proposed, best) => {
      const candidates = choose(proposed, best);
      const at = candidates.findIndex((one) => idOf(one as unknown as Candidate) === id);
      const found = candidates[at] as unknown as (Candidate & { score: number }) | undefined;
      if (found === undefined) return [];
      const { lexical, semantic } = found.legs;
      explained = {
        id,
        score: found.score,
        rank: at + 1,
        candidates: candidates.length,
        ...(lexical !== undefined && { lexical: { ...lexical } }),
        ...(semantic !== undefined && { semantic }),
        fusion: fusionOf(found, best),
        filtered: { chunks: 0, better: 0 },
      };
      if (lexical === undefined || lexicon === undefined || found.entry === undefined) return [];
      isStale = found.entry.version !== readings?.entry.version;
      const reading = readings?.readings[found.at];
      if (!isStale && reading !== undefined)
        explained.lexical!.terms = termsOf(asked, lexicon, found.row, reading);
      return [];
    });
    if (isStale) continue;
    if (explained !== undefined) explained.filtered = await filteredOf(id, asked, store);
    return explained;
  }

  function fusionOf(found: Judged & { score: number }, best: number): ExplainedFusion {
    if (alone !== undefined) return { kind: alone, lexical: 0, semantic: 0, [alone]: found.score };
    const [lexical, semantic] = shares(found, best);
    return {
      kind,
      semanticWeight: weight,
      ...(kind === 'convex' ? { best } : { damping: rrfDamping }),
      lexical,
      semantic,
    };
  }
}

/** The terms that a row holds of a query. */
function termsOf({ request }: Asked, lexicon: Lexicon, row: number, reading: string): ExplainedTerm[] {
  const { query, prefix = false, typos = false } = request;
  const held = new Map<number, { term: string; times: number }>();
  for (const { term, token } of lexicon.tokenize(reading)) {
    const known = held.get(term) ?? { term: token, times: 0 };
    known.times++;
    held.set(term, known);
  }
  return lexicon
    .parts(query!, prefix, typos)
    .flatMap(({ term, token, weight, rarity, alone }): ExplainedTerm[] => {
      const own = held.get(term);
      const chunks = lexicon.frequency(term);
      return own === undefined ? [] : [{ ...own, query: token, weight, rarity, chunks, score: alone(row) }];
    })
    .sort((a, b) => b.score - a.score);
}

/** What the filter kept out of a search. */
async function filteredOf(
  id: string,
  { request, choose }: Asked,
  store: DocumentStore,
): Promise<Explanation['filtered']> {
  const { filter } = request;
  if (filter === undefined || Object.keys(filter).length === 0) return { chunks: 0, better: 0 };
  const chunks = (await store.countChunks()) - (await store.countChunks(filter));
  let better = 0;
  await store.searchLegs({ ...request, filter: undefined }, (proposed, best) => {
    const all = choose(proposed, best) as unknown as Candidate[];
    const at = all.findIndex((one) => idOf(one) === id);
    // One that the others leave no room for is behind all of them.
    const before = at < 0 ? all : all.slice(0, at);
    better = before.filter((one) => !matchesFilter(metadataOf(one), filter)).length;
    return [];
  });
  return { chunks, better };
}
