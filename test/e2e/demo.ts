import { test as base, expect, type Locator, type Page } from '@playwright/test';

/** A file as the picker and a drop take it. */
export interface TestFile {
  name: string;
  text: string;
}

/** The demo as a reader meets it. */
export class Demo {
  readonly page: Page;
  readonly requests: string[] = [];
  readonly status: Locator;
  readonly question: Locator;
  readonly count: Locator;
  readonly cards: Locator;
  readonly shelf: Locator;

  constructor(page: Page) {
    this.page = page;
    this.status = page.locator('#status');
    this.question = page.getByRole('textbox', { name: 'Your question' });
    this.count = page.locator('#count');
    this.cards = page.locator('.card');
    this.shelf = page.locator('#shelf');
    page.on('request', (request) => this.requests.push(request.url()));
  }

  async open(path = '/'): Promise<void> {
    await this.page.goto(path);
    await this.ready();
  }

  async ready(): Promise<void> {
    await this.page.locator('html[data-ready]').waitFor();
  }

  async reload(): Promise<void> {
    this.requests.length = 0;
    await this.page.reload();
    await this.ready();
  }

  /** Gives files by the picker and waits until the last of them is stored. */
  async put(...files: TestFile[]): Promise<void> {
    await this.page.locator('#files').setInputFiles(files.map(asBuffer));
    await expect(this.page.locator('#strip')).toHaveAttribute('data-state', 'idle');
    await expect(this.shelf.locator('option', { hasText: files.at(-1)!.name })).toHaveCount(1);
    await expect(this.status).toContainText('kept in this browser');
  }

  /** Pastes on the page, not into a field. */
  async paste(text: string): Promise<void> {
    await this.page.evaluate((pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      document.body.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    }, text);
  }

  async ask(question: string): Promise<void> {
    await this.question.fill(question);
    await this.question.press('Enter');
    await expect(this.count).toHaveText(/passages? in|No results/);
    await expect(this.page.locator('.answers')).toHaveAttribute('aria-busy', 'false');
    await expect(this.page.locator('.answers')).not.toHaveAttribute('data-semantic', 'loading');
  }

  /** Opens a card's passage and answers its offsets. */
  async openCard(index: number): Promise<[number, number]> {
    const card = this.cards.nth(index);
    await card.locator('.open').click();
    await expect(card).toHaveClass(/opened/);
    return [Number(await card.getAttribute('data-start')), Number(await card.getAttribute('data-end'))];
  }

  /** Places of the cards whose passage is of a document. */
  async cardsOf(uri: string): Promise<number[]> {
    const cites = await this.cards.locator('.cite').allInnerTexts();
    return cites.flatMap((cite, at) => (cite.startsWith(uri) ? [at] : []));
  }

  /** The characters that are marked in the source, by either means. */
  marked(): Promise<string> {
    return this.page.evaluate(() => {
      const ranges = CSS.highlights?.get('passage');
      if (ranges) return [...ranges].map((range) => range.toString()).join('');
      return [...document.querySelectorAll('mark.passage')].map((mark) => mark.textContent).join('');
    });
  }

  cost(name: string): Promise<string> {
    return this.page.locator(`[data-cost="${name}"]`).innerText();
  }

  async chunks(): Promise<Locator> {
    await this.page.locator('#show-chunks').click();
    return this.page.locator('.chunk');
  }

  /** Every chunk's offsets, from the chunk view. */
  async spans(): Promise<[number, number][]> {
    const total = Number((await this.page.locator('#show-chunks').innerText()).replace(/\D/g, ''));
    const chunks = await this.chunks();
    await expect(chunks).toHaveCount(total);
    return chunks.evaluateAll((items) =>
      items.map((item): [number, number] => [Number(item.dataset['start']), Number(item.dataset['end'])]),
    );
  }
}

const asBuffer = ({ name, text }: TestFile) => ({
  name,
  mimeType: name.endsWith('.csv') ? 'text/csv' : 'text/markdown',
  buffer: Buffer.from(text, 'utf8'),
});

/**
 * `demo` is the page, watched: a console error or warning, an uncaught error, a failed request or one that
 * leaves the origin fails the test. `allowed` takes what a test provokes on purpose.
 */
export const test = base.extend<{ allowed: RegExp[]; demo: Demo }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern.
  allowed: async ({}, use) => use([]),
  demo: async ({ page, allowed, baseURL }, use) => {
    const faults: string[] = [];
    const demo = new Demo(page);
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`));
    page.on('response', (response) => {
      if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${baseURL}/`)) faults.push(`left the origin: ${request.url()}`);
    });
    await use(demo);
    expect(faults.filter((fault) => !allowed.some((pattern) => pattern.test(fault)))).toEqual([]);
  },
});

export { expect };

/** A guide of our own with headings, `sections` of them, no two alike. */
export const guide = (sections: number): string =>
  Array.from(
    { length: sections },
    (_, at) =>
      `## Section ${at}\n\nWe keep rope number ${at} on the wall near the boat shed. Whoever takes it writes a name on card ${at * 7} and brings it back dry before the ${at}th tide, because wet rope rots and somebody will need it in the next storm. Ask the harbour office about payment, repair and replacement of rope ${at}.\n\n`,
  ).join('');
