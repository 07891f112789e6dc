import { type Costs, showCosts } from './cost.ts';
import { byId, h } from './dom.ts';
import { Engine } from './engine.ts';
import type { Answer, Hit } from './engine-protocol.ts';
import { ms, plural, sentence } from './format.ts';
import { showHint } from './hints.ts';
import { type Incoming, Intake } from './intake.ts';
import { Question } from './question.ts';
import { Results } from './results.ts';
import { sampleOf, samples } from './samples.ts';
import { SettingsDialog } from './settings.ts';
import { Shelf } from './shelf.ts';
import { proseSettings, type SplitSettings, settingsFor } from './split-settings.ts';
import { Stage } from './stage.ts';
import { Status } from './status.ts';
import { themeButton } from './theme.ts';

/** Passages asked for beyond those shown, so that the ruler is shaded all along the document. */
const forTheRuler = 60;

const costs: Costs = { embedded: 0, chunks: 0 };
const stage = new Stage();
let topK = 5;
let hits: Hit[] | undefined;
let shelf: Shelf;
let engine: Engine;

const status = new Status(() => shelf.cancel());
const announce = (text: string): void => {
  byId('count').textContent = text;
};

const results = new Results(
  byId('results'),
  (hit) => void open(hit),
  () => question.focus(),
);

const question = new Question({
  search: (text, signal) => engine.search(text, Math.max(topK, forTheRuler), signal),
  onAnswer(_text, answer, elapsedMs) {
    hits = answer.hits;
    const shown = hits.slice(0, topK);
    costs.searchMs = elapsedMs;
    results.show(shown, stage.current?.uri);
    stage.unmark();
    stage.shade(hits);
    const found = shown.length > 0 ? `${plural(shown.length, 'passage')} in ${ms(elapsedMs)}` : 'No results';
    announce(`${found}${howFound(answer)}`);
    byId('legend').hidden = shown.length === 0;
    showHint({ kind: shown.length === 0 ? 'nothing' : 'none' }, ask);
    byId('results').parentElement!.dataset['semantic'] = answer.legs.semantic;
    if (answer.legs.semantic === 'loading') void whenLoaded();
    void refreshCosts();
  },
  onBusy(busy) {
    byId('results').parentElement!.setAttribute('aria-busy', String(busy));
  },
  onError(error, text) {
    hits = undefined;
    results.clear();
    stage.shade(undefined);
    announce('');
    showHint({ kind: 'error', text: sentence(error), asked: text }, ask);
  },
  onCleared() {
    hits = undefined;
    results.clear();
    stage.unmark();
    stage.shade(undefined);
    announce('');
    showQuestions();
  },
  onDown: () => results.focusFirst(),
});

/** What is said of an answer that had to do without the model. */
function howFound({ legs, fault }: Answer): string {
  if (legs.semantic === 'loading') return ', by words so far: the model is loading';
  if (legs.semantic !== 'failed') return '';
  status.error(fault ?? 'The model could not be loaded.', () => {
    status.idle('Asking again…');
    void whenLoaded();
  });
  return ', by words alone';
}

/** Asks again once the model is there, so that the meaning counts too; where it can't be had, says so. */
async function whenLoaded(): Promise<void> {
  await engine.warm().catch(() => undefined);
  question.again();
}

const intake = new Intake(
  (incoming) => void put(incoming),
  (text) => status.error(text),
  () => shelf.uris,
);

const settings = new SettingsDialog(() => void destroy());

async function open(hit: Hit): Promise<void> {
  showTab('document');
  if (!stage.holds(hit)) {
    stage.unmark();
    const shown = await shelf.show(hit.docUri, () => void open(hit));
    if (shown === 'late' || shown === 'failed') return;
    if (!stage.holds(hit)) {
      if (shown === 'shown') status.error(`${hit.docUri} was changed after this passage was found.`);
      question.again();
      return;
    }
  }
  await stage.reveal(hit.charStart ?? 0, hit.charEnd ?? 0);
}

async function put(incoming: readonly Incoming[]): Promise<void> {
  showTab('document');
  await shelf.add(incoming.map(({ uri, text }) => ({ uri, text, split: splitOf(uri, text) })));
}

/** A document that is replaced keeps the way it was cut. */
const splitOf = (uri: string, text: string): SplitSettings =>
  stage.current?.uri === uri ? stage.current.split : (sampleOf(uri)?.split ?? settingsFor(uri, text));

function showTab(tab: 'document' | 'ask'): void {
  document.body.dataset['tab'] = tab;
  for (const name of ['document', 'ask']) {
    byId(`tab-${name}`).setAttribute('aria-pressed', String(name === tab));
  }
}

const ask = (text: string): void => {
  byId<HTMLInputElement>('question').value = text;
  void question.ask(text);
};

const showQuestions = (): void =>
  showHint({ kind: stage.current ? 'questions' : 'none', sample: sampleOf(stage.current?.uri) }, ask);

async function refreshCosts(): Promise<void> {
  const stats = await engine.stats().catch(() => undefined);
  // What keeps the index from answering is said where something was asked of it.
  if (stats === undefined) return;
  const { chunks, bytes } = stats;
  costs.chunks = chunks;
  costs.bytes = bytes;
  costs.embedded = engine.counts.passages;
  costs.modelMs = engine.counts.loads > 0 ? engine.counts.loadMs : undefined;
  showCosts(costs);
}

async function destroy(): Promise<void> {
  try {
    await engine.destroy();
  } catch (error) {
    status.error(sentence(error), () => void destroy());
    return;
  }
  Object.assign(costs, { splitMs: undefined, embedMs: undefined, storeMs: undefined, searchMs: undefined });
  stage.show(undefined);
  question.clear();
  if (await start({ withSample: false })) {
    status.idle('The index was deleted. This browser keeps nothing of it.');
  }
}

function sampleButtons(close: () => void): HTMLElement[] {
  return samples.map(({ uri, title, note, text }) => {
    const button = h('button', { type: 'button' }, title, h('small', {}, note));
    button.addEventListener('click', () => {
      close();
      void put([{ uri, text }]);
    });
    return button;
  });
}

function wire(): void {
  themeButton();
  // On a phone the passages need the room.
  if (innerWidth < 736) document.querySelector('details.cost')?.removeAttribute('open');
  const menu = byId('sample-menu');
  menu.append(...sampleButtons(() => menu.hidePopover()));
  menu.addEventListener('toggle', () => {
    const { bottom, right } = byId('samples').getBoundingClientRect();
    menu.style.top = `${bottom + 6}px`;
    menu.style.left = `${Math.max(8, right - menu.offsetWidth)}px`;
  });
  byId('empty-samples').append(...sampleButtons(() => {}));
  const openSettings = (): void => {
    const current = stage.current;
    settings.open(current?.uri, current?.split ?? proseSettings, topK, (split, wanted) => {
      topK = wanted;
      if (current && JSON.stringify(split) !== JSON.stringify(current.split)) {
        void shelf.add([{ uri: current.uri, text: current.text, split }]);
      } else {
        question.again();
      }
    });
  };
  byId('settings').addEventListener('click', openSettings);
  byId('cutting').addEventListener('click', openSettings);
  byId('edit').addEventListener('click', () => stage.current && intake.edit(stage.current));
  byId('remove').addEventListener('click', () => stage.current && void shelf.remove(stage.current.uri));
  byId('tab-document').addEventListener('click', () => showTab('document'));
  byId('tab-ask').addEventListener('click', () => showTab('ask'));
  document.body.addEventListener('tab', () => showTab('ask'));
  byId('question').addEventListener('focus', () => void engine?.warm().catch(() => {}), { once: true });
  document.addEventListener('keydown', (event) => {
    const elsewhere =
      event.target instanceof Element && event.target.closest('dialog, [popover], #question') !== null;
    if (event.key === 'Escape' && !elsewhere) question.clear();
  });
}

/** Opens the index and shows what is in it; answers whether that went well. */
async function start({ withSample }: { withSample: boolean }): Promise<boolean> {
  try {
    engine = await Engine.open({
      onSplit(uri, pieces, records) {
        shelf.split(uri, pieces, records);
        if (question.value === '') showQuestions();
      },
      onReopened: () => void shelf.reopened(),
    });
  } catch (error) {
    stage.show(undefined);
    status.error(sentence(error), () => void start({ withSample }));
    return false;
  }
  shelf = new Shelf(engine, stage, status, {
    onShown() {
      if (question.value === '') showQuestions();
      void refreshCosts();
    },
    onChanged() {
      if (question.value === '') showQuestions();
      else question.again();
      void refreshCosts();
    },
    onCost({ splitMs, embedMs, storeMs }) {
      Object.assign(costs, { splitMs, embedMs, storeMs });
      void refreshCosts();
    },
  });
  return fill({ withSample });
}

async function fill({ withSample }: { withSample: boolean }): Promise<boolean> {
  try {
    const found = await shelf.load();
    const [first] = samples;
    if (!found && withSample && first) await put([first]);
    return true;
  } catch (error) {
    status.error(sentence(error), () => void fill({ withSample }));
    return false;
  } finally {
    document.documentElement.dataset['ready'] = 'true';
  }
}

wire();
showCosts(costs);
void start({ withSample: true });
