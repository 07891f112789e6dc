import { createServer, request, type Server } from 'node:http';

/** In front of a server: answers some requests itself, as a busy one does, and passes on the rest. */
export class BusyProxy {
  /** Requests so far. */
  seen: string[] = [];
  /** What is answered in place of the server, and how often. */
  busy: { status: number; times: number } | undefined;
  /** Called with each request before it is passed on. */
  before: (path: string) => unknown = () => {};
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async to(target: string): Promise<BusyProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const proxy = new BusyProxy(server, `http://127.0.0.1:${port}`);
    server.on('request', async (incoming, answer) => {
      const path = incoming.url ?? '';
      proxy.seen.push(path);
      await proxy.before(path);
      const { busy } = proxy;
      if (busy !== undefined && busy.times-- > 0) {
        incoming.resume();
        answer.writeHead(busy.status, { 'content-type': 'application/json' }).end('{"error":"busy"}');
        return;
      }
      const { method, headers } = incoming;
      const passed = request(`${target}${path}`, { method, headers }, (response) => {
        answer.writeHead(response.statusCode!, response.headers);
        response.pipe(answer);
      });
      passed.on('error', () => answer.destroy());
      incoming.pipe(passed);
    });
    return proxy;
  }

  async end(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
