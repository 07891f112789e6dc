import type { EmbedderLike, Progress } from '../types.ts';
import { Finder } from './finder.ts';
import { defaultHotkeys, hotkeyLabels, isComposing, isHotkey, isTyping } from './hotkeys.ts';
import { english, type Labels } from './labels.ts';
import { type LinkOf, linkTo } from './links.ts';
import { type SearchableIndex, Source } from './source.ts';
import { styles } from './styles.ts';

/** In Node there is no such class; there the element is only ever imported. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/** Properties that a page may have set before the element was registered. */
const settable = [
  'index',
  'embedder',
  'linkOf',
  'labels',
  'progress',
  'src',
  'baseUrl',
  'hotkey',
  'placeholder',
] as const;

/** The element that was opened last; there is one dialog at a time. */
let opened: ShelfmarkSearch | undefined;

const isOtherOpen = (element: ShelfmarkSearch): boolean => opened !== element && opened?.isOpen === true;

/**
 * `<shelfmark-search>`: a button and a dialog that searches an index. See docs/element.md for attributes, parts and
 * custom properties.
 *
 * @fires shelfmark-open when the dialog opens
 * @fires shelfmark-close when it closes
 * @fires shelfmark-ready when the index is open; `detail.index`
 * @fires shelfmark-error when it cannot be opened or searched; `detail.error`
 * @fires shelfmark-select before a result is followed; `SelectDetail`. Cancel it to follow it yourself.
 */
export class ShelfmarkSearch extends Base {
  static readonly observedAttributes = ['src', 'index', 'hotkey', 'placeholder', 'theme', 'preload'];

  readonly #finder: Finder;
  #given: SearchableIndex | PromiseLike<SearchableIndex> | undefined;
  #embedder: EmbedderLike | undefined;
  #linkOf: LinkOf | undefined;
  #labels: Labels = english;
  #progress: Progress | undefined;
  /** Ends what is listened to while the element is in a page. */
  #ended: AbortController | undefined;

  constructor() {
    super();
    const element = this;
    this.#finder = new Finder({
      get labels() {
        return element.#labels;
      },
      get progress() {
        return element.#progress;
      },
      linkOf: (hit) => linkTo(hit, this.baseUrl, this.#linkOf),
      open: () => this.open(),
      source: (changed) => this.#makeSource(changed),
      emit: (name, detail, cancelable = false) =>
        this.dispatchEvent(new CustomEvent(name, { detail, cancelable, bubbles: true, composed: true })),
    });
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [styles()];
    root.append(this.#finder.view.root);
  }

  connectedCallback(): void {
    for (const name of settable) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete (this as Record<string, unknown>)[name];
      Object.assign(this, { [name]: value });
    }
    this.#ended = new AbortController();
    const { signal } = this.#ended;
    document.addEventListener('keydown', (event) => this.#onPageKey(event), { signal });
    this.#dress();
    if (this.hasAttribute('preload')) this.#finder.warm();
  }

  disconnectedCallback(): void {
    this.#ended?.abort();
    this.#ended = undefined;
    this.close();
    // Frameworks take elements out to put them elsewhere.
    queueMicrotask(() => {
      if (!this.isConnected) this.#finder.drop();
    });
  }

  attributeChangedCallback(name: string): void {
    if (name === 'src' || name === 'index') this.#finder.drop();
    // The attributes an element begins with are read once it is in a page.
    if (this.#ended === undefined) return;
    this.#dress();
    if (this.hasAttribute('preload')) this.#finder.warm();
  }

  /** Address of an exported index, relative to the page. */
  get src(): string {
    return this.getAttribute('src') ?? '';
  }
  set src(value: string) {
    this.setAttribute('src', value);
  }

  /** What documents' uris are relative to; the page itself by default. */
  get baseUrl(): string {
    return this.getAttribute('base-url') ?? '';
  }
  set baseUrl(value: string) {
    this.setAttribute('base-url', value);
  }

  /** Keys that open the dialog, `'/ mod+k'` by default; empty for none. */
  get hotkey(): string {
    return this.getAttribute('hotkey') ?? defaultHotkeys;
  }
  set hotkey(value: string) {
    this.setAttribute('hotkey', value);
  }

  get placeholder(): string {
    return this.getAttribute('placeholder') ?? this.#labels.search;
  }
  set placeholder(value: string) {
    this.setAttribute('placeholder', value);
  }

  /**
   * An open index, of `openIndex` or of a worker's `connectIndex`, or a promise of one; it is not closed here. A string
   * is the name of an index, as the attribute is.
   */
  get index(): SearchableIndex | PromiseLike<SearchableIndex> | undefined {
    return this.#given;
  }
  set index(value: SearchableIndex | PromiseLike<SearchableIndex> | string | null | undefined) {
    if (typeof value === 'string') {
      this.setAttribute('index', value);
      return;
    }
    this.#given = value ?? undefined;
    this.#finder.drop();
  }

  /** Searches an index that is opened here by meaning as well. */
  get embedder(): EmbedderLike | undefined {
    return this.#embedder;
  }
  set embedder(value: EmbedderLike | null | undefined) {
    this.#embedder = value ?? undefined;
    this.#finder.drop();
  }

  /** Decides where a hit leads, in place of `base-url` and what the hit says. */
  get linkOf(): LinkOf | undefined {
    return this.#linkOf;
  }
  set linkOf(value: LinkOf | null | undefined) {
    this.#linkOf = value ?? undefined;
  }

  /** Texts that stand in for the English ones. */
  get labels(): Partial<Labels> {
    return this.#labels;
  }
  set labels(value: Partial<Labels> | null | undefined) {
    this.#labels = { ...english, ...value };
    if (this.isConnected) this.#dress();
  }

  /** How far the page is with filling the index: what `onProgress` of `add` or `sync` tells. Undefined when it is done. */
  get progress(): Progress | undefined {
    return this.#progress;
  }
  set progress(value: Progress | null | undefined) {
    this.#progress = value ?? undefined;
    if (this.isConnected) this.#finder.showState();
  }

  /** Whether the dialog is open. */
  get isOpen(): boolean {
    return this.#finder.isOpen;
  }

  /**
   * Opens the dialog, and the index where it is not open yet. Does nothing while another one's dialog is open.
   *
   * @param query What to search for; what was there before by default
   */
  open(query?: string): void {
    if (!this.isConnected || isOtherOpen(this)) return;
    opened = this;
    this.#dress();
    this.#finder.open(query);
  }

  /** Closes the dialog; the focus goes back to where it was. */
  close(): void {
    this.#finder.close();
  }

  #onPageKey(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.repeat || isComposing(event) || !isHotkey(event, this.hotkey)) return;
    if (this.isOpen) {
      // A letter is typed into the field.
      if (event.key.length === 1 && !(event.ctrlKey || event.metaKey)) return;
    } else if (isOtherOpen(this) || isTyping(event)) return;
    event.preventDefault();
    if (this.isOpen) this.close();
    else this.open();
  }

  #makeSource(changed: (source: Source) => void): Source {
    const src = this.getAttribute('src');
    const options = {
      src: src === null ? undefined : new URL(src, document.baseURI).href,
      name: this.getAttribute('index') ?? undefined,
      given: this.#given,
      embedder: this.#embedder,
    };
    const source: Source = new Source(options, () => changed(source));
    return source;
  }

  /** Texts and colours, from attributes and the page. */
  #dress(): void {
    const theme = this.getAttribute('theme');
    // A page that says nothing of its colours leaves it to the reader's system.
    const inherited = getComputedStyle(this).colorScheme === 'normal' ? 'system' : 'page';
    this.#finder.view.root.dataset['scheme'] = theme === 'light' || theme === 'dark' ? theme : inherited;
    this.#finder.view.name(this.#labels, this.placeholder, hotkeyLabels(this.hotkey));
    this.#finder.showNote();
    this.#finder.showState();
  }
}
