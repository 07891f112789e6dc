import { h } from './dom.ts';
import { count, span } from './format.ts';

export interface Band {
  start: number;
  end: number;
  heading: string | undefined;
}

const labelOf = ({ heading }: Band, index: number): string => heading || `Chunk ${count(index + 1)}`;

/** How warm a chunk is after a question, in words. */
const heatOf = (share: number | undefined): string =>
  share === undefined
    ? 'not found by the question'
    : `${Math.round(100 * share)} % of the best passage's heat`;

/** Most bands one can tell apart on a screen; more chunks than that share bands. */
const mostBands = 240;

/**
 * The margin ruler: the whole document from top to bottom, every chunk a band at its true place and length.
 * Neighbours lie in two lanes, so that an overlap shows. One tab stop; arrow keys walk the chunks.
 */
export class Ruler {
  readonly #root: HTMLElement;
  readonly #lanes = h('div', { class: 'lanes' });
  readonly #window = h('div', { class: 'window' });
  readonly #tip: HTMLElement;
  readonly #onPick: (index: number) => void;
  #bands: readonly Band[] = [];
  #length = 1;
  #perElement = 1;
  #elements: HTMLElement[] = [];
  #current = 0;
  #scores: ReadonlyMap<number, number> | undefined;

  constructor(root: HTMLElement, tip: HTMLElement, onPick: (index: number) => void) {
    this.#root = root;
    this.#tip = tip;
    this.#onPick = onPick;
    root.append(this.#window, this.#lanes);
    root.addEventListener('pointermove', (event) => this.#point(this.#at(event.clientY)));
    root.addEventListener('pointerleave', () => this.#leave());
    root.addEventListener('click', (event) => {
      const index = this.#at(event.clientY);
      if (index === undefined) return;
      this.#current = index;
      this.#describe();
      this.#onPick(index);
    });
    root.addEventListener('focus', () => this.#point(this.#current));
    root.addEventListener('blur', () => this.#leave());
    root.addEventListener('keydown', (event) => this.#key(event));
  }

  show(bands: readonly Band[], length: number): void {
    this.#bands = bands;
    this.#length = Math.max(1, length);
    this.#current = 0;
    this.#perElement = Math.max(1, Math.ceil(bands.length / mostBands));
    this.#elements = [];
    for (let first = 0; first < bands.length; first += this.#perElement) {
      const last = bands[Math.min(bands.length, first + this.#perElement) - 1]!;
      const element = h('i', { class: `band lane-${this.#elements.length % 2}` });
      element.style.top = this.#percent(bands[first]!.start);
      element.style.height = this.#percent(last.end - bands[first]!.start);
      this.#elements.push(element);
    }
    this.#lanes.replaceChildren(...this.#elements);
    this.#root.setAttribute('aria-valuemin', bands.length > 0 ? '1' : '0');
    this.#root.setAttribute('aria-valuemax', String(bands.length));
    this.#describe();
    this.#leave();
  }

  /** Shades the bands: 1 is the best passage, 0 one that was not found. No map takes the shade away. */
  shade(scores: ReadonlyMap<number, number> | undefined): void {
    this.#scores = scores;
    this.#root.classList.toggle('shaded', scores !== undefined);
    this.#elements.forEach((element, at) => {
      let best = 0;
      for (let index = at * this.#perElement; index < (at + 1) * this.#perElement; index++) {
        best = Math.max(best, scores?.get(index) ?? 0);
      }
      element.style.setProperty('--score', best.toFixed(3));
    });
  }

  /** Makes one chunk the current one, as when its passage is opened. */
  select(index: number | undefined): void {
    for (const element of this.#elements) element.classList.remove('current');
    if (index === undefined || !this.#bands[index]) return;
    this.#current = index;
    this.#elements[Math.floor(index / this.#perElement)]?.classList.add('current');
    this.#describe();
  }

  /** Shows which part of the document is in sight. */
  inSight(start: number, end: number): void {
    this.#window.style.top = this.#percent(start);
    this.#window.style.height = this.#percent(Math.max(0, end - start));
  }

  #percent(offset: number): string {
    return `${((100 * offset) / this.#length).toFixed(4)}%`;
  }

  #at(clientY: number): number | undefined {
    const box = this.#lanes.getBoundingClientRect();
    const offset = ((clientY - box.top) / Math.max(1, box.height)) * this.#length;
    let nearest: number | undefined;
    let distance = Number.POSITIVE_INFINITY;
    this.#bands.forEach(({ start, end }, index) => {
      const away = offset < start ? start - offset : offset >= end ? offset - end : 0;
      if (away < distance) [nearest, distance] = [index, away];
    });
    return nearest;
  }

  #key(event: KeyboardEvent): void {
    const last = this.#bands.length - 1;
    const page = Math.max(1, Math.round(this.#bands.length / 10));
    const steps: Record<string, number> = {
      ArrowDown: this.#current + 1,
      ArrowRight: this.#current + 1,
      ArrowUp: this.#current - 1,
      ArrowLeft: this.#current - 1,
      PageDown: this.#current + page,
      PageUp: this.#current - page,
      Home: 0,
      End: last,
    };
    if ((event.key === 'Enter' || event.key === ' ') && last >= 0) {
      event.preventDefault();
      this.#onPick(this.#current);
      return;
    }
    const next = steps[event.key];
    if (next === undefined || last < 0) return;
    event.preventDefault();
    this.#current = Math.max(0, Math.min(last, next));
    this.#describe();
    this.#point(this.#current);
  }

  /** What a screen reader says of the current chunk. */
  #describe(): void {
    const band = this.#bands[this.#current];
    this.#root.setAttribute('aria-valuenow', String(band ? this.#current + 1 : 0));
    const place = band
      ? `Chunk ${count(this.#current + 1)} of ${count(this.#bands.length)}, ${band.heading || 'no heading'}, characters ${span(band.start, band.end)}`
      : 'No chunks';
    this.#root.setAttribute('aria-valuetext', place);
  }

  #point(index: number | undefined): void {
    const band = index === undefined ? undefined : this.#bands[index];
    if (index === undefined || !band) return;
    for (const element of this.#elements) element.classList.remove('pointed');
    this.#elements[Math.floor(index / this.#perElement)]?.classList.add('pointed');
    this.#tip.replaceChildren(
      h('b', {}, labelOf(band, index)),
      h('span', {}, `chunk ${count(index + 1)} · ${span(band.start, band.end)}`),
      ...(this.#scores ? [h('span', {}, heatOf(this.#scores.get(index)))] : []),
    );
    this.#tip.style.top = this.#percent((band.start + band.end) / 2);
    this.#tip.hidden = false;
  }

  #leave(): void {
    this.#tip.hidden = true;
    for (const element of this.#elements) element.classList.remove('pointed');
  }
}
