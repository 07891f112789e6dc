import type { SplitterDocument } from '../../src/index.ts';
import { type Box, expect, test } from './box.ts';

async function fill(box: Box, documents: SplitterDocument[]): Promise<void> {
  await box.page.evaluate(async (documents) => {
    const { filled } = await window.load();
    document.querySelector('shelfmark-search')!.index = await filled(documents);
  }, documents);
}

const pwned = (box: Box) =>
  box.page.evaluate(() => Object.keys(window).filter((key) => key.startsWith('pwned')));

test('markup in a document is text, and shown once-escaped', async ({ box, page }) => {
  await box.goto('<shelfmark-search base-url="/docs/"></shelfmark-search>');
  await fill(box, [
    {
      uri: '<img src=x onerror=pwnedF=1>.md',
      title: '<b onclick=pwnedG=1>Bold</b> &amp; so on',
      text:
        '# T <svg onload=window.pwnedA=1>\n\n<img src=x onerror=window.pwnedB=1> find me near the wall\n\n' +
        '## Use\n\nuse List<String> here &amp; there. <script>window.pwnedC=1</script>\n',
    },
    { uri: 'qa.md', text: '# Q & A <b>\n\nThe text of the answer.' },
  ]);
  await box.open();
  await box.ask('find');
  await expect(box.options.first()).toContainText(
    '<img src=x onerror=window.pwnedB=1> find me near the wall',
  );
  await box.ask('here');
  await expect(box.options.first()).toContainText('use List<String> here &amp; there.');
  await expect(box.options.first().locator('mark')).toHaveText(['here']);
  await expect(page.getByRole('group')).toContainText('<b onclick=pwnedG=1>Bold</b> &amp; so on');
  await box.ask('text');
  await expect(page.getByRole('group', { name: 'Q & A <b>', exact: true })).toHaveCount(1);
  await box.input.fill('<u>qqqzzzx');
  await expect(box.element.locator('[part="note"]')).toContainText('“<u>qqqzzzx”');
  expect(await pwned(box)).toEqual([]);
  const made = await box.element.evaluate(
    (search) =>
      search.shadowRoot!.querySelectorAll('img, script, iframe, style, b b, [style], [onclick], [onload]')
        .length,
  );
  expect(made).toBe(0);
});

test('no address that runs or contains something is ever a link', async ({ box, page }) => {
  await box.goto('<shelfmark-search base-url="/docs/"></shelfmark-search>');
  const addresses = [
    'javascript:window.pwned=1',
    'java\nscript:window.pwned=2',
    ' \tJaVaScRiPt:window.pwned=3',
    'data:text/html,<script>parent.pwned=4</script>',
    'vbscript:x',
    'blob:http://127.0.0.1/x',
    'file:///etc/passwd',
    'mailto:a@b.c',
    'http://[broken',
  ];
  await fill(
    box,
    addresses.flatMap((url, at) => [
      { uri: `${at}.md`, metadata: { url }, text: `# M${at}\n\nharbour in metadata` },
      { uri: url, text: `# U${at}\n\nharbour in the uri` },
    ]),
  );
  await box.open();
  await box.ask('harbour');
  expect(await box.options.count()).toBe(addresses.length * 2);
  const links = await box.options.evaluateAll((options) =>
    options.map((option) => option.getAttribute('href')),
  );
  expect(links.filter((href) => href !== null)).toEqual([
    // Read as the name of a file: what breaks an address of its own does not break one under the base.
    ...links.filter((href) => href?.startsWith(`${new URL(page.url()).origin}/docs/`)),
  ]);
  expect(links.filter((href) => href !== null).length).toBeLessThan(2);
  await page.keyboard.press('Enter');
  await expect(box.dialog).toBeHidden();
  await box.element.evaluate((search: HTMLElementTagNameMap['shelfmark-search']) => {
    search.linkOf = () => 'javascript:window.pwned=5';
  });
  await box.open();
  await box.input.fill('harbour metadata');
  await expect(box.options.first()).not.toHaveAttribute('href');
  await box.options.first().click();
  expect(await pwned(box)).toEqual([]);
  expect(new URL(page.url()).pathname).toBe('/');
});

test('links: the uri under base-url, what the metadata or the source say, or a function of one’s own', async ({
  box,
  page,
}) => {
  await box.goto('<shelfmark-search base-url="/docs/guide/"></shelfmark-search>');
  await fill(box, [
    { uri: '/a/C# notes?.md', text: '# Crème brûlée & co\n\nharbour one' },
    { uri: 'b.md', metadata: { url: '../elsewhere.html' }, text: '# B\n\nharbour two' },
    { uri: 'c.md', metadata: { url: 'https://example.org/c#own' }, text: '# C\n\nharbour three' },
    { uri: 'https://example.org/d.html', text: '# D\n\nharbour four' },
  ]);
  await box.open();
  const links = async (): Promise<(string | null)[]> => {
    await box.ask('harbour');
    const found = await box.options.evaluateAll((options) =>
      options.map((option) => option.getAttribute('href')),
    );
    return found.sort();
  };
  const { origin } = new URL(page.url());
  expect(await links()).toEqual([
    `${origin}/docs/elsewhere.html#b`,
    `${origin}/docs/guide/a/C%23%20notes%3F.md#cr%C3%A8me-br%C3%BBl%C3%A9e--co`,
    'https://example.org/c#own',
    'https://example.org/d.html#d',
  ]);
  await page.keyboard.press('Escape');
  await box.element.evaluate((search: HTMLElementTagNameMap['shelfmark-search']) => {
    search.linkOf = ({ docUri, slug }) => (docUri === 'b.md' ? `/p/${slug}` : undefined);
  });
  await box.open();
  await box.input.fill('harbour two');
  await expect(box.options.first()).toHaveAttribute('href', `${origin}/p/b`);
  expect(await links()).toEqual([`${origin}/p/b`, null, null, null]);
});

test('a picture written as text fills no snippet and slows no typing', async ({ box }) => {
  await box.goto('<shelfmark-search></shelfmark-search>');
  await fill(box, [
    { uri: 'p.md', text: `# Picture\n\n![i](data:image/png;base64,${'A'.repeat(300_000)})\n\nharbour wall` },
    { uri: 'q.md', text: `# Runs\n\nharbour ${'x'.repeat(2000)} ${'| '.repeat(2000)} ${'*'.repeat(3000)}` },
  ]);
  await box.open();
  await box.ask('harbour');
  for (const text of await box.options.allTextContents()) {
    expect(text.length).toBeLessThan(260);
    expect(text).not.toMatch(/A{30}|x{40}/);
  }
});

test('under the strictest policy it looks and works as elsewhere, and nothing is reported', async ({
  box,
  page,
}) => {
  const reports: string[] = [];
  page.on('console', (message) => reports.push(message.text()));
  await box.goto('<shelfmark-search src="/site.shelf" base-url="/docs/"></shelfmark-search>', '/strict');
  await box.open();
  await box.ask('deposit');
  await expect(box.options.first()).toContainText('Deposits');
  const width = await box.dialog.evaluate((dialog) => getComputedStyle(dialog).width);
  expect(width).toBe('672px');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  // Only WebAssembly, which the kernel tries and does without.
  expect(reports.filter((text) => !/wasm|WebAssembly/i.test(text))).toEqual([]);
});
