// npm test: Node, then Chromium, then what a store has to survive, then the built demo.
// `npm test properties` runs the property tests alone, `npm run test:kill` the kill test, a hundred times over.
import { spawnSync } from 'node:child_process';
import { chromiumLaunch } from './browser-path.mjs';

const only = process.argv[2];
const propertyFiles = [
  'test/unit/properties',
  'test/unit/by-heading-properties',
  'test/unit/compat-splitters-properties',
  'test/unit/record-properties',
  'test/unit/csv-records',
  'test/contract/kernels',
];

function run(title, command, args) {
  console.log(`\n— ${title}`);
  const { status, error } = spawnSync('npx', [command, ...args], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error !== undefined) throw error;
  if (status !== 0) {
    console.error(`\n${title}: failed.`);
    process.exit(status ?? 1);
  }
}

const build = spawnSync(process.execPath, ['assembly/build.mjs'], { stdio: 'inherit' });
if (build.status !== 0) process.exit(build.status ?? 1);

if (only === 'properties') {
  run('properties', 'vitest', ['run', '--project', 'node', ...propertyFiles]);
  process.exit(0);
}

const launch = chromiumLaunch();
if (launch === undefined) {
  console.error(
    'The browser tests need Chromium: run "npx playwright install chromium", or install your system\'s chromium package.',
  );
  process.exit(1);
}
console.log(
  launch.executablePath === undefined
    ? "Browser: Playwright's own Chromium"
    : `Browser: ${launch.executablePath} (Playwright has none of its own here)`,
);

const survival = ['test', '--config', 'test/survival/playwright.config.ts'];
if (only === 'kill') {
  process.env['SHELFMARK_KILLS'] ??= '100';
  run('killed browsers', 'playwright', [...survival, 'kill.spec']);
  process.exit(0);
}
run('Node and Chromium', 'vitest', ['run']);
run('survival', 'playwright', survival);
run('the search element', 'playwright', ['test', '--config', 'test/element/playwright.config.ts']);
run('links to passages', 'playwright', ['test', '--config', 'test/fragments/playwright.config.ts']);
run('the demo, built', 'vite', ['build', '--mode', 'demo', '--logLevel', 'warn']);
run('end to end', 'playwright', ['test', '--config', 'test/e2e/playwright.config.ts']);
