import type { Page } from '@playwright/test';
import { randomFrom } from './documents.ts';
import type { OpenOptions, Scores, Snapshot, Way } from './page.ts';
import { rounds } from './playwright.config.ts';
import { expect, type Profile, test } from './profile.ts';
import { expectConsistent, expectSameScores, expectWhole, urisOf } from './whole.ts';

/*
 * A real browser is killed with SIGKILL while it fills an index, and opened again on the same profile.
 * The moments are drawn from a seed that each round prints. To see a round again:
 *
 *   SHELFMARK_SEED=<seed> SHELFMARK_ROUND=<round> npm run test:kill
 */

const DOCUMENTS = 200;
const seed = Number(process.env['SHELFMARK_SEED']);
const only = process.env['SHELFMARK_ROUND'];
/** How documents are handed over, and in how many steps. */
const ways: [Way, number][] = [
  ['one by one', 200],
  ['in batches', 20],
  ['by sync', 10],
];
const name = 'library';

interface Plan {
  way: Way;
  durability: NonNullable<OpenOptions['durability']>;
  /** How many steps are confirmed before the kill. */
  after: number;
  /** How much later, in steps of this very run: it falls anywhere in the one or two that follow. */
  later: number;
}

function planOf(round: number): Plan {
  const random = randomFrom(seed * 1000 + round);
  const [way, steps] = ways[round % ways.length]!;
  const durability = Math.floor(round / ways.length) % 2 === 0 ? 'default' : 'strict';
  // One round in ten dies in its first step; the others well in the middle, where there is something to lose.
  const after = round % 10 === 9 ? 0 : 1 + Math.floor(random() * steps * 0.7);
  return { way, durability, after, later: random() * 1.5 };
}

/** Fills the index until the planned moment, kills the browser; answers how many documents were confirmed. */
async function ingestAndKill(profile: Profile, { way, durability, after, later }: Plan): Promise<number> {
  const page = await profile.page();
  let confirmed = 0;
  let steps = 0;
  let reached = () => {};
  const ripe = new Promise<void>((resolve) => {
    reached = resolve;
  });
  await page.exposeFunction('confirmed', (end: number) => {
    confirmed = end;
    if (++steps === after) reached();
  });
  await page.evaluate(([name, options]) => window.tools.open(name, options), [
    name,
    { delay: 4, durability },
  ] as const);
  const kill = await profile.killer();
  const started = performance.now();
  const ended = page
    .evaluate(([to, way]) => window.tools.ingest(0, to, way), [DOCUMENTS, way] as const)
    .then(
      () => undefined,
      (error: Error) => error,
    );
  // Ends too where the ingest itself fails, which is then what is said.
  const failed = after > 0 ? await Promise.race([ripe, ended]) : undefined;
  if (failed !== undefined) throw failed;
  const step = after > 0 ? (performance.now() - started) / after : 15;
  await new Promise((resolve) => setTimeout(resolve, step * later));
  await kill();
  await ended;
  return confirmed;
}

/** The index as it was left, looked at without an embedder so that nothing pending is resumed yet. */
async function left(page: Page): Promise<{ kept: Snapshot; words: Scores }> {
  await page.evaluate((name) => window.tools.open(name, { embedder: false }), name);
  return page.evaluate(async () => {
    const kept = await window.tools.snapshot(window.index);
    const words = await window.tools.scores(window.index, 'lexical');
    await window.index.close();
    return { kept, words };
  });
}

/** What an index that was never killed says of the same documents. */
const undisturbed = (page: Page, numbers: number[]) =>
  page.evaluate(async (numbers) => {
    const { reference, testDocument, snapshot, scores } = window.tools;
    const index = await reference(numbers.map((at) => testDocument(at)));
    return {
      all: await snapshot(index),
      lexical: await scores(index, 'lexical'),
      semantic: await scores(index, 'semantic'),
    };
  }, numbers);

const numbersTo = (end: number) => Array.from({ length: end }, (_, at) => at);
const uriOf = (at: number) => `logs/${at}.md`;

/** Opens the index again and holds what is in it against what was confirmed. */
async function checkKept(page: Page, confirmed: number): Promise<Snapshot> {
  const { kept, words } = await left(page);
  const numbers = kept.documents.map(({ metadata }) => metadata!['at'] as number);
  expect(urisOf(kept), 'confirmed documents are there').toEqual(
    expect.arrayContaining(numbersTo(confirmed).map(uriOf)),
  );
  const expected = await undisturbed(page, numbers);
  expectConsistent(kept);
  expectWhole(kept.documents, expected.all);
  const pending = kept.documents.filter(({ vectors }) => vectors === 'pending');
  const broken = pending.filter(({ metadata }) => (metadata!['at'] as number) < confirmed);
  expect(broken, 'confirmed documents without vectors').toEqual([]);
  expectSameScores(words, expected.lexical);

  // With its embedder the index goes on with what is pending, and nobody has to ask it to.
  await page.evaluate((name) => window.tools.open(name), name);
  await expect.poll(() => page.evaluate(async () => (await window.index.stats()).pending)).toBe(0);
  for (const mode of ['lexical', 'semantic'] as const) {
    const found = await page.evaluate(([numbers, mode]) => window.tools.found(window.index, numbers, mode), [
      numbers,
      mode,
    ] as const);
    expect(found, `found by their own word, ${mode}`).toEqual(numbers.map(uriOf));
  }
  const meaning = await page.evaluate(() => window.tools.scores(window.index, 'semantic'));
  expectSameScores(meaning, expected.semantic);
  return kept;
}

/** Hands over all documents, as the next visit would: only what is missing is done. */
async function checkCompleted(page: Page, kept: Snapshot): Promise<void> {
  const expected = await undisturbed(page, numbersTo(DOCUMENTS));
  const before = urisOf(kept);
  const absent = expected.all.documents.filter(({ uri }) => !before.includes(uri));
  const chunks = absent.reduce((sum, document) => sum + document.chunks, 0);
  const { report, asked, all, lexical, semantic } = await page.evaluate(async (count) => {
    const { testDocuments, snapshot, scores } = window.tools;
    window.embedder.asked.length = 0;
    const report = await window.index.sync(testDocuments(0, count));
    return {
      report,
      asked: window.embedder.asked.length,
      all: await snapshot(window.index),
      lexical: await scores(window.index, 'lexical'),
      semantic: await scores(window.index, 'semantic'),
    };
  }, DOCUMENTS);
  expect(report).toMatchObject({
    added: absent.length,
    changed: 0,
    unchanged: before.length,
    removed: 0,
    embedded: chunks,
    failed: [],
  });
  expect(asked, 'only what was missing is embedded').toBe(chunks);
  expect(urisOf(all).sort()).toEqual(numbersTo(DOCUMENTS).map(uriOf).sort());
  expectConsistent(all);
  expectWhole(all.documents, expected.all);
  expect(all.stats.pending).toBe(0);
  expectSameScores(lexical, expected.lexical);
  expectSameScores(semantic, expected.semantic);
}

test.skip(process.platform === 'win32', 'Windows has no process groups to kill.');

for (const [way] of ways) {
  const mine = Array.from({ length: rounds }, (_, round) => round).filter(
    (round) => planOf(round).way === way && (only === undefined || round === Number(only)),
  );
  if (mine.length === 0) continue;

  test(`a browser killed while documents are added ${way} has lost nothing that was confirmed`, async ({
    profiles,
  }) => {
    test.setTimeout(60_000 + mine.length * 30_000);
    let inTheMiddle = 0;
    for (const round of mine) {
      const plan = planOf(round);
      await test.step(`seed ${seed}, round ${round}: ${JSON.stringify(plan)}`, async () => {
        const profile = await profiles.make();
        const confirmed = await ingestAndKill(profile, plan);
        const page = await profile.page();
        const kept = await checkKept(page, confirmed);
        const [there, pending] = [
          kept.documents.length,
          kept.documents.filter(({ vectors }) => vectors === 'pending').length,
        ];
        if (there > 0 && there < DOCUMENTS) inTheMiddle++;
        console.log(
          `seed ${seed} round ${round}, ${way}, durability ${plan.durability}: ${confirmed} confirmed, ` +
            `${there} there, ${pending} of them pending`,
        );
        await checkCompleted(page, kept);
        await profiles.remove(profile);
      });
    }
    // Else the kills came before or after what they are to interrupt, and the test says nothing.
    if (mine.length > 2) expect(inTheMiddle).toBeGreaterThan(mine.length / 2);
  });
}
