import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';
import { serveFolder } from '../../demo/docs/serve.mjs';

export { expect };

export type Served = Awaited<ReturnType<typeof serveFolder>>;

/** The site that was built for this run. */
export const siteFolder = (): string => process.env['SHELFMARK_DOCS_SITE']!;

/** What to look for in it: the Rust book where its text is at hand, else the guides. */
export const questions = () =>
  existsSync(join(siteFolder(), 'SUMMARY.html')) || existsSync(join(siteFolder(), 'ch04-03-slices.html'))
    ? {
        other: { file: 'ch04-03-slices.html', title: 'The Slice Type' },
        words: { query: 'dangling references', page: /ch04-02-/, anchor: 'dangling-references' },
        meaning: 'quarrel automobile',
      }
    : {
        other: { file: 'storage.html', title: 'What is kept, and how it survives' },
        words: { query: 'copy-model', page: /\/build\.html/, anchor: 'with-the-model' },
        meaning: 'quarrel automobile',
      };

interface Fixtures {
  /** Serves a folder, the site by default, until the test ends or stops it. */
  serve(options?: Parameters<typeof serveFolder>[1] & { folder?: string }): Promise<Served>;
  /** A copy of the site to change. */
  copy: string;
  /** What went wrong in any page of the test: console errors, page errors, failed requests, answers of 400 and more. */
  faults: string[];
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a pattern
  serve: async ({}, use) => {
    const open: Served[] = [];
    await use(async ({ folder = siteFolder(), ...options } = {}) => {
      const served = await serveFolder(folder, options);
      open.push(served);
      return served;
    });
    await Promise.all(open.map((served) => served.stop().catch(() => {})));
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a pattern
  copy: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'shelfmark-docs-copy-'));
    cpSync(siteFolder(), folder, { recursive: true });
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  faults: async ({ context }, use) => {
    const faults: string[] = [];
    const watch = (page: Page): void => {
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()))
          faults.push(`${message.type()}: ${message.text()}`);
      });
      page.on('pageerror', (error) => faults.push(`page error: ${error.message}`));
      page.on('requestfailed', (request) => {
        // A page that is left ends what it still fetches.
        const reason = request.failure()?.errorText;
        if (reason !== 'net::ERR_ABORTED') faults.push(`failed: ${request.url()} ${reason}`);
      });
      page.on('response', (response) => {
        if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
      });
    };
    context.on('page', watch);
    await use(faults);
  },
});

export const offlineState = (page: Page) => page.locator('#offline');
export const dialog = (page: Page) => page.getByRole('dialog');
export const options = (page: Page) => page.getByRole('option');

/** Waits until the site says that it works without the network. */
export async function untilReady(page: Page): Promise<void> {
  await expect(offlineState(page)).toHaveText('Ready offline');
}

/** Opens the dialog by a key and asks. */
export async function ask(page: Page, key: string, query: string): Promise<void> {
  await page.keyboard.press(key);
  await expect(dialog(page)).toBeVisible();
  await page.getByRole('combobox').fill(query);
}
