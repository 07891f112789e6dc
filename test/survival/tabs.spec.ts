import type { Page } from '@playwright/test';
import type { Snapshot } from './page.ts';
import { expect, type Profile, test } from './profile.ts';
import { expectConsistent, expectSameScores, expectWhole, urisOf } from './whole.ts';

const name = 'library';

/** What tabs have to get along by. Pages of a plain-http intranet have no locks. */
const settings = [
  { where: '', prepare: undefined },
  {
    where: ' where there are no locks',
    prepare: (page: Page) => page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'locks')),
  },
];

const tab = async (profile: Profile, prepare?: (page: Page) => Promise<unknown>): Promise<Page> => {
  const page = await profile.page(prepare);
  expect(await page.evaluate(() => 'locks' in navigator)).toBe(prepare === undefined);
  await page.evaluate((name) => window.tools.open(name, { delay: 4 }), name);
  return page;
};

/** What an index in one quiet tab says of these documents: numbers and, where they were changed, their edition. */
const undisturbed = (page: Page, documents: [at: number, edition: number][]) =>
  page.evaluate(async (documents) => {
    const { reference, testDocument, snapshot, scores } = window.tools;
    const index = await reference(documents.map(([at, edition]) => testDocument(at, edition)));
    return { all: await snapshot(index), words: await scores(index, 'lexical') };
  }, documents);

const lookAt = (page: Page) =>
  page.evaluate(async () => {
    const { snapshot, scores } = window.tools;
    return {
      all: await snapshot(window.index),
      lexical: await scores(window.index, 'lexical'),
      semantic: await scores(window.index, 'semantic'),
    };
  });

const numbersIn = ({ documents }: Snapshot): [number, number][] =>
  documents.map(({ metadata }) => [metadata!['at'] as number, metadata!['edition'] as number]);

const uris = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `logs/${from + index}.md`).sort();

/** Both tabs see the same whole documents, and so does one that was not there. */
async function expectAgreed(profile: Profile, tabs: Page[]): Promise<Snapshot> {
  const third = await tab(profile);
  // Documents that a tab left half done when it ended are gone on with by the next that opens the index.
  await expect.poll(() => third.evaluate(async () => (await window.index.stats()).pending)).toBe(0);
  const seen = await lookAt(third);
  const expected = await undisturbed(third, numbersIn(seen.all));
  expectConsistent(seen.all);
  expectWhole(seen.all.documents, expected.all);
  expectSameScores(seen.lexical, expected.words);
  for (const page of tabs) {
    const { all, lexical, semantic } = await lookAt(page);
    // Memory that a tab keeps in reserve is its own affair.
    const { vectorBytes, lexicalBytes } = seen.all.stats;
    expect({ ...all, stats: { ...all.stats, vectorBytes, lexicalBytes } }).toEqual(seen.all);
    expectSameScores(lexical, seen.lexical);
    expectSameScores(semantic, seen.semantic);
  }
  return seen.all;
}

for (const { where, prepare } of settings) {
  test(`two tabs that add overlapping documents at once have each of them once${where}`, async ({
    profile,
  }) => {
    const [one, two] = [await tab(profile, prepare), await tab(profile, prepare)];
    await Promise.all([
      one.evaluate(() => window.tools.ingest(0, 40, 'one by one')),
      two.evaluate(() => window.tools.ingest(20, 60, 'in batches')),
      // The same documents once more, in another order than the first tab's.
      two.evaluate(() => window.index.add(window.tools.testDocuments(0, 10).reverse())),
    ]);
    const all = await expectAgreed(profile, [one, two]);
    expect(urisOf(all).sort()).toEqual(uris(0, 60));
    expect(all.documents.every(({ vectors }) => vectors === 'stored')).toBe(true);
  });

  test(`two tabs that put different texts at the same places leave one whole text at each${where}`, async ({
    profile,
  }) => {
    const [one, two] = [await tab(profile, prepare), await tab(profile, prepare)];
    const put = (page: Page, edition: number) =>
      page.evaluate(async (edition) => {
        for (let at = 0; at < 30; at++) await window.index.add([window.tools.testDocument(at, edition)]);
      }, edition);
    await Promise.all([put(one, 1), put(two, 2)]);
    const all = await expectAgreed(profile, [one, two]);
    expect(urisOf(all).sort()).toEqual(uris(0, 30));
    expect(all.documents.every(({ metadata }) => [1, 2].includes(metadata!['edition'] as number))).toBe(true);
  });

  const endings: [string, (page: Page) => Promise<unknown>][] = [
    ['closed', (page) => page.close()],
    ['crashed', crash],
  ];
  for (const [how, end] of endings) {
    test(`a tab ${how} while it writes holds nobody up and leaves nothing half done${where}`, async ({
      profile,
    }) => {
      const [stays, goes] = [await tab(profile, prepare), await tab(profile, prepare)];
      let confirmed = 20;
      let reached = () => {};
      const ripe = new Promise<void>((resolve) => {
        reached = resolve;
      });
      await goes.exposeFunction('confirmed', (end: number) => {
        confirmed = end;
        if (end >= 35) reached();
      });
      const staying = stays.evaluate(() => window.tools.ingest(0, 40, 'one by one'));
      const going = goes
        .evaluate(() => window.tools.ingest(20, 120, 'one by one'))
        .then(
          () => undefined,
          (error: Error) => error,
        );
      // Ends too where the ingest itself fails, which is then what is said.
      const failed = await Promise.race([ripe, going]);
      if (failed !== undefined) throw failed;
      await end(goes);
      expect(await going, 'the ingest was interrupted').toBeInstanceOf(Error);
      await staying;
      const all = await expectAgreed(profile, [stays]);
      const there = urisOf(all);
      expect(there).toEqual(expect.arrayContaining([...uris(0, 40), ...uris(20, confirmed)]));
      expect(there.length).toBeLessThan(120);
      // What the other left undone is done by whoever asks for it.
      await stays.evaluate(() => window.index.sync(window.tools.testDocuments(0, 120)));
      expect(urisOf(await expectAgreed(profile, [stays])).sort()).toEqual(uris(0, 120));
    });
  }

  test(`a document that one tab removes is not found by another, which was not reloaded (B113)${where}`, async ({
    profile,
  }) => {
    const [one, two] = [await tab(profile, prepare), await tab(profile, prepare)];
    await one.evaluate(() => window.index.add(window.tools.testDocuments(0, 10)));
    const find = (mode: 'lexical' | 'semantic') =>
      two.evaluate((mode) => window.tools.found(window.index, [4, 5], mode), mode);
    expect(await find('lexical')).toEqual(['logs/4.md', 'logs/5.md']);
    expect(await find('semantic')).toEqual(['logs/4.md', 'logs/5.md']);
    expect(await one.evaluate(() => window.index.remove('logs/5.md'))).toBe(1);
    expect(await find('lexical')).toEqual(['logs/4.md', undefined]);
    const [four, other] = await find('semantic');
    expect(four).toBe('logs/4.md');
    expect(other).not.toBe('logs/5.md');
    expect(await two.evaluate(() => window.index.text('logs/5.md'))).toBeUndefined();
    expect(await two.evaluate(() => window.index.chunks('logs/5.md'))).toEqual([]);
    expect((await lookAt(two)).all.stats.documents).toBe(9);
  });
}

/** Ends the page's process as a fault in the browser would. The command itself is never answered. */
async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  session.send('Page.crash').catch(() => {});
  await crashed;
}
