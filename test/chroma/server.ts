import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const cli = join(import.meta.dirname, 'node_modules', '.bin', 'chroma');

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });

/** A Chroma server of our own, on a folder of its own. */
export class ChromaServer {
  readonly port: number;
  readonly #folder = mkdtempSync(join(tmpdir(), 'shelfmark-chroma-'));
  #process: ChildProcess | undefined;

  private constructor(port: number) {
    this.port = port;
  }

  static async start(): Promise<ChromaServer> {
    const server = new ChromaServer(await freePort());
    await server.run();
    return server;
  }

  get url(): string {
    return `http://localhost:${this.port}`;
  }

  /** Starts it, again where it was killed, and waits until it answers. */
  async run(): Promise<void> {
    const config = join(this.#folder, 'config.yaml');
    writeFileSync(
      config,
      `port: ${this.port}\nlisten_address: localhost\npersist_path: ${join(this.#folder, 'data')}\ncors_allow_origins: ["*"]\n`,
    );
    // A group of its own, so that the server goes with the command that started it.
    const child = spawn(cli, ['run', config], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    this.#process = child;
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream!.on('data', (data) => (said += data));
    for (let tries = 0; tries < 300; tries++) {
      if (child.exitCode !== null) break;
      try {
        if ((await fetch(`${this.url}/api/v2/heartbeat`)).ok) return;
      } catch {
        // Not yet.
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`The Chroma server did not start: ${said}`);
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    process.kill(-child.pid!, 'SIGKILL');
    await gone;
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
