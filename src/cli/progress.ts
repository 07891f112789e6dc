import type { Progress } from '../types.ts';
import type { Terminal } from './terminal.ts';

const stages: Record<Progress['stage'], string> = {
  split: 'Splitting',
  'load-model': 'Loading the model',
  embed: 'Embedding',
  store: 'Storing',
};

/** Characters of the bar. */
const width = 24;
/** Milliseconds between two drawings. */
const pause = 50;

/** Shows how far a build is: a bar where somebody looks on, else a line a stage. */
export class ProgressView {
  readonly #terminal: Terminal;
  #stage: string | undefined;
  #drawn = 0;
  #isOpen = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show({ stage, done, total }: Progress): void {
    const { isTty } = this.#terminal;
    if (!isTty) {
      if (stage !== this.#stage) this.#terminal.note(`${stages[stage]} …\n`);
      this.#stage = stage;
      return;
    }
    const now = performance.now();
    if (stage === this.#stage && done < total && now - this.#drawn < pause) return;
    this.#stage = stage;
    this.#drawn = now;
    const part = total > 0 ? Math.min(1, done / total) : 0;
    const full = Math.round(part * width);
    const percent = total > 0 ? `${Math.floor(part * 100)} %` : '';
    // Back to the line's start, and what was there is cleared.
    this.#terminal.note(
      `\r\u001b[K${stages[stage].padEnd(18)}${'█'.repeat(full)}${'░'.repeat(width - full)} ${percent}`,
    );
    this.#isOpen = true;
  }

  /** Takes the bar away. */
  end(): void {
    if (this.#isOpen) this.#terminal.note('\r\u001b[K');
    this.#isOpen = false;
  }
}
