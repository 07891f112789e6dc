import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, type Programs } from './programs.ts';

/** A window that WebKitWebDriver controls, told where to go in W3C WebDriver. */
export interface DriverSession {
  open(url: string): Promise<void>;
  /** Ends the browser in its own order. */
  close(): Promise<void>;
}

export async function startSession(
  programs: Programs,
  paths: { driver: string; browser: string },
): Promise<DriverSession> {
  const port = await freePort();
  const driver = programs.start(paths.driver, [`--port=${port}`]);
  const server = `http://127.0.0.1:${port}`;
  for (let tries = 0; !(await isReady(server)); tries++) {
    if (tries === 100 || !isRunning(driver)) throw new Error(`${paths.driver} does not answer.`);
    await sleep(100);
  }
  const options = { binary: paths.browser, args: ['--automation'] };
  const { sessionId } = await call<{ sessionId: string }>('POST', `${server}/session`, {
    capabilities: { alwaysMatch: { pageLoadStrategy: 'none', 'webkitgtk:browserOptions': options } },
  });
  const session = `${server}/session/${sessionId}`;
  return {
    open: (url) => call('POST', `${session}/url`, { url }),
    close: () => call('DELETE', session),
  };
}

async function call<T>(method: string, url: string, body?: object): Promise<T> {
  const response = await fetch(url, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    // A session with a browser that does not come up is never answered. Vitest waits a minute for a page.
    signal: AbortSignal.timeout(30_000),
  }).catch((error) => Promise.reject(new Error(`${method} ${url}: ${error}`)));
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
  if (!response.ok) throw new Error(`${method} ${new URL(url).pathname}: ${value.error}: ${value.message}`);
  return value;
}

async function isReady(server: string): Promise<boolean> {
  const status = await call<{ ready: boolean }>('GET', `${server}/status`).catch(() => undefined);
  return status?.ready === true;
}

/** WebKitWebDriver does not say which port it took, so it is given one. */
function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer().once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
