import { expect, test } from './demo.ts';

test('from the first key to a marked passage without a mouse', async ({ demo, page }) => {
  await demo.open();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the question' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(demo.question).toBeFocused();
  await page.keyboard.type('What happens if I break something?');
  await page.keyboard.press('Enter');
  await expect(demo.count).toHaveText(/5 passages in/);

  await page.keyboard.press('ArrowDown');
  await expect(demo.cards.nth(0).locator('.open')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await expect(demo.cards.nth(4).locator('.open')).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect.poll(() => demo.marked()).toContain('Things break');

  await page.keyboard.press('ArrowUp');
  await expect(demo.question).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(demo.question).toHaveValue('');
  await expect(demo.cards).toHaveCount(0);
  expect(await demo.marked()).toBe('');
});

test('a slash goes to the question, but stays a slash where one is typing', async ({ demo, page }) => {
  await demo.open();
  await page.locator('#text').focus();
  await page.keyboard.press('/');
  await expect(demo.question).toBeFocused();
  await expect(demo.question).toHaveValue('');
  await page.keyboard.type('a/b');
  await expect(demo.question).toHaveValue('a/b');

  await page.getByRole('button', { name: 'Paste', exact: true }).click();
  await page.keyboard.type('either/or');
  await expect(page.locator('#paste-text')).toHaveValue('either/or');
});

test('the ruler is one tab stop that names each chunk', async ({ demo, page }) => {
  await demo.open();
  const ruler = page.getByRole('slider', { name: 'Chunks along the document' });
  await ruler.focus();
  await expect(ruler).toHaveAttribute(
    'aria-valuetext',
    /^Chunk 1 of \d+, The Harbour Tool Library, characters 0–/,
  );
  await page.keyboard.press('ArrowDown');
  await expect(ruler).toHaveAttribute(
    'aria-valuetext',
    /^Chunk 2 of \d+, The Harbour Tool Library › Joining,/,
  );
  await expect(page.locator('#tip')).toContainText('Joining');
  await page.keyboard.press('Enter');
  await expect.poll(() => demo.marked()).toContain('## Joining');
});

test('the Enter that ends a composition neither searches nor moves', async ({ demo, page }) => {
  await demo.open();
  await demo.question.focus();
  const prevented = await page.evaluate(() => {
    const box = document.querySelector<HTMLInputElement>('#question')!;
    box.value = 'refund';
    const key = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
    Object.defineProperty(key, 'keyCode', { value: 229 });
    box.dispatchEvent(key);
    return key.defaultPrevented;
  });
  expect(prevented).toBe(true);
  await page.waitForTimeout(400);
  await expect(demo.cards).toHaveCount(0);
  await demo.question.press('Enter');
  await expect(demo.cards).toHaveCount(5);
});

test('a polite status says how many passages there are, and when there are none', async ({ demo, page }) => {
  await demo.open();
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    const live = document.querySelector('[role="status"][aria-live="polite"]')!;
    new MutationObserver(() => heard.push(live.textContent ?? '')).observe(live, {
      childList: true,
      characterData: true,
    });
  });
  await demo.ask('Can I get a refund?');
  await demo.ask('qqqzzzx');
  await expect(page.getByRole('heading', { name: 'Nothing on the shelf answers that' })).toBeVisible();
  const heard = await page.evaluate(() => (window as unknown as { heard: string[] }).heard);
  expect(heard.some((text) => /^5 passages in/.test(text))).toBe(true);
  expect(heard.at(-1)).toBe('No results');
});

test('an older answer that comes late is dropped', async ({ demo, page }) => {
  await page.addInitScript(() => {
    const send = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, message: { name?: string; args?: unknown[] }) {
      const slow = message.name === 'search' && message.args?.[0] === 'repair bench';
      setTimeout(() => send.call(this, message), slow ? 700 : 0);
    };
  });
  await demo.open();
  await demo.ask('warm the model');
  await demo.question.fill('repair bench');
  await demo.question.press('Enter');
  await demo.question.fill('refund of the fee');
  await demo.question.press('Enter');
  await expect(demo.cards.first()).toContainText('Leaving and getting your money back');
  await page.waitForTimeout(1000);
  await expect(demo.cards.first()).toContainText('Leaving and getting your money back');
  await expect(demo.question).toHaveValue('refund of the fee');
});
