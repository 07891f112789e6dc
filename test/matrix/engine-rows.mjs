// The page without a bundler, in the other engines that are installed. Downloads nothing.
import assert from 'node:assert/strict';
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from 'puppeteer-core';
import { runnerImport } from 'vite';
import { file, root } from './doc.mjs';
import { expectedLines, importMapHash, plainFolder } from './rows.mjs';
import { serve } from './serve.mjs';

const find = (...paths) => {
  const path = paths.find((each) => each !== undefined && existsSync(each));
  if (path === undefined) throw new Error(`Install one of ${paths.filter(Boolean).join(', ')}.`);
  return path;
};

async function firefox() {
  const executablePath = find(
    process.env['SHELFMARK_FIREFOX'],
    '/usr/bin/firefox-esr',
    '/usr/bin/firefox',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
    'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
  );
  const browser = await launch({ browser: 'firefox', executablePath, headless: true });
  const page = await browser.newPage();
  return { open: (url) => page.goto(url), close: () => browser.close() };
}

async function webkit() {
  const folders = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/libexec'];
  const paths = {
    driver: find(process.env['SHELFMARK_WEBKIT_DRIVER'], '/usr/bin/WebKitWebDriver'),
    browser: find(
      process.env['SHELFMARK_WEBKIT'],
      ...folders.flatMap((path) => [
        `${path}/webkit2gtk-4.1/MiniBrowser`,
        `${path}/webkitgtk-6.0/MiniBrowser`,
      ]),
    ),
    display: find(process.env['SHELFMARK_XVFB'], '/usr/bin/Xvfb'),
  };
  const load = async (name) => (await runnerImport(join(root, 'test', 'webkit', name))).module;
  const { startSession } = await load('driver.ts');
  const { Programs } = await load('programs.ts');
  const programs = new Programs();
  try {
    await programs.openDisplay(paths.display);
    const session = await startSession(programs, paths);
    return {
      open: (url) => session.open(url),
      async close() {
        await session.close().catch(() => {});
        await programs.stop();
      },
    };
  } catch (error) {
    await programs.stop();
    throw error;
  }
}

/** Opens a page in a window of its own profile, and answers what it posted. */
async function reported(start, path, headers) {
  let hear;
  const heard = new Promise((done) => {
    hear = done;
  });
  const server = await serve(path, { headers, onReport: hear });
  const window = await start();
  let timer;
  try {
    const late = new Promise((_, failed) => {
      timer = setTimeout(() => failed(new Error('The page posted nothing in a minute.')), 60_000);
    });
    const opened = Promise.resolve(window.open(server.url)).then(() => heard);
    return await Promise.race([opened, late]);
  } finally {
    clearTimeout(timer);
    await window.close();
    server.close();
  }
}

/** The page as it is, and under a policy that leaves WebAssembly out. */
const row = (name, start) =>
  ['wasm', 'js'].map((kernel) => [
    `${name}, import map${kernel === 'js' ? ", CSP default-src 'self'" : ''}`,
    async () => {
      const path = await plainFolder(`${name.toLowerCase()}-${kernel}`);
      cpSync(join(import.meta.dirname, 'report.js'), join(path, 'report.js'));
      const script = '<script src="./report.js"></script>\n  <script type="importmap">';
      const html = file('index.html', 'plain').replace('<script type="importmap">', script);
      writeFileSync(join(path, 'index.html'), html);
      const policy = `default-src 'self'; script-src 'self' ${importMapHash()}`;
      const told = await reported(start, path, kernel === 'js' ? { 'Content-Security-Policy': policy } : {});
      const lines = await expectedLines();
      const value = { page: lines, kernel, worker: lines, element: true, styled: true };
      assert.deepEqual(told, { value, faults: [] });
    },
  ]);

export const engineRows = [...row('Firefox', firefox), ...row('WebKitGTK', webkit)];
