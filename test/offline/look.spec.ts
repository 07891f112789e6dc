import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { ask, dialog, expect, options, questions, test, untilReady } from './site.ts';

const phone = { width: 360, height: 740 };

async function check(page: Page, state: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
  expect(found, state).toEqual([]);
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const viewport of [{ width: 1280, height: 800 }, phone]) {
    test.describe(`in ${colorScheme} colours, ${viewport.width} pixels wide`, () => {
      test.use({ colorScheme, viewport });

      test('axe finds nothing: contents, a page, the search, a page that is missing', async ({
        page,
        serve,
        faults,
      }) => {
        const { other, words } = questions();
        const site = await serve();
        await page.goto(site.address);
        await untilReady(page);
        await check(page, 'contents');
        await page.goto(site.address + other.file);
        await untilReady(page);
        await check(page, 'a page');
        await ask(page, '/', words.query);
        await expect(options(page).first()).toBeVisible();
        await check(page, 'the search');
        await page.goto(`${site.address}404.html`);
        await check(page, 'missing');
        expect(faults).toEqual([]);
      });
    });
  }
}

test('on a phone nothing is wider than the screen, and the contents open, lead on and close', async ({
  page,
  serve,
}) => {
  const { other } = questions();
  await page.setViewportSize(phone);
  const site = await serve();
  for (const file of ['index.html', other.file]) {
    await page.goto(site.address + file);
    const [width, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(width).toBeLessThanOrEqual(inner!);
  }
  const contents = page.getByRole('navigation', { name: 'Contents' });
  await expect(contents).toBeHidden();
  await page.getByRole('button', { name: 'Contents' }).click();
  await expect(contents).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(contents).toBeHidden();
  await page.getByRole('button', { name: 'Contents' }).click();
  await contents.getByRole('link', { name: 'Contents' }).click();
  await expect(page).toHaveURL(`${site.address}index.html`);
});

test('by keyboard alone: skip link, search, result, and back where one was', async ({ page, serve }) => {
  const { words } = questions();
  const site = await serve();
  await page.goto(site.address);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the text' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('#main')).toBeFocused();
  await ask(page, 'Control+k', words.query);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(page.locator('#main')).toBeFocused();
  await ask(page, '/', words.query);
  await expect(options(page).first()).toBeVisible();
  const href = await options(page).first().getAttribute('href');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new URL(href!, page.url()).href);
});

test('every link of every page leads to a page and a place that there is', async ({ page, serve }) => {
  const site = await serve();
  await page.goto(site.address);
  const faults = await page.evaluate(async () => {
    const pages = new Map<string, Document | undefined>();
    const read = async (address: string): Promise<Document | undefined> => {
      if (!pages.has(address)) {
        const response = await fetch(address);
        const isPage = response.headers.get('content-type')?.startsWith('text/html');
        const text = await response.text();
        const found = isPage ? new DOMParser().parseFromString(text, 'text/html') : new Document();
        pages.set(address, response.ok ? found : undefined);
      }
      return pages.get(address);
    };
    const found: string[] = [];
    const queue = [new URL('index.html', document.baseURI).href];
    const seen = new Set(queue);
    for (const address of queue) {
      const from = await read(address);
      for (const link of from?.querySelectorAll('a[href]') ?? []) {
        const url = new URL(link.getAttribute('href')!, address);
        if (url.origin !== location.origin) continue;
        const id = decodeURIComponent(url.hash.slice(1));
        url.hash = '';
        const to = await read(url.href);
        if (to === undefined) found.push(`${address}: ${url.href} is not there`);
        else if (id !== '' && to.getElementById(id) === null) found.push(`${address}: ${url.href}#${id}`);
        if (!seen.has(url.href)) queue.push(url.href);
        seen.add(url.href);
      }
      if (
        new Set([...(from?.querySelectorAll('[id]') ?? [])].map(({ id }) => id)).size !==
          from?.querySelectorAll('[id]').length &&
        from?.body?.children.length
      ) {
        found.push(`${address} has one id twice`);
      }
    }
    return { found, pages: seen.size };
  });
  expect(faults.pages).toBeGreaterThan(8);
  expect(faults.found).toEqual([]);
});
