import type { CDPSession, Page } from '@playwright/test';
import { expect, type Profile, test } from './profile.ts';
import { expectConsistent, expectWhole } from './whole.ts';

const name = 'library';
const MEGABYTE = 2 ** 20;

/** A page whose origin may keep `megabytes`. Chromium takes it at once only before the first write. */
async function pageWithQuota(profile: Profile, megabytes: number): Promise<[Page, CDPSession]> {
  let session: CDPSession | undefined;
  const page = await profile.page(async (blank) => {
    session = await blank.context().newCDPSession(blank);
    await setQuota(session, profile, megabytes);
  });
  return [page, session!];
}

const setQuota = (session: CDPSession, { origin }: Profile, megabytes?: number) =>
  session.send('Storage.overrideQuotaForOrigin', {
    origin,
    ...(megabytes !== undefined && { quotaSize: megabytes * MEGABYTE }),
  });

/** `dimensions` decides what most of the space goes to, and so which of a document's two commits is refused. */
const cases = [
  { what: 'texts', dimensions: 8, chars: 300_000 },
  { what: 'vectors', dimensions: 2048, chars: 60_000 },
];

for (const { what, dimensions, chars } of cases) {
  test(`when ${what} have filled the disk, add says so, changes nothing, and the index goes on working`, async ({
    profile,
  }) => {
    const [page, session] = await pageWithQuota(profile, 3);
    await page.evaluate(([name, dimensions]) => window.tools.open(name, { dimensions }), [
      name,
      dimensions,
    ] as const);
    await page.evaluate(() => window.index.add(window.tools.testDocuments(0, 5)));
    const { added, refusal, before, after } = await page.evaluate(
      ([name, chars]) => window.tools.fill(name, chars),
      [name, chars] as const,
    );
    expect(added).toBeGreaterThan(0);
    expect(refusal).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      // The browser's own estimate, which does not know of the override.
      message: expect.stringMatching(/\d+ MB of \d+ MB in use/),
    });
    // Undone is what was added; that there were commits meanwhile, the database remembers.
    const seen = ({ database: _, ...rest }: typeof before) => rest;
    expect(seen(after), 'the index as it was before the call').toEqual(seen(before));

    // It is searched as before, without being opened again.
    for (const mode of ['lexical', 'semantic'] as const) {
      const found = await page.evaluate(
        (mode) => window.tools.found(window.index, [0, 1, 2, 3, 4], mode),
        mode,
      );
      expect(found).toEqual(['logs/0.md', 'logs/1.md', 'logs/2.md', 'logs/3.md', 'logs/4.md']);
    }

    // And what makes room can be done on the full disk.
    expect(await page.evaluate(() => window.index.remove('logs/0.md'))).toBe(1);

    // With room again the same call goes through. Chromium hears of the new quota within half a minute.
    await setQuota(session, profile);
    await expect
      .poll(
        () =>
          page.evaluate(
            async ([at, chars]) => {
              const { big, testDocument, outcome } = window.tools;
              const ended = await outcome(window.index.add([testDocument(1, 1), big(at, chars)]));
              return 'value' in ended ? ended.value.failed : ended.code;
            },
            [added, chars] as const,
          ),
        { timeout: 45_000, intervals: [1000] },
      )
      .toEqual([]);

    await expectAllThere(page, added + 1);
    await profile.goto(page);
    await page.evaluate(([name, dimensions]) => window.tools.open(name, { dimensions }), [
      name,
      dimensions,
    ] as const);
    await expectAllThere(page, added + 1);
  });
}

/** The large documents, and the small ones but for the one that was removed. */
async function expectAllThere(page: Page, large: number): Promise<void> {
  const { says, found, expected } = await page.evaluate(async () => {
    const { snapshot, found, reference, testDocument, testDocuments } = window.tools;
    const index = await reference([testDocument(1, 1), ...testDocuments(2, 5)]);
    return {
      says: await snapshot(window.index),
      found: [
        ...(await found(window.index, [1], 'semantic', 1)),
        ...(await found(window.index, [2, 3, 4], 'semantic')),
      ],
      expected: await snapshot(index),
    };
  });
  const small = says.documents.filter(({ uri }) => uri.startsWith('logs/'));
  expect(small).toHaveLength(4);
  expect(says.documents).toHaveLength(4 + large);
  expect(says.stats.pending).toBe(0);
  expectConsistent(says);
  expectWhole(small, expected);
  expect(found).toEqual(['logs/1.md', 'logs/2.md', 'logs/3.md', 'logs/4.md']);
}
