import { h } from './dom.ts';
import type { Hit } from './engine-protocol.ts';
import { count, plural } from './format.ts';
import { telling } from './terms.ts';

/** One leg of a hit, as a card tells it: its share of a bar, and its own score and rank. */
interface Leg {
  name: 'words' | 'meaning';
  /** From 0 to 1. Words are measured by the best passage found, meaning is a cosine as it is. */
  share: number;
  score: string;
  rank: number;
}

/** What the legs said of a hit, the words first. */
export function legsOf({ legs }: Hit, bestWords: number): Leg[] {
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

/** "Why this passage": every leg with its score and rank, the words that matched, and what it comes to. */
export function why(hit: Hit, legs: readonly Leg[], all: readonly Hit[]): HTMLElement {
  const row = (name: string, share: number, note: string, bar: string): HTMLElement =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, name),
      h('td', { class: 'why-bar' }, legBar(bar, share)),
      h('td', { class: 'why-share' }, share.toFixed(2)),
      h('td', {}, note),
    );
  const absent = (['words', 'meaning'] as const).filter((name) => !legs.some((leg) => leg.name === name));
  return h(
    'details',
    { class: 'why' },
    h('summary', {}, 'Why this passage'),
    h(
      'table',
      {},
      h(
        'tbody',
        {},
        ...legs.map(({ name, share, score, rank }) =>
          row(`By ${name}`, share, `${score}, rank ${count(rank)}`, name),
        ),
        isShare(all)
          ? row('Together', hit.score, 'half of each, from 0 to 1', 'together')
          : row(
              'Together',
              hit.score / Math.max(...all.map(({ score }) => score)),
              'of the best, by words alone',
              'together',
            ),
      ),
    ),
    h('p', {}, ...matched(hit, all)),
    absent.length > 0 &&
      legs.length > 0 &&
      h('p', {}, `Not found by ${absent[0]}: that leg had nothing to say of it.`),
  );
}

/** The question's words that stand in a passage, and how rare they are. */
function matched(hit: Hit, all: readonly Hit[]): Node[] {
  const words = new Map<string, number>();
  for (const [start, end] of telling(hit.text, hit.highlights)) {
    const word = hit.text.slice(start, end).toLowerCase();
    words.set(word, (words.get(word) ?? 0) + 1);
  }
  if (words.size === 0) {
    return [document.createTextNode('None of the words that tell stand in it; it is near in meaning.')];
  }
  const holds = (word: string): number =>
    all.filter((other) =>
      other.highlights.some(([start, end]) => other.text.slice(start, end).toLowerCase() === word),
    ).length;
  const rarest = [...words].map(([word, times]) => ({ word, times, inside: holds(word) }));
  rarest.sort((a, b) => a.inside - b.inside);
  const nodes: Node[] = [document.createTextNode('Words matched, the rarest first: ')];
  rarest.slice(0, 12).forEach(({ word, times, inside }, at) => {
    const of = `${times > 1 ? ` × ${times}` : ''} (in ${inside} of ${plural(all.length, 'passage')})`;
    nodes.push(document.createTextNode(at > 0 ? ', ' : ''), h('mark', {}, word), document.createTextNode(of));
  });
  return nodes;
}
