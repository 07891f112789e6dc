import type { Progress } from '../types.ts';
import { cross, h, icon, lens } from './dom.ts';
import type { Labels } from './labels.ts';

/** What fills the dialog while there are no results. */
export type Note =
  | { kind: 'start'; pages: number | undefined }
  | { kind: 'opening' }
  | { kind: 'none'; query: string }
  | { kind: 'error'; reason: string };

/** What the foot of the dialog says. */
export interface State {
  kind: 'idle' | 'busy' | 'ready' | 'error';
  text: string;
  progress?: Progress | undefined;
}

/** The fixed parts of the element. */
export class View {
  readonly root: HTMLElement;
  readonly button: HTMLButtonElement;
  readonly dialog: HTMLDialogElement;
  readonly input: HTMLInputElement;
  readonly close: HTMLButtonElement;
  readonly retry: HTMLButtonElement;
  readonly #hotkey = h('kbd', { part: 'hotkey', 'aria-hidden': 'true' });
  readonly #name = document.createTextNode('');
  readonly #note = h('div', { class: 'note', part: 'note' });
  readonly #stateText = h('span');
  readonly #state = h('div', { class: 'state', part: 'state' }, this.#stateText);
  readonly #bar = h('progress', { part: 'progress', hidden: '' });
  readonly #keys = h('div', { class: 'keys', part: 'keys', 'aria-hidden': 'true' });
  readonly #live = h('div', { class: 'live', role: 'status', 'aria-live': 'polite' });
  readonly #list: HTMLElement;
  #labels!: Labels;

  /** @param list The listbox */
  constructor(list: HTMLElement) {
    this.#list = list;
    this.button = h(
      'button',
      { class: 'open', part: 'button', type: 'button', 'aria-haspopup': 'dialog' },
      icon(lens),
      h('slot', {}, this.#name),
      this.#hotkey,
    );
    this.input = h('input', {
      part: 'input',
      type: 'text',
      role: 'combobox',
      'aria-expanded': 'false',
      'aria-controls': 'list',
      'aria-autocomplete': 'list',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      enterkeyhint: 'go',
    });
    this.close = h('button', { class: 'close', part: 'close', type: 'button' }, icon(cross));
    this.retry = h('button', { part: 'retry', type: 'button' });
    const head = h('div', { class: 'head', part: 'head' }, icon(lens), this.input, this.close);
    const foot = h('div', { class: 'foot', part: 'foot' }, this.#state, this.#bar, this.#keys);
    const frame = h('div', { class: 'frame' }, head, list, this.#note, foot, this.#live);
    this.dialog = h('dialog', { part: 'dialog' }, frame);
    this.root = h('div', { class: 'root' }, this.button, this.dialog);
  }

  /** Names everything. */
  name(labels: Labels, placeholder: string, hotkeys: { shown: string; spoken: string }): void {
    this.#labels = labels;
    this.#name.data = labels.button;
    this.#hotkey.textContent = hotkeys.shown;
    this.#hotkey.hidden = hotkeys.shown === '';
    if (hotkeys.spoken === '') this.button.removeAttribute('aria-keyshortcuts');
    else this.button.setAttribute('aria-keyshortcuts', hotkeys.spoken);
    this.dialog.setAttribute('aria-label', labels.search);
    this.input.setAttribute('aria-label', labels.search);
    this.input.placeholder = placeholder;
    this.close.setAttribute('aria-label', labels.close);
    this.#list.setAttribute('aria-label', labels.results);
    this.retry.textContent = labels.retry;
    this.#keys.replaceChildren(
      ...[
        ['↑↓', labels.move],
        ['↵', labels.follow],
        ['esc', labels.close.toLowerCase()],
      ].flatMap(([key, what]) => [h('kbd', {}, key), h('span', {}, what)]),
    );
  }

  /** Tells the field which option is selected; undefined where none is. */
  select(id: string | undefined): void {
    this.input.setAttribute('aria-expanded', String(id !== undefined));
    if (id === undefined) this.input.removeAttribute('aria-activedescendant');
    else this.input.setAttribute('aria-activedescendant', id);
  }

  /** Puts a note in place of the list; undefined takes it away. */
  note(note: Note | undefined): void {
    this.#note.hidden = note === undefined;
    this.#note.className = `note ${note?.kind ?? ''}`;
    if (note === undefined) return;
    this.#note.replaceChildren(...this.#noteContent(note));
  }

  #noteContent(note: Note): Node[] {
    const labels = this.#labels;
    const title = (text: string) => h('p', { class: 'title' }, text);
    switch (note.kind) {
      case 'start':
        return [icon(lens), h('p', {}, labels.start(note.pages))];
      case 'opening':
        this.#note.className = 'bones';
        return Array.from({ length: 9 }, () => h('i'));
      case 'none':
        return [title(labels.none(note.query)), h('p', {}, labels.noneHint)];
      case 'error':
        return [icon(cross), title(labels.failed), h('p', {}, note.reason), this.retry];
    }
  }

  state({ kind, text, progress }: State): void {
    this.#state.dataset['state'] = kind;
    if (this.#stateText.textContent !== text) this.#stateText.textContent = text;
    this.#bar.hidden = progress === undefined;
    if (progress === undefined) return;
    this.#bar.setAttribute('aria-label', text);
    if (progress.total > 0) {
      this.#bar.max = progress.total;
      this.#bar.value = Math.min(progress.done, progress.total);
    } else this.#bar.removeAttribute('value');
  }

  /** Says something to those who listen. */
  say(text: string): void {
    if (this.#live.textContent !== text) this.#live.textContent = text;
  }
}

const MEGABYTE = 1e6;

/** Says how far something is. */
export function progressText({ stage, done, total }: Progress, labels: Labels): string {
  if (stage === 'load-model') return labels.download(done / MEGABYTE, total / MEGABYTE);
  return labels[stage](done, total);
}
