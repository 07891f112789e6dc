import { defineBrowserProvider } from '@vitest/browser';
import type { BrowserProvider, BrowserProviderOption } from 'vitest/node';
import { startSession } from './driver.ts';
import { Programs } from './programs.ts';

export interface WebKitPaths {
  driver: string;
  browser: string;
  display: string;
}

interface BrowserWindow {
  open(url: string): Promise<void> | void;
  close(): Promise<void>;
}

/** Vitest's browser mode in an installed WebKitGTK, over WebDriver. */
export const webkit = (paths: WebKitPaths) => provider(() => driven(paths));

/**
 * The same in a window as a person opens one. What a window under WebDriver stores is kept in memory, as in a
 * private window; here IndexedDB is the one on the disk.
 */
export const webkitOnDisk = (paths: WebKitPaths) => provider(() => ordinary(paths));

const provider = (openWindow: () => Promise<BrowserWindow>): BrowserProviderOption =>
  defineBrowserProvider({
    name: 'webdriver',
    supportedBrowser: ['webkit'],
    providerFactory: (): BrowserProvider => {
      let window: Promise<BrowserWindow> | undefined;
      return {
        name: 'webdriver',
        supportsParallelism: false,
        getCommandsContext: () => ({}),
        async openPage(_session, url) {
          window ??= openWindow();
          await (await window).open(url);
        },
        async close() {
          // A window that did not open has been reported, and has cleaned up after itself.
          await (await window?.catch(() => undefined))?.close();
        },
      };
    },
  });

function driven(paths: WebKitPaths): Promise<BrowserWindow> {
  return onDisplay(paths, async (programs) => {
    const session = await startSession(programs, paths);
    return {
      open: (url) => session.open(url),
      async close() {
        // Whatever does not end when asked is killed.
        await session.close().catch(() => {});
        await programs.stop();
      },
    };
  });
}

function ordinary(paths: WebKitPaths): Promise<BrowserWindow> {
  return onDisplay(paths, (programs) => ({
    open: (url) => void programs.start(paths.browser, [url]),
    close: () => programs.stop(),
  }));
}

async function onDisplay(
  paths: WebKitPaths,
  open: (programs: Programs) => Promise<BrowserWindow> | BrowserWindow,
): Promise<BrowserWindow> {
  const programs = new Programs();
  try {
    await programs.openDisplay(paths.display);
    return await open(programs);
  } catch (error) {
    console.error(`WebKit did not start.\n${programs.output}`);
    await programs.stop();
    throw error;
  }
}
