import type { Hit } from '../types.ts';
import { h } from './dom.ts';
import { byPage, type Page, pathOf } from './results.ts';
import { snippet } from './snippet.ts';

/** The list of a combobox: hits by page, one of them selected. */
export class ResultList {
  readonly element: HTMLElement;
  /** The hits in the order in which they are shown. */
  hits: Hit[] = [];
  /** Place of the selected hit, -1 where there is none. */
  selected = -1;
  readonly #linkOf: (hit: Hit) => string | undefined;
  readonly #selectionChanged: (id: string | undefined) => void;
  /** An option stays the same element while its hit is shown, so that a click during a change reaches it. */
  #options = new Map<string, HTMLAnchorElement>();
  #made = 0;

  constructor(linkOf: (hit: Hit) => string | undefined, selectionChanged: (id: string | undefined) => void) {
    this.element = h('div', { class: 'list', part: 'list', role: 'listbox', id: 'list', hidden: '' });
    this.#linkOf = linkOf;
    this.#selectionChanged = selectionChanged;
  }

  /** Shows hits of a new question and selects the first. */
  replace(hits: readonly Hit[]): void {
    this.#options.clear();
    this.#show(hits);
    this.select(hits.length > 0 ? 0 : -1);
  }

  /** Shows other hits of the same question; the selected one stays selected, and where it is. */
  update(hits: readonly Hit[]): void {
    const current = this.hits[this.selected]?.id;
    const place = (): number => this.#at(this.selected)?.getBoundingClientRect().top ?? 0;
    const before = place();
    this.#show(hits);
    this.selected = this.hits.findIndex(({ id }) => id === current);
    if (this.selected < 0) this.select(this.hits.length > 0 ? 0 : -1);
    else {
      this.element.scrollTop += place() - before;
      this.#mark();
    }
  }

  /** Selects the hit at a place and brings it into sight. */
  select(place: number, scroll = true): void {
    this.selected = Math.min(place, this.hits.length - 1);
    this.#mark();
    if (!scroll) return;
    if (this.selected <= 0) this.element.scrollTop = 0;
    else this.#at(this.selected)?.scrollIntoView({ block: 'nearest' });
  }

  /** The option of the selected hit. */
  get option(): HTMLAnchorElement | undefined {
    return this.#at(this.selected);
  }

  /** Place of the hit whose option an event came from, -1 where it came from none. */
  placeOf(event: Event): number {
    const option = event.composedPath().find((target) => (target as Element).role === 'option');
    return this.hits.findIndex(({ id }) => this.#options.get(id) === option);
  }

  /** How many options fit into what is visible of the list, and so how far a page is. */
  get pageSize(): number {
    const height = this.element.scrollHeight / Math.max(1, this.hits.length);
    return Math.max(1, Math.floor(this.element.clientHeight / height) - 1);
  }

  #at(place: number): HTMLAnchorElement | undefined {
    const hit = this.hits[place];
    return hit && this.#options.get(hit.id);
  }

  #show(hits: readonly Hit[]): void {
    const pages = byPage(hits);
    this.hits = pages.flatMap((page) => page.hits);
    const options = new Map<string, HTMLAnchorElement>();
    const groups = pages.map((page, at) => {
      const group = h(
        'div',
        { role: 'group', 'aria-labelledby': `page-${at}`, part: 'group' },
        pageTitle(page, at),
      );
      for (const hit of page.hits) {
        const option = this.#options.get(hit.id) ?? this.#option(hit, page);
        options.set(hit.id, option);
        group.append(option);
      }
      return group;
    });
    this.#options = options;
    this.element.replaceChildren(...groups);
    this.element.hidden = hits.length === 0;
  }

  #option(hit: Hit, page: Page): HTMLAnchorElement {
    const titles = pathOf(hit, page);
    const last = titles.pop()!;
    const path = h(
      'span',
      { class: 'path', part: 'path' },
      titles.map((title) => `${title} › `).join(''),
      h('b', {}, last),
    );
    const text = h('span', { class: 'snippet', part: 'snippet' });
    for (const { text: words, marked } of snippet(hit.text, hit.highlights, hit.heading)) {
      text.append(marked ? h('mark', { part: 'mark' }, words) : words);
    }
    const attributes = {
      class: 'option',
      part: 'option',
      role: 'option',
      tabindex: '-1',
      id: `hit-${this.#made++}`,
    };
    return h('a', { ...attributes, href: this.#linkOf(hit), 'aria-selected': 'false' }, path, ' ', text);
  }

  #mark(): void {
    const selected = this.option;
    for (const option of this.#options.values()) option.ariaSelected = String(option === selected);
    this.#selectionChanged(selected?.id);
  }
}

function pageTitle({ title, uri }: Page, at: number): HTMLElement {
  return h(
    'div',
    { class: 'page', part: 'page', role: 'presentation' },
    h('span', { id: `page-${at}` }, title),
    title === uri ? undefined : h('span', { class: 'uri' }, uri),
  );
}
