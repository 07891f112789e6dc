import { expect, test } from './box.ts';

test('screens', async ({ box, page }) => {
  await box.goto();
  await box.open();
  await page.waitForTimeout(400);
  await page.screenshot({ path: '/tmp/i6/el-start.png' });
  await box.ask('money back deposit');
  await page.waitForTimeout(600);
  await page.screenshot({ path: '/tmp/i6/el-light.png' });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.keyboard.press('ArrowDown');
  await page.screenshot({ path: '/tmp/i6/el-dark.png' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: '/tmp/i6/el-phone.png' });
  await box.input.fill('zzqqxx');
  await page.waitForTimeout(700);
  await page.screenshot({ path: '/tmp/i6/el-none.png' });
  expect(await box.live.textContent()).toContain('No results');
});
