import { expect, test } from './box.ts';

test('a file that is not there, and one that is no index, are told of, and can be tried again', async ({
  box,
  page,
}) => {
  await box.goto('<shelfmark-search src="/missing.shelf" base-url="/docs/"></shelfmark-search>');
  await page.evaluate(() => {
    const errors: string[] = [];
    Object.assign(window, { errors });
    document.addEventListener('shelfmark-error', (event) =>
      errors.push((event as CustomEvent).detail.error.code),
    );
  });
  await box.open();
  await expect(box.element.getByText('The search could not be opened').first()).toBeVisible();
  await expect(box.element.locator('[part="note"]')).toContainText('status 404');
  await box.input.pressSequentially('deposit');
  await expect(box.element.locator('[part="note"]')).toContainText('status 404');
  const errors = () => page.evaluate(() => (window as unknown as { errors: string[] }).errors);
  expect(await errors()).toEqual(['FORMAT']);

  await page.route('**/missing.shelf', (route) => route.fulfill({ body: '<!doctype html><p>no index' }));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(errors).toEqual(['FORMAT', 'FORMAT']);
  await expect(box.element.locator('[part="note"]')).not.toContainText('404');

  await page.route('**/missing.shelf', (route) => route.fulfill({ body: box.shelf }));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(box.options.first()).toContainText('Deposits');
  await expect(box.state).toHaveText('Ready');
});

test('an element without a source says what to give it', async ({ box }) => {
  await box.goto('<shelfmark-search></shelfmark-search>');
  await box.open();
  await expect(box.element.locator('[part="note"]')).toContainText('property `index`');
});

test('another src, or another index, is opened in place of the first', async ({ box, page }) => {
  await box.goto();
  await box.open();
  await box.ask('deposit');
  await page.evaluate(async () => {
    const { filled } = await window.load();
    const search = document.querySelector('shelfmark-search')!;
    search.index = filled([{ uri: 'other.md', text: '# Other\n\nA deposit of sand by the river.' }]);
  });
  await expect(box.options).toHaveCount(1);
  await expect(box.options).toContainText('deposit of sand');
});

test('an index that fails while it is asked is told of, and the next question is asked again', async ({
  box,
  page,
}) => {
  await box.goto('<shelfmark-search></shelfmark-search>');
  await page.evaluate(async () => {
    const { filled } = await window.load();
    const index = await filled();
    document.querySelector('shelfmark-search')!.index = {
      search: async (query, options) => {
        if (query === 'bad') throw new Error('The worker is gone.');
        return index.search(query, options);
      },
    };
  });
  await box.open();
  await box.input.fill('bad');
  await expect(box.element.locator('[part="note"]')).toContainText('The worker is gone.');
  await box.ask('deposit');
  await expect(box.element.locator('[part="note"]')).toBeHidden();
});

test('download, embedding, saved: how far it is, then that it works offline', async ({ box, page }) => {
  await box.goto('<shelfmark-search src="/site.shelf" index="site"></shelfmark-search>');
  await page.evaluate(async () => {
    const { gate, lettersEmbedder } = await window.load();
    const [first, second, loaded, embedded] = [gate(), gate(), gate(), gate()];
    Object.assign(window, { gates: { first, second, loaded, embedded } });
    const inner = lettersEmbedder();
    document.querySelector('shelfmark-search')!.embedder = {
      id: 'letters',
      load: async (options) => {
        await first.opened;
        options?.onProgress?.({ file: 'model.onnx', loaded: 2_100_000, total: 5_000_000 });
        await loaded.opened;
      },
      embed: async (texts, options) => {
        await loaded.opened;
        if (options?.kind !== 'query') await embedded.opened;
        return inner.embed(texts, options);
      },
    };
  });
  const settle = (name: string) =>
    page.evaluate(
      (name) => (window as never as { gates: Record<string, { open(): void }> }).gates[name]!.open(),
      name,
    );
  await box.open();
  await expect(box.state).toHaveText('Fetching the model…');
  await settle('first');
  await expect(box.state).toHaveText('Fetching the model, 2.1 of 5.0 MB');
  await expect(page.getByRole('progressbar')).toHaveAttribute('value', '2100000');
  await box.input.fill('deposit');
  await expect(box.options.first()).toContainText('Deposits');
  await settle('loaded');
  await expect(box.state).toHaveText(/^Embedding \d+ of \d+$/);
  await settle('embedded');
  await expect(box.state).toHaveText('Saved · Ready offline');
  await expect(page.getByRole('progressbar')).toBeHidden();

  await page.reload();
  await page.route('**/site.shelf', (route) => route.abort());
  await box.put('<shelfmark-search src="/site.shelf" index="site" base-url="/docs/"></shelfmark-search>');
  await box.open();
  await box.ask('deposit');
  await expect(box.state).toHaveText('Ready offline');
});

test('a model that fails leaves the words, and says so', async ({ box, page }) => {
  await box.goto('<shelfmark-search></shelfmark-search>');
  await page.evaluate(async () => {
    const { filled, lettersEmbedder } = await window.load();
    const inner = lettersEmbedder();
    document.querySelector('shelfmark-search')!.index = await filled(undefined, {
      id: 'letters',
      embed: async (texts, options) => {
        if (options?.kind === 'query') throw new Error('no model');
        return inner.embed(texts, options);
      },
    });
  });
  await box.open();
  await box.input.fill('deposit');
  await expect(box.options.first()).toContainText('Deposits');
  await expect(box.state).toHaveText('By words alone: the model could not be loaded');
});

test('the page says how far it is with filling the index', async ({ box }) => {
  await box.goto();
  await box.open();
  await box.element.evaluate((search: HTMLElementTagNameMap['shelfmark-search']) => {
    search.progress = { stage: 'embed', done: 120, total: 800 };
  });
  await expect(box.state).toHaveText('Embedding 120 of 800');
  await box.element.evaluate((search: HTMLElementTagNameMap['shelfmark-search']) => {
    search.progress = undefined;
  });
  await expect(box.state).toHaveText('Ready');
});

test('nothing moves from state to state', async ({ box, page }) => {
  await box.goto();
  await page.evaluate(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await box.open();
  const before = await box.dialog.boundingBox();
  await box.ask('deposit');
  await box.input.fill('qqqzzzx');
  await expect(box.element.locator('[part="note"]')).toBeVisible();
  expect(await box.dialog.boundingBox()).toEqual(before);
  await page.keyboard.press('Escape');
  await expect(box.dialog).toBeHidden();
  expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([]);
});
