import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from './demo.ts';

const question = 'What happens if I break something?';

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test('every text has its contrast and every control its name, in each state of the page', async ({
      demo,
      page,
    }) => {
      const check = async (state: string): Promise<void> => {
        const { violations } = await new AxeBuilder({ page }).analyze();
        const found = violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
        );
        expect(found, state).toEqual([]);
      };
      await demo.open();
      await check('at first');
      await demo.ask(question);
      await demo.openCard(0);
      await demo.cards.first().locator('.why summary').click();
      await check('after a question, with its reasons');
      await demo.chunks();
      await check('with the chunks');
      await page.locator('#settings').click();
      await page.locator('#kind').selectOption('record');
      await check('with the settings');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Paste', exact: true }).click();
      await check('with the paste dialog');
    });

    test('a marked passage can be read', async ({ demo, page }) => {
      await demo.open();
      await demo.ask(question);
      await demo.openCard(0);
      const ratio = await page.evaluate(() => {
        const mark = document.querySelector('.excerpt mark')!;
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
        const luminance = (color: string): number => {
          canvas.fillStyle = color;
          canvas.fillRect(0, 0, 1, 1);
          const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
            const share = value / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
        };
        const style = getComputedStyle(mark);
        const [a, b] = [luminance(style.color), luminance(style.backgroundColor)];
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      });
      expect(ratio).toBeGreaterThan(4.5);
    });
  });
}

test('the colours can be chosen, and the choice is kept without a flash', async ({ demo, page }) => {
  await demo.open();
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  await page.getByRole('button', { name: /^Colours/ }).click();
  await page.getByRole('button', { name: /^Colours: light/ }).click();
  await expect(page.getByRole('button', { name: 'Colours: dark' })).toBeVisible();
  expect(await background()).not.toBe(light);
  await page.reload({ waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('nothing scrolls sideways, and a passage leads to the source', async ({ demo, page }) => {
    const sideways = () =>
      page.evaluate(() => {
        const wide = [document.documentElement, ...document.querySelectorAll('#text, #chunks, .answers')];
        return wide
          .filter((element) => element.scrollWidth > element.clientWidth)
          .map((element) => element.id || element.tagName);
      });
    await demo.open();
    expect(await sideways()).toEqual([]);
    await page.getByRole('button', { name: 'Ask', exact: true }).first().click();
    await demo.ask(question);
    expect(await sideways()).toEqual([]);
    await demo.cards.first().locator('.open').click();
    await expect(page.locator('#text')).toBeVisible();
    await expect.poll(() => demo.marked()).toContain('Things break');
    await page.locator('#show-chunks').click();
    expect(await sideways()).toEqual([]);
    await page.getByRole('button', { name: 'Settings' }).click();
    expect(await sideways()).toEqual([]);
  });
});

test('nothing jumps while one asks', async ({ demo, page }) => {
  await demo.open();
  await expect(demo.status).toContainText('kept in this browser');
  await page.evaluate(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        shifts.push(entry.value);
    }).observe({ type: 'layout-shift' });
  });
  await demo.ask(question);
  await demo.openCard(0);
  await demo.put({ name: 'boats.md', text: '# Boats\n\nThe boat is moored at the north pier.' });
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.02);
});

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('a passage is there at once', async ({ demo, page }) => {
    await page.addInitScript(() => {
      const scrollBy = Element.prototype.scrollBy as (options: ScrollToOptions) => void;
      Element.prototype.scrollBy = function (this: Element, options: ScrollToOptions) {
        if (options.behavior === 'smooth') Object.assign(window, { smooth: true });
        scrollBy.call(this, options);
      } as typeof Element.prototype.scrollBy;
    });
    await demo.open();
    await demo.ask(question);
    await demo.openCard(0);
    await expect.poll(() => demo.marked()).toContain('Things break');
    expect(await page.evaluate(() => 'smooth' in window)).toBe(false);
  });
});
