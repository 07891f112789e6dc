import type { BrowserContext, Page } from '@playwright/test';
import { type Demo, expect, test } from './demo.ts';

test('the demo works under any sub-path and asks for nothing outside it (B191)', async ({
  demo,
  baseURL,
}) => {
  await demo.open('/x/y/');
  await demo.ask('What happens if I break something?');
  await expect(demo.cards.first()).toContainText('When something breaks');
  await demo.openCard(0);
  expect(demo.requests.length).toBeGreaterThan(5);
  expect(demo.requests.filter((url) => !url.startsWith(`${baseURL}/x/y/`))).toEqual([]);
});

test('once loaded it works without a network, and says so', async ({ demo, page, context }) => {
  await demo.open();
  await expect(demo.status).toContainText('kept in this browser');
  await context.setOffline(true);
  await expect(page.locator('#offline')).toBeVisible();
  await demo.put({ name: 'night.md', text: '# Night\n\nThe lamp of the lighthouse burns oil.' });
  await demo.ask('oil lamp of the lighthouse');
  await expect(demo.cards.first()).toContainText('night.md');
  await context.setOffline(false);
  await expect(page.locator('#offline')).toBeHidden();
});

test.describe('a model that cannot be had', () => {
  test.use({ allowed: [/404/] });

  test('is named with its address, and the next try works', async ({ demo, page }) => {
    await page.route('**/models/**/*.onnx', (route) => route.fulfill({ status: 404, body: 'gone' }));
    await demo.open();
    await expect(page.locator('#strip')).toHaveAttribute('data-state', 'error');
    await expect(demo.status).toContainText('/models/glove-static/onnx/');
    await expect(demo.status).toContainText('MODEL_LOAD_FAILED');
    // What there is to read needs no model to be found by its words.
    await demo.ask('breaks');
    await expect(demo.cards.first()).toContainText('When something breaks');

    await page.unroute('**/models/**/*.onnx');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(demo.status).toContainText('kept in this browser');
    await demo.ask('What happens if I break something?');
    await expect(demo.cards.first()).toContainText('When something breaks');
  });

  test('leaves a question to its words, says why, and joins in at the next try', async ({ demo, page }) => {
    await demo.open();
    await expect(demo.status).toContainText('kept in this browser');
    await page.route('**/models/**/tokenizer.json', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><p>Welcome</p>' }),
    );
    await demo.reload();
    await demo.question.fill('What happens if I break something?');
    await demo.question.press('Enter');
    await expect(demo.count).toHaveText(/5 passages in .*, by words alone/);
    await expect(demo.cards.first()).toContainText('When something breaks');
    await expect(demo.status).toContainText('tokenizer.json');

    await page.unroute('**/models/**/tokenizer.json');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.locator('.answers')).toHaveAttribute('data-semantic', 'used');
    await expect(demo.count).toHaveText(/^5 passages in [\d.]+ m?s$/);
    await expect(demo.cards.first().locator('.bars .bar')).toHaveCount(2);
  });
});

test('two tabs show the same shelf', async ({ demo, context }) => {
  await demo.open();
  await demo.put({ name: 'boats.md', text: '# Boats\n\nThe boat is moored at the north pier.' });
  const second = await context.newPage();
  await second.goto('/');
  await expect(second.locator('#shelf option')).toHaveText(['tool-library.md', 'boats.md']);
  await expect(second.locator('#status')).toContainText('Nothing was embedded again');
});

/** Another tab with the demo in it. */
async function secondTab(context: BrowserContext): Promise<Page> {
  const second = await context.newPage();
  await second.goto('/');
  await second.locator('html[data-ready]').waitFor();
  return second;
}

async function putIn(tab: Page, name: string, text: string): Promise<void> {
  const buffer = Buffer.from(text, 'utf8');
  await tab.locator('#files').setInputFiles([{ name, mimeType: 'text/markdown', buffer }]);
  await expect(tab.locator('#strip')).toHaveAttribute('data-state', 'idle');
  await expect(tab.locator('#status')).toContainText(`${name}: 1 chunk`);
}

async function deleteIndexIn(tab: Page): Promise<void> {
  tab.once('dialog', (dialog) => void dialog.accept());
  await tab.getByRole('button', { name: 'Settings' }).click();
  await tab.getByRole('button', { name: 'Delete the index' }).click();
  await expect(tab.locator('#status')).toContainText('The index was deleted');
}

/** Where the one card is of `uri`, opens it. */
async function openOnly(demo: Demo, uri: string): Promise<void> {
  const [at] = await demo.cardsOf(uri);
  expect(at).toBeDefined();
  await demo.cards.nth(at!).locator('.open').click();
}

const otter = '# Otters\n\nThe otter cracks mussels on a flat stone.';

test.describe('another tab deletes the index', () => {
  test('then this one goes on with a new one', async ({ demo, context }) => {
    await demo.open();
    await expect(demo.status).toContainText('kept in this browser');
    await deleteIndexIn(await secondTab(context));

    await demo.put({ name: 'otters.md', text: otter });
    await expect(demo.shelf.locator('option')).toHaveText(['otters.md']);
    await demo.ask('mussels on a stone');
    await openOnly(demo, 'otters.md');
    await expect.poll(() => demo.marked()).toContain('cracks mussels');
    await demo.put({ name: 'boats.md', text: '# Boats\n\nThe boat is moored at the north pier.' });
    await demo.reload();
    await expect(demo.shelf.locator('option')).toHaveText(['otters.md', 'boats.md']);
  });

  test('then a question, a document and a removal find an empty shelf', async ({ demo, context, page }) => {
    await demo.open();
    await demo.put({ name: 'otters.md', text: otter });
    const second = await secondTab(context);
    const empty = page.getByRole('heading', { name: 'An empty shelf' });

    await deleteIndexIn(second);
    await demo.ask('mussels on a stone');
    await expect(demo.count).toHaveText('No results');
    await expect(empty).toBeVisible();
    await expect(demo.status).toContainText('Another tab deleted the index');

    await demo.put({ name: 'otters.md', text: otter }, { name: 'boats.md', text: '# Boats\n\nMoored.' });
    await deleteIndexIn(second);
    await demo.shelf.selectOption('boats.md');
    await expect(empty).toBeVisible();

    await demo.put({ name: 'otters.md', text: otter });
    await deleteIndexIn(second);
    await page.getByRole('button', { name: 'Remove' }).click();
    await expect(empty).toBeVisible();
    await demo.put({ name: 'otters.md', text: otter });
  });
});

test('an index that cannot be opened again is said to be so, and the next try works', async ({
  demo,
  page,
}) => {
  await demo.open();
  await expect(demo.status).toContainText('kept in this browser');
  // As when a newer version of the page runs in another tab.
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open('shelfmark:shelfmark-demo', 999);
        request.onsuccess = () => resolve(request.result.close());
        request.onerror = () => reject(request.error);
      }),
  );
  const strip = page.locator('#strip');
  const again = page.locator('#retry');
  const files = page.locator('#files');
  for (const name of ['otters.md', 'beavers.md']) {
    await files.setInputFiles([{ name, mimeType: 'text/markdown', buffer: Buffer.from(otter) }]);
    await expect(strip).toHaveAttribute('data-state', 'error');
    await expect(demo.status).toContainText('FORMAT');
    await expect(again).toBeVisible();
    await expect(page.locator('#cancel')).toBeHidden();
  }
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(strip).toHaveAttribute('data-state', 'error');
  await demo.shelf.selectOption('tool-library.md');
  await expect(strip).toHaveAttribute('data-state', 'error');
  await files.setInputFiles([{ name: 'otters.md', mimeType: 'text/markdown', buffer: Buffer.from(otter) }]);
  await expect(demo.status).toContainText('FORMAT');

  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase('shelfmark:shelfmark-demo');
        request.onsuccess = () => resolve();
        request.onerror = () => reject(request.error);
      }),
  );
  await again.click();
  await expect(demo.status).toContainText('otters.md: 1 chunk');
  await demo.ask('mussels on a stone');
  await expect(demo.cards.first()).toContainText('otters.md');
});

test.describe('a passage of a document that another tab', () => {
  test('added is marked in that document', async ({ demo, context }) => {
    await demo.open();
    await expect(demo.status).toContainText('kept in this browser');
    await putIn(await secondTab(context), 'otters.md', otter);
    await demo.ask('otter cracks mussels');
    await openOnly(demo, 'otters.md');
    await expect.poll(() => demo.marked()).toContain('The otter cracks mussels on a flat stone.');
    await expect(demo.shelf).toHaveValue('otters.md');
    await expect(demo.page.locator('#text')).toContainText('Otters');
  });

  test('removed is said to be gone, and nothing is marked', async ({ demo, context }) => {
    await demo.open();
    await expect(demo.status).toContainText('kept in this browser');
    const second = await secondTab(context);
    await putIn(second, 'otters.md', otter);
    await demo.ask('otter cracks mussels');
    await second.getByRole('button', { name: 'Remove' }).click();
    await expect(second.locator('#status')).toHaveText('otters.md was removed.');
    await openOnly(demo, 'otters.md');
    await expect(demo.status).toContainText('otters.md is no longer on the shelf');
    await expect(demo.shelf).toHaveValue('tool-library.md');
    await expect.poll(() => demo.cardsOf('otters.md')).toEqual([]);
    expect(await demo.marked()).toBe('');
  });

  test('changed is never marked at its old place', async ({ demo, context }) => {
    await demo.open();
    await demo.put({ name: 'otters.md', text: otter });
    await demo.ask('otter cracks mussels');
    const second = await secondTab(context);
    await putIn(second, 'otters.md', `# Beavers\n\nA beaver fells a birch.\n`);
    await demo.shelf.selectOption('otters.md');
    await demo.shelf.selectOption('tool-library.md');
    await openOnly(demo, 'otters.md');
    await expect(demo.status).toContainText('otters.md was changed after this passage was found');
    await expect(demo.page.locator('#text')).toContainText('A beaver fells a birch.');
    expect(await demo.marked()).toBe('');
  });
});
