import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { ask, expect, options, questions, test, untilReady } from './site.ts';

const caches = (page: Page) => page.evaluate(() => globalThis.caches.keys());
const headline = (page: Page) => page.getByRole('heading', { level: 1 });

/** Deploys another version: the first page says so, and one script has another name, as a build gives it. */
function deploy(folder: string, name: string): void {
  const file = join(folder, 'index.html');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/<h1>.*?<\/h1>/, `<h1>${name}</h1>`));
  const precache = join(import.meta.dirname, '../../demo/docs/precache.mjs');
  execFileSync(process.execPath, [precache, folder], { stdio: 'ignore' });
}

const lookForUpdate = (page: Page) =>
  page.evaluate(async () => {
    await (await navigator.serviceWorker.getRegistration())!.update();
  });

test('an update leaves open pages alone until the reader asks for it, fetches what has changed alone, and removes the old cache (B192)', async ({
  page,
  context,
  serve,
  copy,
  faults,
}) => {
  const { words } = questions();
  const asked: string[] = [];
  const site = await serve({ folder: copy, fails: (path) => asked.push(path) < 0 });
  await page.goto(site.address);
  await untilReady(page);
  const [before] = await caches(page);
  const other = await context.newPage();
  await other.goto(site.address);

  asked.length = 0;
  deploy(copy, 'Second version');
  await lookForUpdate(page);
  const button = page.getByRole('button', { name: 'Load the new version' });
  await expect(button).toBeVisible();
  expect(new Set(asked)).toEqual(new Set(['sw.js', 'index.html']));

  // The old version is still whole, for pages that are open and those that are opened.
  await page.reload();
  await expect(headline(page)).not.toHaveText('Second version');
  await untilReady(page);
  await ask(other, '/', words.query);
  await expect(options(other).first()).toBeVisible();
  await other.keyboard.press('Escape');

  await button.click();
  await expect(headline(page)).toHaveText('Second version');
  await expect(headline(other)).toHaveText('Second version');
  await untilReady(page);
  const after = await caches(page);
  expect(after).toHaveLength(1);
  expect(after[0]).not.toBe(before);
  await expect(button).toBeHidden();

  await context.setOffline(true);
  await site.stop();
  await page.reload();
  await expect(headline(page)).toHaveText('Second version');
  await untilReady(page);
  expect(faults).toEqual([]);
});

test('an update comes by itself once no page of the old version is open', async ({
  page,
  context,
  serve,
  copy,
}) => {
  const site = await serve({ folder: copy });
  await page.goto(site.address);
  await untilReady(page);
  deploy(copy, 'Second version');
  await lookForUpdate(page);
  await expect(page.getByRole('button', { name: 'Load the new version' })).toBeVisible();
  const elsewhere = await context.newPage();
  await page.close();
  // A tab that shows the old version keeps it: each look comes from no page of the site.
  await expect(async () => {
    await elsewhere.goto('about:blank');
    await elsewhere.waitForTimeout(300);
    await elsewhere.goto(site.address);
    await expect(headline(elsewhere)).toHaveText('Second version', { timeout: 500 });
  }).toPass();
  await untilReady(elsewhere);
  expect(await caches(elsewhere)).toHaveLength(1);
});

test('an update that fails leaves the old version in its place, ready', async ({
  page,
  context,
  serve,
  copy,
}) => {
  let isBroken = false;
  const site = await serve({ folder: copy, fails: (path) => isBroken && path === 'index.html' });
  await page.goto(site.address);
  await untilReady(page);
  const before = await caches(page);
  deploy(copy, 'Second version');
  isBroken = true;
  await page.evaluate(async () => {
    const registration = (await navigator.serviceWorker.getRegistration())!;
    const gone = new Promise<void>((done) => {
      registration.addEventListener('updatefound', () => {
        const worker = registration.installing!;
        worker.addEventListener('statechange', () => worker.state === 'redundant' && done());
      });
    });
    await registration.update().catch(() => {});
    await gone;
  });
  expect(await caches(page)).toEqual(before);
  await context.setOffline(true);
  await site.stop();
  await page.reload();
  await untilReady(page);
});

test('two sites of one origin keep apart: the update of one leaves the other its cache', async ({
  page,
  serve,
  copy,
}) => {
  const outer = await serve({ folder: copy });
  await page.goto(outer.address);
  await untilReady(page);
  const [kept] = await caches(page);
  const address = new URL('elsewhere/', outer.address).href;
  await page.evaluate(async (foreign) => {
    const cache = await globalThis.caches.open(`docs ${foreign} old`);
    await cache.put('x', new Response('theirs'));
    await globalThis.caches.open('an app');
  }, address);
  deploy(copy, 'Second version');
  await lookForUpdate(page);
  await page.getByRole('button', { name: 'Load the new version' }).click();
  await expect(headline(page)).toHaveText('Second version');
  const after = await caches(page);
  expect(after).toContain(`docs ${address} old`);
  expect(after).toContain('an app');
  expect(after).not.toContain(kept);
});
