import { byId, h } from './dom.ts';
import type { Engine } from './engine.ts';
import type { AddCost, Listed, ListedPiece, ShelfDocument } from './engine-protocol.ts';
import { plural, sentence } from './format.ts';
import type { Stage } from './stage.ts';
import type { Status } from './status.ts';

/** What became of asking for a document; `late` where another was asked for meanwhile. */
export type Shown = 'shown' | 'gone' | 'late' | 'failed';

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
  /** A document that is being added: listed already. */
  #coming: string | undefined;
  /** Counts what was asked to be shown: only the last of it is. */
  #turn = 0;
  /** The status says that a document could not be shown. */
  #failing = false;
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
    if (this.#documents.length === 0) {
      this.#stage.show(undefined);
      return false;
    }
    await this.#showFirst();
    this.#status.idle(
      `From this browser's storage: ${plural(this.#documents.length, 'document')}, ${plural(this.chunks, 'chunk')}. Nothing was embedded again.`,
    );
    return true;
  }

  /** Shows a document as it is stored now: another tab may have added, changed or removed it. Never rejects. */
  async show(uri: string, retry: () => void = () => void this.show(uri)): Promise<Shown> {
    try {
      await this.#refresh();
      const shown = await this.#show(uri);
      if (shown === 'shown' && this.#failing) this.#status.idle(`${uri}, from this browser's storage.`);
      this.#failing = false;
      if (shown === 'gone') {
        await this.#leaveGone();
        this.#status.error(`${uri} is no longer on the shelf: it was removed in another tab.`);
      }
      return shown;
    } catch (error) {
      this.#failing = true;
      this.#picker.value = this.#stage.current?.uri ?? '';
      this.#status.error(sentence(error), retry);
      return 'failed';
    }
  }

  /** Another tab deleted the index, and it was opened anew: lists what it holds now. Never rejects. */
  async reopened(): Promise<void> {
    // Adding ends with that anyhow.
    if (this.#job) return;
    try {
      await this.#refresh();
      if (!(await this.#leaveGone())) return;
      this.#status.idle('Another tab deleted the index. This is what it holds now.');
      this.#events.onChanged();
    } catch (error) {
      this.#status.error(sentence(error), () => void this.reopened());
    }
  }

  /** Puts documents on the shelf once those before them are done. A document of the same name is replaced. */
  add(documents: readonly ShelfDocument[]): Promise<void> {
    const done = this.#queue.then(() => this.#run(documents));
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /** Called by the engine as soon as a document is cut: its chunks are shown while they are embedded. */
  split(uri: string, chunks: readonly ListedPiece[], records: readonly number[] | undefined): void {
    const first = this.#job?.documents[0];
    if (first?.uri !== uri) return;
    const again = this.#stage.current?.uri === uri && this.#stage.current.text === first.text;
    this.#turn++;
    this.#stage.show({ uri, text: first.text, split: first.split, chunks, records }, { keepPlace: again });
    this.#coming = uri;
    this.#list();
  }

  /** Embeds the documents that are found by words alone; answers whether there were any. Never rejects. */
  async retryFailed(): Promise<boolean> {
    try {
      await this.#refresh();
      const pending = this.#documents.filter(({ vectors }) => vectors !== 'stored');
      const again: ShelfDocument[] = [];
      for (const { uri, split } of pending) {
        const text = await this.#engine.text(uri);
        if (text !== undefined) again.push({ uri, text, split });
      }
      if (again.length > 0) await this.add(again);
      return again.length > 0;
    } catch (error) {
      this.#status.error(sentence(error), () => void this.retryFailed());
      return true;
    }
  }

  cancel(): void {
    this.#job?.controller.abort(new DOMException('Cancelled by the reader.', 'AbortError'));
  }

  /** Takes a document off the shelf. Never rejects. */
  async remove(uri: string): Promise<void> {
    await this.#queue;
    try {
      const split = this.#documents.find((document) => document.uri === uri)?.split;
      const text = await this.#engine.text(uri);
      await this.#engine.remove(uri);
      await this.#refresh();
      await this.#showFirst();
      const removed = `${uri} was removed.`;
      if (text === undefined || split === undefined) this.#status.idle(removed);
      else this.#status.undoable(removed, () => void this.add([{ uri, text, split }]));
      this.#events.onChanged();
    } catch (error) {
      this.#status.error(sentence(error), () => void this.remove(uri));
    }
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
        const why = failed.map(({ uri, reason, code }) => `${uri}: ${reason} (${code})`).join(' ');
        this.#status.error(why, () => void this.add(documents));
      } else {
        this.#status.idle(
          `${what}: ${plural(cost.report.chunks, 'chunk')}, ${plural(cost.report.embedded, 'passage')} embedded, kept in this browser.`,
        );
      }
    } catch (error) {
      const cancelled = job.controller.signal.aborted;
      // What is stored may not be told either, and then for the same reason.
      const unknown = await this.#settle(documents[0]!.uri).catch((reason: unknown) => reason ?? error);
      if (cancelled && unknown === undefined) this.#status.idle(`Cancelled. ${this.#kept(documents)}`);
      else this.#status.error(sentence(cancelled ? unknown : error), () => void this.add(documents));
    } finally {
      this.#job = undefined;
    }
  }

  #kept(documents: readonly ShelfDocument[]): string {
    const given = new Set(documents.map(({ uri }) => uri));
    const kept = this.#documents.filter(({ uri }) => given.has(uri));
    if (kept.length === 0) return 'Nothing of it was kept.';
    const byWords = kept.filter(({ vectors }) => vectors === 'pending').length;
    const whole = `${plural(kept.length, 'whole document')} of ${documents.length} kept`;
    return byWords === 0 ? `${whole}.` : `${whole}, ${byWords} found by words alone.`;
  }

  /** After a change: lists what is really stored, and shows `uri` if it is. */
  async #settle(uri: string): Promise<void> {
    this.#coming = undefined;
    await this.#refresh();
    const current = this.#stage.current;
    const stored = this.#documents.find((document) => document.uri === uri);
    if (stored && current?.uri === uri && current.chunks.length === stored.chunks) {
      this.#picker.value = uri;
      remember(uri);
    } else if (!stored || (await this.#show(uri)) === 'gone') {
      await this.#showFirst();
    }
    this.#events.onChanged();
  }

  async #show(uri: string): Promise<Shown> {
    const listed = this.#documents.find((document) => document.uri === uri);
    if (!listed) return 'gone';
    const turn = ++this.#turn;
    const [text, chunks, records] = await Promise.all([
      this.#engine.text(uri),
      this.#engine.chunks(uri),
      this.#engine.records(uri, listed.split),
    ]);
    if (turn !== this.#turn) return 'late';
    if (text === undefined) return 'gone';
    this.#stage.show({ uri, text, split: listed.split, chunks, records });
    this.#picker.value = uri;
    remember(uri);
    this.#events.onShown();
    return 'shown';
  }

  /** Shows the document that was shown last, or any, or that there is none. */
  async #showFirst(): Promise<void> {
    const first = remembered(this.uris) ?? this.#documents[0]?.uri;
    if (first !== undefined && (await this.#show(first)) !== 'gone') return;
    this.#turn++;
    this.#stage.show(undefined);
    this.#list();
  }

  /** Leaves the shown document where it is not stored any more; answers whether it had to. */
  async #leaveGone(): Promise<boolean> {
    const uri = this.#stage.current?.uri;
    if (this.#job || uri === undefined || this.uris.has(uri)) return false;
    await this.#showFirst();
    return true;
  }

  async #refresh(): Promise<void> {
    this.#documents = await this.#engine.documents();
    this.#list();
  }

  #list(): void {
    const rows = this.#documents.map(({ uri }) => uri);
    if (this.#coming !== undefined && !rows.includes(this.#coming)) rows.push(this.#coming);
    this.#picker.replaceChildren(...rows.map((uri) => h('option', { value: uri }, uri)));
    if (rows.length === 0) this.#picker.append(h('option', { value: '' }, 'No documents'));
    this.#picker.disabled = rows.length === 0;
    if (this.#stage.current) this.#picker.value = this.#stage.current.uri;
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
