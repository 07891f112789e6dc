import { expect, test } from './demo.ts';

const pwned = `(() => Object.keys(window).filter((key) => key.startsWith('pwned')))()`;

test('markup in a document is text: in the source, the chunks, the passages and the ruler', async ({
  demo,
  page,
}) => {
  const text =
    '# T <svg onload=window.pwnedA=1>\n\n<img src=x onerror=window.pwnedB=1> find me near the harbour wall\n\n' +
    '## Q & A <b>\n\nUse List<String> here &amp; there. <script>window.pwnedC=1</script>\n\n' +
    '[go](java\nscript:window.pwnedD=3) and [go](data:text/html,x) and [go](javascript:window.pwnedE=1)\n';
  await demo.open();
  await demo.put({ name: '<img src=x onerror=pwnedF=1>.md', text });
  await expect(page.locator('#text')).toContainText('<img src=x onerror=window.pwnedB=1> find me');
  expect(await page.locator('#text').evaluate((element) => element.textContent)).toBe(text);

  await demo.ask('use list here near the harbour wall');
  const mine = demo.cards.filter({ hasText: 'onerror=pwnedF' });
  await expect(mine.first()).toBeVisible();
  await expect(page.locator('.card .excerpt').filter({ hasText: 'List<String>' }).first()).toBeVisible();
  await page.locator('#ruler').hover({ position: { x: 10, y: 300 } });
  await demo.chunks();
  expect(await page.evaluate(pwned)).toEqual([]);
  expect(await page.locator('main a, main img, main script, main svg, main b b').count()).toBe(0);
});

test('a heading is shown once-escaped', async ({ demo, page }) => {
  await demo.open();
  await demo.put({ name: 'qa.md', text: '# Q & A <b>\n\nThe text of the question and of the answer.' });
  await demo.ask('text of the question and answer');
  await expect(page.locator('.card .leaf').filter({ hasText: 'Q & A <b>' })).toHaveText('Q & A <b>');
});

test('a document of another script, with a byte of every kind, is shown as it is', async ({ demo, page }) => {
  const text = '# 茶 \u0000 \u2028 \u200f\n\nערב טוב, \u202Ehidden\u202C tea\u00A0and water\n';
  await demo.open();
  await demo.put({ name: 'odd.md', text });
  expect(await page.locator('#text').evaluate((element) => element.textContent)).toBe(text);
  await page.locator('#ruler').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => demo.marked()).toBe(text.slice(...(await demo.spans())[0]!));
});

test('the policy of the page forbids what it does not need', async ({ demo, page }) => {
  await demo.open();
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval'? *;?.*'unsafe-eval'|https?:|\*/);
});
