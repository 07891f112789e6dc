import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './box.ts';

async function check(page: Page, state: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`);
  expect(found, state).toEqual([]);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } });

    test('axe finds nothing in any state', async ({ box, page }) => {
      await box.goto();
      await check(page, 'closed');
      await box.open();
      await expect(box.state).toHaveText('Ready');
      await check(page, 'before a question');
      await box.ask('money back deposit');
      await check(page, 'with results');
      await page.keyboard.press('ArrowDown');
      await check(page, 'with another one selected');
      await page.screenshot({ path: `test-results/element/pictures/${colorScheme}.png` });
      await box.input.fill('qqqzzzx');
      await expect(box.element.locator('[part="note"]')).toBeVisible();
      await check(page, 'without results');
      await box.element.evaluate((search: HTMLElementTagNameMap['shelfmark-search']) => {
        search.progress = { stage: 'embed', done: 120, total: 800 };
      });
      await check(page, 'while embedding');
      await box.element.evaluate((search) => search.setAttribute('src', '/missing.shelf'));
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
      await check(page, 'with an error');
    });
  });
}

test('what a screen reader is told of: roles, names and relations', async ({ box, page }) => {
  await box.goto();
  await expect(box.element).toMatchAriaSnapshot('- button "Search"');
  await expect(box.button).toHaveAttribute('aria-haspopup', 'dialog');
  await box.open();
  await box.ask('sharpening');
  await expect(page.getByRole('dialog')).toMatchAriaSnapshot(`
    - dialog "Search these pages":
      - combobox "Search these pages" [expanded]: sharpening
      - button "Close"
      - listbox "Results":
        - group "Sharpening evenings":
          - option /^Sharpening evenings Bring chisels/ [selected]
  `);
  await expect(box.input).toHaveAttribute('aria-autocomplete', 'list');
  const relations = await box.input.evaluate((input) => {
    const root = input.getRootNode() as ShadowRoot;
    const byId = (name: string) => root.getElementById(input.getAttribute(name)!);
    const active = byId('aria-activedescendant')!;
    return {
      controls: byId('aria-controls')!.role,
      active: active.role,
      inside: byId('aria-controls')!.contains(active),
    };
  });
  expect(relations).toEqual({ controls: 'listbox', active: 'option', inside: true });
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as {
    nodes: {
      role?: { value: string };
      name?: { value: string };
      properties?: { name: string }[];
      ignored: boolean;
    }[];
  };
  const combobox = nodes.find(({ role }) => role?.value === 'combobox')!;
  expect(combobox.properties?.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['activedescendant', 'focused']),
  );
  expect(nodes.some(({ role, ignored }) => !ignored && role?.value === 'heading')).toBe(false);
});

test('the theme attribute, the page’s own colour scheme, then the system’s', async ({ box, page }) => {
  await box.goto();
  await box.open();
  const isDark = async (): Promise<boolean> => {
    await page.keyboard.press('Escape');
    await box.open();
    const color = await box.dialog.evaluate((dialog) => getComputedStyle(dialog).backgroundColor);
    return Number(color.match(/\d+/)![0]) < 128;
  };
  expect(await isDark()).toBe(false);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await isDark()).toBe(true);
  await page.evaluate(() => document.documentElement.style.setProperty('color-scheme', 'light'));
  expect(await isDark()).toBe(false);
  await page.evaluate(() => document.documentElement.style.setProperty('color-scheme', 'dark'));
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await isDark()).toBe(true);
  await box.element.evaluate((search) => search.setAttribute('theme', 'light'));
  expect(await isDark()).toBe(false);
  await box.element.evaluate((search) => search.setAttribute('theme', 'dark'));
  expect(await isDark()).toBe(true);
});

test('custom properties and parts reach it from the page’s style sheet', async ({ box, page }) => {
  await box.goto();
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`shelfmark-search { --shelfmark-accent: rgb(120, 0, 120); --shelfmark-width: 500px; }
      shelfmark-search::part(mark) { background: rgb(255, 255, 0); } shelfmark-search::part(hotkey) { display: none; }`);
    document.adoptedStyleSheets.push(sheet);
  });
  await expect(box.element.locator('[part="hotkey"]')).toBeHidden();
  await box.open();
  await box.ask('deposit');
  const style = (part: string, name: string) =>
    box.element
      .locator(`[part="${part}"]`)
      .first()
      .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), name);
  expect(await style('dialog', 'width')).toBe('500px');
  expect(await style('page', 'color')).toBe('rgb(120, 0, 120)');
  expect(await style('mark', 'background-color')).toBe('rgb(255, 255, 0)');
});

test('without motion where none is wanted', async ({ box, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await box.goto();
  await box.open();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('it is a sheet as large as the screen, nothing scrolls sideways, a tap follows', async ({
    box,
    page,
  }) => {
    await box.goto();
    await box.button.tap();
    await box.ask('money back deposit');
    expect(await box.dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
    const wide = await box.element.evaluate(
      (search) =>
        [...search.shadowRoot!.querySelectorAll('dialog, [part=list], [part=option]')].filter(
          ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
        ).length,
    );
    expect(wide).toBe(0);
    for (const name of ['Close']) {
      const { width, height } = (await page.getByRole('button', { name }).boundingBox())!;
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    }
    await page.screenshot({ path: 'test-results/element/pictures/phone.png' });
    await box.options.first().tap();
    await page.waitForURL('**/docs/**');
  });
});
