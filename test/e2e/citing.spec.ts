import { expect, test } from './demo.ts';

const windows =
  '\uFEFF# Ropes 🪢\r\n\r\nA rope 🧵 is stored dry, in a loose coil, out of the sun.\r\n\r\n' +
  `## Splicing\r\n\r\n${'Two ropes are joined by weaving their strands. '.repeat(30)}\r\n\r\n` +
  '## Knots\r\n\r\nThe bowline 🚤 holds and never jams. 👩‍🚀 Tie it behind your back.\r\n';

test('exactly the cited characters are marked: CRLF, a byte order mark, emoji (B194)', async ({ demo }) => {
  await demo.open();
  await demo.put({ name: 'ropes.md', text: windows });
  await demo.ask('joining ropes with a knot that never jams');
  const mine = await demo.cardsOf('ropes.md');
  expect(mine.length).toBeGreaterThan(1);
  for (const at of mine) {
    const [start, end] = await demo.openCard(at);
    await expect.poll(() => demo.marked()).toBe(windows.slice(start, end));
  }
  const last = (await demo.spans()).at(-1)!;
  expect(windows.slice(...last)).toContain('never jams');
});

test('every chunk of the ruler marks its own slice, bare CR line breaks and all', async ({ demo }) => {
  const text = `# Tides\r\r${'The water rises twice a day. '.repeat(50)}\r\r## Moon\r\r${'A full moon pulls harder. '.repeat(50)}`;
  await demo.open();
  await demo.put({ name: 'tides.md', text });
  const spans = await demo.spans();
  expect(spans.length).toBeGreaterThan(2);
  await demo.page.locator('#ruler').focus();
  for (const span of spans) {
    await demo.page.keyboard.press('Enter');
    await expect.poll(() => demo.marked()).toBe(text.slice(...span));
    await demo.page.keyboard.press('ArrowDown');
  }
});

test('a passage far down a long document is brought into sight', async ({ demo }) => {
  const filler = Array.from(
    { length: 120 },
    (_, at) => `## Part ${at}\n\n${`Water and stone, number ${at}. `.repeat(20)}\n\n`,
  );
  const text = `${filler.join('')}## Lighthouse\n\nThe lighthouse keeper cooks soup for sailors every Friday evening.\n`;
  await demo.open();
  await demo.put({ name: 'long.md', text });
  await demo.ask('lighthouse keeper soup for sailors');
  await demo.openCard(0);
  await expect.poll(() => demo.marked()).toContain('cooks soup');
  await expect
    .poll(() =>
      demo.page.evaluate(() => {
        const [range] = [...CSS.highlights.get('passage')!] as Range[];
        const mark = range!.getBoundingClientRect();
        const pane = document.querySelector('#text')!.getBoundingClientRect();
        return mark.top >= pane.top && mark.top < pane.bottom;
      }),
    )
    .toBe(true);
});

test('without the highlight API the characters are wrapped, and unwrapped again', async ({ demo, page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'Highlight');
    Reflect.deleteProperty(CSS, 'highlights');
  });
  await demo.open();
  await demo.put({ name: 'ropes.md', text: windows });
  await demo.ask('joining ropes with a knot that never jams');
  const mine = await demo.cardsOf('ropes.md');
  expect(mine.length).toBeGreaterThan(1);
  for (const at of mine) {
    const [start, end] = await demo.openCard(at);
    await expect.poll(() => demo.marked()).toBe(windows.slice(start, end));
  }
  await demo.question.press('Escape');
  await expect(page.locator('mark.passage')).toHaveCount(0);
});

test('a text edited in the box keeps its Windows line breaks, and its offsets with them', async ({
  demo,
}) => {
  await demo.open();
  await demo.put({ name: 'ropes.md', text: windows });
  await demo.page.getByRole('button', { name: 'Edit' }).click();
  const box = demo.page.locator('#paste-text');
  await box.press('ControlOrMeta+End');
  await box.pressSequentially('\n## Anchor\n\nAn anchor bites in sand and slips on weed.');
  await demo.page.getByRole('button', { name: 'Put on the shelf' }).click();
  await expect(demo.page.locator('#text')).toContainText('slips on weed');
  await expect(demo.status).toContainText('kept in this browser');
  const edited = `${windows}\r\n## Anchor\r\n\r\nAn anchor bites in sand and slips on weed.`;
  await demo.ask('anchor in sand');
  const seen: string[] = [];
  for (const at of await demo.cardsOf('ropes.md')) {
    const [start, end] = await demo.openCard(at);
    await expect.poll(() => demo.marked()).toBe(edited.slice(start, end));
    seen.push(edited.slice(start, end));
  }
  expect(seen.some((text) => text.endsWith('slips on weed.'))).toBe(true);
});

test('a citation is copied with its document and offsets', async ({ demo }) => {
  await demo.open();
  await demo.ask('What happens if I break something?');
  const [start, end] = await demo.openCard(0);
  await demo.cards.first().getByRole('button', { name: 'Copy citation 1' }).click();
  await expect(demo.cards.first().locator('.copy')).toHaveText('Copied');
  expect(await demo.page.evaluate(() => navigator.clipboard.readText())).toBe(
    `The Harbour Tool Library › Looking after tools › When something breaks · tool-library.md [${start}, ${end})`,
  );
});

test('after a question the ruler is shaded by score, darkest where the answer lies', async ({ demo }) => {
  await demo.open();
  await demo.ask('Can somebody fix my toaster?');
  const scores = await demo.page
    .locator('.band')
    .evaluateAll((bands) =>
      bands.map((band) => Number((band as HTMLElement).style.getPropertyValue('--score'))),
    );
  const spans = await demo.spans();
  const best = Number(await demo.cards.first().getAttribute('data-start'));
  expect(scores.indexOf(Math.max(...scores))).toBe(spans.findIndex(([start]) => start === best));
  expect(Math.max(...scores)).toBe(1);

  await demo.page.locator('#ruler').hover({ position: { x: 10, y: 5 } });
  await expect(demo.page.locator('#tip')).toBeVisible();
  await expect(demo.page.locator('#tip')).toContainText(/chunk 1 · 0–/);
});
