import { hostileDocuments, mark } from '../hostile.ts';
import { expect, test } from './demo.ts';

/** All but most megabytes: the model would be at them for minutes. */
const documents = hostileDocuments.filter(
  ({ uri, text }) => text.length < 100_000 || /one-line|closing/.test(uri),
);

test('hostile documents in the demo, under its policy: nothing runs, nothing breaks out, the page answers', async ({
  demo,
  page,
}) => {
  test.setTimeout(240_000);
  expect(documents.length).toBeGreaterThanOrEqual(60);
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await demo.open();
  const files = documents.map(({ uri, text }) => ({ name: uri, text }));
  await page
    .locator('#files')
    .setInputFiles(
      files.map(({ name, text }) => ({ name, mimeType: 'text/markdown', buffer: Buffer.from(text) })),
    );
  // The sample document is one more.
  await expect
    .poll(() => demo.shelf.locator('option').count(), { timeout: 150_000 })
    .toBeGreaterThanOrEqual(documents.length);
  await expect(page.locator('#strip')).toHaveAttribute('data-state', 'idle', { timeout: 150_000 });
  await expect(demo.status).toContainText('kept in this browser', { timeout: 60_000 });

  for (const question of [
    'harbour says',
    'harbour open',
    'harbour begins',
    'script onerror',
    'ignore instructions',
  ]) {
    await demo.ask(question);
    await expect(demo.cards.first()).toContainText(/harbour|script|instructions/i);
    await demo.cards.first().locator('.open').click();
    for (const summary of await demo.cards.first().locator('.why summary').all()) await summary.click();
  }
  const begun = Date.now();
  await demo.question.fill('the page takes what is typed');
  await expect(demo.question).toHaveValue('the page takes what is typed');
  expect(Date.now() - begun).toBeLessThan(2000);
  await demo.chunks();

  const made = await page.locator('main *').evaluateAll((elements) =>
    elements.map((element) => ({
      name: element.localName,
      runs: element.getAttributeNames().filter((name) => name.startsWith('on')),
      address: element.getAttribute('href') ?? element.getAttribute('src') ?? '',
    })),
  );
  expect(made.flatMap(({ runs }) => runs)).toEqual([]);
  expect(made.filter(({ address }) => /^\s*(?:javascript|data|vbscript):/i.test(address))).toEqual([]);
  expect(
    made.filter(({ name }) => /^(?:script|img|iframe|object|embed|math|base|meta|link|marquee)$/.test(name)),
  ).toEqual([]);
  expect(
    await page.evaluate((prefix) => Object.keys(window).filter((key) => key.startsWith(prefix)), mark),
  ).toEqual([]);
  expect(dialogs).toEqual([]);
});
