import { hostileDocuments, mark } from '../hostile.ts';
import { type Box, expect, test } from './box.ts';

const tag = '<shelfmark-search base-url="/docs/"></shelfmark-search>';

/** Watches the page for the longest time in which nothing else got a turn, in milliseconds. */
const watched = async (box: Box, work: () => Promise<void>): Promise<number> => {
  await box.page.evaluate(() => {
    const gaps = { longest: 0, last: performance.now() };
    const turn = () => {
      const now = performance.now();
      gaps.longest = Math.max(gaps.longest, now - gaps.last);
      gaps.last = now;
      setTimeout(turn, 0);
    };
    turn();
    Object.assign(window, { gaps });
  });
  await work();
  return box.page.evaluate(() => (window as unknown as { gaps: { longest: number } }).gaps.longest);
};

test('92 hostile documents under the strictest policy: nothing runs, nothing breaks out, typing stays smooth', async ({
  box,
  page,
}) => {
  test.setTimeout(180_000);
  const reports: string[] = [];
  page.on('console', (message) => reports.push(message.text()));
  page.on('dialog', (dialog) => {
    reports.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await box.goto(tag, '/strict');
  page.on('request', (request) => {
    if (new URL(request.url()).host !== new URL(page.url()).host)
      reports.push(`left the origin: ${request.url()}`);
  });
  await page.evaluate(async (documents) => {
    const { filled } = await window.load();
    document.querySelector('shelfmark-search')!.index = await filled(documents);
  }, hostileDocuments as never);
  await box.open();

  const seen = new Set<string>();
  const longest = await watched(box, async () => {
    const says = [
      'says',
      'open',
      'begins',
      'noon',
      'script',
      'source',
      'onerror',
      'instructions',
      'bank',
      'left',
      'hidden',
    ];
    for (const word of says) {
      await box.ask(`harbour ${word}`);
      for (const text of await box.options.allTextContents()) seen.add(text);
      const links = await box.options.evaluateAll((options) =>
        options.map((option) => option.getAttribute('href')),
      );
      for (const link of links) {
        if (link !== null) expect(new URL(link).origin).toBe(new URL(page.url()).origin);
      }
      await page.keyboard.press('ArrowDown');
    }
  });
  expect(seen.size).toBeGreaterThan(40);
  // Without WebAssembly, which this policy forbids, and on a machine that runs other tests beside.
  expect(longest).toBeLessThan(5000);

  const made = await box.element.evaluate((search) =>
    [...search.shadowRoot!.querySelectorAll('*')].map(
      // Its own icons stand outside of the results.
      (element) => (element.closest('[role="listbox"]') ? 'result ' : '') + element.localName,
    ),
  );
  const foreign =
    /^(?:result (?:svg|form|details)|(?:result )?(?:script|img|iframe|object|embed|math|base|meta|link|marquee|template|textarea|source))$/;
  expect(made.filter((name) => name.startsWith('result ')).length).toBeGreaterThan(5);
  expect(made.filter((name) => foreign.test(name))).toEqual([]);
  const handlers = await box.element.evaluate((search) =>
    [...search.shadowRoot!.querySelectorAll('*')].flatMap((element) =>
      element.getAttributeNames().filter((name) => name.startsWith('on')),
    ),
  );
  expect(handlers).toEqual([]);
  const set = await page.evaluate(
    (prefix) => Object.keys(window).filter((key) => key.startsWith(prefix)),
    mark,
  );
  expect(set).toEqual([]);
  expect(await page.evaluate(() => ({}) as { polluted?: boolean })).toEqual({});
  // Only WebAssembly, which the kernel tries and does without.
  expect(reports.filter((text) => !/wasm|WebAssembly/i.test(text))).toEqual([]);
});
