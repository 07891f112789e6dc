import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ask, expect, options, test, untilReady } from './site.ts';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/offline.md'), 'utf8');
const marked = [...guide.matchAll(/^<!-- (file: (\S+)|run) -->\n```\w+\n([\s\S]*?)^```$/gm)];
const files = new Map(marked.flatMap(([, , name, code]) => (name === undefined ? [] : [[name, code!]])));
const commands = marked.flatMap(([, what, , code]) => (what === 'run' ? code!.trim().split('\n') : []));

test('every block of the guide is a file or a command of its app', () => {
  expect(marked).toHaveLength([...guide.matchAll(/^```\w+$/gm)].length);
  expect(files.size).toBe(10);
  expect(commands).toHaveLength(4);
});

test('the guide has the service worker, the list maker and the helper of the demo to the letter', () => {
  const demo = (path: string): string => readFileSync(join(root, 'demo/docs', path), 'utf8');
  expect(files.get('sw.js')).toBe(demo('sw.js'));
  expect(files.get('precache.mjs')).toBe(demo('precache.mjs'));
  expect(files.get('offline.js')).toBe(demo('page/offline.js'));
});

test('the app of the guide, built by its commands, is searched by words and by meaning with the server gone', async ({
  page,
  context,
  serve,
  faults,
}) => {
  test.setTimeout(180_000);
  const app = mkdtempSync(join(tmpdir(), 'shelfmark-guide-'));
  try {
    for (const [name, code] of files) {
      mkdirSync(dirname(join(app, name)), { recursive: true });
      writeFileSync(join(app, name), code);
    }
    writeFileSync(join(app, 'package.json'), '{ "type": "module" }');
    symlinkSync(join(root, 'node_modules'), join(app, 'node_modules'), 'junction');
    const runner = join(import.meta.dirname, 'shelfmark.mjs');
    for (const line of commands) {
      const [program, ...args] = line.split(' ');
      expect(['npx', 'node']).toContain(program);
      const command = program === 'npx' ? [runner, ...args] : args;
      execFileSync(process.execPath, command, { cwd: app, stdio: ['ignore', 'ignore', 'inherit'] });
    }

    const site = await serve({ folder: join(app, 'dist'), under: '/x/y/' });
    await page.goto(site.address);
    await untilReady(page);
    await context.setOffline(true);
    await site.stop();
    await page.reload();
    await untilReady(page);
    await page.getByRole('link', { name: 'Refunds' }).click();
    await expect(page).toHaveURL(`${site.address}refunds.html`);

    await ask(page, '/', 'gift cards');
    await expect(options(page).first()).toContainText('Gift cards');
    await options(page).first().click();
    await expect(page).toHaveURL(`${site.address}refunds.html#exceptions`);

    await ask(page, 'Control+k', 'money back');
    await expect(options(page).first()).toContainText('Refunds are issued');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${site.address}refunds.html#refunds`);
    await expect(page.locator('#offline')).toHaveText('Ready offline');
    expect(faults).toEqual([]);
  } finally {
    rmSync(app, { recursive: true, force: true });
  }
});
