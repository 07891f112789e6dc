import { expect, test } from './box.ts';

test('from the first key to the page without a mouse', async ({ box, page }) => {
  await box.goto();
  await page.keyboard.press('/');
  await expect(box.input).toBeFocused();
  await expect(box.input).toHaveValue('');
  await page.keyboard.type('deposit');
  await expect(box.options.first()).toBeVisible();
  expect(await box.choice()).toMatchObject({ place: 0 });
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/**');
  expect(new URL(page.url()).pathname).toBe('/docs/handbook.md');
  expect(new URL(page.url()).hash).toBe('#deposits');
});

test('arrows go through all results and around', async ({ box, page }) => {
  await box.goto();
  await box.open();
  await box.ask('the tool money desk');
  const count = await box.options.count();
  expect(count).toBeGreaterThan(8);
  await page.keyboard.press('ArrowUp');
  expect((await box.choice()).place).toBe(count - 1);
  await page.keyboard.press('ArrowDown');
  expect((await box.choice()).place).toBe(0);
  for (let place = 1; place < count; place++) {
    await page.keyboard.press('ArrowDown');
    expect((await box.choice()).place).toBe(place);
    await expect(box.selected).toBeInViewport({ ratio: 0.95 });
  }
  await expect(box.input).toBeFocused();
});

test('Home and End are the field’s while one types, the list’s once one moves in it', async ({
  box,
  page,
}) => {
  await box.goto();
  await box.open();
  await box.ask('money');
  const caret = () => box.input.evaluate((input: HTMLInputElement) => input.selectionStart);
  await page.keyboard.press('Home');
  expect(await caret()).toBe(0);
  await page.keyboard.press('End');
  expect(await caret()).toBe(5);
  expect((await box.choice()).place).toBe(0);

  const count = await box.options.count();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  expect((await box.choice()).place).toBe(count - 1);
  await page.keyboard.press('Home');
  expect((await box.choice()).place).toBe(0);
  await page.keyboard.press('ArrowLeft');
  expect(await caret()).toBe(4);
  await page.keyboard.press('Home');
  expect(await caret()).toBe(0);
  await page.keyboard.press('Shift+End');
  await page.keyboard.type('b');
  await expect(box.input).toHaveValue('b');
});

test('Page Down and Page Up go as far as is visible, and stop at the ends', async ({ box, page }) => {
  await box.goto();
  await box.open();
  await box.ask('the tool money desk');
  const count = await box.options.count();
  expect(count).toBeGreaterThan(8);
  await page.keyboard.press('PageDown');
  const { place } = await box.choice();
  expect(place).toBeGreaterThan(1);
  expect(place).toBeLessThan(count - 1);
  for (let press = 0; press < count; press++) await page.keyboard.press('PageDown');
  expect((await box.choice()).place).toBe(count - 1);
  for (let press = 0; press < count; press++) await page.keyboard.press('PageUp');
  expect((await box.choice()).place).toBe(0);
});

test('Esc closes, and the focus is where it was', async ({ box, page }) => {
  await box.goto(
    '<a href="#x" id="before">before</a><shelfmark-search src="/site.shelf"></shelfmark-search>',
  );
  await page.locator('#before').focus();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(box.input).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(box.dialog).toBeHidden();
  await expect(page.locator('#before')).toBeFocused();

  await box.button.focus();
  await page.keyboard.press('Enter');
  await expect(box.input).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(box.dialog).toBeHidden();
  await expect(box.button).toBeFocused();
});

test('Tab stays inside the dialog, and options are no tab stops', async ({ box, page }) => {
  await box.goto();
  await box.open();
  await box.ask('money');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(box.input).toBeFocused();
});

for (const key of ['Control+Enter', 'Meta+Enter']) {
  test(`${key} opens a result in a new tab and leaves the dialog open`, async ({ box, page, context }) => {
    await box.goto();
    await box.open();
    await box.ask('deposit');
    await page.keyboard.press('ArrowDown');
    const href = await box.selected.getAttribute('href');
    const [tab] = await Promise.all([context.waitForEvent('page'), page.keyboard.press(key)]);
    await tab.waitForURL('**/docs/**');
    expect(tab.url()).toBe(href);
    expect(await tab.evaluate(() => window.opener)).toBe(null);
    await expect(box.input).toBeFocused();
    expect(new URL(page.url()).pathname).toBe('/');
  });
}

test('Enter before the answer follows the first result of the answer, never one of an older question', async ({
  box,
  page,
}) => {
  await box.goto();
  await box.open();
  await box.ask('sharpening');
  await page.evaluate(async () => {
    const { filled, gate } = await window.load();
    const element = document.querySelector('shelfmark-search')!;
    const index = await filled();
    const held = gate();
    Object.assign(window, { held });
    element.index = {
      search: async (query, options) => {
        if (query === 'deposit') await held.opened;
        return index.search(query, options);
      },
    };
  });
  await box.ask('sharpening');
  await box.input.fill('deposit');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(200);
  expect(new URL(page.url()).pathname).toBe('/');
  await page.evaluate(() => (window as unknown as { held: { open(): void } }).held.open());
  await page.waitForURL('**/docs/handbook.md#deposits');
});

test('keys of an input method are left alone: flagged as composing, or with key code 229 alone', async ({
  box,
  page,
}) => {
  await box.goto();
  await box.open();
  await box.ask('money');
  const press = (init: { key: string; isComposing?: boolean; keyCode?: number }) =>
    box.input.evaluate((input, init) => {
      const event = new KeyboardEvent('keydown', {
        bubbles: true,
        cancelable: true,
        composed: true,
        ...init,
      });
      input.dispatchEvent(event);
      return event.defaultPrevented;
    }, init);
  for (const how of [{ isComposing: true }, { keyCode: 229 }]) {
    for (const key of ['Enter', 'ArrowDown', 'ArrowUp', 'PageDown', 'End']) {
      expect(await press({ key, ...how }), `${key} ${JSON.stringify(how)}`).toBe(false);
    }
    await page.evaluate(
      (how) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, ...how })),
      how,
    );
  }
  expect((await box.choice()).place).toBe(0);
  expect(new URL(page.url()).pathname).toBe('/');
  expect(await press({ key: 'ArrowDown' })).toBe(true);
  expect((await box.choice()).place).toBe(1);
});

test('a real composition searches as it goes, and its Enter follows nothing', async ({ box, page }) => {
  await box.goto();
  await box.open();
  const session = await page.context().newCDPSession(page);
  await session.send('Input.imeSetComposition', { text: 'depos', selectionStart: 5, selectionEnd: 5 });
  await expect(box.options.first()).toBeVisible();
  await session.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    windowsVirtualKeyCode: 229,
    key: 'Process',
  });
  await session.send('Input.insertText', { text: 'deposit' });
  await expect(box.input).toHaveValue('deposit');
  await box.settled();
  expect(new URL(page.url()).pathname).toBe('/');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/**');
});
