import { type Costs, showCosts } from './cost.ts';
import { byId, h } from './dom.ts';
import { Engine } from './engine.ts';
import type { Answer, Hit } from './engine-protocol.ts';
import { ms, plural, sentence } from './format.ts';
import { showHint } from './hints.ts';
import { type Incoming, Intake } from './intake.ts';
import { readShared, type Shared, sharedLink } from './links.ts';
import { copyFrom, download, samplesMenu } from './menu.ts';
import { Question } from './question.ts';
import { Results } from './results.ts';
import { sampleOf, samples } from './samples.ts';
import { faultOf, SettingsDialog } from './settings.ts';
import { Shelf } from './shelf.ts';
import { proseSettings, type SplitSettings, settingsFor } from './split-settings.ts';
import { Stage } from './stage.ts';
import { Status } from './status.ts';
import { themeButton } from './theme.ts';
import { isShare } from './why.ts';

/** Passages asked for beyond those shown, so that the ruler is shaded all along the document. */
const forTheRuler = 60;

const costs: Costs = { embedded: 0, chunks: 0 };
const stage = new Stage();
/** What the address asks for. */
let linked: Shared = readShared(location.hash);
let topK = linked.topK ?? 5;
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
  onAnswer(text, answer, elapsedMs) {
    hits = answer.hits;
    const shown = hits.slice(0, topK);
    costs.searchMs = elapsedMs;
    const mode = answer.legs.semantic === 'used' ? 'hybrid' : 'lexical';
    const fetched = Math.max(topK, forTheRuler);
    results.show(hits, topK, stage.current?.uri, ({ id }) => engine.explain(id, text, fetched, mode));
    stage.unmark();
    stage.shade(hits);
    const found = shown.length > 0 ? `${plural(shown.length, 'passage')} in ${ms(elapsedMs)}` : 'No results';
    announce(`${found}${howFound(answer)}`);
    byId('legend').hidden = shown.length === 0;
    byId('scale').textContent = isShare(hits) ? 'score 0 to 1:' : '';
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
    void askAgain();
  });
  return ', by words alone';
}

/** Asks again, and embeds what had to do without the model. */
async function askAgain(): Promise<void> {
  const isLoaded = await engine.warm().then(
    () => true,
    () => false,
  );
  // Adding asks the question again of its own accord.
  if (isLoaded && (await shelf.retryFailed())) return;
  if (isLoaded) status.idle('The model is loaded.');
  question.again();
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
function splitOf(uri: string, text: string): SplitSettings {
  if (stage.current?.uri === uri) return stage.current.split;
  return withLink(uri, sampleOf(uri)?.split ?? settingsFor(uri, text));
}

/** The settings the address gives a document, where it names it and they can be. */
function withLink(uri: string, usual: SplitSettings): SplitSettings {
  const asked = { ...usual, ...linked.split };
  return linked.uri === uri && faultOf(asked) === undefined ? asked : usual;
}

const linkOf = (question?: string): string => {
  const { uri, split } = stage.current ?? {};
  return sharedLink({ uri, ...(split && { split }), topK, question });
};

/** Keeps an address that holds settings true to what is shown. */
function keepAddress(): void {
  if (location.hash !== '') history.replaceState(null, '', linkOf());
}

/** Does what the address asks for: shows its document, cut as it says, and asks its question. */
async function followLink(): Promise<void> {
  const { uri, question: asked } = linked;
  const sample = sampleOf(uri);
  if (uri !== undefined && !shelf.uris.has(uri)) {
    if (sample) await put([sample]);
    else
      status.error(
        `The link is about ${uri}, which is not on this shelf. Drop that file here to cut it as the link says.`,
      );
  } else if (uri !== undefined) {
    if (stage.current?.uri !== uri) await shelf.show(uri);
    const { current } = stage;
    const split = current && withLink(uri, current.split);
    if (current?.uri === uri && split && JSON.stringify(split) !== JSON.stringify(current.split)) {
      await shelf.add([{ uri, text: current.text, split }]);
    }
  }
  if (asked !== undefined) {
    showTab('ask');
    ask(asked);
  }
}

async function exportIndex(): Promise<void> {
  try {
    download(await engine.exported(), 'shelfmark-demo.shelf');
    status.idle('The index was exported: openIndex({ from }) opens the file, in any browser and in Node.');
  } catch (error) {
    status.error(sentence(error), () => void exportIndex());
  }
}

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
  const menu = samplesMenu();
  menu.append(...sampleButtons(() => menu.hidePopover()));
  byId('empty-samples').append(...sampleButtons(() => {}));
  const openSettings = (): void => {
    const current = stage.current;
    settings.open(current?.uri, current?.split ?? proseSettings, topK, (split, wanted) => {
      topK = wanted;
      const { uri } = current ?? {};
      history.replaceState(null, '', sharedLink({ uri, ...(current && { split }), topK }));
      if (current && JSON.stringify(split) !== JSON.stringify(current.split)) {
        void shelf.add([{ uri: current.uri, text: current.text, split }]);
      } else {
        question.again();
      }
    });
  };
  byId('settings').addEventListener('click', openSettings);
  byId('cutting').addEventListener('click', openSettings);
  const copyLink = byId('copy-link');
  copyLink.addEventListener('click', () => {
    void copyFrom(copyLink, new URL(linkOf(question.value), location.href).href, 'Copy link');
  });
  byId('export').addEventListener('click', () => void exportIndex());
  addEventListener('hashchange', () => {
    linked = readShared(location.hash);
    topK = linked.topK ?? topK;
    void followLink();
  });
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
      keepAddress();
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
    const isAsked = linked.uri !== undefined && sampleOf(linked.uri) !== undefined;
    if (!found && withSample && first && !isAsked) await put([first]);
    if (withSample) await followLink();
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
