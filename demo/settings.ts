import { byId } from './dom.ts';
import { sentence } from './format.ts';
import { isList, type SplitKind, type SplitSettings, splitterFor } from './split-settings.ts';

/** What is wrong with settings, in the words of the dialog's labels. */
export function faultOf(split: SplitSettings): string | undefined {
  const { kind, maxChars, overlap, separator } = split;
  if (kind === 'record' && separator === '') {
    return 'Separator is empty: type what stands between two records, for example \\n---\\n.';
  }
  if (kind !== 'whole' && !isList(split) && overlap >= maxChars) {
    return `Overlap has to be smaller than Longest piece: ${maxChars} characters here.`;
  }
  try {
    // What else the library refuses is told in its own words.
    splitterFor(split);
  } catch (error) {
    return sentence(error);
  }
  return undefined;
}

/** The settings dialog: how the shown document is cut, how many passages are shown, and the way out. */
export class SettingsDialog {
  readonly #dialog = byId<HTMLDialogElement>('settings-dialog');
  readonly #kind = byId<HTMLSelectElement>('kind');
  readonly #max = byId<HTMLInputElement>('max-chars');
  readonly #overlap = byId<HTMLInputElement>('overlap');
  readonly #separator = byId<HTMLSelectElement>('separator');
  readonly #custom = byId<HTMLInputElement>('custom');
  readonly #header = byId<HTMLInputElement>('header');
  readonly #topK = byId<HTMLInputElement>('top-k');
  readonly #error = byId('settings-error');
  #onApply: (split: SplitSettings, topK: number) => void = () => {};

  constructor(onDestroy: () => void) {
    this.#kind.addEventListener('change', () => this.#fit());
    this.#separator.addEventListener('change', () => this.#fit());
    this.#dialog.querySelector('form')!.addEventListener('submit', (event) => {
      if ((event.submitter as HTMLButtonElement | null)?.value !== 'save') return;
      const split = this.#read();
      const fault = faultOf(split);
      if (fault !== undefined) {
        event.preventDefault();
        this.#error.textContent = fault;
        return;
      }
      this.#onApply(split, Number(this.#topK.value));
    });
    byId('destroy').addEventListener('click', () => {
      if (!confirm('Delete the index and every document in it from this browser?')) return;
      this.#dialog.close('cancel');
      onDestroy();
    });
  }

  open(
    uri: string | undefined,
    split: SplitSettings,
    topK: number,
    onApply: (split: SplitSettings, topK: number) => void,
  ): void {
    this.#onApply = onApply;
    byId<HTMLFieldSetElement>('split-fields').disabled = uri === undefined;
    byId('settings-name').textContent = uri ?? 'a document';
    this.#kind.value = split.kind;
    this.#max.value = String(split.maxChars);
    this.#overlap.value = String(split.overlap);
    this.#separator.value = ['\\n', '\\n\\n'].includes(split.separator) ? split.separator : 'custom';
    this.#custom.value = split.separator;
    this.#header.checked = split.header;
    this.#topK.value = String(topK);
    this.#error.textContent = '';
    this.#fit();
    this.#dialog.showModal();
    this.#kind.focus();
  }

  #read(): SplitSettings {
    return {
      kind: this.#kind.value as SplitKind,
      maxChars: Number(this.#max.value),
      overlap: Number(this.#overlap.value),
      separator: this.#separator.value === 'custom' ? this.#custom.value : this.#separator.value,
      header: this.#header.checked,
    };
  }

  /** Only what the chosen splitter reads is shown. */
  #fit(): void {
    const kind = this.#kind.value as SplitKind;
    byId('max-field').hidden = kind === 'whole';
    byId('overlap-field').hidden = kind === 'whole' || isList({ kind });
    byId('separator-field').hidden = kind !== 'record';
    byId('header-field').hidden = kind !== 'record' && kind !== 'csv';
    byId('custom-field').hidden = this.#separator.value !== 'custom';
    this.#max.disabled = kind === 'whole';
    this.#overlap.disabled = kind === 'whole' || isList({ kind });
    this.#error.textContent = '';
  }
}
