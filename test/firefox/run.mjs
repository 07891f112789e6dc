// npm run test:firefox: the suites that are the same for every engine, in an installed Firefox. Downloads nothing.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { startVitest } from 'vitest/node';

const executable = [
  process.env['SHELFMARK_FIREFOX'],
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
].find((path) => path !== undefined && existsSync(path));
if (executable === undefined) {
  console.error(
    "This needs Firefox: install your system's package (Debian: firefox-esr), or name one in SHELFMARK_FIREFOX.",
  );
  process.exit(1);
}
process.env['SHELFMARK_FIREFOX'] = executable;
console.log(`Browser: ${executable}`);

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
