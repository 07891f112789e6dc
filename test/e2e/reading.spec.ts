import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './demo.ts';

const handbook = readFileSync(
  join(import.meta.dirname, '..', '..', 'demo', 'samples', 'tool-library.md'),
  'utf8',
);

test('the first visit opens with a sample that can be asked at once', async ({ demo }) => {
  await demo.open();
  await expect(demo.shelf).toHaveValue('tool-library.md');
  await expect(demo.status).toContainText('kept in this browser');
  expect(await demo.cost('embedded')).toBe(await demo.cost('chunks'));

  await demo.ask('What happens if I break something?');
  await expect(demo.cards).toHaveCount(5);
  await expect(demo.cards.first()).toContainText('When something breaks');
  await expect(demo.cards.first().locator('.excerpt mark').first()).toHaveText('break');

  const [start, end] = await demo.openCard(0);
  await expect.poll(() => demo.marked()).toBe(handbook.slice(start, end));
  expect(await demo.cost('search')).toMatch(/ms|s$/);
});

test('the words of a question need not be those of the answer', async ({ demo }) => {
  await demo.open();
  for (const [question, heading] of [
    ['Can I get a refund?', 'Leaving and getting your money back'],
    ['Can somebody fix my toaster?', 'The repair bench'],
    ['Can I get my money back when I leave?', 'Leaving and getting your money back'],
    ['Where is the first aid box?', 'If someone is hurt'],
  ] as const) {
    await demo.ask(question);
    const headings = await demo.cards.locator('.leaf').allInnerTexts();
    expect(headings[0], question).toBe(heading);
  }
});

test('a page in Chinese is found by its words, which the bundled model does not know', async ({
  demo,
  page,
}) => {
  await demo.open();
  await page.getByRole('button', { name: 'Samples' }).click();
  await page.locator('#sample-menu button').nth(2).click();
  await expect(demo.status).toContainText(/tea\.md: \d+ chunks/);
  for (const question of ['茶汤太苦怎么办', '绿茶用多少度的水', '紫砂壶怎么清洗']) {
    await expect(page.getByRole('button', { name: question })).toBeVisible();
  }
  await demo.ask('茶汤太苦怎么办');
  await demo.openCard(0);
  await expect.poll(() => demo.marked()).toContain('苦味多半是水太热');
});

test('after a reload the index is there and nothing is embedded again', async ({ demo }) => {
  await demo.open();
  await expect(demo.status).toContainText('kept in this browser');
  const chunks = await demo.cost('chunks');

  await demo.reload();
  await expect(demo.status).toHaveText(
    /From this browser's storage: 1 document, .* Nothing was embedded again/,
  );
  expect(await demo.cost('chunks')).toBe(chunks);
  expect(await demo.cost('embedded')).toBe('0');
  expect(demo.requests.filter((url) => /\/(models|ort)\//.test(url))).toEqual([]);

  await demo.ask('What happens if I break something?');
  await expect(demo.cards.first()).toContainText('When something breaks');
  expect(await demo.cost('embedded')).toBe('0');
  expect(demo.requests.some((url) => url.endsWith('.onnx'))).toBe(true);
});

test('pasted Markdown is cut, listed with headings, offsets and sizes, and can be asked', async ({
  demo,
}) => {
  const text = `# Ferries\n\n${'A ferry leaves the pier every hour. '.repeat(12)}\n\n## Tickets\n\n${'A ticket is bought on board from the captain, in coins. '.repeat(8)}\n`;
  await demo.open();
  await demo.page.getByRole('button', { name: 'Paste', exact: true }).click();
  await demo.page.locator('#paste-text').fill(text);
  await demo.page.getByRole('button', { name: 'Put on the shelf' }).click();
  await expect(demo.status).toContainText('ferries.md: 2 chunks');

  const chunks = await demo.chunks();
  await expect(chunks).toHaveCount(2);
  await expect(chunks.nth(1)).toContainText('Tickets');
  for (const [at, [start, end]] of (await demo.spans()).entries()) {
    await expect(chunks.nth(at).locator('.chunk-span')).toHaveText(
      `${start.toLocaleString('en')}–${end.toLocaleString('en')}`,
    );
    await expect(chunks.nth(at).locator('.chunk-size')).toHaveText(`${end - start} chars`);
    expect(await chunks.nth(at).locator('.chunk-text').textContent()).toBe(text.slice(start, end));
  }
  await demo.ask('where do I pay for the ferry ticket');
  await expect(demo.cards.first()).toContainText('ferries.md');
});

test('files are dropped anywhere, several at once, and a file of the same name is replaced', async ({
  demo,
}) => {
  await demo.open();
  const drop = (files: { name: string; text: string }[]) =>
    demo.page.evaluate((given) => {
      const dataTransfer = new DataTransfer();
      for (const { name, text } of given) dataTransfer.items.add(new File([text], name));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, files);
  await drop([
    { name: 'boats.md', text: '# Boats\n\nThe boat is moored at the north pier.' },
    { name: 'tides.txt', text: 'High tide comes at noon and takes the mud away.' },
    { name: 'picture.png', text: 'no text' },
  ]);
  await expect(demo.status).toContainText('2 documents: 2 chunks');
  await expect(demo.shelf.locator('option')).toHaveText(['tool-library.md', 'boats.md', 'tides.txt']);

  await drop([{ name: 'boats.md', text: '# Boats\n\nThe boat has been sold to a fisherman.' }]);
  await expect(demo.status).toContainText('boats.md: 1 chunk');
  await expect(demo.page.locator('#text')).toContainText('sold to a fisherman');
  await expect(demo.shelf.locator('option')).toHaveCount(3);
});

test('what cannot be read is refused in a sentence, and nothing changes', async ({ demo }) => {
  await demo.open();
  await expect(demo.status).toContainText('kept in this browser');
  await demo.page
    .locator('#files')
    .setInputFiles([{ name: 'a.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') }]);
  await expect(demo.status).toHaveText('Nothing to read in a.zip: Markdown, plain text and CSV are.');
  await expect(demo.shelf.locator('option')).toHaveCount(1);
});

test('documents are removed one by one, and the whole index from the settings', async ({ demo }) => {
  await demo.open();
  await demo.put({ name: 'boats.md', text: '# Boats\n\nThe boat is moored at the north pier.' });
  await demo.page.getByRole('button', { name: 'Remove' }).click();
  await expect(demo.status).toHaveText('boats.md was removed.');
  await expect(demo.shelf).toHaveValue('tool-library.md');

  demo.page.once('dialog', (dialog) => void dialog.accept());
  await demo.page.getByRole('button', { name: 'Settings' }).click();
  await demo.page.getByRole('button', { name: 'Delete the index' }).click();
  await expect(demo.page.getByRole('heading', { name: 'An empty shelf' })).toBeVisible();
  await expect(demo.status).toContainText('The index was deleted');

  await demo.page.locator('#empty-samples button').nth(1).click();
  await expect(demo.shelf).toHaveValue('inventory.csv');
  await demo.ask('jam and preserves');
  await expect(demo.cards.first()).toBeVisible();
});
