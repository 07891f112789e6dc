import { existsSync } from 'node:fs';
import { chromium } from 'playwright';

/** Chromium's switches for machines without a GPU, a sandbox or an open network. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const installed = [
  process.env['SHELFMARK_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Launch options for Chromium: Playwright's own where it is installed, else one found on the machine.
 * Answers undefined where there is none.
 *
 * @returns {{ executablePath?: string; args: string[] } | undefined}
 */
export function chromiumLaunch() {
  const own = chromium.executablePath();
  if (own && existsSync(own)) return { args: [] };
  const executablePath = installed.find((path) => path !== undefined && existsSync(path));
  return executablePath === undefined ? undefined : { executablePath, args: chromiumArgs };
}
