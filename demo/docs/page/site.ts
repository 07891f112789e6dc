import './site.css';
import { transformersEmbedder } from '../../../src/embed/transformers.ts';
import '../../../src/element/index.ts';
import { keepOffline, type OfflineStatus } from './offline.js';

const base = new URL(document.documentElement.dataset['base'] ?? './', document.baseURI);
const addressOf = (path: string): string => new URL(path, base).href;

const search = document.querySelector('shelfmark-search')!;
search.embedder = transformersEmbedder({ modelPath: addressOf('models/'), wasmPaths: addressOf('ort/') });

const state = document.querySelector<HTMLElement>('#offline')!;
const update = document.querySelector<HTMLButtonElement>('#update')!;

const texts: Record<OfflineStatus['state'], string> = {
  keeping: 'Keeping these pages for offline reading…',
  ready: 'Ready offline',
  failed: 'Not kept offline; tried again at the next visit',
  unsupported: 'This browser keeps nothing offline',
};

function show(status: OfflineStatus): void {
  const { kept, of } = status;
  const isCounting = status.state === 'keeping' && kept !== undefined;
  // Not said for each file: a screen reader would read every one of them.
  state.dataset['count'] = isCounting ? `${kept} of ${of}` : '';
  if (state.dataset['state'] !== status.state) {
    state.dataset['state'] = status.state;
    state.textContent = texts[status.state];
    // The box knows of its index alone; whether model and pages are kept is known here.
    search.labels = status.state === 'ready' ? {} : { offline: 'Ready' };
  }
  update.hidden = status.update === undefined;
  update.onclick = () => status.update?.();
}

show({ state: 'keeping' });
keepOffline(addressOf('sw.js'), show);

// Links of a popover's own page lead to a place in the page behind it.
const contents = document.querySelector<HTMLElement>('#contents')!;
contents.addEventListener('click', ({ target }) => {
  if (target instanceof HTMLAnchorElement && contents.matches(':popover-open')) contents.hidePopover();
});
