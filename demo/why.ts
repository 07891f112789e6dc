import type { Explanation } from '../src/index.ts';
import { h } from './dom.ts';
import type { Hit } from './engine-protocol.ts';
import { count, plural, sentence } from './format.ts';

/** One leg of a hit, as a card tells it: its share of a bar, and its own score and rank. */
interface Leg {
  name: 'words' | 'meaning';
  /** From 0 to 1. Words are measured by the best passage found, meaning is a cosine as it is. */
  share: number;
  score: string;
  rank: number;
}

/** Tells why a passage was found; undefined where a search finds it no longer. */
export type Explain = (hit: Hit) => Promise<Explanation | undefined>;

/** Words shown at most, those that count most. */
const mostTerms = 8;

/** What the legs said of a hit, the words first. */
export function legsOf({ legs }: Pick<Hit, 'legs'>, bestWords: number): Leg[] {
  const { lexical, semantic } = legs;
  const found: Leg[] = [];
  if (lexical) {
    const share = lexical.score / bestWords;
    found.push({ name: 'words', share, score: `BM25 ${lexical.score.toFixed(2)}`, rank: lexical.rank });
  }
  if (semantic) {
    const share = Math.max(0, semantic.score);
    found.push({ name: 'meaning', share, score: `cosine ${semantic.score.toFixed(2)}`, rank: semantic.rank });
  }
  return found;
}

export function legBar(name: string, share: number): HTMLElement {
  const bar = h('i', { class: `bar bar-${name}` });
  bar.style.setProperty('--share', Math.max(0.03, Math.min(1, share)).toFixed(3));
  return bar;
}

/** Whether scores lie between 0 and 1: without the meaning they are the words' own, which have no upper end. */
export const isShare = (found: readonly Hit[]): boolean =>
  found.some(({ legs }) => legs['semantic'] !== undefined) && found.every(({ score }) => score <= 1.0001);

/** "Why this passage": asked of the index when it is opened. */
export function why(hit: Hit, explain: Explain): HTMLElement {
  const told = h('div', { class: 'why-told', 'aria-live': 'polite' });
  const details = h('details', { class: 'why' }, h('summary', {}, 'Why this passage'), told);
  details.addEventListener('toggle', () => {
    if (!(details as HTMLDetailsElement).open || told.childElementCount > 0) return;
    explain(hit).then(
      (explanation) =>
        told.replaceChildren(
          ...(explanation === undefined
            ? [h('p', {}, 'The shelf has changed since; ask again.')]
            : reasons(explanation)),
        ),
      // Asked anew when it is opened again.
      (error: unknown) => told.replaceChildren(document.createTextNode(sentence(error))),
    );
  });
  return details;
}

function reasons(explanation: Explanation): HTMLElement[] {
  const { lexical, semantic, fusion, filtered, score, rank, candidates } = explanation;
  const row = (name: string, share: number, note: string, bar: string): HTMLElement =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, name),
      h('td', { class: 'why-bar' }, legBar(bar, share)),
      h('td', { class: 'why-share' }, share.toFixed(2)),
      h('td', {}, note),
    );
  const best = fusion.best ?? lexical?.score ?? 1;
  const legs = legsOf(
    { legs: { ...(lexical && { lexical }), ...(semantic && { semantic }) } },
    Math.max(best, Number.MIN_VALUE),
  );
  const weight = fusion.semanticWeight;
  const parts =
    weight === undefined ? 'by words alone' : `${percent(1 - weight)} words, ${percent(weight)} meaning`;
  const absent = (['words', 'meaning'] as const).filter((name) => !legs.some((leg) => leg.name === name));
  const rows = legs.map((leg) =>
    row(`By ${leg.name}`, leg.share, `${leg.score}, rank ${count(leg.rank)}`, leg.name),
  );
  const together = row(
    'Together',
    weight === undefined ? score / best : score,
    `${parts}; ${count(rank)} of ${plural(candidates, 'passage')}`,
    'together',
  );
  return [
    h('table', {}, h('tbody', {}, ...rows, together)),
    terms(explanation),
    ...(absent.length > 0 && legs.length > 0
      ? [h('p', {}, `Not found by ${absent[0]}: that leg had nothing to say of it.`)]
      : []),
    ...(filtered.chunks > 0
      ? [h('p', {}, `${plural(filtered.chunks, 'chunk')} kept out by the filter.`)]
      : []),
  ];
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** The question's words that stand in a passage, and what each counts. */
function terms({ lexical }: Explanation): HTMLElement {
  const all = lexical?.terms ?? [];
  if (all.length === 0) {
    return h('p', {}, 'None of the question’s words stands in it; it is near in meaning.');
  }
  const nodes: Node[] = [document.createTextNode('Words that count, the most first: ')];
  all.slice(0, mostTerms).forEach(({ term, times, chunks, score }, at) => {
    const often = times > 1 ? ` × ${times}` : '';
    nodes.push(
      document.createTextNode(at > 0 ? ', ' : ''),
      h('mark', {}, term),
      document.createTextNode(`${often} ${score.toFixed(2)} (in ${plural(chunks, 'chunk')})`),
    );
  });
  if (all.length > mostTerms) nodes.push(document.createTextNode(`, and ${all.length - mostTerms} more`));
  return h('p', {}, ...nodes);
}
