import type { Demo } from './demo.ts';
import { expect, test } from './demo.ts';

async function cutAsRecords(demo: Demo, separator: string, size: number): Promise<void> {
  await demo.page.getByRole('button', { name: 'Settings' }).click();
  await demo.page.locator('#kind').selectOption('record');
  await demo.page.locator('#max-chars').fill(String(size));
  await demo.page.locator('#header').setChecked(false);
  const offered = ['\\n', '\\n\\n'].includes(separator);
  await demo.page.locator('#separator').selectOption(offered ? separator : 'custom');
  if (!offered) await demo.page.locator('#custom').fill(separator);
  await demo.page.getByRole('button', { name: 'Apply' }).click();
  await expect(demo.page.locator('#settings-dialog')).toBeHidden();
  await expect(demo.page.locator('#cutting')).toContainText(`records, up to ${size}`);
  await expect(demo.page.locator('#strip')).toHaveAttribute('data-state', 'idle');
}

const trimmed = (records: readonly string[]) =>
  records.map((record) => record.trim()).filter((record) => record !== '');

for (const { name, typed, separator, record } of [
  {
    name: 'a line break',
    typed: '\\n',
    separator: '\n',
    record: (at: number) => `row ${at}, ${'x'.repeat((at * 37) % 90)} end`,
  },
  {
    name: 'a blank line',
    typed: '\\n\\n',
    separator: '\n\n',
    record: (at: number) => `Entry ${at}\nfirst line\nsecond line ${'y'.repeat((at * 13) % 60)}`,
  },
  {
    name: 'one typed with escapes',
    typed: '\\n---\\n',
    separator: '\n---\n',
    record: (at: number) => `Card ${at}\n\nwith a blank line inside ${'z'.repeat((at * 29) % 70)}`,
  },
]) {
  test(`no record is ever cut: the separator is ${name}`, async ({ demo }) => {
    const records = Array.from({ length: 60 }, (_, at) => record(at));
    const text = records.join(separator);
    await demo.open();
    await demo.put({ name: 'rows.txt', text });
    await cutAsRecords(demo, typed, 300);

    const spans = await demo.spans();
    expect(spans.length).toBeGreaterThan(5);
    const seen: string[] = [];
    for (const [start, end] of spans) {
      expect(end - start).toBeLessThanOrEqual(300);
      const inside = trimmed(text.slice(start, end).split(separator));
      expect(records.map((one) => one.trim())).toEqual(expect.arrayContaining(inside));
      seen.push(...inside);
    }
    expect(seen).toEqual(trimmed(records));

    // Each record stands in a row of its own.
    const rows = await demo.page.locator('.chunk').first().locator('.record').allTextContents();
    expect(trimmed(rows.map((row) => row.replace(separator, '')))).toEqual(
      trimmed(text.slice(...spans[0]!).split(separator)),
    );
    await demo.reload();
    expect(await demo.spans()).toEqual(spans);
  });
}

test('a table keeps its column names beside every chunk, and the spreadsheet sample is cut that way', async ({
  demo,
}) => {
  await demo.open();
  await demo.page.getByRole('button', { name: 'Samples' }).click();
  await demo.page.locator('#sample-menu button').nth(1).click();
  await expect(demo.status).toContainText(/inventory\.csv: \d+ chunks/);
  const spans = await demo.spans();
  const contexts = await demo.page.locator('.chunk .context').allTextContents();
  expect(contexts).toHaveLength(spans.length);
  for (const context of contexts) expect(context).toMatch(/^shelfmark: \S+; tool: .+; notes: .+; loan: /);
  await demo.ask('plates and glasses for a party');
  await expect(demo.cards.first()).toContainText('Party box');
  const [start, end] = await demo.openCard(0);
  expect(spans).toContainEqual([start, end]);
  await expect.poll(async () => (await demo.marked()).length).toBe(end - start);
  expect(await demo.marked()).toMatch(/^[A-Z]{3}\.\d{3}\//);
});

test('a quoted line break in a CSV cell cuts no row, and JSON lines are cut between values', async ({
  demo,
}) => {
  const rows = Array.from({ length: 30 }, (_, at) => `${at},"first line ${at}\nsecond line ${at}",done`);
  const csv = `id,notes,state\n${rows.join('\n')}\n`;
  const json = Array.from({ length: 30 }, (_, at) => JSON.stringify({ at, name: `thing ${at}` })).join('\n');
  await demo.open();
  await demo.put({ name: 'cells.csv', text: csv });
  await expect(demo.page.locator('#cutting')).toContainText('CSV rows');
  const spans = await demo.spans();
  for (const [start, end] of spans) {
    const text = csv.slice(start, end).trimEnd();
    expect(rows.some((row) => text.startsWith(row))).toBe(true);
    expect(rows.some((row) => text.endsWith(row))).toBe(true);
  }
  // A row of two lines is one row on the page.
  await expect(demo.page.locator('.chunk .record').first()).toContainText('second line 0');
  await demo.page.locator('#show-text').click();
  await demo.put({ name: 'things.jsonl', text: json });
  await expect(demo.page.locator('#cutting')).toContainText('JSON lines');
  for (const [start, end] of await demo.spans()) {
    for (const line of json.slice(start, end).trim().split('\n'))
      expect(JSON.parse(line)).toHaveProperty('at');
  }
});

test('a setting that cannot be is named by its label on screen, and nothing is lost', async ({ demo }) => {
  await demo.open();
  await expect(demo.status).toContainText('kept in this browser');
  await demo.page.getByRole('button', { name: 'Settings' }).click();
  await demo.page.locator('#kind').selectOption('record');
  await demo.page.locator('#separator').selectOption('custom');
  await demo.page.locator('#custom').fill('');
  await demo.page.getByRole('button', { name: 'Apply' }).click();
  await expect(demo.page.getByRole('alert')).toContainText('Separator is empty');
  await demo.page.locator('#kind').selectOption('heading');
  await demo.page.locator('#overlap').fill('1000');
  await demo.page.getByRole('button', { name: 'Apply' }).click();
  await expect(demo.page.getByRole('alert')).toContainText('Overlap has to be smaller than Longest piece');
  await demo.page.keyboard.press('Escape');
  await expect(demo.page.locator('#cutting')).toContainText('by heading');
});

test('changing how a document is cut embeds only what is new', async ({ demo }) => {
  await demo.open();
  await expect(demo.status).toContainText('kept in this browser');
  const before = Number(await demo.cost('embedded'));
  await demo.page.getByRole('button', { name: 'Settings' }).click();
  await demo.page.locator('#kind').selectOption('whole');
  await demo.page.getByRole('button', { name: 'Apply' }).click();
  await expect(demo.status).toContainText('1 chunk, 1 passage embedded');
  await demo.page.locator('#cutting').click();
  await demo.page.locator('#kind').selectOption('heading');
  await demo.page.getByRole('button', { name: 'Apply' }).click();
  await expect(demo.status).toContainText(`${before} chunks`);
});
