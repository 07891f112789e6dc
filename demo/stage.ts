import { ChunkView } from './chunk-view.ts';
import { DocumentView } from './document-view.ts';
import { breathe, byId } from './dom.ts';
import type { Hit, ListedPiece } from './engine-protocol.ts';
import { count } from './format.ts';
import { type Band, Ruler } from './ruler.ts';
import { isList, kindNames, type SplitSettings } from './split-settings.ts';

/** The document that is shown. */
export interface Current {
  uri: string;
  text: string;
  split: SplitSettings;
  chunks: readonly ListedPiece[];
  /** Where the records of a list begin. */
  records?: readonly number[] | undefined;
}

/** The left side: the source, its ruler and its chunks, always of one document. */
export class Stage {
  readonly #textElement = byId('text');
  readonly #chunksElement = byId('chunks');
  readonly #view = new DocumentView(this.#textElement);
  readonly #chunkView = new ChunkView(this.#chunksElement, (index) => void this.#pick(index));
  readonly #ruler = new Ruler(byId('ruler'), byId('tip'), (index) => void this.#pick(index));
  readonly #buttons = { text: byId('show-text'), chunks: byId('show-chunks') };
  #mode: 'text' | 'chunks' = 'text';
  #current: Current | undefined;
  #drawnChunks: Current | undefined;
  #following = false;
  #hits: readonly Hit[] | undefined;
  #selected: number | undefined;

  constructor() {
    this.#buttons.text.addEventListener('click', () => this.#switch('text'));
    this.#buttons.chunks.addEventListener('click', () => this.#switch('chunks'));
    this.#textElement.addEventListener('scroll', () => this.#follow(), { passive: true });
    new ResizeObserver(() => this.#follow()).observe(this.#textElement);
  }

  /** Moves the ruler's window after the next frame, when asking for places costs no layout of its own. */
  #follow(): void {
    if (this.#following) return;
    this.#following = true;
    requestAnimationFrame(() =>
      setTimeout(() => {
        this.#following = false;
        this.#ruler.inSight(...this.#view.visible());
      }),
    );
  }

  get current(): Current | undefined {
    return this.#current;
  }

  show(current: Current | undefined, { keepPlace = false } = {}): void {
    this.#current = current;
    const { text = '', chunks = [], split, uri, records } = current ?? {};
    byId('empty').hidden = current !== undefined;
    byId('cutting').textContent = split ? cutName(split) : '';
    document.querySelector('.bar-row')?.classList.toggle('without', current === undefined);
    this.#buttons.chunks.textContent = current ? `Chunks ${count(chunks.length)}` : 'Chunks';
    this.#textElement.setAttribute('aria-label', uri ? `Source text of ${uri}` : 'Source text');
    const cuts = chunks.map(({ charStart }, index) => ({ at: charStart, number: index + 1 }));
    this.#view.show({ text, cuts, starts: records }, { keepPlace });
    this.#selected = undefined;
    this.#ruler.show([], 1);
    // In a task of its own, after the text is there.
    void breathe().then(() => {
      if (this.#current !== current) return;
      this.#ruler.show(chunks.map(bandOf), text.length);
      this.#shade();
      this.#ruler.select(this.#selected);
    });
    this.#follow();
    this.#switch(this.#mode);
  }

  /** Shades the ruler by what a question found; nothing takes the shade away. */
  shade(hits: readonly Hit[] | undefined): void {
    this.#hits = hits;
    this.#shade();
  }

  #shade(): void {
    const [hits, current] = [this.#hits, this.#current];
    this.#ruler.shade(hits && current ? shades(hits, current) : undefined);
  }

  /** Whether a passage stands in the shown text, at its offsets and to the letter. */
  holds({ docUri, charStart, charEnd, text }: Hit): boolean {
    const current = this.#current;
    return current?.uri === docUri && current.text.slice(charStart, charEnd) === text;
  }

  /** Marks a passage of the shown document and scrolls to it. */
  async reveal(start: number, end: number): Promise<void> {
    if (this.#mode !== 'text') this.#switch('text');
    const index = this.#current?.chunks.findIndex(
      (chunk) => chunk.charStart === start && chunk.charEnd === end,
    );
    this.#select(index === -1 ? undefined : index);
    await this.#view.reveal(start, end);
  }

  unmark(): void {
    this.#view.unmark();
    this.#select(undefined);
  }

  #select(index: number | undefined): void {
    this.#selected = index;
    this.#ruler.select(index);
  }

  async #pick(index: number): Promise<void> {
    const chunk = this.#current?.chunks[index];
    if (chunk) await this.reveal(chunk.charStart, chunk.charEnd);
  }

  #switch(mode: 'text' | 'chunks'): void {
    this.#mode = mode;
    const nothing = this.#current === undefined;
    this.#textElement.hidden = nothing || mode !== 'text';
    this.#chunksElement.hidden = nothing || mode !== 'chunks';
    byId('ruler').classList.toggle('windowless', mode !== 'text');
    for (const [name, button] of Object.entries(this.#buttons)) {
      button.setAttribute('aria-pressed', String(name === mode));
    }
    if (mode !== 'chunks' || !this.#current) {
      this.#chunkView.clear();
      this.#drawnChunks = undefined;
    } else if (this.#drawnChunks !== this.#current) {
      this.#drawnChunks = this.#current;
      const { text, chunks, records } = this.#current;
      void this.#chunkView.show(text, chunks, records);
    }
  }
}

const bandOf = ({ charStart, charEnd, heading, headingPath }: ListedPiece): Band => ({
  start: charStart,
  end: charEnd,
  heading: headingPath?.join(' › ') || heading,
});

/** How dark each chunk of a document is: from the worst hit to the best, and curved, so that the eye goes to the best. */
function shades(hits: readonly Hit[], { uri, chunks }: Current): Map<number, number> {
  const scores = hits.map(({ score }) => score);
  const low = hits.length > 1 ? Math.min(...scores) : 0;
  const range = Math.max(...scores) - low || 1;
  const places = new Map(chunks.map(({ charStart, charEnd }, index) => [`${charStart}-${charEnd}`, index]));
  const shade = new Map<number, number>();
  for (const { docUri, charStart, charEnd, score } of hits) {
    const index = docUri === uri ? places.get(`${charStart}-${charEnd}`) : undefined;
    if (index !== undefined) shade.set(index, ((score - low) / range) ** 1.5);
  }
  return shade;
}

function cutName(split: SplitSettings): string {
  const { kind, maxChars, overlap } = split;
  if (kind === 'whole') return kindNames.whole;
  const size = isList(split) ? `up to ${count(maxChars)}` : `${count(maxChars)} / ${count(overlap)}`;
  return `${kindNames[kind]}, ${size}`;
}
