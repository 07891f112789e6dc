import { h } from './dom.ts';
import type { Hit } from './engine-protocol.ts';
import { count, span } from './format.ts';
import { excerpt, telling } from './terms.ts';

const legNames: Record<string, string> = { lexical: 'words', semantic: 'meaning' };

/** The citation one copies: where it stands, so that anyone can find exactly these characters. */
export function citation(hit: Hit): string {
  const path = hit.headingPath?.length ? hit.headingPath.join(' › ') : hit.heading;
  const place = `${hit.docUri ?? hit.id} [${hit.charStart ?? 0}, ${hit.charEnd ?? 0})`;
  return path ? `${path} · ${place}` : place;
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

  show(hits: readonly Hit[], currentUri: string | undefined): void {
    const most = Math.max(...hits.map(({ legs }) => legs['lexical']?.score ?? 0), Number.MIN_VALUE);
    this.#cards = hits.map((hit, index) => this.#card(hit, index, most, currentUri));
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

  #card(hit: Hit, index: number, most: number, currentUri: string | undefined): HTMLElement {
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
    copy.addEventListener('click', () => void copyCitation(copy, citation(hit)));
    const card = h(
      'li',
      { class: 'card', 'data-id': hit.id, 'data-start': hit.charStart, 'data-end': hit.charEnd },
      h(
        'div',
        { class: 'card-top' },
        h('span', { class: 'rank', 'aria-hidden': 'true' }, String(index + 1)),
        open,
      ),
      h('p', { class: 'excerpt' }, ...marked(hit)),
      h(
        'div',
        { class: 'card-foot' },
        bars(hit, most),
        h(
          'span',
          { class: 'cite' },
          h('span', { class: hit.docUri === currentUri ? 'uri' : 'uri elsewhere' }, hit.docUri),
          h('span', { class: 'offsets' }, ` ${span(hit.charStart ?? 0, hit.charEnd ?? 0)}`),
        ),
        copy,
      ),
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

/** The part of a passage that answers best, the question's words marked. Text nodes only. */
function marked(hit: Hit): Node[] {
  const { text } = hit;
  const ranges = telling(text, hit.highlights);
  const body = bodyStart(hit);
  const [from, to] = excerpt(
    text.slice(body),
    ranges.filter(([a]) => a >= body).map(([a, b]) => [a - body, b - body]),
  );
  const [start, end] = [from + body, to + body];
  const nodes: Node[] =
    start > body || (body > 0 && /^\p{Ll}/u.test(text.slice(start, start + 2)))
      ? [document.createTextNode('… ')]
      : [];
  let at = start;
  for (const [a, b] of ranges) {
    if (a < at || b > end) continue;
    nodes.push(document.createTextNode(text.slice(at, a)), h('mark', {}, text.slice(a, b)));
    at = b;
  }
  nodes.push(document.createTextNode(text.slice(at, end).trimEnd()));
  if (end < text.trimEnd().length) nodes.push(document.createTextNode(' …'));
  return nodes;
}

/**
 * Where a card's text begins: a passage's own heading stands above its card already, what comes before that is
 * overlap, and a passage that begins inside a word begins with the next.
 */
function bodyStart({ text, heading, charStart }: Hit): number {
  for (const line of text.matchAll(/^#{1,6}[ \t]+([^\r\n]*)(?:\r\n|\r|\n|$)\s*/gm)) {
    const end = line.index + line[0].length;
    if (heading !== undefined && line[1]?.trim() === heading && end < text.length) return end;
  }
  const cutWord = (charStart ?? 0) > 0 ? /^\p{Ll}\S{0,30}\s+/u.exec(text) : null;
  return cutWord?.[0].length ?? 0;
}

/** One bar a leg. Words are measured by the best of these passages, meaning is a cosine as it is. */
function bars({ legs, score }: Hit, most: number): HTMLElement {
  const rows = ['lexical', 'semantic'].flatMap((leg) => {
    const said = legs[leg];
    if (!said) return [];
    const name = legNames[leg] ?? leg;
    return [
      {
        name,
        share: leg === 'lexical' ? said.score / most : said.score,
        note: `${name}: score ${said.score.toFixed(3)}, rank ${said.rank}`,
      },
    ];
  });
  return h(
    'span',
    { class: 'bars', title: rows.map(({ note }) => note).join(' · ') },
    ...rows.map(({ name, share }) => {
      const bar = h('i', { class: `bar bar-${name}` });
      bar.style.setProperty('--share', Math.max(0.03, Math.min(1, share)).toFixed(3));
      return bar;
    }),
    h('span', { class: 'score' }, score.toFixed(2)),
    h('span', { class: 'sr' }, `, ${rows.map(({ note }) => note).join(', ')}`),
  );
}

async function copyCitation(button: HTMLButtonElement, text: string): Promise<void> {
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    done = false;
  }
  button.textContent = done ? 'Copied' : 'Not allowed';
  button.classList.toggle('done', done);
  setTimeout(() => {
    button.textContent = 'Copy';
    button.classList.remove('done');
  }, 1600);
}
