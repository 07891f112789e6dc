import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve, sep } from 'node:path';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.wasm': 'application/wasm',
};

/**
 * Serves a folder as a plain static host would: no fallback page, no redirects.
 *
 * @param {string} folder
 * @param {{ port?: number, under?: string, fails?: (path: string) => boolean }} [options] `under` is the folder of the
 *   site it seems to lie in, `/` by default; `fails` names paths that are answered with 503
 */
export async function serveFolder(folder, { port = 0, under = '/', fails = () => false } = {}) {
  const root = resolve(folder);
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '/').split('?')[0] ?? '/');
    const inside = path.startsWith(under) ? path.slice(under.length) : undefined;
    const file =
      inside === undefined
        ? undefined
        : join(root, normalize(inside === '' || inside.endsWith('/') ? `${inside}index.html` : inside));
    if (inside !== undefined && fails(inside)) {
      response.writeHead(503, { 'content-type': 'text/plain' }).end('not now');
      return;
    }
    if (!file?.startsWith(root + sep) || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
      return;
    }
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'cache-control': 'no-cache',
    });
    createReadStream(file).pipe(response);
  });
  await new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', () => done(undefined));
  });
  const { port: taken } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    address: `http://127.0.0.1:${taken}${under}`,
    /** Ends it, connections that are open included. */
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
