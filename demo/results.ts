import { h } from './dom.ts';
import type { Hit } from './engine-protocol.ts';
import { count, span } from './format.ts';
import { copyFrom } from './menu.ts';
import { snippet } from './snippet.ts';
import { type Rarity, rarityIn } from './terms.ts';
import { type Explain, isShare, legBar, legsOf, why } from './why.ts';

/** The citation one copies: where it stands, so that anyone can find exactly these characters. */
export function citation(hit: Hit): string {
  const path = hit.headingPath?.length ? hit.headingPath.join(' › ') : hit.heading;
  const place = `${hit.docUri ?? hit.id} [${hit.charStart ?? 0}, ${hit.charEnd ?? 0})`;
  return path ? `${path} · ${place}` : place;
}

/** What a card needs to know of the other passages. */
interface Among {
  found: readonly Hit[];
  /** Best BM25 score. */
  best: number;
  rarity: Rarity;
  currentUri: string | undefined;
  explain: Explain;
}

/** The passages as cards, walked with the arrow keys. */
export class Results {
  readonly #list: HTMLElement;
  readonly #onOpen: (hit: Hit) => void;
  readonly #onLeaveTop: () => void;
  #cards: HTMLElement[] = [];

  constructor(list: HTMLElement, onOpen: (hit: Hit) => void, onLeaveTop: () => void) {
    this.#list = list;
    this.#onOpen = onOpen;
    this.#onLeaveTop = onLeaveTop;
    list.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Shows the first `shown` of the passages found; the others say how rare a word is, and what the best score is. */
  show(found: readonly Hit[], shown: number, currentUri: string | undefined, explain: Explain): void {
    const best = Math.max(...found.map(({ legs }) => legs['lexical']?.score ?? 0), Number.MIN_VALUE);
    const among: Among = { found, best, rarity: rarityIn(found), currentUri, explain };
    this.#cards = found.slice(0, shown).map((hit, index) => this.#card(hit, index, among));
    this.#list.replaceChildren(...this.#cards);
    this.#list.scrollTop = 0;
  }

  clear(): void {
    this.#cards = [];
    this.#list.replaceChildren();
  }

  focusFirst(): void {
    this.#button(0)?.focus();
  }

  #card(hit: Hit, index: number, { found, best, rarity, currentUri, explain }: Among): HTMLElement {
    const legs = legsOf(hit, best);
    const path = hit.headingPath?.length ? hit.headingPath : hit.heading ? [hit.heading] : [];
    const open = h(
      'button',
      { class: 'open', type: 'button' },
      ...(path.length > 0 ? trail(path) : [h('span', { class: 'leaf' }, nameless(hit))]),
    );
    const copy = h(
      'button',
      { class: 'copy', type: 'button', 'aria-label': `Copy citation ${index + 1}` },
      'Copy',
    );
    copy.addEventListener('click', () => void copyFrom(copy, citation(hit), 'Copy'));
    const card = h(
      'li',
      { class: 'card', 'data-id': hit.id, 'data-start': hit.charStart, 'data-end': hit.charEnd },
      h(
        'div',
        { class: 'card-top' },
        h('span', { class: 'rank', 'aria-hidden': 'true' }, String(index + 1)),
        open,
      ),
      h('p', { class: 'excerpt' }, ...snippet(hit, rarity)),
      h(
        'div',
        { class: 'card-foot' },
        bars(hit, legs, isShare(found) ? ' on a scale from 0 to 1' : ''),
        h(
          'span',
          { class: 'cite' },
          h('span', { class: hit.docUri === currentUri ? 'uri' : 'uri elsewhere' }, hit.docUri),
          h('span', { class: 'offsets' }, ` ${span(hit.charStart ?? 0, hit.charEnd ?? 0)}`),
        ),
        copy,
      ),
      why(hit, explain),
    );
    open.addEventListener('click', () => {
      for (const other of this.#cards) other.classList.toggle('opened', other === card);
      for (const other of this.#cards)
        this.#open(other)?.setAttribute('aria-pressed', String(other === card));
      this.#onOpen(hit);
    });
    open.setAttribute('aria-pressed', 'false');
    return card;
  }

  #open(card: HTMLElement | undefined): HTMLButtonElement | null | undefined {
    return card?.querySelector<HTMLButtonElement>('button.open');
  }

  #button(index: number): HTMLButtonElement | null | undefined {
    return this.#open(this.#cards[index]);
  }

  #key(event: KeyboardEvent): void {
    const current = this.#cards.findIndex((card) => card.contains(document.activeElement));
    if (current < 0) return;
    const next = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: this.#cards.length - 1 }[
      event.key
    ];
    if (next === undefined) return;
    event.preventDefault();
    if (next < 0) this.#onLeaveTop();
    else this.#button(Math.min(next, this.#cards.length - 1))?.focus();
  }
}

/** The way down to a heading; all but its end is quiet. */
function trail(path: readonly string[]): Node[] {
  const above = path.slice(0, -1);
  return [
    h('span', { class: 'leaf' }, path.at(-1)),
    ...(above.length > 0 ? [h('span', { class: 'above' }, above.join(' › '))] : []),
  ];
}

/** What a passage without a heading is called: a record, say. */
const nameless = ({ id, docUri }: Hit): string => {
  const number = Number(/#(\d+)$/.exec(id)?.[1] ?? 0) + 1;
  return `Passage ${count(number)} of ${docUri ?? 'the shelf'}`;
};

/** One bar a leg, and what they come to. */
function bars({ score }: Hit, legs: ReturnType<typeof legsOf>, scale: string): HTMLElement {
  const notes = legs.map(({ name, score: own, rank }) => `${name}: ${own}, rank ${rank}`);
  return h(
    'span',
    { class: 'bars', title: `Score ${score.toFixed(2)}${scale}. ${notes.join(' · ')}` },
    ...legs.map(({ name, share }) => legBar(name, share)),
    h('span', { class: 'score' }, h('span', { class: 'of' }, 'score '), score.toFixed(2)),
    h('span', { class: 'sr' }, `${scale}, ${notes.join(', ')}`),
  );
}
