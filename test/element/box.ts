import { test as base, expect, type Locator, type Page } from '@playwright/test';

/** The search element in a page, as a reader meets it. */
export class Box {
  readonly page: Page;
  readonly element: Locator;
  readonly button: Locator;
  readonly dialog: Locator;
  readonly input: Locator;
  readonly list: Locator;
  readonly options: Locator;
  readonly selected: Locator;
  readonly live: Locator;
  readonly state: Locator;
  /** The file of the site in documents.ts. */
  readonly shelf: Buffer;

  constructor(page: Page, shelf: Buffer) {
    this.page = page;
    this.shelf = shelf;
    this.element = page.locator('shelfmark-search');
    this.button = this.element.locator('[part="button"]');
    this.dialog = this.element.locator('dialog');
    this.input = page.getByRole('combobox');
    this.list = page.getByRole('listbox');
    this.options = page.getByRole('option');
    this.selected = page.locator('[role="option"][aria-selected="true"]');
    this.live = this.element.locator('[role="status"]');
    this.state = this.element.locator('[part="state"]');
  }

  /** Opens a page with the elements in it; `/site.shelf` is an index of the site in documents.ts. */
  async goto(html = '<shelfmark-search src="/site.shelf" base-url="/docs/"></shelfmark-search>', path = '/') {
    await this.page.route('**/site.shelf', (route) => route.fulfill({ body: this.shelf }));
    await this.page.goto(path);
    const isReady = () => customElements.get('shelfmark-search') !== undefined;
    await expect.poll(() => this.page.evaluate(isReady)).toBe(true);
    await this.put(html);
  }

  /** Puts elements into the page, by no means a policy forbids. */
  async put(html: string): Promise<void> {
    await this.page.evaluate((html) => {
      const { trustedTypes } = window as unknown as {
        trustedTypes: { createPolicy(name: string, rules: object): { createHTML(html: string): string } };
      };
      const policy = trustedTypes.createPolicy('test', { createHTML: (text: string) => text });
      document.querySelector('main')!.insertAdjacentHTML('beforeend', policy.createHTML(html));
    }, html);
  }

  async open(): Promise<void> {
    await this.button.click();
    await expect(this.input).toBeFocused();
  }

  /** Types a question into the open dialog and waits for its results. */
  async ask(question: string): Promise<void> {
    await this.input.fill(question);
    await expect(this.options.first()).toBeVisible();
    await this.settled();
  }

  /** Waits until nothing more is to come. */
  async settled(): Promise<void> {
    await expect(this.state).not.toHaveAttribute('data-state', 'busy');
  }

  /** The selected option's text, and its place in the list. */
  async choice(): Promise<{ id: string | null; place: number }> {
    const id = await this.input.getAttribute('aria-activedescendant');
    const ids = await this.options.evaluateAll((options) => options.map((option) => option.id));
    const marked = await this.selected.evaluateAll((options) => options.map((option) => option.id));
    expect(marked, 'what is said and what is marked').toEqual(id === null ? [] : [id]);
    return { id, place: ids.indexOf(id ?? '') };
  }
}

export const test = base.extend<{ box: Box }, { shelf: Buffer }>({
  shelf: [
    async ({ browser }, use, info) => {
      const page = await browser.newPage({ baseURL: info.project.use.baseURL! });
      await page.goto('/');
      const bytes = await page.evaluate(async () => (await window.load()).shelf());
      await page.close();
      await use(Buffer.from(bytes));
    },
    { scope: 'worker' },
  ],
  box: async ({ page, shelf }, use) => {
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    await use(new Box(page, shelf));
    expect(faults).toEqual([]);
  },
});

export { expect };
