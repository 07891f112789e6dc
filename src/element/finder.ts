import { messageOf } from '../errors.ts';
import type { Hit, Progress } from '../types.ts';
import { type Answer, Asking } from './asking.ts';
import { isComposing } from './hotkeys.ts';
import type { Labels } from './labels.ts';
import { ResultList } from './list.ts';
import { merged } from './results.ts';
import type { SearchableIndex, Source } from './source.ts';
import { progressText, type State, View } from './view.ts';

/** Milliseconds after which a number of results is said, so that not every letter is. */
const SAY_AFTER = 500;

/** What `shelfmark-select` tells. */
export interface SelectDetail {
  hit: Hit;
  /** Where it leads; absent where it leads nowhere. */
  url: string | undefined;
  /** Whether it is to be opened beside this page. */
  newTab: boolean;
  query: string;
}

/** What a finder reads of its element. */
export interface FinderSettings {
  readonly labels: Labels;
  /** What the page says of how far it is with filling the index. */
  readonly progress: Progress | undefined;
  linkOf(hit: Hit): string | undefined;
  source(changed: (source: Source) => void): Source;
  /** Opens the dialog, if no other one is open. */
  open(): void;
  /** Fires an event; false where it was cancelled. */
  emit(name: string, detail?: unknown, cancelable?: boolean): boolean;
}

/** The dialog at work: opens an index, asks it, shows what it answers, follows what is chosen. */
export class Finder {
  readonly view: View;
  readonly #list: ResultList;
  readonly #settings: FinderSettings;
  #asking = new Asking();
  #source: Source | undefined;
  /** The source that `shelfmark-ready` was fired for. */
  #announced: Source | undefined;
  /** The question whose results are shown. */
  #answered = '';
  #more = false;
  #wordsOnly = false;
  /** Whether one moves among the results rather than in the field. */
  #isChoosing = false;
  /** Whether Enter came before the answer did. */
  #followFirst = false;
  #saying: ReturnType<typeof setTimeout> | undefined;

  constructor(settings: FinderSettings) {
    this.#settings = settings;
    const list = new ResultList(settings.linkOf, (id) => this.view.select(id));
    this.#list = list;
    this.view = new View(list.element);
    this.#listen();
  }

  get isOpen(): boolean {
    return this.view.dialog.open;
  }

  /** Opens the dialog, and the index where it is not open yet; or asks again in one that is open. */
  open(query?: string): void {
    const { dialog, input } = this.view;
    if (query !== undefined) input.value = query;
    if (!dialog.open) {
      dialog.showModal();
      this.#asking.refresh();
      this.#settings.emit('shelfmark-open');
    }
    input.focus();
    input.select();
    this.openIndex().catch(() => {});
    this.#ask();
  }

  close(): void {
    this.view.dialog.close();
  }

  /** Opens the index ahead of the first question, once. */
  warm(): void {
    if (this.#source === undefined) this.openIndex().catch(() => {});
  }

  #listen(): void {
    const { button, dialog, input, close, retry } = this.view;
    const list = this.#list.element;
    button.addEventListener('click', () => this.#settings.open());
    button.addEventListener('focus', () => this.warm());
    close.addEventListener('click', () => this.close());
    retry.addEventListener('click', () => this.open());
    dialog.addEventListener('close', () => this.#onClose());
    let pressed: EventTarget | undefined;
    dialog.addEventListener('pointerdown', (event) => {
      pressed = event.composedPath()[0];
    });
    dialog.addEventListener('click', (event) => {
      // The frame fills the dialog, so that what hits the dialog itself hit what is behind it.
      if (pressed === dialog && event.composedPath()[0] === dialog) this.close();
    });
    input.addEventListener('input', () => {
      this.#isChoosing = false;
      this.#followFirst = false;
      this.#ask();
    });
    input.addEventListener('keydown', (event) => this.#onKey(event));
    list.addEventListener('pointermove', (event) => {
      const place = this.#list.placeOf(event);
      if (place >= 0 && place !== this.#list.selected) this.#list.select(place, false);
    });
    list.addEventListener('click', (event) => this.#onClick(event));
    list.addEventListener('auxclick', (event) => {
      if (event.button === 1) this.#onClick(event);
    });
  }

  #onKey(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    const { selected, hits, pageSize } = this.#list;
    const last = hits.length - 1;
    if (event.key === 'Enter') {
      event.preventDefault();
      this.#follow(event.ctrlKey || event.metaKey);
      return;
    }
    const moves: Record<string, number | undefined> = {
      ArrowDown: selected >= last ? 0 : selected + 1,
      ArrowUp: selected <= 0 ? last : selected - 1,
      PageDown: Math.min(last, selected + pageSize),
      PageUp: Math.max(0, selected - pageSize),
      // They belong to the field until one has begun to move among the results.
      ...(this.#isChoosing && { Home: 0, End: last }),
    };
    const place = moves[event.key];
    const isHeld = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (place === undefined || isHeld) {
      if (/^(?:ArrowLeft|ArrowRight|Home|End)$/.test(event.key)) this.#isChoosing = false;
      return;
    }
    event.preventDefault();
    if (last < 0) return;
    this.#isChoosing = true;
    this.#list.select(place);
  }

  /** Follows the selected result, or the first of an answer that is still to come. */
  #follow(newTab: boolean): void {
    const hit = this.#list.hits[this.#list.selected];
    if (this.#answered !== this.#query) this.#followFirst = !newTab && this.#query !== '';
    else if (hit !== undefined && this.#isWanted(hit, newTab)) {
      const url = this.#list.option?.href;
      if (!newTab) this.close();
      if (url === undefined || url === '') return;
      if (newTab) window.open(url, '_blank', 'noopener');
      else location.assign(url);
    }
  }

  #onClick(event: MouseEvent): void {
    const place = this.#list.placeOf(event);
    const hit = this.#list.hits[place];
    if (hit === undefined) return;
    this.#list.select(place, false);
    const beside = event.ctrlKey || event.metaKey || event.shiftKey || event.button === 1;
    if (!this.#isWanted(hit, beside)) event.preventDefault();
    else if (!beside) this.close();
  }

  /** Tells that a result is about to be followed; false where the page does it itself. */
  #isWanted(hit: Hit, newTab: boolean): boolean {
    const url = this.#list.option?.href;
    const detail: SelectDetail = { hit, url: url === '' ? undefined : url, newTab, query: this.#query };
    const wanted = this.#settings.emit('shelfmark-select', detail, true);
    if (!wanted && !newTab) this.close();
    return wanted;
  }

  #onClose(): void {
    // The event comes late: it may be open again.
    if (this.isOpen) return;
    this.#asking.stop();
    this.#followFirst = false;
    clearTimeout(this.#saying);
    this.view.say('');
    this.#settings.emit('shelfmark-close');
  }

  get #query(): string {
    return this.view.input.value.trim();
  }

  /** Opens the index where it is not open; rejects with what went wrong, which is shown by then. */
  async openIndex(): Promise<SearchableIndex> {
    const source = (this.#source ??= this.#settings.source((changed) => this.#onSource(changed)));
    const index = await source.open();
    if (source === this.#source && this.#announced !== source) {
      this.#announced = source;
      this.#settings.emit('shelfmark-ready', { index });
    }
    return index;
  }

  /** Forgets the index; another one is opened when it is needed, which is at once where the dialog is open. */
  drop(): void {
    this.#source?.end().catch(() => {});
    this.#source = undefined;
    this.#asking.stop();
    this.#asking = new Asking();
    this.#answered = '';
    if (!this.isOpen) return;
    this.warm();
    this.#ask();
  }

  #onSource(source: Source): void {
    if (source !== this.#source) return;
    if (source.error !== undefined) this.#settings.emit('shelfmark-error', { error: source.error });
    if (source.isOpen && source.progress === undefined && source.hasSaved && !this.#more) {
      // What has got its vectors meanwhile may answer, too.
      this.#asking.refresh();
      this.#ask();
    }
    this.showState();
    if (this.#answered === '') this.showNote();
  }

  #ask(): void {
    const query = this.#query;
    if (query === '' || !this.isOpen) {
      this.#asking.stop();
      this.#more = false;
      this.#answered = '';
      this.#list.replace([]);
      this.showNote();
      this.#say();
      return;
    }
    // Tried again by the button or the next opening, not by each letter.
    if (this.#source?.error !== undefined) return;
    this.#find(query).catch((error: unknown) => this.#onFailed(error));
  }

  async #find(query: string): Promise<void> {
    const asking = this.#asking;
    const index = await this.openIndex();
    if (asking !== this.#asking || query !== this.#query || !this.isOpen) return;
    await asking.ask(index, query, (answer) => this.#show(answer));
  }

  #onFailed(error: unknown): void {
    // One that could not be opened has been told of.
    if (this.#source?.isOpen !== true) return;
    this.#settings.emit('shelfmark-error', { error });
    this.#more = false;
    this.#answered = this.#query;
    this.#list.replace([]);
    this.view.note({ kind: 'error', reason: messageOf(error) });
  }

  #show({ query, hits, more, wordsOnly }: Answer): void {
    this.#more = more;
    this.#wordsOnly = wordsOnly;
    if (query === this.#answered && this.#list.hits.length > 0) {
      this.#list.update(merged(this.#list.hits, this.#list.selected, hits));
    } else {
      this.#answered = query;
      this.#list.replace(hits);
    }
    this.showNote();
    this.showState();
    this.#say();
    if (!this.#followFirst || hits.length === 0) return;
    this.#followFirst = false;
    this.#follow(false);
  }

  showNote(): void {
    const { error, isOpen, stats } = this.#source ?? {};
    if (error !== undefined) this.view.note({ kind: 'error', reason: messageOf(error) });
    else if (this.#list.hits.length > 0) this.view.note(undefined);
    else if (this.#query !== '' && (isOpen !== true || this.#answered === '' || this.#more)) {
      this.view.note({ kind: 'opening' });
    } else if (this.#query !== '') this.view.note({ kind: 'none', query: this.#query });
    else this.view.note({ kind: 'start', pages: stats?.documents });
  }

  showState(): void {
    this.view.state(this.#state());
  }

  #state(): State {
    const source = this.#source;
    const { labels, progress = source?.progress } = this.#settings;
    if (source?.error !== undefined) return { kind: 'error', text: labels.failed };
    if (progress !== undefined) return { kind: 'busy', text: progressText(progress, labels), progress };
    if (source === undefined) return { kind: 'idle', text: '' };
    if (!source.isOpen) return { kind: 'busy', text: labels.opening };
    if (this.#wordsOnly || source.modelFailed) return { kind: 'error', text: labels.wordsOnly };
    if (this.#more) return { kind: 'busy', text: labels.meaning };
    const ready = source.isKept ? labels.offline : labels.ready;
    return { kind: 'ready', text: source.hasSaved ? `${labels.saved} · ${ready}` : ready };
  }

  /** Says how many results there are, once typing rests and nothing more is to come. */
  #say(): void {
    clearTimeout(this.#saying);
    if (this.#answered === '') {
      this.view.say('');
      return;
    }
    this.#saying = setTimeout(() => {
      const { hits } = this.#list;
      const pages = new Set(hits.map(({ docUri }) => docUri)).size;
      if (hits.length > 0) this.view.say(this.#settings.labels.count(hits.length, pages));
      else if (!this.#more) this.view.say(this.#settings.labels.none(this.#answered));
    }, SAY_AFTER);
  }
}
