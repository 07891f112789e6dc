import { expect, test } from './box.ts';

test('in Node, importing it does nothing and needs nothing', async () => {
  expect(globalThis.customElements).toBeUndefined();
  const { ShelfmarkSearch } = await import('../../src/element/index.ts');
  expect(typeof ShelfmarkSearch).toBe('function');
});

test('properties set before the element is known are taken over; importing twice does no harm', async ({
  box,
  page,
}) => {
  await page.route('**/page.js', async (route) => {
    await new Promise((turn) => setTimeout(turn, 400));
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  await page.waitForSelector('h1');
  await page.evaluate(() => {
    const search = document.createElement('shelfmark-search') as unknown as Record<string, unknown>;
    search['src'] = '/site.shelf';
    search['placeholder'] = 'Frag mich';
    search['labels'] = { button: 'Suchen', results: 'Treffer' };
    search['linkOf'] = () => '/docs/fixed';
    document.querySelector('main')!.append(search as never);
  });
  await page.route('**/site.shelf', (route) => route.fulfill({ body: box.shelf }));
  await expect(box.button).toHaveText(/^Suchen/);
  await box.open();
  await expect(box.input).toHaveAttribute('placeholder', 'Frag mich');
  await box.ask('deposit');
  await expect(page.getByRole('listbox', { name: 'Treffer' })).toBeVisible();
  await expect(box.options.first()).toHaveAttribute('href', /\/docs\/fixed$/);
});

test('its content names the button, and a string for index is the name of one', async ({ box }) => {
  await box.goto('<shelfmark-search>Find it</shelfmark-search>');
  await expect(box.element.getByRole('button', { name: 'Find it' })).toBeVisible();
  await box.element.evaluate((search: HTMLElementTagNameMap['shelfmark-search']) => {
    search.index = 'kept';
  });
  await expect(box.element).toHaveAttribute('index', 'kept');
  await box.button.click();
  await expect(box.element.getByText('There is nothing to search yet.')).toBeVisible();
});
