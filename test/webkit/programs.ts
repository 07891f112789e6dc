import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** Programs on a display of their own, with a home of their own. All of them end with this process. */
export class Programs {
  /** The last of what they said, for when something goes wrong. */
  output = '';
  /** Settings, caches and data of the machine's user are neither read nor written. */
  readonly #home = mkdtempSync(join(tmpdir(), 'shelfmark-webkit-'));
  readonly #running = new Set<ChildProcess>();
  readonly #stopNow = () => this.#kill();
  #display = '';

  constructor() {
    process.on('exit', this.#stopNow);
  }

  async openDisplay(path: string): Promise<void> {
    // It takes a free number itself, and writes it to its fourth stream when it is ready.
    const child = this.start(path, ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp']);
    const [number] = await Promise.race([
      once(child.stdio[3] as Readable, 'data'),
      once(child, 'exit').then(([code]) => {
        throw new Error(`${path} ended with ${code}.`);
      }),
    ]);
    this.#display = `:${String(number).trim()}`;
  }

  /** Each leads a process group, so that what it starts (the browser and its helpers) ends with it. */
  start(path: string, args: string[]): ChildProcess {
    const child = spawn(path, args, {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        HOME: this.#home,
        XDG_CACHE_HOME: this.#home,
        XDG_CONFIG_HOME: this.#home,
        XDG_DATA_HOME: this.#home,
        XDG_RUNTIME_DIR: this.#home,
        DISPLAY: this.#display,
        GDK_BACKEND: 'x11',
        // A container has no session bus, and none is to be started for this.
        DBUS_SESSION_BUS_ADDRESS: 'disabled:',
        NO_AT_BRIDGE: '1',
        // The sandbox wants user namespaces, which containers and root rarely have; the pages are our own.
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      },
    });
    child.stderr?.on('data', (data) => {
      this.output = (this.output + data).slice(-4000);
    });
    child.once('error', (error) => {
      this.output += error.message;
    });
    child.once('exit', (code, signal) => {
      if (this.#running.has(child))
        console.error(`${path} ended by itself (${code ?? signal}).\n${this.output}`);
    });
    if (child.pid !== undefined) this.#running.add(child);
    return child;
  }

  async stop(): Promise<void> {
    process.off('exit', this.#stopNow);
    const ended = [...this.#running].filter(isRunning).map((child) => once(child, 'exit'));
    this.#kill();
    await Promise.all(ended);
  }

  #kill(): void {
    for (const { pid } of [...this.#running].reverse()) {
      try {
        // The group may outlive its leader, so it is killed whether or not that is running.
        process.kill(-pid!, 'SIGKILL');
      } catch {
        // All of it has ended already.
      }
    }
    this.#running.clear();
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const isRunning = (child: ChildProcess): boolean =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null;
