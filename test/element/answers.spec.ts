import { expect, test } from './box.ts';

const plain = '<shelfmark-search base-url="/docs/"></shelfmark-search>';

test('words answer at once, meaning joins when the model is there, and the selection stays where it is', async ({
  box,
  page,
}) => {
  await box.goto(plain);
  await page.evaluate(async () => {
    const { filled, gate, lettersEmbedder } = await window.load();
    const held = gate();
    const embedder = lettersEmbedder();
    let isLoaded = false;
    const model = {
      id: 'letters',
      embed: async (texts: readonly string[], options?: { kind?: 'query' | 'passage' }) => {
        if (options?.kind === 'query') await held.opened;
        isLoaded = true;
        return embedder.embed(texts);
      },
    };
    Object.assign(window, { held, isLoaded: () => isLoaded });
    document.querySelector('shelfmark-search')!.index = await filled(undefined, model);
  });
  await box.open();
  await box.input.fill('refund money');
  await expect(box.options.first()).toBeVisible();
  await expect(box.state).toContainText('Looking by meaning');
  const words = await box.options.count();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const before = await box.choice();
  const text = await box.selected.textContent();
  const place = await box.selected.boundingBox();
  expect(before.place).toBe(2);

  await page.evaluate(() => (window as unknown as { held: { open(): void } }).held.open());
  await box.settled();
  expect(await box.options.count()).toBeGreaterThan(words);
  expect((await box.choice()).id).toBe(before.id);
  expect(await box.selected.textContent()).toBe(text);
  expect((await box.selected.boundingBox())!.y).toBeCloseTo(place!.y, 0);
  expect(await box.options.allInnerTexts()).toHaveLength(new Set(await box.options.allInnerTexts()).size);
  await page.keyboard.press('ArrowDown');
  expect((await box.choice()).place).toBeGreaterThan(before.place);
});

test('a slow answer to an older question never replaces a newer one', async ({ box, page }) => {
  await box.goto(plain);
  await page.evaluate(async () => {
    const { filled, lettersEmbedder } = await window.load();
    const embedder = lettersEmbedder();
    const asked: string[] = [];
    const answered: string[] = [];
    Object.assign(window, { asked, answered });
    document.querySelector('shelfmark-search')!.index = await filled(undefined, {
      id: 'letters',
      embed: async (texts, options) => {
        if (options?.kind === 'query') {
          asked.push(texts[0]!);
          await new Promise((turn) => setTimeout(turn, texts[0] === 'se' ? 500 : 20));
          answered.push(texts[0]!);
        }
        return embedder.embed(texts);
      },
    });
  });
  await box.open();
  await box.input.fill('se');
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { asked: string[] }).asked))
    .toEqual(['se']);
  await box.input.fill('sharpening');
  await expect(box.options.first()).toContainText('Sharpening');
  await box.settled();
  const after = await box.options.allInnerTexts();
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { answered: string[] }).answered))
    .toEqual(['sharpening', 'se']);
  await page.waitForTimeout(100);
  expect(await box.options.allInnerTexts()).toEqual(after);
});

test('results stand by page, each with the path of its headings and what it says', async ({ box, page }) => {
  await box.goto();
  await box.open();
  await box.ask('deposit');
  const group = page.getByRole('group', { name: 'The Harbour Tool Library' });
  await expect(group.getByRole('option').first()).toContainText('Borrowing › Deposits');
  await expect(group.locator('[part="page"]')).toContainText('handbook.md');
  await expect(page.getByRole('group', { name: 'The big machines' })).toHaveCount(1);
  const titles = await page
    .getByRole('group')
    .evaluateAll((groups) => groups.map((one) => one.getAttribute('aria-labelledby')));
  expect(new Set(titles).size).toBe(titles.length);
  const marks = await box.options.first().locator('mark').allInnerTexts();
  expect(marks.length).toBeGreaterThan(0);
  for (const mark of marks) expect(mark).toMatch(/^deposits?$/i);
});

test('a word is found while it is being typed, and with a slip of the finger', async ({ box }) => {
  await box.goto();
  await box.open();
  await box.ask('sharpe');
  await expect(box.options.first()).toContainText('Sharpening evenings');
  await box.ask('sharpenning');
  await expect(box.options.first()).toContainText('Sharpening evenings');
});

test('how many results there are is said politely, once typing rests; and that there are none', async ({
  box,
  page,
}) => {
  await box.goto();
  await box.open();
  await expect(box.live).toHaveAttribute('aria-live', 'polite');
  await box.live.evaluate((live) => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    new MutationObserver(() => heard.push(live.textContent ?? '')).observe(live, { childList: true });
  });
  const heard = () =>
    page.evaluate(() => (window as unknown as { heard: string[] }).heard.filter((text) => text));
  await box.input.pressSequentially('deposit', { delay: 20 });
  await expect.poll(heard).toHaveLength(1);
  const [first] = await heard();
  expect(first).toMatch(/^\d+ results? on \d+ pages?$/);
  expect(Number.parseInt(first!, 10)).toBe(await box.options.count());
  await box.input.fill('qqqzzzx');
  await expect.poll(heard).toEqual([first, 'No results for “qqqzzzx”']);
  await expect(box.element.getByText('No results for “qqqzzzx”').first()).toBeVisible();
  await expect(box.input).toHaveAttribute('aria-expanded', 'false');
  await expect(box.input).not.toHaveAttribute('aria-activedescendant');
});

test('the index is fetched when it is first needed, once; at once where it is preloaded', async ({
  box,
  page,
}) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  const shelves = () => fetched.filter((path) => path === '/site.shelf').length;
  await box.goto();
  await page.waitForTimeout(300);
  expect(shelves()).toBe(0);
  expect(fetched.filter((path) => path.includes('open-index'))).toEqual([]);
  await box.button.focus();
  await expect.poll(shelves).toBe(1);
  await box.open();
  await box.ask('deposit');
  await page.keyboard.press('Escape');
  await box.open();
  expect(shelves()).toBe(1);
  await box.put('<shelfmark-search preload src="/site.shelf"></shelfmark-search>');
  await expect.poll(shelves).toBe(2);
});

test('events tell what happens, and one that is cancelled leaves the page where it is', async ({
  box,
  page,
}) => {
  await box.goto();
  await page.evaluate(() => {
    const told: unknown[] = [];
    Object.assign(window, { told });
    for (const name of ['open', 'close', 'ready', 'select', 'error']) {
      document.addEventListener(`shelfmark-${name}`, (event) => {
        const { url, newTab, query, hit } = (event as CustomEvent).detail ?? {};
        told.push(name === 'select' ? [name, url, newTab, query, hit.docUri] : name);
        event.preventDefault();
      });
    }
  });
  await box.open();
  await box.ask('deposit');
  await page.keyboard.press('ControlOrMeta+Enter');
  await box.options.nth(1).click({ modifiers: ['ControlOrMeta'] });
  await box.options.first().click();
  await expect(box.dialog).toBeHidden();
  const url = `${new URL(page.url()).origin}/docs/handbook.md#deposits`;
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { told: unknown[] }).told))
    .toEqual([
      'open',
      'ready',
      ['select', url, true, 'deposit', 'handbook.md'],
      ['select', expect.any(String), true, 'deposit', expect.any(String)],
      ['select', url, false, 'deposit', 'handbook.md'],
      'close',
    ]);
  expect(new URL(page.url()).pathname).toBe('/');
  expect(page.context().pages()).toHaveLength(1);
});

test('a click follows a result, one behind the dialog closes it', async ({ box, page }) => {
  await box.goto();
  await box.open();
  await page.mouse.click(5, 400);
  await expect(box.dialog).toBeHidden();
  await box.open();
  await box.ask('deposit');
  await box.options.nth(1).hover();
  expect((await box.choice()).place).toBe(1);
  const href = await box.options.nth(1).getAttribute('href');
  await box.options.nth(1).click();
  await page.waitForURL('**/docs/**');
  expect(page.url()).toBe(href);
});

test('an index in a worker answers as one on the page does', async ({ box, page }) => {
  await box.goto();
  await box.open();
  await box.ask('deposit');
  const own = await box.options.allTextContents();
  await page.evaluate(async () => {
    const { inWorker } = await window.load();
    document.querySelector('shelfmark-search')!.index = inWorker();
  });
  await box.input.fill('');
  await box.ask('deposit');
  expect(await box.options.allTextContents()).toEqual(own);
});
