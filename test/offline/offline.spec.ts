import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ask,
  dialog,
  expect,
  offlineState,
  options,
  questions,
  siteFolder,
  test,
  untilReady,
} from './site.ts';

for (const under of ['/', '/x/y/']) {
  test(`after one visit the site under ${under} works with the server gone: pages, words, meaning`, async ({
    page,
    context,
    serve,
    faults,
  }) => {
    const { other, words, meaning } = questions();
    const site = await serve({ under });
    await page.goto(site.address);
    await untilReady(page);

    await context.setOffline(true);
    await site.stop();
    await page.reload();
    await untilReady(page);
    await page.goto(new URL(other.file, site.address).href);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(other.title);

    await ask(page, '/', words.query);
    await expect(options(page).first()).toBeVisible();
    const hit = page.locator(`a[role=option][href*="#${words.anchor}"]`).first();
    await expect(hit).toBeVisible();
    await hit.click();
    await expect(page).toHaveURL(words.page);
    await expect(page).toHaveURL(new RegExp(`#${words.anchor}$`));
    await expect(page.locator(':target')).toBeInViewport();
    await untilReady(page);

    // None of these words is on any page, so that whatever is found is found by meaning.
    const ready = page.evaluate(
      () =>
        new Promise<unknown>((found) => {
          addEventListener('shelfmark-ready', async (event) => {
            const { index } = (event as CustomEvent).detail;
            const byWords = await index.search('quarrel automobile', { mode: 'lexical' });
            found(byWords.length);
          });
        }),
    );
    await ask(page, 'Control+k', meaning);
    expect(await ready).toBe(0);
    await expect(options(page).first()).toBeVisible();
    await expect(dialog(page)).toContainText('Ready offline');
    const href = await options(page).first().getAttribute('href');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new URL(href!, page.url()).href);
    await expect(page.locator(':target')).toBeInViewport();
    expect(faults).toEqual([]);
  });
}

test('a page that is not kept is said to be missing', async ({ page, context, serve }) => {
  const site = await serve();
  await page.goto(site.address);
  await untilReady(page);
  await context.setOffline(true);
  await site.stop();
  await page.goto(`${site.address}some/where/else.html`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not here');
  await page.getByRole('link', { name: 'All pages' }).click();
  await expect(page).toHaveURL(`${site.address}index.html`);
});

for (const path of [
  'docs.shelf',
  'models/glove-static/onnx/model_quantized.onnx',
  'ort/ort-wasm-simd.wasm',
]) {
  test(`a visit in which ${path} fails keeps nothing and does not claim to; the next one makes up for it`, async ({
    page,
    serve,
  }) => {
    let isBroken = true;
    const site = await serve({ fails: (asked) => isBroken && asked === path });
    const said: string[] = [];
    await page.exposeFunction('noteState', (text: string) => said.push(text));
    await page.addInitScript(() => {
      addEventListener('DOMContentLoaded', () => {
        const note = () =>
          (globalThis as never as { noteState(text: string): void }).noteState(
            document.querySelector('#offline')!.textContent!,
          );
        new MutationObserver(note).observe(document.querySelector('#offline')!, { childList: true });
      });
    });
    await page.goto(site.address);
    await expect(offlineState(page)).toContainText('Not kept offline');
    expect(said.length).toBeGreaterThan(0);
    expect(said).not.toContain('Ready offline');
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
    expect(
      await page.evaluate(() =>
        navigator.serviceWorker.getRegistration().then((found) => found?.active ?? null),
      ),
    ).toBeNull();

    isBroken = false;
    await page.reload();
    await untilReady(page);
  });
}

test('a file that is not the one of the list is refused: half a deployment keeps nothing', async ({
  page,
  serve,
  copy,
}) => {
  const { writeFileSync } = await import('node:fs');
  writeFileSync(join(copy, '404.html'), '<!doctype html><title>Another version</title>');
  const site = await serve({ folder: copy });
  await page.goto(site.address);
  await expect(offlineState(page)).toContainText('Not kept offline');
  await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
});

test('what the browser has cleared is fetched again, and not claimed before', async ({
  page,
  context,
  serve,
}) => {
  const site = await serve();
  await page.goto(site.address);
  await untilReady(page);
  const clear = () =>
    page.evaluate(async () => {
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        await cache.delete('docs.shelf');
      }
    });
  await clear();
  await page.reload();
  await untilReady(page);
  expect(await page.evaluate(async () => (await caches.match('docs.shelf'))?.status)).toBe(200);
  await clear();
  await site.stop();
  await context.setOffline(true);
  await page.reload();
  await expect(offlineState(page)).toContainText('Not kept offline');
});

test('every file the site needs is in the list, and no page is larger than it must be', async () => {
  const worker = readFileSync(join(siteFolder(), 'sw.js'), 'utf8');
  const { files } = JSON.parse(/^const precache = (\{[\s\S]*?\n\});$/m.exec(worker)![1]!) as {
    files: Record<string, string>;
  };
  const paths = Object.keys(files);
  for (const needed of [
    'index.html',
    'docs.shelf',
    'manifest.webmanifest',
    'icon-192.png',
    'icon-512.png',
    'models/glove-static/onnx/model_quantized.onnx',
    'models/glove-static/tokenizer.json',
    'ort/ort-wasm-simd.wasm',
  ]) {
    expect(paths).toContain(needed);
  }
  expect(paths.filter((path) => !existsSync(join(siteFolder(), path)))).toEqual([]);
  expect(paths.filter((path) => path.startsWith('ort/'))).toEqual(['ort/ort-wasm-simd.wasm']);
});
