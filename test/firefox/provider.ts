import { defineBrowserProvider } from '@vitest/browser';
import { type Browser, launch, type Page } from 'puppeteer-core';
import type { BrowserProvider } from 'vitest/node';

/** Vitest's browser mode in an installed Firefox, over WebDriver BiDi. Playwright drives its own build alone. */
export const firefox = (executablePath: string) =>
  defineBrowserProvider({
    name: 'puppeteer',
    supportedBrowser: ['firefox'],
    providerFactory: (): BrowserProvider => {
      let browser: Promise<Browser> | undefined;
      const pages = new Map<string, Page>();
      return {
        name: 'puppeteer',
        supportsParallelism: false,
        getCommandsContext: (session) => ({ page: pages.get(session) }),
        async openPage(session, url) {
          browser ??= launch({ browser: 'firefox', executablePath, headless: true });
          await pages.get(session)?.close();
          const page = await (await browser).newPage();
          pages.set(session, page);
          await page.goto(url, { timeout: 0 });
        },
        async close() {
          await (await browser)?.close();
        },
      };
    },
  });
