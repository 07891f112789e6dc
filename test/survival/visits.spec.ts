import type { Page } from '@playwright/test';
import { expect, type Profile, test } from './profile.ts';
import { expectConsistent, expectWhole } from './whole.ts';

const name = 'library';
const database = `shelfmark:${name}`;

/** A tab that holds the database open at a version, as the page of another release, and listens to nobody. */
async function holder(profile: Profile, version: number): Promise<Page> {
  const page = await profile.page();
  await page.evaluate(async ([database, version]) => void (await window.tools.openRaw(database, version)), [
    database,
    version,
  ] as const);
  return page;
}

/** A tab whose index has ten documents. */
async function filled(profile: Profile): Promise<Page> {
  const page = await profile.page();
  await page.evaluate((name) => window.tools.open(name), name);
  await page.evaluate(() => window.index.add(window.tools.testDocuments(0, 10)));
  return page;
}

const dump = (page: Page) => page.evaluate((name) => window.tools.dump(name), name);

/** The index that is open in a page has ten whole documents, and finds them. */
async function expectTen(page: Page): Promise<void> {
  const { all, expected, found } = await page.evaluate(async () => {
    const { reference, testDocuments, snapshot, found } = window.tools;
    return {
      all: await snapshot(window.index),
      expected: await snapshot(await reference(testDocuments(0, 10))),
      found: await found(window.index, [0, 9], 'semantic'),
    };
  });
  expect(all.documents).toHaveLength(10);
  expectConsistent(all);
  expectWhole(all.documents, expected);
  expect(found).toEqual(['logs/0.md', 'logs/9.md']);
}

test('opening waits for a tab that holds an older version, says which, and goes on when that tab is closed', async ({
  profile,
}) => {
  const old = await holder(profile, 1);
  const page = await profile.page();
  const told: unknown[] = [];
  await page.exposeFunction('told', (code: string, message: string) => told.push({ code, message }));
  let settled = false;
  const opening = page
    .evaluate(async (name) => {
      const { told } = window as unknown as { told(code: string, message: string): void };
      const embedder = window.tools.wordsEmbedder();
      window.index = await window.tools.openIndex({
        name,
        embedder,
        onBlocked: ({ code, message }) => told(code, message),
      });
    }, name)
    .finally(() => {
      settled = true;
    });
  await expect.poll(() => told).toHaveLength(1);
  expect(told[0]).toEqual({
    code: 'STORE_BLOCKED',
    message: expect.stringMatching(/"library".*close or reload that tab/),
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(settled, 'the open is still waiting').toBe(false);

  await old.close();
  await opening;
  await page.evaluate(() => window.index.add(window.tools.testDocuments(0, 10)));
  await expectTen(page);
  expect(told).toHaveLength(1);
});

test('opening gives up after blockedTimeout when the other tab stays, and works once it has gone', async ({
  profile,
}) => {
  const old = await holder(profile, 1);
  const page = await profile.page();
  const { ended, waited } = await page.evaluate(async (name) => {
    const { openIndex, outcome } = window.tools;
    const started = performance.now();
    const ended = await outcome(openIndex({ name, blockedTimeout: 500 }));
    return { ended: 'value' in ended ? 'opened' : ended, waited: performance.now() - started };
  }, name);
  expect(ended).toMatchObject({ code: 'STORE_BLOCKED' });
  expect(waited).toBeGreaterThan(490);
  expect(waited).toBeLessThan(5_000);

  await old.close();
  await page.evaluate((name) => window.tools.open(name), name);
  await page.evaluate(() => window.index.add(window.tools.testDocuments(0, 10)));
  await expectTen(page);
  // The attempt that was given up holds nothing either: a deletion has nobody to wait for.
  await page.evaluate(() => window.index.destroy());
});

/** What a tab may want that an open index must not stand in the way of. */
const wishes: [string, (page: Page) => Promise<unknown>][] = [
  [
    'a newer version of the database',
    (page) => page.evaluate(async (database) => (await window.tools.openRaw(database, 99)).close(), database),
  ],
  [
    'to delete the database',
    (page) => page.evaluate((database) => window.tools.deleteRaw(database), database),
  ],
];

for (const [what, wish] of wishes) {
  test(`an open index makes way for a tab that wants ${what}, and later calls say that it was closed`, async ({
    profile,
  }) => {
    const page = await filled(profile);
    const other = await profile.page();
    await wish(other);
    const ended = await page.evaluate(async () => {
      const { outcome, testDocument } = window.tools;
      return {
        search: await outcome(window.index.search('boat')),
        add: await outcome(window.index.add([testDocument(11)])),
        sync: await outcome(window.index.sync([testDocument(11)])),
        documents: await outcome(window.index.documents()),
        remove: await outcome(window.index.remove('logs/1.md')),
        stats: await outcome(window.index.stats()),
      };
    });
    const closed = { code: 'STORE_CLOSED', message: expect.stringContaining('another tab') };
    expect(ended).toEqual({
      search: closed,
      add: closed,
      sync: closed,
      documents: closed,
      remove: closed,
      stats: closed,
    });
    await page.evaluate(() => window.index.close());
  });
}

test('an index of a newer version of the library is refused in a sentence and left as it is (B101)', async ({
  profile,
}) => {
  const page = await filled(profile);
  await page.evaluate(() => window.index.close());
  await page.evaluate(async (database) => (await window.tools.openRaw(database, 99)).close(), database);
  const before = await dump(page);
  for (const persist of [true, 'auto'] as const) {
    const ended = await page.evaluate(
      async ([name, persist]) => {
        const { openIndex, outcome, wordsEmbedder } = window.tools;
        const ended = await outcome(openIndex({ name, persist, embedder: wordsEmbedder() }));
        return 'value' in ended ? 'opened' : ended;
      },
      [name, persist] as const,
    );
    expect(ended).toEqual({
      code: 'FORMAT',
      message: expect.stringMatching(/newer version.*was left as it is/),
    });
  }
  expect(await dump(page)).toBe(before);
  expect(before).toContain('logs/9.md');
});

/** What the browser does to a site that was not visited for long, or when a person clears its data. */
async function evict(page: Page, { origin }: Profile): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
}

/** An index that says of itself that it is empty, and is full again after a sync. */
async function expectEmptyThenFilled(page: Page): Promise<void> {
  const empty = await page.evaluate(async () => ({
    stats: await window.index.stats(),
    documents: await window.index.documents(),
    hits: [...(await window.index.search('boat'))],
    text: await window.index.text('logs/1.md'),
  }));
  expect(empty).toMatchObject({
    stats: { documents: 0, chunks: 0, pending: 0 },
    documents: [],
    hits: [],
    text: undefined,
  });
  const report = await page.evaluate(() => window.index.sync(window.tools.testDocuments(0, 10)));
  expect(report).toMatchObject({ added: 10, changed: 0, unchanged: 0, removed: 0, failed: [] });
  await expectTen(page);
}

test('an index that the browser evicted between two visits opens empty, says so, and is filled by sync (B111)', async ({
  profile,
}) => {
  const page = await filled(profile);
  await page.evaluate(() => window.index.close());
  await evict(page, profile);
  await profile.close();

  const next = await profile.page();
  await next.evaluate((name) => window.tools.open(name), name);
  await expectEmptyThenFilled(next);
});

test('an index that the browser evicts while it is open is found empty, and is filled by sync (B111)', async ({
  profile,
}) => {
  const page = await filled(profile);
  await evict(page, profile);
  await expectEmptyThenFilled(page);
});
