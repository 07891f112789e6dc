// npm run test:firefox: the suites that are the same for every engine, in an installed Firefox. Downloads nothing.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { runEngineSuite } from '../engine.mjs';

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

await runEngineSuite(resolve(import.meta.dirname, 'vite.config.ts'));
