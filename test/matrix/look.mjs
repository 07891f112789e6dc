// Opens a page in Chromium and tells what it showed, and all that it complained of.
import { chromium } from 'playwright';
import { chromiumLaunch } from '../browser-path.mjs';

let browser;

export const closeBrowser = async () => (await browser)?.close();

/** What the console said, errors nobody caught, and requests that failed. */
function listen(context, page) {
  const faults = [];
  const message = (text) => faults.push(text);
  const hear = (source) => source.on('console', (said) => message(`console.${said.type()}: ${said.text()}`));
  hear(page);
  context.on('serviceworker', hear);
  page.on('pageerror', (error) => message(`error: ${error.message}`));
  context.on('requestfailed', (request) =>
    message(`failed: ${request.url()} ${request.failure()?.errorText}`),
  );
  context.on('response', (response) => {
    if (response.status() >= 400) message(`${response.status()}: ${response.url()}`);
  });
  return faults;
}

/**
 * Opens a page of its own profile and hands it to `read`.
 *
 * @returns what `read` gave, and the faults
 */
export async function look(url, read) {
  browser ??= chromium.launch(chromiumLaunch());
  const context = await (await browser).newContext({ locale: 'en' });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const faults = listen(context, page);
    try {
      await page.goto(url);
      return { value: await read(page), faults };
    } catch (error) {
      throw new Error([error.message, ...faults].join('\n  '), { cause: error });
    }
  } finally {
    await context.close();
  }
}

const filled = async (page, id) => {
  await page.locator(`#${id}:not(:empty)`).waitFor({ state: 'attached' });
  return page.locator(`#${id}`).textContent();
};

/** Reads what the app of docs/bundlers.md shows: hits of page and worker, the kernel, and the search box in use. */
export async function readApp(page) {
  const shown = { page: await filled(page, 'page'), kernel: await filled(page, 'kernel') };
  shown.worker = await filled(page, 'worker');
  await page.locator('shelfmark-search').evaluate((box) => box.open('refunds'));
  shown.element = await page.getByRole('option').first().textContent();
  shown.styled = await page.getByRole('dialog').evaluate((dialog) => {
    const { adoptedStyleSheets } = dialog.getRootNode();
    // Not what a dialog without a style sheet has.
    return adoptedStyleSheets.length > 0 && getComputedStyle(dialog).borderRadius !== '0px';
  });
  return shown;
}
