// npm run test:webkit: the suites that are the same for every engine, in an installed WebKitGTK. Downloads nothing.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { startVitest } from 'vitest/node';

const find = (...candidates) => candidates.find((path) => path !== undefined && existsSync(path));
const libraries = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/libexec'];
const paths = {
  driver: find(process.env['SHELFMARK_WEBKIT_DRIVER'], '/usr/bin/WebKitWebDriver'),
  browser: find(
    process.env['SHELFMARK_WEBKIT'],
    ...libraries.flatMap((path) => [
      `${path}/webkit2gtk-4.1/MiniBrowser`,
      `${path}/webkitgtk-6.0/MiniBrowser`,
    ]),
  ),
  display: find(process.env['SHELFMARK_XVFB'], '/usr/bin/Xvfb'),
};
if (Object.values(paths).includes(undefined)) {
  console.error(
    "This needs WebKitGTK's WebDriver, its MiniBrowser and Xvfb: install your system's packages (Debian: " +
      'webkit2gtk-driver and xvfb), or name the programs in SHELFMARK_WEBKIT_DRIVER, SHELFMARK_WEBKIT and SHELFMARK_XVFB.',
  );
  process.exit(1);
}
process.env['SHELFMARK_WEBKIT_PATHS'] = JSON.stringify(paths);
console.log(`Browser: ${paths.browser}`);

// A run that is interrupted exits in its own way, so that the browser ends with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

const build = spawnSync(process.execPath, ['assembly/build.mjs'], { stdio: 'inherit' });
if (build.status !== 0) process.exit(build.status ?? 1);

const vitest = await startVitest('test', process.argv.slice(2), {
  run: true,
  config: resolve(import.meta.dirname, 'vite.config.ts'),
});
const modules = vitest.state.getTestModules();
const tests = modules.flatMap((module) => [...module.children.allTests()]);
const count = (state) => tests.filter((test) => test.result().state === state).length;
const passed = count('passed');
// A file that could not run, and an error outside of every test, count as failures too.
const failed =
  count('failed') +
  modules.filter((module) => module.errors().length > 0).length +
  vitest.state.getUnhandledErrors().length;
await vitest.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(passed > 0 && failed === 0 ? 0 : 1);
