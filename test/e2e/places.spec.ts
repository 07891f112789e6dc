import { expect, test } from './demo.ts';

test('the demo works under any sub-path and asks for nothing outside it', async ({ demo, baseURL }) => {
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
    await expect(page.getByRole('heading', { name: 'An empty shelf' })).toBeVisible();

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
    await expect(demo.cards.first().locator('.bar')).toHaveCount(2);
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
