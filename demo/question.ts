import { byId } from './dom.ts';
import type { Answer } from './engine-protocol.ts';

/** Milliseconds of rest after which a half-typed question is searched. */
const pause = 220;

export interface QuestionEvents {
  search(question: string, signal: AbortSignal): Promise<Answer>;
  /** Passages for the question in the box, never for an older one. */
  onAnswer(question: string, answer: Answer, elapsedMs: number): void;
  onBusy(busy: boolean): void;
  onError(error: unknown, question: string): void;
  onCleared(): void;
  onDown(): void;
}

/** The question box: searches on Enter and after a pause in typing, and drops every answer but the latest. */
export class Question {
  readonly #input = byId<HTMLInputElement>('question');
  readonly #events: QuestionEvents;
  #turn = 0;
  #controller: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = '';

  constructor(events: QuestionEvents) {
    this.#events = events;
    byId('ask').addEventListener('submit', (event) => {
      event.preventDefault();
      void this.ask(this.#input.value);
    });
    this.#input.addEventListener('input', (event) => {
      if ((event as InputEvent).isComposing) return;
      this.#later();
    });
    this.#input.addEventListener('compositionend', () => this.#later());
    this.#input.addEventListener('keydown', (event) => this.#key(event));
    document.addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
        return;
      const field = 'input, textarea, select, dialog, [contenteditable]';
      if (event.target instanceof Element && event.target.closest(field)) return;
      event.preventDefault();
      this.focus();
    });
  }

  get value(): string {
    return this.#asked;
  }

  focus(): void {
    document.body.dataset['tab'] = 'ask';
    document.body.dispatchEvent(new Event('tab'));
    this.#input.focus();
    this.#input.select();
  }

  #key(event: KeyboardEvent): void {
    // Some systems end a composition with an Enter that is only told by its code.
    if (event.isComposing || event.keyCode === 229) {
      if (event.key === 'Enter') event.preventDefault();
      return;
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      this.clear();
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      this.#events.onDown();
    }
  }

  #later(): void {
    clearTimeout(this.#timer);
    const question = this.#input.value.trim();
    if (question === '') this.clear();
    if (question.length < 2) return;
    this.#timer = setTimeout(() => void this.ask(question), pause);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#turn++;
    this.#controller?.abort();
    this.#input.value = '';
    this.#asked = '';
    this.#events.onBusy(false);
    this.#events.onCleared();
  }

  /** Asks again, as when the shelf has changed. */
  again(): void {
    if (this.#asked !== '') void this.#search(this.#asked);
  }

  async ask(value: string): Promise<void> {
    clearTimeout(this.#timer);
    const question = value.trim();
    if (question === '') {
      this.clear();
      return;
    }
    if (this.#input.value.trim() !== question) this.#input.value = question;
    if (question === this.#asked) return;
    await this.#search(question);
  }

  async #search(question: string): Promise<void> {
    const turn = ++this.#turn;
    this.#asked = question;
    this.#controller?.abort();
    const controller = new AbortController();
    this.#controller = controller;
    this.#events.onBusy(true);
    const started = performance.now();
    try {
      const answer = await this.#events.search(question, controller.signal);
      if (turn === this.#turn) this.#events.onAnswer(question, answer, performance.now() - started);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#asked = '';
      this.#events.onError(error, question);
    } finally {
      if (turn === this.#turn) this.#events.onBusy(false);
    }
  }
}
