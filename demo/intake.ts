import { byId } from './dom.ts';
import { entriesOf, type Found, filesUnder, pickedFiles } from './folders.ts';
import { bytes, plural } from './format.ts';

export interface Incoming {
  uri: string;
  text: string;
}

/** Text longer than this is not put into a text box: typing in one gets slow. */
const boxLimit = 100_000;

const readable = (file: File): boolean =>
  file.type.startsWith('text/') || /\.(md|markdown|txt|csv|tsv|json|jsonl|ndjson|log|rst)$/i.test(file.name);

const named = (files: readonly File[]): string =>
  files.length <= 5 ? files.map(({ name }) => name).join(', ') : plural(files.length, 'file');

/** A name for pasted text: its first heading or line. */
export function nameFor(text: string, taken: ReadonlySet<string>): string {
  const line = /^[#\s]*(\S[^\r\n]*)/.exec(text.slice(0, 400))?.[1] ?? '';
  const slug = line
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  const base = [...slug].slice(0, 40).join('').replace(/-$/, '') || 'pasted';
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${base}.md` : `${base}-${number}.md`;
    if (!taken.has(name)) return name;
  }
}

/** Every way a text gets in: the paste dialog, pasting on the page, the file picker, dropping anywhere. */
export class Intake {
  readonly #onTexts: (incoming: Incoming[]) => void;
  readonly #onRefused: (sentence: string) => void;
  readonly #taken: () => ReadonlySet<string>;
  readonly #dialog = byId<HTMLDialogElement>('paste-dialog');
  readonly #name = byId<HTMLInputElement>('paste-name');
  readonly #text = byId<HTMLTextAreaElement>('paste-text');
  #editing: Incoming | undefined;

  constructor(
    onTexts: (incoming: Incoming[]) => void,
    onRefused: (sentence: string) => void,
    taken: () => ReadonlySet<string>,
  ) {
    this.#onTexts = onTexts;
    this.#onRefused = onRefused;
    this.#taken = taken;
    this.#listenToDialog();
    this.#listenToFiles();
    this.#listenToDrops();
    document.addEventListener('paste', (event) => this.#pasted(event));
  }

  /** Opens the dialog on a document's text, to change it. */
  edit(document: Incoming): void {
    if (document.text.length > boxLimit) {
      this.#onRefused(
        `${document.uri} (${bytes(document.text.length)}) is too long to edit here. Change the file and drop it again: it takes the old one's place.`,
      );
      return;
    }
    this.#show(document);
  }

  #show(document: Incoming | undefined): void {
    this.#editing = document;
    byId('paste-title').textContent = document ? 'Edit the document' : 'Paste a document';
    this.#name.value = document?.uri ?? '';
    this.#name.readOnly = document !== undefined;
    this.#text.value = document?.text ?? '';
    this.#dialog.returnValue = '';
    this.#tell('');
    this.#dialog.showModal();
    this.#text.focus();
    this.#text.setSelectionRange(0, 0);
  }

  #tell(fault: string): void {
    byId('paste-error').textContent = fault;
    this.#text.setAttribute('aria-invalid', String(fault !== ''));
  }

  #listenToDialog(): void {
    byId('paste').addEventListener('click', () => this.#show(undefined));
    this.#dialog.querySelector('form')!.addEventListener('submit', (event) => {
      if ((event.submitter as HTMLButtonElement | null)?.value !== 'add' || this.#text.value.trim() !== '')
        return;
      event.preventDefault();
      this.#tell('There is no text yet: paste or type some into the box below Text.');
      this.#text.focus();
    });
    this.#text.addEventListener('input', () => this.#tell(''));
    this.#dialog.addEventListener('close', () => {
      const text = this.#text.value;
      this.#text.value = '';
      if (this.#dialog.returnValue !== 'add') return;
      const old = this.#editing;
      if (old) {
        const edited = withBreaksOf(old.text, text);
        if (edited !== old.text) this.#onTexts([{ uri: old.uri, text: edited }]);
      } else {
        this.#onTexts([{ uri: this.#name.value.trim() || nameFor(text, this.#taken()), text }]);
      }
    });
    this.#text.addEventListener('paste', (event) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text.length <= boxLimit) return;
      // Long texts go straight to the shelf, past the box.
      event.preventDefault();
      event.stopPropagation();
      const uri = this.#name.value.trim() || nameFor(text, this.#taken());
      this.#dialog.close('cancel');
      this.#onTexts([{ uri, text }]);
    });
  }

  /** Pasting anywhere but in a field puts the text (or the files) on the shelf as they are. */
  #pasted(event: ClipboardEvent): void {
    if (event.target instanceof Element && event.target.closest('input, textarea, select, dialog')) return;
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (files.length > 0) {
      event.preventDefault();
      void this.take(pickedFiles(files));
    } else if (text.trim() !== '') {
      event.preventDefault();
      this.#onTexts([{ uri: nameFor(text, this.#taken()), text }]);
    }
  }

  #listenToFiles(): void {
    for (const [button, input] of [
      ['open', 'files'],
      ['open-folder', 'folder'],
    ] as const) {
      const picker = byId<HTMLInputElement>(input);
      byId(button).addEventListener('click', () => picker.click());
      picker.addEventListener('change', () => {
        const files = pickedFiles([...(picker.files ?? [])]);
        picker.value = '';
        void this.take(files);
      });
    }
  }

  #listenToDrops(): void {
    const veil = byId('drop');
    let depth = 0;
    const has = (event: DragEvent): boolean =>
      [...(event.dataTransfer?.types ?? [])].some((type) => type === 'Files' || type === 'text/plain');
    document.addEventListener('dragenter', (event) => {
      if (has(event)) veil.hidden = ++depth < 1;
    });
    document.addEventListener('dragleave', (event) => {
      if (has(event) && --depth <= 0) {
        depth = 0;
        veil.hidden = true;
      }
    });
    document.addEventListener('dragover', (event) => {
      if (has(event)) event.preventDefault();
    });
    document.addEventListener('drop', (event) => {
      if (!has(event)) return;
      event.preventDefault();
      depth = 0;
      veil.hidden = true;
      const files = [...(event.dataTransfer?.files ?? [])];
      const text = event.dataTransfer?.getData('text/plain') ?? '';
      const entries = event.dataTransfer ? entriesOf(event.dataTransfer) : [];
      if (entries.length > 0) void filesUnder(entries).then((found) => this.take(found));
      else if (files.length > 0) void this.take(pickedFiles(files));
      else if (text.trim() !== '') this.#onTexts([{ uri: nameFor(text, this.#taken()), text }]);
    });
  }

  /** Reads files as UTF-8, byte order mark and line breaks kept: offsets are of the file as it is. */
  async take(files: readonly Found[]): Promise<void> {
    const refused = files.filter(({ file }) => !readable(file)).map(({ file }) => file);
    const incoming: Incoming[] = [];
    for (const { path, file } of files) {
      if (!readable(file)) continue;
      try {
        const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.arrayBuffer());
        if (text.trim() === '') refused.push(file);
        else incoming.push({ uri: path, text });
      } catch {
        refused.push(file);
      }
    }
    if (incoming.length > 0) this.#onTexts(incoming);
    else if (files.length === 0) this.#onRefused('There is no file to read in that folder.');
    else if (refused.length > 0) {
      this.#onRefused(`Nothing to read in ${named(refused)}: Markdown, plain text and CSV are.`);
    }
  }
}

/** A text box turns every line break into LF; text edited in one gets back the breaks it came with. */
export function withBreaksOf(original: string, edited: string): string {
  if (edited === original.replace(/\r\n?/g, '\n')) return original;
  const feeds = original.split('\n').length - 1;
  const pairs = original.split('\r\n').length - 1;
  return pairs > 0 && pairs === feeds ? edited.replace(/\n/g, '\r\n') : edited;
}
