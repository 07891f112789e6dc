import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, guide, test } from './demo.ts';

const question = 'What happens if I break something?';

test('a card says why: each leg with its score and rank, the words that matched, and what it comes to', async ({
  demo,
}) => {
  await demo.open();
  await demo.ask(question);
  await expect(demo.page.locator('#scale')).toHaveText('score 0 to 1:');
  const card = demo.cards.first();
  await card.locator('.why summary').click();
  const rows = card.locator('.why tr');
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText(/By words.*1\.00.*BM25 \d+\.\d\d, rank 1$/);
  await expect(rows.nth(1)).toContainText(/By meaning.*cosine 0\.\d\d, rank \d+$/);
  const shares = await card.locator('.why-share').allTextContents();
  const [words, meaning, together] = shares.map(Number);
  // By the weight that suits the model.
  await expect(rows.nth(2)).toContainText(/Together.*90 % words, 10 % meaning; 1 of \d+ passages$/);
  expect(Math.abs(words! * 0.9 + meaning! * 0.1 - together!)).toBeLessThan(0.011);
  await expect(card.locator('.why mark', { hasText: /^break$/ })).toHaveCount(1);
  await expect(card.locator('.why p')).toContainText(/break( × \d+)? \d+\.\d\d \(in \d+ chunks?\)/);
  // Reading why is not opening the passage.
  await expect(card).not.toHaveClass(/opened/);
});

test('a snippet lies round the rarest word, and shows no marks of Markdown', async ({ demo }) => {
  const common =
    'The harbour keeps **many** boats and `ropes` on the [long pier](https://example.com/pier). ';
  const text = `# Harbour\n\n${common.repeat(30)}\n\n> * The *kittiwake* nests under \`a*b*c\` there.\n\n${common.repeat(30)}`;
  await demo.open();
  await demo.put({ name: 'harbour.md', text });
  await demo.page.locator('#settings').click();
  await demo.page.locator('#kind').selectOption('whole');
  await demo.page.getByRole('button', { name: 'Apply' }).click();
  await expect(demo.status).toContainText('1 chunk,');
  await demo.ask('harbour boats kittiwake');
  const excerpt = demo.cards.filter({ hasText: 'harbour.md' }).locator('.excerpt');
  await expect(excerpt).toContainText('kittiwake nests under a*b*c there');
  await expect(excerpt).toContainText('many boats and ropes on the long pier');
  expect(await excerpt.textContent()).not.toMatch(/\*\*|`|\]\(|^>/m);
});

test('a document that was removed comes back with Undo, cut as it was', async ({ demo }) => {
  await demo.open();
  await expect(demo.status).toContainText('kept in this browser');
  await demo.page.locator('#cutting').click();
  await demo.page.locator('#max-chars').fill('400');
  await demo.page.getByRole('button', { name: 'Apply' }).click();
  await expect(demo.page.locator('#cutting')).toHaveText('by heading, 400 / 150');
  await expect(demo.status).toContainText('kept in this browser');
  const spans = await demo.spans();
  await demo.page.getByRole('button', { name: 'Remove' }).click();
  await expect(demo.status).toHaveText('tool-library.md was removed.');
  await expect(demo.page.locator('#empty')).toBeVisible();
  await demo.page.getByRole('button', { name: 'Undo' }).click();
  await expect(demo.status).toContainText('tool-library.md: ');
  await expect(demo.page.getByRole('button', { name: 'Undo' })).toBeHidden();
  expect(await demo.spans()).toEqual(spans);
});

test('blank text keeps the paste dialog open and says what is missing', async ({ demo, page }) => {
  await demo.open();
  await page.getByRole('button', { name: 'Paste', exact: true }).click();
  await page.locator('#paste-text').fill(' \n ');
  await page.getByRole('button', { name: 'Put on the shelf' }).click();
  await expect(page.locator('#paste-dialog')).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('There is no text yet');
  await page.locator('#paste-text').fill('# Boats\n\nMoored.');
  await expect(page.getByRole('alert')).toHaveText('');
  await page.getByRole('button', { name: 'Put on the shelf' }).click();
  await expect(demo.status).toContainText('boats.md: 1 chunk');
});

test('the samples open with an arrow and are walked with arrows', async ({ demo, page }) => {
  await demo.open();
  await page.locator('#samples').focus();
  await page.keyboard.press('ArrowDown');
  const items = page.locator('#sample-menu button');
  await expect(items.nth(0)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(items.nth(1)).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowDown');
  await expect(items.nth(0)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(demo.status).toContainText('tea.md: ');
});

test('settings lie in the address, and a link opens the same document, cut alike, with its question', async ({
  demo,
  page,
  context,
}) => {
  await demo.open();
  await expect(demo.status).toContainText('kept in this browser');
  await page.locator('#cutting').click();
  await page.locator('#kind').selectOption('paragraph');
  await page.locator('#max-chars').fill('600');
  await page.locator('#overlap').fill('0');
  await page.locator('#top-k').fill('3');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.locator('#cutting')).toHaveText('by paragraph, 600 / 0');
  expect(new URL(page.url()).hash).toContain('cut=paragraph&max=600&overlap=0');
  await demo.ask(question);
  await expect(demo.cards).toHaveCount(3);
  await page.locator('#settings').click();
  await page.locator('#copy-link').click();
  await expect(page.locator('#copy-link')).toHaveText('Copied');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain('q=What+happens');

  const other = await context.browser()!.newContext();
  const fresh = await other.newPage();
  await fresh.goto(link);
  await expect(fresh.locator('.card')).toHaveCount(3);
  await expect(fresh.locator('#cutting')).toHaveText('by paragraph, 600 / 0');
  await expect(fresh.locator('#question')).toHaveValue(question);
  await other.close();
});

test('an address that makes no sense changes nothing, and one of an unknown document says so', async ({
  demo,
  page,
}) => {
  await demo.open('/#doc=tool-library.md&cut=nonsense&max=-3&overlap=99999&passages=9999');
  await expect(page.locator('#cutting')).toHaveText('by heading, 1,000 / 150');
  await page.goto('/#doc=<b>secret</b>.md');
  await expect(demo.status).toContainText('The link is about <b>secret</b>.md, which is not on this shelf');
});

test('the index is exported in one file with every document', async ({ demo, page }) => {
  await demo.open();
  await demo.put({ name: 'boats.md', text: '# Boats\n\nThe boat is moored at the north pier.' });
  const [file] = await Promise.all([page.waitForEvent('download'), page.locator('#export').click()]);
  expect(file.suggestedFilename()).toBe('shelfmark-demo.shelf');
  const bytes = readFileSync(await file.path());
  expect(bytes.length).toBeGreaterThan(1000);
  await expect(demo.status).toContainText('The index was exported');
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('SHLF');
  expect(Number(bytes.readBigUInt64LE(8))).toBe(bytes.length);
  await demo.put({ name: 'ropes.md', text: guide(40) });
  const [larger] = await Promise.all([page.waitForEvent('download'), page.locator('#export').click()]);
  expect(readFileSync(await larger.path()).length).toBeGreaterThan(bytes.length + 40 * 400);
});

test('a folder is taken with all in it, under its paths, hidden files left out', async ({
  demo,
}, testInfo) => {
  const root = testInfo.outputPath('notes');
  for (const [path, text] of [
    ['a.md', '# Tides\n\nHigh tide comes at noon.'],
    ['deep/b.md', '# Knots\n\nA bowline does not slip.'],
    ['deep/.hidden/c.md', '# Hidden\n\nNot for the shelf.'],
    ['picture.png', 'no text'],
  ] as const) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  await demo.open();
  await expect(demo.status).toContainText('kept in this browser');
  await demo.page.locator('#folder').setInputFiles(root);
  await expect(demo.status).toContainText('2 documents: 2 chunks');
  const listed = await demo.shelf.locator('option').allTextContents();
  expect(listed.sort()).toEqual(['notes/a.md', 'notes/deep/b.md', 'tool-library.md']);
});
