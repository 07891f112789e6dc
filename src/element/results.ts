import type { Hit } from '../types.ts';
import { plain } from './snippet.ts';

/** The hits of one page, best first. */
export interface Page {
  uri: string;
  title: string;
  hits: Hit[];
}

/** Hits by page, the page of the best one first. */
export function byPage(hits: readonly Hit[]): Page[] {
  const pages = new Map<string, Page>();
  for (const hit of hits) {
    const page = pages.get(hit.docUri);
    if (page === undefined) pages.set(hit.docUri, { uri: hit.docUri, title: titleOf(hit), hits: [hit] });
    else page.hits.push(hit);
  }
  return [...pages.values()];
}

/**
 * Hits that came later, put into a list that is being looked at: whatever stands before the selected one, and that one,
 * stay where they are.
 *
 * @param selected Place of the selected hit, -1 where none is
 */
export function merged(shown: readonly Hit[], selected: number, found: readonly Hit[]): Hit[] {
  const kept = shown.slice(0, selected + 1);
  const ids = new Set(kept.map(({ id }) => id));
  return [...kept, ...found.filter(({ id }) => !ids.has(id))];
}

function titleOf({ title, headingPath, docUri }: Hit): string {
  const first = title ?? headingPath?.[0];
  const read = first === undefined ? '' : plain(first);
  return read === '' ? docUri : read;
}

/** Headings a hit stands under, outermost first, without the page's own title; the title where there is none. */
export function pathOf({ headingPath, heading }: Hit, page: Page): string[] {
  const titles = (headingPath ?? (heading === undefined ? [] : [heading]))
    .map(plain)
    .filter((title) => title !== '');
  if (titles[0] === page.title) titles.shift();
  return titles.length > 0 ? titles : [page.title];
}
