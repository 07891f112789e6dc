import { byId, h } from './dom.ts';
import type { Engine } from './engine.ts';
import type { AddCost, Listed, ListedPiece, ShelfDocument } from './engine-protocol.ts';
import { plural, sentence } from './format.ts';
import type { Stage } from './stage.ts';
import type { Status } from './status.ts';

interface Job {
  documents: readonly ShelfDocument[];
  controller: AbortController;
}

export interface ShelfEvents {
  /** Another document is shown. */
  onShown(): void;
  /** Documents came, went or were cut anew. */
  onChanged(): void;
  onCost(cost: AddCost): void;
}

/** The documents of this browser: one at a time shown, added one batch after the other. */
export class Shelf {
  readonly #engine: Engine;
  readonly #stage: Stage;
  readonly #status: Status;
  readonly #events: ShelfEvents;
  readonly #picker = byId<HTMLSelectElement>('shelf');
  #documents: Listed[] = [];
  #job: Job | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(engine: Engine, stage: Stage, status: Status, events: ShelfEvents) {
    this.#engine = engine;
    this.#stage = stage;
    this.#status = status;
    this.#events = events;
    this.#picker.addEventListener('change', () => void this.show(this.#picker.value));
  }

  get uris(): ReadonlySet<string> {
    return new Set(this.#documents.map(({ uri }) => uri));
  }

  get chunks(): number {
    return this.#documents.reduce((sum, document) => sum + document.chunks, 0);
  }

  /** Reads what is stored; answers whether there is anything. */
  async load(): Promise<boolean> {
    await this.#refresh();
    const first = remembered(this.uris) ?? this.#documents[0]?.uri;
    if (first === undefined) {
      this.#stage.show(undefined);
      return false;
    }
    await this.show(first);
    this.#status.idle(
      `From this browser's storage: ${plural(this.#documents.length, 'document')}, ${plural(this.chunks, 'chunk')}. Nothing was embedded again.`,
    );
    return true;
  }

  /** Shows a stored document. */
  async show(uri: string | undefined): Promise<void> {
    const listed = this.#documents.find((document) => document.uri === uri) ?? this.#documents[0];
    if (!listed) {
      this.#stage.show(undefined);
      return;
    }
    const [text, chunks] = await Promise.all([
      this.#engine.text(listed.uri),
      this.#engine.chunks(listed.uri),
    ]);
    this.#stage.show({ uri: listed.uri, text, split: listed.split, chunks });
    this.#picker.value = listed.uri;
    remember(listed.uri);
    this.#events.onShown();
  }

  /** Puts documents on the shelf once those before them are done. A document of the same name is replaced. */
  add(documents: readonly ShelfDocument[]): Promise<void> {
    const done = this.#queue.then(() => this.#run(documents));
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /** Called by the engine as soon as a document is cut: its chunks are shown while they are embedded. */
  split(uri: string, chunks: readonly ListedPiece[]): void {
    const first = this.#job?.documents[0];
    if (first?.uri !== uri) return;
    const again = this.#stage.current?.uri === uri && this.#stage.current.text === first.text;
    this.#stage.show({ uri, text: first.text, split: first.split, chunks }, { keepPlace: again });
    this.#list(first);
  }

  cancel(): void {
    this.#job?.controller.abort(new DOMException('Cancelled by the reader.', 'AbortError'));
  }

  async remove(uri: string): Promise<void> {
    await this.#queue;
    await this.#engine.remove(uri);
    await this.#refresh();
    await this.show(undefined);
    this.#status.idle(`${uri} was removed.`);
    this.#events.onChanged();
  }

  async #run(documents: readonly ShelfDocument[]): Promise<void> {
    const job: Job = { documents, controller: new AbortController() };
    this.#job = job;
    const what = documents.length === 1 ? documents[0]!.uri : plural(documents.length, 'document');
    this.#status.busy(what, { stage: 'split', done: 0, total: 0 });
    try {
      const cost = await this.#engine.add(documents, {
        signal: job.controller.signal,
        onProgress: (progress) => this.#status.busy(what, progress),
      });
      await this.#settle(documents[0]!.uri);
      this.#events.onCost(cost);
      const { failed } = cost.report;
      if (failed.length > 0) {
        this.#status.error(failed.map(({ uri, reason, code }) => `${uri}: ${reason} (${code})`).join(' '));
      } else {
        this.#status.idle(
          `${what}: ${plural(cost.report.chunks, 'chunk')}, ${plural(cost.report.embedded, 'passage')} embedded, kept in this browser.`,
        );
      }
    } catch (error) {
      const cancelled = job.controller.signal.aborted;
      await this.#settle(documents[0]!.uri);
      if (cancelled) this.#status.idle(`Cancelled. ${this.#kept(documents)}`);
      else this.#status.error(sentence(error), () => void this.add(documents));
    } finally {
      this.#job = undefined;
    }
  }

  #kept(documents: readonly ShelfDocument[]): string {
    const kept = documents.filter(({ uri }) => this.uris.has(uri)).length;
    return kept === 0
      ? 'Nothing of it was kept.'
      : `${plural(kept, 'whole document')} of ${documents.length} kept.`;
  }

  /** After a change: lists what is really stored, and shows `uri` if it is. */
  async #settle(uri: string): Promise<void> {
    await this.#refresh();
    const current = this.#stage.current;
    const stored = this.#documents.find((document) => document.uri === uri);
    if (stored && current?.uri === uri && current.chunks.length === stored.chunks) {
      this.#picker.value = uri;
      remember(uri);
    } else {
      await this.show(stored ? uri : remembered(this.uris));
    }
    this.#events.onChanged();
  }

  async #refresh(): Promise<void> {
    this.#documents = await this.#engine.documents();
    this.#list();
  }

  #list(coming?: ShelfDocument): void {
    const rows = this.#documents.map(({ uri }) => uri);
    if (coming && !rows.includes(coming.uri)) rows.push(coming.uri);
    this.#picker.replaceChildren(...rows.map((uri) => h('option', { value: uri }, uri)));
    if (rows.length === 0) this.#picker.append(h('option', { value: '' }, 'No documents'));
    this.#picker.disabled = rows.length === 0;
    if (coming) this.#picker.value = coming.uri;
    else if (this.#stage.current) this.#picker.value = this.#stage.current.uri;
  }
}

const key = 'shelfmark-shown';

function remember(uri: string): void {
  try {
    localStorage.setItem(key, uri);
  } catch {
    // Storage is off: the first document is shown next time.
  }
}

function remembered(uris: ReadonlySet<string>): string | undefined {
  try {
    const uri = localStorage.getItem(key);
    return uri !== null && uris.has(uri) ? uri : undefined;
  } catch {
    return undefined;
  }
}
