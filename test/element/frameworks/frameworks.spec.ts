import { spawnSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { openIndex } from '../../../src/index.ts';

let shelf: Buffer;

test.beforeAll(async () => {
  const index = await openIndex({ persist: false });
  await index.add([{ uri: 'refunds.md', text: '# Refunds\n\n## When\n\nWithin 14 days of the return.' }]);
  shelf = Buffer.from(await (await index.export()).arrayBuffer());
});

for (const framework of ['react', 'vue', 'svelte']) {
  test(`the ${framework} snippet of docs/element.md, built as it stands, searches and handles a selection`, async ({
    page,
  }) => {
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => faults.push(message.text()));
    await page.route('**/docs.shelf', (route) => route.fulfill({ body: shelf }));
    await page.goto(`/${framework}/`);
    const search = page.locator('shelfmark-search');
    await expect(search).toHaveAttribute('base-url', '/docs/');
    await search.getByRole('button').click();
    await page.getByRole('combobox').fill('days');
    await expect(page.getByRole('option')).toHaveAttribute('href', /\/docs\/refunds\.md#/);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.getByTestId('chosen')).toHaveText('refunds.md');
    expect(new URL(page.url()).pathname).toBe(`/${framework}/`);
    expect(faults).toEqual([]);
  });
}

test('the react snippet is sound TypeScript: element, attributes, event', () => {
  const check = ['tsc', '-p', import.meta.dirname];
  const { stdout, status } = spawnSync('npx', check, {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});
