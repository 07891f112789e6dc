import type { Progress } from '../src/index.ts';
import { byId } from './dom.ts';
import { count } from './format.ts';

const stages: Record<Progress['stage'], string> = {
  split: 'Splitting',
  'load-model': 'Loading the model',
  embed: 'Embedding',
  store: 'Storing',
};

/** The one line under the top bar: what is going on, how far it is, what went wrong. Its height never changes. */
export class Status {
  readonly #strip = byId('strip');
  readonly #text = byId('status');
  readonly #progress = byId<HTMLProgressElement>('progress');
  readonly #cancel = byId<HTMLButtonElement>('cancel');
  readonly #retry = byId<HTMLButtonElement>('retry');
  #onRetry: (() => void) | undefined;

  constructor(onCancel: () => void) {
    this.#cancel.addEventListener('click', onCancel);
    this.#retry.addEventListener('click', () => this.#onRetry?.());
    const offline = (): void => {
      byId('offline').hidden = navigator.onLine;
    };
    addEventListener('online', offline);
    addEventListener('offline', offline);
    offline();
  }

  idle(text: string): void {
    this.#set('idle', text);
  }

  /** Says what was done, and offers to undo it. */
  undoable(text: string, undo: () => void): void {
    this.#set('idle', text);
    this.#onRetry = undo;
    this.#retry.textContent = 'Undo';
    this.#retry.hidden = false;
  }

  busy(what: string, { stage, done, total }: Progress): void {
    const counts = total > 0 && stage !== 'load-model' ? ` ${count(done)} of ${count(total)}` : '';
    this.#set('busy', `${stages[stage]}${counts} · ${what}`);
    this.#strip.dataset['stage'] = stage;
    if (total > 0 && stage !== 'load-model') {
      this.#progress.max = total;
      this.#progress.value = done;
    } else {
      this.#progress.removeAttribute('value');
    }
  }

  error(text: string, retry?: () => void): void {
    this.#set('error', text);
    this.#onRetry = retry;
    this.#retry.textContent = 'Try again';
    this.#retry.hidden = retry === undefined;
  }

  #set(state: 'idle' | 'busy' | 'error', text: string): void {
    this.#strip.dataset['state'] = state;
    delete this.#strip.dataset['stage'];
    this.#text.textContent = text;
    this.#text.title = text;
    this.#progress.hidden = state !== 'busy';
    this.#cancel.hidden = state !== 'busy';
    this.#retry.hidden = true;
  }
}
