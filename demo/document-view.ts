import { breathe, reducedMotion } from './dom.ts';
import { type Cut, drawSlice } from './draw-slice.ts';
import { mark, unmark } from './marking.ts';
import { type Slice, slicesOf } from './slices.ts';

/** Milliseconds of drawing between two chances for the browser to paint and take input. */
const drawBudget = 12;

/** Characters drawn at once, a screen's worth; the rest follows. */
const firstDraw = 6000;

/** What is drawn: the source, where its chunks begin, and where its records do, if it is a list of them. */
export interface Shown {
  text: string;
  cuts: readonly Cut[];
  starts?: readonly number[] | undefined;
}

/** The source text, drawn in slices that the browser lays out when they come near. */
export class DocumentView {
  readonly #scroller: HTMLElement;
  #shown: Shown = { text: '', cuts: [] };
  #slices: Slice[] = [];
  #elements: HTMLElement[] = [];
  #rest: Generator<Slice> | undefined;
  #cut = 0;

  constructor(scroller: HTMLElement) {
    this.#scroller = scroller;
  }

  /** Draws another text. Large ones are finished in the background. */
  show(shown: Shown, { keepPlace = false } = {}): void {
    const place = keepPlace ? this.#scroller.scrollTop : 0;
    unmark();
    this.#shown = shown;
    this.#slices = [];
    this.#elements = [];
    this.#cut = 0;
    this.#rest = slicesOf(shown.text, shown.starts);
    this.#scroller.replaceChildren();
    // Where the reader's place is kept, what stands above it has to be there.
    this.#draw(() => this.#end() < (place > 0 ? 200_000 : firstDraw));
    this.#scroller.scrollTop = place;
    void this.#finish(this.#rest);
  }

  async #finish(rest: Generator<Slice> | undefined): Promise<void> {
    while (rest !== undefined && this.#rest === rest) {
      const until = performance.now() + drawBudget;
      this.#draw(() => performance.now() < until);
      await breathe();
    }
  }

  #draw(goOn: () => boolean): void {
    const fresh: HTMLElement[] = [];
    while (this.#rest && goOn()) {
      const next = this.#rest.next();
      if (next.done) {
        this.#rest = undefined;
        break;
      }
      const slice = next.value;
      const first = this.#cut;
      const { cuts, text } = this.#shown;
      while ((cuts[this.#cut]?.at ?? Number.POSITIVE_INFINITY) < slice.end) this.#cut++;
      const element = drawSlice(text, slice, cuts.slice(first, this.#cut));
      // Line count times line height: close enough that the scroll bar does not jump.
      element.style.setProperty('--lines', String(estimateLines(text, slice)));
      this.#slices.push(slice);
      this.#elements.push(element);
      fresh.push(element);
    }
    this.#scroller.append(...fresh);
  }

  #end(): number {
    return this.#slices.at(-1)?.end ?? 0;
  }

  /** Marks `[start, end)` and brings it into sight. */
  async reveal(start: number, end: number): Promise<void> {
    this.#draw(() => this.#end() < end);
    // Before the places are looked up: taking marks away moves text nodes.
    unmark();
    const range = document.createRange();
    const [startNode, startOffset] = this.#locate(start, false);
    const [endNode, endOffset] = this.#locate(end, true);
    if (!startNode || !endNode) return;
    range.setStart(startNode, startOffset);
    range.setEnd(endNode, endOffset);
    mark(range);
    await this.#scrollTo(start);
  }

  unmark(): void {
    unmark();
  }

  /** Brings the character at `offset` to the upper part of the view, again once what is near has been laid out. */
  async #scrollTo(offset: number): Promise<void> {
    const scroller = this.#scroller;
    const distance = (): number => {
      const [node, at] = this.#locate(offset, false);
      if (!node) return 0;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, Math.min(node.data.length, at + 1));
      const top = (range.getClientRects()[0] ?? range.getBoundingClientRect()).top;
      return top - scroller.getBoundingClientRect().top - scroller.clientHeight * 0.18;
    };
    const element = this.#elements[this.#sliceAt(offset)];
    const near = element && Math.abs(element.offsetTop - scroller.scrollTop) < 4 * scroller.clientHeight;
    if (near && !reducedMotion()) {
      scroller.scrollBy({ top: distance(), behavior: 'smooth' });
      await settled(scroller);
    } else {
      element?.scrollIntoView({ block: 'start' });
    }
    for (let tries = 0; tries < 4; tries++) {
      await new Promise(requestAnimationFrame);
      const off = distance();
      if (Math.abs(off) < 2) break;
      const before = scroller.scrollTop;
      scroller.scrollTop += off;
      if (scroller.scrollTop === before) break;
    }
  }

  #sliceAt(offset: number): number {
    let low = 0;
    let high = this.#slices.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#slices[middle]!.end > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The text node and the place in it of a source offset; an end stays at the end of the node before it. */
  #locate(offset: number, isEnd: boolean): [Text | undefined, number] {
    const index = this.#sliceAt(isEnd ? Math.max(0, offset - 1) : offset);
    const element = this.#elements[index];
    if (!element) return [undefined, 0];
    let at = this.#slices[index]!.start;
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
      const next = at + node.data.length;
      if (isEnd ? offset <= next : offset < next) return [node, offset - at];
      at = next;
    }
    return [undefined, 0];
  }

  /** Source offsets that are in sight, for the ruler. */
  visible(): [number, number] {
    const top = this.#scroller.scrollTop;
    return [this.#offsetAt(top), this.#offsetAt(top + this.#scroller.clientHeight)];
  }

  #offsetAt(y: number): number {
    let low = 0;
    let high = this.#elements.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#elements[middle]!.offsetTop <= y) low = middle;
      else high = middle - 1;
    }
    const element = this.#elements[low];
    const slice = this.#slices[low];
    if (!element || !slice) return 0;
    const share = Math.min(1, Math.max(0, (y - element.offsetTop) / Math.max(1, element.offsetHeight)));
    return Math.round(slice.start + share * (slice.end - slice.start));
  }

  scrollToOffset(offset: number): void {
    this.#draw(() => this.#end() <= offset && this.#rest !== undefined);
    void this.#scrollTo(Math.min(offset, Math.max(0, this.#shown.text.length - 1)));
  }
}

function estimateLines(text: string, slice: Slice): number {
  let lines = 0;
  for (const { start, end, kind } of slice.segments) {
    if (kind === 'blob') lines += 1;
    else if (kind === 'record') lines += Math.ceil((end - start) / 90);
    else
      for (const line of text.slice(start, end).split('\n'))
        lines += Math.max(1, Math.ceil(line.length / 72));
  }
  return Math.max(1, lines);
}

const settled = (scroller: HTMLElement): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      scroller.removeEventListener('scrollend', done);
      resolve();
    };
    const timer = setTimeout(done, 700);
    scroller.addEventListener('scrollend', done);
  });
