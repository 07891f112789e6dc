// npm run test:webkit: the suites that are the same for every engine, in an installed WebKitGTK. Downloads nothing.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { runEngineSuite } from '../engine.mjs';

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

await runEngineSuite(resolve(import.meta.dirname, 'vite.config.ts'));
